/* What every page does: links and forms that htmx sends behave like a browser's, copying, and scripts
   that come with what needs them. */

navigator.serviceWorker?.register("/worker.js");  // what was seen can be read offline

/* With a key held a link is left to the browser, which opens another tab, and of all that was asked
   for only the last is shown. */

/* The page asked for last, until it is shown. It ends when another is asked for or history moves.
   Asked for again at once, as by a double click or a key kept down, it just goes on. */
const AT_ONCE = 1000;  // milliseconds

/** What htmx tells of a request; `asked` is missing of what was asked for before this script came.
 * @typedef {object} Asked
 * @property {{action: string, body: FormData, headers: object, abort?: () => void}} request
 * @property {{raw: Response}} response
 * @property {Event} sourceEvent
 * @property {string | null} push
 * @property {string | null} replace
 * @property {string} [asked] The whole address, written by us.
 */

/** @type {Asked | undefined} */
let pending;

function end() {
  pending?.request.abort?.();
  pending = undefined;
}
addEventListener("popstate", end);
addEventListener("pagehide", end);

let isAside = false;  // whether a key was held, which a form's own event doesn't tell
addEventListener("click", (event) => {
  isAside = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const link = /** @type {Element} */ (event.target).closest?.("a[href]");
  if (link && isAside) event.stopPropagation();
  else if (link && !link.hasAttribute("hx-get")) end();
}, true);
addEventListener("submit", (event) => { if (isAside) event.stopPropagation(); }, true);

/** @param {Asked} page */
const goesBack = ({ request }) => "HX-History-Restore-Request" in request.headers;

/* Acts on what htmx does for a page with an address of its own; parts of a tree come side by side. */
/** @param {string} name @param {(page: Asked, event: Event) => void} act */
function on(name, act) {
  document.addEventListener(`htmx:${name}`, (event) => {
    const page = /** @type {CustomEvent} */ (event).detail.ctx;
    if (page && (page.push || page.replace || goesBack(page))) act(page, event);
  });
}

on("config:request", (page, event) => {
  page.asked = `${page.request.action}?${new URLSearchParams(/** @type {any} */ (page.request.body))}`;
  const isAgain = pending && page.asked === pending.asked
    && page.sourceEvent.timeStamp - pending.sourceEvent.timeStamp < AT_ONCE;
  if (isAgain) event.preventDefault(); else end();
});
on("before:request", (page) => { pending = page; });
on("after:request", (page, event) => {
  if (page !== pending && (pending || page.asked)) event.preventDefault();
  if (page.response.raw.url === location.href) page.push = null;  // no page is entered twice
});
on("finally:request", (page) => { if (page === pending) pending = undefined; });

/* The address has changed already, so the browser fetches its page, or says why it can't. */
on("error", (page) => { if (page === pending && goesBack(page)) location.reload(); });

/** The text to copy: a link's address, else this page's, or a text, in which \x7f stands for DEL.
 * @param {string} id @returns {string} */
function textToCopy(id) {
  const { href, textContent } = /** @type {any} */ (document.getElementById(id) ?? location);
  return href ?? textContent.replaceAll("\\x7f", "\x7f");
}

/** Where the clipboard is closed to us (plain http), copying through a selection still works.
 * @param {string} text */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** @param {string} names Under which this browser keeps what is to be forgotten. */
function forget(names) {
  for (const name of names.split(" ")) localStorage.removeItem(name);
  dispatchEvent(new Event("storage"));
}

document.addEventListener("click", async (event) => {
  const target = /** @type {Element} */ (event.target);
  const button = /** @type {HTMLElement | null} */ (target.closest?.("[data-copy], [data-forget]"));
  if (!button) return;
  if ("forget" in button.dataset) forget(button.dataset.forget ?? "");
  else await copy([button.dataset.copy ?? "", button.dataset.link ?? ""].filter(Boolean).map(textToCopy).join("\n"));
  const { done = "", label = button.textContent ?? "" } = button.dataset;
  document.getElementById("status")?.replaceChildren(done);
  button.dataset.label = label;
  button.textContent = done;
  setTimeout(() => { button.textContent = label; }, 2000);
});

/* A script that only a part of a page needs comes with that part, or when it is seen. */
const seen = new IntersectionObserver((parts) => parts.forEach(({ isIntersecting, target }) => {
  if (isIntersecting) load(target);
}));
/** @param {Element} part */
function load(part) {
  seen.unobserve(part);
  import(part.getAttribute("data-script") ?? "");
}

/** Makes a page ready that has just come; to visit it by a link is to play again, and to come by Back
 * or a reload is to play on. What has been played to here is for tally.js to know.
 * @param {boolean} isVisit */
function begin(isVisit) {
  document.querySelectorAll("[data-script]").forEach((part) => part.hasAttribute("data-seen") ? seen.observe(part) : load(part));
  try {
    const isOffline = document.getElementById("a-board");  // each turn is a visit: see offline.js
    if ((isVisit && !isOffline) || !sessionStorage.play) sessionStorage.play = Date.now();
    const { game, end } = document.getElementById("board")?.dataset ?? {};
    if (game && !document.querySelector(".tally")) sessionStorage.game = game;
    if (end && !isVisit) import(end);  // it counts at once when the end comes, whoever leaves
  } catch { /* nothing kept */ }
}
const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
begin(arrival?.type === "navigate");
document.addEventListener("htmx:after:swap", () => begin(false));
