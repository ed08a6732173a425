/* A script for a part of a page is loaded with the part, or when the part becomes visible. */
const seen = new IntersectionObserver((parts) => parts.forEach(({ isIntersecting, target }) => {
  if (isIntersecting) load(target);
}));
/** @param {Element} part */
function load(part) {
  seen.unobserve(part);
  import(part.getAttribute("data-script") ?? "");
}

/** Initializes a new page. A visit through a link starts a new play for the tally; Back or a reload continues
 * the play. Also stores the current game for tally.js.
 * @param {boolean} isVisit */
function begin(isVisit) {
  document.querySelectorAll("[data-script]").forEach((part) => part.hasAttribute("data-seen") ? seen.observe(part) : load(part));
  try {
    const isOffline = document.getElementById("a-past");  // offline, each turn is a page visit: see offline.js
    if ((isVisit && !isOffline) || !sessionStorage.play) sessionStorage.play = Date.now();
    const { game, end, over } = document.getElementById("board")?.dataset ?? {};
    if (game && over === undefined) sessionStorage.game = game;
    if (end && !isVisit) import(end);  // counts the game at once, even if the user leaves
  } catch { /* storage unavailable */ }
}
const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
document.addEventListener("DOMContentLoaded", () => begin(arrival?.type === "navigate"));
document.addEventListener("htmx:after:swap", () => begin(false));
