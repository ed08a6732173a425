/* Aids of a game. In wide windows they are open next to the board, unless the visitor closed them. In others they open
   over the board, one at a time; the analysis, whose state is in the URL, is then only hidden behind another aid,
   and comes back at a click on its heading. */

/** @param {Element} fold */
const covers = (fold) => getComputedStyle(/** @type {Element} */ (fold.lastElementChild)).position === "absolute";
const column = () => {
  const side = document.querySelector(".screen > .side");
  return side && getComputedStyle(side).flexDirection === "column" ? side : null;
};

/** Returns the names of the aids that the visitor closed next to the board. */
function closed() {
  try { return new Set((localStorage.closedAids ?? "").split(" ")); } catch { return new Set(); }
}
/** @param {Element} fold @param {boolean} isOpen */
function keep(fold, isOpen) {
  const names = closed(), [, name] = fold.classList;
  if (isOpen !== names.has(name)) return;
  if (isOpen) names.delete(name); else names.add(name);
  try { localStorage.closedAids = [...names].join(" "); } catch { /* storage unavailable */ }
}

/** Opens the aids next to the board. Those with `data-spoils` wait for the visitor. */
function dock() {
  const side = column(), names = closed();
  for (const fold of side?.querySelectorAll(":scope > .fold:not([open], .open, [data-spoils])") ?? []) {
    if (names.has(fold.classList[1])) continue;
    if (fold.matches("details")) fold.toggleAttribute("data-docked", fold.toggleAttribute("open", true));
    else analyse(fold);
  }
}

/** The closed analyses that an open one replaced next to the board.
 * @type {Map<Element, Element>} */
const folded = new Map();

/** Shows the analysis of a guess without a change of the URL.
 * @param {Element} fold */
async function analyse(fold) {
  const url = fold.querySelector("a")?.href ?? "";
  try {
    const page = new DOMParser().parseFromString(await (await fetch(url)).text(), "text/html");
    const shown = page.querySelector(".analysis.open");
    if (!shown || !fold.isConnected || !column()) return;
    fold.replaceWith(shown);
    folded.set(shown, fold);
    /** @type {any} */ (globalThis).htmx.process(shown);
  } catch { /* the link remains */ }
}

let wasDocked = false;
function follow() {
  const isDocked = Boolean(column());
  if (isDocked) dock();
  else if (wasDocked) {
    for (const fold of document.querySelectorAll("[data-docked]")) fold.removeAttribute("open");
    for (const [shown, fold] of folded) shown.replaceWith(fold);
    folded.clear();
  }
  wasDocked = isDocked;
}
addEventListener("DOMContentLoaded", follow);
addEventListener("resize", follow);
document.addEventListener("htmx:after:swap", follow);

document.addEventListener("toggle", ({ target }) => {
  const fold = /** @type {HTMLDetailsElement} */ (target);
  if (!fold.matches?.(".side > .fold")) return;
  if (column()) keep(fold, fold.open);
  else if (fold.open && covers(fold)) {
    for (const other of fold.parentElement?.querySelectorAll("details.fold[open]") ?? []) {
      if (other !== fold) other.removeAttribute("open");
    }
  }
}, true);
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.(".analysis :is(.analysis-head a, .analysis-close)");
  const analysis = link?.closest(".analysis");
  if (!analysis) return;
  if (column()) {
    keep(analysis, !analysis.matches(".open"));
    return;
  }
  const fold = analysis.matches(".open") && link?.matches(".analysis-head a") && analysis.parentElement?.querySelector("details.fold[open]");
  if (!fold || !covers(fold)) return;
  event.preventDefault();
  event.stopPropagation();
  fold.removeAttribute("open");
}, true);
