"use strict";
// Charts are drawn when they come near the screen; the rest when the browser is idle, so that all of them can be printed.
(() => {
  const charts = [...document.querySelectorAll("figure .chart")];
  const drawn = new Set();

  // A wide chart on a narrow screen: panels stack unless they share an axis, facets wrap, and a single chart gets narrower.
  function fitted(spec, room) {
    if (spec.hconcat) {
      const panels = spec.hconcat;
      const wanted = panels.reduce((sum, panel) => sum + widthOf(panel) + 60, 0);
      if (wanted <= room || panels.slice(1).some(leansOnNeighbour)) return spec;
      const { hconcat, ...rest } = spec;
      return { ...rest, vconcat: hconcat.map((panel) => fitted(panel, room)) };
    }
    if (spec.vconcat) return { ...spec, vconcat: spec.vconcat.map((panel) => fitted(panel, room)) };
    if (spec.facet && spec.columns) return { ...spec, columns: columnsIn(room, widthOf(spec.spec), spec.columns) };
    const facet = spec.encoding && spec.encoding.facet;
    if (facet && facet.columns) {
      const columns = columnsIn(room, widthOf(spec), facet.columns);
      return { ...spec, encoding: { ...spec.encoding, facet: { ...facet, columns } } };
    }
    const single = !spec.facet && !spec.concat && !spec.repeat && !(spec.encoding && (spec.encoding.row || spec.encoding.column));
    return single && typeof spec.width === "number" && spec.width > room - 90 ? { ...spec, width: Math.max(200, room - 110) } : spec;
  }

  const widthOf = (spec) => (typeof spec.width === "number" ? spec.width : 200);
  const columnsIn = (room, width, wanted) => Math.max(1, Math.min(wanted, Math.floor((room - 60) / (width + 24))));
  const leansOnNeighbour = (panel) => /"y":\{(?:[^{}]|\{[^{}]*\})*?"axis":(?:null|\{[^{}]*"labels":false)/.test(JSON.stringify(panel));

  async function draw(chart) {
    if (drawn.has(chart)) return;
    drawn.add(chart);
    const spec = JSON.parse(chart.closest("figure").querySelector("script").textContent);
    const room = chart.parentElement.clientWidth;
    try {
      await vegaEmbed(chart, fitted(spec, room), { renderer: "svg", actions: false, ast: true, tooltip: { theme: "tacit" } });
    } catch (error) {
      chart.textContent = "This figure could not be drawn: " + error.message;
      console.error(error);
    }
  }

  const watcher = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => { watcher.unobserve(entry.target); draw(entry.target); }),
    { rootMargin: "600px" },
  );
  charts.forEach((chart) => watcher.observe(chart));

  const idle = window.requestIdleCallback || ((work) => setTimeout(work, 200));
  async function drawRest() {
    const next = charts.find((chart) => !drawn.has(chart));
    if (next) { await draw(next); idle(drawRest); } else { document.documentElement.dataset.drawn = "all"; }
  }
  window.addEventListener("load", () => idle(drawRest));
})();

// Tables sort by any column; a search keeps the rows that contain all of its words.
(() => {
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

  function key(row, column, numeric) {
    const cell = row.cells[column];
    if (!numeric) return cell.textContent;
    return cell.dataset.k === "" ? null : Number(cell.dataset.k);
  }

  function sort(table, column, header) {
    const falling = header.getAttribute("aria-sort") === "ascending";
    const numeric = header.classList.contains("n");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [key(row, column, numeric), row]);
    rows.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null);  // missing values stay last in both directions
      const order = numeric ? a - b : collator.compare(a, b);
      return falling ? -order : order;
    });
    table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
    header.setAttribute("aria-sort", falling ? "descending" : "ascending");
    body.append(...rows.map(([, row]) => row));
  }

  function search(holder, table, words) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !wanted.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    holder.querySelector(".count").textContent = (wanted.length ? shown + " of " : "") + table.tBodies[0].rows.length + " rows";
  }

  for (const holder of document.querySelectorAll(".table")) {
    const table = holder.querySelector("table");
    const headers = [...table.tHead.rows[0].cells];
    headers.forEach((header, column) => header.querySelector("button").addEventListener("click", () => sort(table, column, header)));
    const input = holder.querySelector("input");
    input.addEventListener("input", () => search(holder, table, input.value));
    search(holder, table, "");
  }
})();
