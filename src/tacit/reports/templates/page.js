// Folds render what they hold when they are opened; links open the folds that they lead into.
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  tacit.enhance = async (part) => {
    for (const fold of part.querySelectorAll("details.fold")) {
      fold.addEventListener("toggle", () => {
        if (!fold.open) return;
        tacit.fill(fold);
        tacit.draw(fold);
      });
    }
    await tacit.fill(part);
    await tacit.draw(part);
  };

  function follow() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    requestAnimationFrame(() => target.scrollIntoView());
  }

  // The contents: a sticky column, or a button on a small screen.
  const contents = document.querySelector("nav.contents");
  const toggle = contents.querySelector("button");
  const setOpen = (open) => {
    contents.classList.toggle("open", open);
    toggle.setAttribute("aria-expanded", String(open));
  };
  toggle.addEventListener("click", () => setOpen(!contents.classList.contains("open")));
  contents.addEventListener("click", (event) => event.target.closest("a") && setOpen(false));
  contents.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      setOpen(false);
      toggle.focus();
    }
  });
  const links = new Map([...contents.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter((one) => one.isIntersecting)) {
        links.forEach((link) => link.removeAttribute("aria-current"));
        links.get(entry.target.id).setAttribute("aria-current", "true");
      }
    },
    { rootMargin: "-15% 0px -75% 0px" },
  );
  links.forEach((_, id) => watcher.observe(document.getElementById(id)));

  // Limits and numbers are part of the answer, so they are printed with it.
  const opened = [];
  window.addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("details.printed:not([open])")) {
      fold.open = true;
      opened.push(fold);
    }
  });
  window.addEventListener("afterprint", () => opened.splice(0).forEach((fold) => (fold.open = false)));

  // Charts above the target push it down while they are drawn; a reader who has moved on is left alone.
  let moved = false;
  for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
    window.addEventListener(kind, () => (moved = true), { once: true, passive: true });
  }
  window.addEventListener("hashchange", follow);
  window.addEventListener("load", async () => {
    follow();
    await tacit.enhance(document);
    root.dataset.drawn = "all";
    if (!moved) follow();
  });
})();
