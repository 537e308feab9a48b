// A table sorts by any column; a search keeps the rows that contain all of its words; long tables grow on demand.
(() => {
  const PAGE = 100;
  const LONG = 320;
  const SHORT = 160;
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

  const textOf = (cell) => (Array.isArray(cell) ? cell.join(" ") : cell);

  // The first number of a cell: of "p < .001", "1,204", "31% [24%, 38%]" or "3.1e-06".
  function numberOf(cell) {
    const found = /-?(?:\d|\.\d)[\d,]*\.?\d*(?:e[+-]?\d+)?/.exec(Array.isArray(cell) ? cell[0] : cell);
    return found ? Number(found[0].replaceAll(",", "")) : null;
  }

  function isolated(text) {
    if (text.length <= LONG) return tacit.make("bdi", { textContent: text });
    const begin = tacit.make("summary", {}, tacit.make("bdi", { textContent: text.slice(0, SHORT) + "…" }));
    return tacit.make("details", {}, begin, tacit.make("bdi", { textContent: text }));
  }

  function cellElement(cell, column) {
    const element = tacit.make("td", { className: column.numeric ? "n" : column.wide ? "w" : "" });
    element.append(isolated(Array.isArray(cell) ? cell[0] : cell));
    if (Array.isArray(cell)) element.append(tacit.make("small", {}, isolated(cell[1])));
    return element;
  }

  function build(holder, data) {
    const title = holder.dataset.title;
    const state = { column: -1, falling: false, words: [], shown: PAGE };
    const input = tacit.make("input", { type: "search", autocomplete: "off", spellcheck: false });
    const count = tacit.make("span", { className: "count", role: "status" });
    const more = tacit.make("button", { type: "button", className: "more" });
    const body = tacit.make("tbody");
    const headings = data.columns.map((column, place) => {
      const button = tacit.make("button", { type: "button" });
      if (column.color) button.append(swatch(column.color));
      button.append(tacit.make("bdi", { textContent: column.name }));
      button.addEventListener("click", () => {
        state.falling = state.column === place && !state.falling;
        state.column = place;
        show();
      });
      return tacit.make("th", { scope: "col", className: column.numeric ? "n" : "" }, button);
    });

    function swatch(color) {
      const mark = tacit.make("span", { className: "swatch" });
      mark.style.background = color;
      return mark;
    }

    function order(a, b) {
      if (!data.columns[state.column].numeric) return collator.compare(textOf(a[state.column]), textOf(b[state.column]));
      const [x, y] = [numberOf(a[state.column]), numberOf(b[state.column])];
      if (x === null || y === null) return ((x === null) - (y === null)) * (state.falling ? -1 : 1); // missing values stay last
      return x - y;
    }

    function show() {
      const found = data.rows.filter((row) => {
        const text = row.map(textOf).join(" ").toLowerCase();
        return state.words.every((word) => text.includes(word));
      });
      if (state.column >= 0) found.sort((a, b) => (state.falling ? -order(a, b) : order(a, b)));
      headings.forEach((heading, place) => {
        if (place === state.column) heading.setAttribute("aria-sort", state.falling ? "descending" : "ascending");
        else heading.removeAttribute("aria-sort");
      });
      const rows = found.slice(0, state.shown);
      body.replaceChildren(...rows.map((row) => tacit.make("tr", {}, ...row.map((cell, i) => cellElement(cell, data.columns[i])))));
      count.textContent = (state.words.length ? found.length + " of " : "") + data.rows.length + (data.rows.length === 1 ? " row" : " rows");
      more.hidden = rows.length === found.length;
      more.textContent = "Show all " + found.length + " rows";
    }

    input.addEventListener("input", () => {
      state.words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      show();
    });
    more.addEventListener("click", () => {
      state.shown = Infinity;
      show();
    });
    const head = tacit.make("thead", {}, tacit.make("tr", {}, ...headings));
    const table = tacit.make("table", {}, tacit.make("caption", { className: "hidden", textContent: title }), head, body);
    const region = tacit.make("div", { className: "scroll", tabIndex: 0, role: "group" }, table);
    region.setAttribute("aria-label", title);
    const tools = tacit.make("div", { className: "table-tools" }, tacit.make("label", {}, "Search ", input), count);
    show();
    holder.append(tools, region, more);
  }

  // Renders the tables below `root` that can be seen.
  tacit.fill = async (root) => {
    for (const holder of root.querySelectorAll(".table[data-title]:not([data-ready])")) {
      if (!holder.closest("details:not([open])")) {
        holder.dataset.ready = "yes";
        build(holder, await tacit.read(holder));
      }
    }
  };
})();
