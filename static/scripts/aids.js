/* In narrow windows the aids of a game open over its board: one at a time. The analysis, whose state is in the
   URL, is only hidden behind another aid, and comes back at a click on its heading. */

/** @param {Element} fold */
const covers = (fold) => getComputedStyle(/** @type {Element} */ (fold.lastElementChild)).position === "absolute";
document.addEventListener("toggle", ({ target }) => {
  const fold = /** @type {HTMLDetailsElement} */ (target);
  if (!fold.matches?.(".side > .fold[open]") || !covers(fold)) return;
  for (const other of fold.parentElement?.querySelectorAll("details.fold[open]") ?? []) {
    if (other !== fold) other.removeAttribute("open");
  }
}, true);
document.addEventListener("click", (event) => {
  const heading = /** @type {Element} */ (event.target).closest?.(".analysis.open > .analysis-head");
  const fold = heading?.closest(".side")?.querySelector("details.fold[open]");
  if (!fold || !covers(fold)) return;
  event.preventDefault();
  event.stopPropagation();
  fold.removeAttribute("open");
}, true);
