// Keys for raters, stopping a question, and the progress of a running job.
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (button) { event.preventDefault(); button.click(); }
});

document.addEventListener("click", (event) => {
  const stop = event.target.closest("[data-stop]");
  if (stop) htmx.trigger(document.querySelector(stop.dataset.stop), "htmx:abort");
});

const job = document.getElementById("job");
if (job) {
  const source = new EventSource(job.dataset.events);
  source.onmessage = (event) => {
    const run = JSON.parse(event.data);
    document.getElementById("job-status").textContent = run.status;
    document.getElementById("job-left").textContent = run.left ? `(about ${run.left} left)` : "";
    const bar = document.getElementById("job-progress");
    bar.max = run.total || Math.max(1, run.answered);
    bar.value = run.status === "complete" ? bar.max : run.answered;
    document.getElementById("job-count").textContent =
      run.total ? `${run.answered.toLocaleString()} of ${run.total.toLocaleString()} questions answered` : "";
    document.getElementById("job-output").textContent = run.output;
    if (run.status !== "running") source.close();
  };
}
