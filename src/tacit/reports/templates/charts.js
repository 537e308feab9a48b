// Charts take the width that there is: panels stack, facets wrap, and plots grow or shrink until they fit.
(() => {
  const NARROW = 640;
  const MOST_GROWTH = 2.4;
  const LEAST = 0.3;
  const GAP = 60;

  const ownWidth = (spec) => (typeof spec.width === "number" ? spec.width : spec.spec ? ownWidth(spec.spec) : 200);

  // The width of the plots that stand side by side, without axes and legends.
  function rowWidth(spec) {
    if (spec.hconcat) return spec.hconcat.reduce((sum, panel) => sum + rowWidth(panel), 0);
    if (spec.vconcat) return Math.max(...spec.vconcat.map(rowWidth));
    if (spec.concat) return Math.min(spec.columns || 1, spec.concat.length) * Math.max(...spec.concat.map(rowWidth));
    if (spec.facet && spec.columns) return spec.columns * ownWidth(spec);
    return ownWidth(spec);
  }

  const columnsIn = (room, width, wanted) => Math.max(1, Math.min(wanted, Math.floor(room / (0.6 * width + GAP))));

  // Fewer panels side by side where there is little room.
  function arranged(spec, room) {
    if (spec.hconcat) {
      const panels = spec.hconcat.map((panel) => arranged(panel, room));
      const wanted = panels.reduce((sum, panel) => sum + 0.6 * rowWidth(panel) + GAP, 0);
      const { hconcat, ...rest } = spec;
      return wanted <= room ? { ...rest, hconcat: panels } : { ...rest, vconcat: panels };
    }
    if (spec.vconcat) return { ...spec, vconcat: spec.vconcat.map((panel) => arranged(panel, room)) };
    if (spec.concat) {
      const widest = Math.max(...spec.concat.map(rowWidth));
      return { ...spec, columns: columnsIn(room, widest, spec.columns || spec.concat.length) };
    }
    return spec.facet && spec.columns ? { ...spec, columns: columnsIn(room, ownWidth(spec), spec.columns) } : spec;
  }

  function scaled(value, factor, limit) {
    if (Array.isArray(value)) return value.map((part) => scaled(part, factor, limit));
    if (value === null || typeof value !== "object") return value;
    const copy = {};
    for (const [key, part] of Object.entries(value)) {
      if (key === "width" && typeof part === "number" && !value.type) copy[key] = Math.max(60, Math.round(part * factor));
      else if (key === "width" && part && part.step) copy[key] = { step: Math.max(44, part.step * Math.min(1, factor)) };
      else if (limit && (key === "labelLimit" || key === "labelPadding") && part > limit) copy[key] = limit;
      else copy[key] = key === "datasets" ? part : scaled(part, factor, limit);
    }
    return copy;
  }

  async function embed(chart, spec) {
    await vegaEmbed(chart, spec, { renderer: "svg", actions: false, ast: true, tooltip: { theme: "tacit" } });
    const drawing = chart.querySelector("svg");
    return drawing ? drawing.viewBox.baseVal.width : 0;
  }

  // Draws a spec again and again with plots of other widths, until it is as wide as there is room.
  async function fit(chart, spec, room) {
    const narrow = room < NARROW ? Math.round(room * 0.3) : 0;
    const legend = narrow ? { ...spec.config.legend, columns: 2 } : spec.config.legend;
    const themed = { ...spec, config: { ...spec.config, legend } };
    let factor = 1;
    let width = await embed(chart, scaled(themed, factor, narrow));
    let slope = rowWidth(spec); // how much wider the chart gets when plots are twice as wide
    for (let attempt = 0; attempt < 3 && (width > room || width < 0.94 * room); attempt += 1) {
      const next = Math.min(MOST_GROWTH, Math.max(LEAST, factor + (0.985 * room - width) / slope));
      if (Math.abs(next - factor) < 0.01) break;
      const wider = await embed(chart, scaled(themed, next, narrow));
      if (wider !== width) slope = Math.max(1, (wider - width) / (next - factor));
      [factor, width] = [next, wider];
    }
    return width;
  }

  async function draw(chart) {
    const room = chart.clientWidth;
    if (!room || chart.dataset.room === String(room)) return;
    chart.dataset.room = room;
    try {
      const spec = await tacit.read(chart.closest("figure"));
      // Long headings can make panels wider than their plots: then fewer stand side by side.
      for (const share of [1, 0.7, 0.45]) if ((await fit(chart, arranged(spec, share * room), room)) <= 1.02 * room) break;
    } catch (error) {
      chart.textContent = "This figure could not be drawn: " + error.message;
      console.error(error);
    }
    chart.dataset.done = "yes";
  }

  // Draws the charts below `root` that can be seen, one after the other.
  tacit.draw = async (root) => {
    for (const chart of root.querySelectorAll("figure .chart")) {
      if (!chart.closest("details:not([open])")) {
        await draw(chart);
        await new Promise((done) => setTimeout(done));
      }
    }
  };

  let waiting = 0;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => tacit.draw(document), 300);
  });
})();
