/* Keeps the dashboard up to date: every 15 seconds the parts marked data-live are replaced by those of a fresh page. */
(() => {
  "use strict";
  const EVERY = 15000, stale = document.querySelector("[data-stale]"), pause = document.querySelector("[data-pause]");
  let paused = false;
  // A part that is being used stays as it is.
  const inUse = (part) => part.contains(document.activeElement) || part.querySelector("details[open]") || getSelection().containsNode(part, true) && !getSelection().isCollapsed;
  const update = async () => {
    if (paused || document.hidden) return;
    try {
      const response = await fetch(location.href, { headers: { Accept: "text/html" }, redirect: "error", signal: AbortSignal.timeout(EVERY) });
      if (!response.ok) throw new Error(response.status);
      const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
      for (const part of document.querySelectorAll("[data-live]")) {
        const other = fresh.getElementById(part.id);
        if (other && !inUse(part) && other.innerHTML !== part.innerHTML) part.replaceWith(document.importNode(other, true));
      }
      stale.hidden = true;
    } catch { stale.hidden = false; }
  };
  if (document.querySelector("[data-live]") && pause) {
    if (location.search.includes("done=")) { // what was done is said once
      const address = new URL(location.href);
      address.searchParams.delete("done");
      history.replaceState(null, "", address);
    }
    setInterval(update, EVERY);
    pause.addEventListener("click", () => {
      paused = !paused;
      pause.textContent = paused ? pause.dataset.on : pause.dataset.off;
    });
  }
})();
