/* Behaviour shared by all pages: native navigation for htmx links and forms, copy buttons, and on-demand
   loading of scripts. */

navigator.serviceWorker?.register("/worker.js");  // visited pages can be read offline

/* The browser handles clicks with a modifier key. Of several requests for pages, only the last is shown:
   a new request or a history navigation aborts the pending one. A repeat of the pending request within
   AT_ONCE, for example by a double click, is ignored. */
const AT_ONCE = 1000;  // milliseconds

/** Request context of htmx. `asked` is missing if the request started before this script loaded.
 * @typedef {object} Asked
 * @property {{action: string, body: FormData, headers: object, abort?: () => void}} request
 * @property {{raw: Response}} response
 * @property {Event} sourceEvent
 * @property {string | null} push
 * @property {string | null} replace
 * @property {string} [asked] The full URL, set by this script.
 */

/** @type {Asked | undefined} */
let pending;

function end() {
  pending?.request.abort?.();
  pending = undefined;
}
addEventListener("popstate", end);
addEventListener("pagehide", end);

let isAside = false;  // whether a modifier key was held: submit events do not say
addEventListener("click", (event) => {
  isAside = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const link = /** @type {Element} */ (event.target).closest?.("a[href]");
  if (link && isAside) event.stopPropagation();
  else if (link && !link.hasAttribute("hx-get")) end();
}, true);
addEventListener("submit", (event) => { if (isAside) event.stopPropagation(); }, true);

/** @param {Asked} page */
const goesBack = ({ request }) => "HX-History-Restore-Request" in request.headers;

/** Listens to an htmx event of a request that changes the URL. Other requests, such as those for parts of a
 * tree, may run in parallel.
 * @param {string} name @param {(page: Asked, event: Event) => void} act */
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
  if (page.response.raw.url === location.href) page.push = null;  // no duplicate history entry
});
on("finally:request", (page) => { if (page === pending) pending = undefined; });

/* The URL has already changed: the browser loads the page or shows its own error. */
on("error", (page) => { if (page === pending && goesBack(page)) location.reload(); });

/** Returns the text to copy: the URL of a link, the text of another element (`\x7f` becomes DEL), or the
 * page URL if there is no such element.
 * @param {string} id @returns {string} */
function textToCopy(id) {
  const { href, textContent } = /** @type {any} */ (document.getElementById(id) ?? location);
  return href ?? textContent.replaceAll("\\x7f", "\x7f");
}

/** Copies a text, through a selection if the Clipboard API is unavailable (plain HTTP).
 * @param {string} text */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** @param {string} names Keys to remove from localStorage, separated by spaces. */
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
    const isOffline = document.getElementById("a-board");  // offline, each turn is a page visit: see offline.js
    if ((isVisit && !isOffline) || !sessionStorage.play) sessionStorage.play = Date.now();
    const { game, end } = document.getElementById("board")?.dataset ?? {};
    if (game && !document.querySelector(".tally")) sessionStorage.game = game;
    if (end && !isVisit) import(end);  // counts the game at once, even if the user leaves
  } catch { /* storage unavailable */ }
}
const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
begin(arrival?.type === "navigate");
document.addEventListener("htmx:after:swap", () => begin(false));
