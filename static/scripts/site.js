/* What every page does with the requests of htmx: links and forms behave like a browser's, work under way
   shows, and so does a request that fails. */

navigator.serviceWorker?.register("/worker.js");  // what was seen can be read offline

/* With a key held a link is left to the browser, which opens another tab, and of all that was asked
   for only the last is shown. */

/* The page asked for last, until it is shown. It ends when another is asked for or history moves.
   Asked for again at once, as by a double click or a key kept down, it just goes on. */
const AT_ONCE = 1000;  // milliseconds

/** What htmx tells of a request; `asked` is missing of what was asked for before this script came.
 * @typedef {object} Asked
 * @property {{action: string, body: FormData, headers: object, signal: AbortSignal, submitter?: HTMLElement, abort?: () => void}} request
 * @property {{raw: Response}} response
 * @property {string} [text] The body of the response, once it is here.
 * @property {Event} sourceEvent
 * @property {Element} sourceElement
 * @property {Element} target
 * @property {Element[]} indicators
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

/** Acts on what htmx does for any part of a page.
 * @param {string} name @param {(page: Asked, event: Event) => void} act */
const onAny = (name, act) => document.addEventListener(`htmx:${name}`, (event) => {
  const page = /** @type {CustomEvent} */ (event).detail.ctx;
  if (page) act(page, event);
});

/** Acts on what htmx does for a page with an address of its own; parts of a tree come side by side.
 * @param {string} name @param {(page: Asked, event: Event) => void} act */
const on = (name, act) => onAny(name, (page, event) => {
  if (page.push || page.replace || goesBack(page)) act(page, event);
});

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

/* A request marks what it will change as busy, and the style sheet then shows that work is under way. */

/** @type {Map<Asked, Element[]>} */
const busy = new Map();
onAny("before:request", (page) => {
  const { sourceElement: source, target, indicators } = page;
  const whole = target.querySelector(".board") ?? target.querySelector("main") ?? target;
  busy.set(page, source.hasAttribute("hx-indicator") ? [...indicators] : [whole]);
  for (const part of busy.get(page) ?? []) part.ariaBusy = "true";
});
onAny("finally:request", (page) => {
  const done = busy.get(page) ?? [];
  busy.delete(page);
  for (const part of done) if (![...busy.values()].flat().includes(part)) part.ariaBusy = null;
});

/* A request that fails changes nothing, so what was typed stays. A message next to the control gives the
   reason and a button that tries again; if the browser was offline, it tries again once it is online. */

/** The messages, by what the requests were to change. @type {Map<Element, HTMLElement>} */
const failures = new Map();

/** The block after which the message about a control is placed.
 * @param {Element} source */
function blockOf(source) {
  if (source.matches("form")) return source.querySelector(".slotted") ?? source.lastElementChild ?? source;
  return source.closest(".scroll") ?? (source.matches("a") ? source.closest("table, ol, ul, .answers, .unoffered, p") : null) ?? source;
}

/** What a form would send.
 * @param {Element} source */
const written = (source) => source instanceof HTMLFormElement ? `${new URLSearchParams(/** @type {any} */ (new FormData(source)))}` : "";

/** @param {Asked} page */
function tryAgain({ sourceElement: source, target, request }) {
  if (source instanceof HTMLFormElement) source.requestSubmit(request.submitter);
  else /** @type {any} */ (globalThis).htmx.ajax("GET", request.action, { source, target });
}

/** Shows that a request failed. Where the address has changed already, the browser fetches its page, or says why it can't.
 * @param {Asked} page @param {string} why Which sentence of the template gives the reason. */
function fail(page, why) {
  if (goesBack(page)) return page === pending && location.reload();
  const { sourceElement: source, target } = page, old = failures.get(target), text = written(source);
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("failure"));
  const box = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const button = /** @type {HTMLElement} */ (box.querySelector("button"));
  for (const words of box.querySelectorAll(`p:not([data-why="${why}"])`)) words.remove();
  button.addEventListener("click", () => tryAgain(page));
  addEventListener("online", () => { if (box.isConnected && text === written(source)) tryAgain(page); }, { once: true });
  blockOf(source).after(box);
  if (old?.contains(document.activeElement)) button.focus();
  old?.remove();
  failures.set(target, box);
  box.scrollIntoView({ block: "nearest" });
  document.getElementById("status")?.replaceChildren(box.querySelector("p")?.textContent ?? "");
}

onAny("before:swap", ({ target }) => failures.get(target)?.remove());
onAny("before:response", (page, event) => {
  if (page.response.raw.status < 500) return;
  event.preventDefault();
  fail(page, "refused");
});
onAny("error", (page) => {
  const why = page.request.signal.reason === "timeout" ? "late" : navigator.onLine ? "unreachable" : "offline";
  if (page.text === undefined) fail(page, why);  // else it came, and could not be shown
});
