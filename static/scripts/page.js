/* What every page does once it is there: requests of htmx, texts to copy, scripts of parts, and the site as an app.
   One file, since each of them is small and a first visit should take few requests. */

/* Requests of htmx: shows those that are pending and those that failed, shows only the last page asked for, and
   lets the browser follow links natively. Runs before htmx sends its first request. */

/* Elements that a pending request will change get aria-busy; the style sheet then shows a progress bar. */

/** Request context of htmx.
 * @typedef {object} Sent
 * @property {{action: string, body: FormData, headers: object, signal: AbortSignal, submitter?: HTMLElement, abort?: () => void}} request
 * @property {{raw: Response}} response
 * @property {string} [text] The response body, once received.
 * @property {Element} sourceElement
 * @property {Element} target
 * @property {Element[]} indicators
 * @property {Event} sourceEvent
 * @property {string | null} push
 * @property {string | null} replace
 * @property {string} asked The full URL, set below.
 */

/** @param {string} name @param {(sent: Sent, event: Event) => void} act */
const on = (name, act) => document.addEventListener(`htmx:${name}`, (event) => {
  const sent = /** @type {CustomEvent} */ (event).detail.ctx;
  if (sent) act(sent, event);
});

/** @type {Map<Sent, Element[]>} */
const busy = new Map();
on("before:request", (sent) => {
  const { sourceElement: source, target, indicators } = sent;
  const whole = target.querySelector("#board, .board") ?? target.querySelector("main") ?? target;
  busy.set(sent, source.hasAttribute("hx-indicator") ? [...indicators] : [whole]);
  for (const part of busy.get(sent) ?? []) part.ariaBusy = "true";
});
on("finally:request", (sent) => {
  const done = busy.get(sent) ?? [];
  busy.delete(sent);
  for (const part of done) if (![...busy.values()].flat().includes(part)) part.ariaBusy = null;
});

/* A failed request changes nothing on the page, so form input is preserved. A message next to the control
   gives the reason and a retry button. The request is also retried when the browser comes back online. */

/** Failure messages by the target of the request. @type {Map<Element, HTMLElement>} */
const failures = new Map();

/** Whether the request restores a history entry.
 * @param {Sent} sent */
const restores = ({ request }) => "HX-History-Restore-Request" in request.headers;

/** Returns the block after which the message about a control is inserted.
 * @param {Element} source */
function blockOf(source) {
  if (source.matches("form")) return source.querySelector(".entry") ?? source.lastElementChild ?? source;
  return source.closest(".scroll") ?? (source.matches("a") ? source.closest("table, ol, ul, .answers, .unoffered, p") : null) ?? source;
}

/** Returns the query string that a form would send, or an empty string for other elements.
 * @param {Element} source */
const written = (source) => source instanceof HTMLFormElement ? `${new URLSearchParams(/** @type {any} */ (new FormData(source)))}` : "";

/** @param {Sent} sent */
function tryAgain({ sourceElement: source, target, request }) {
  if (source instanceof HTMLFormElement) source.requestSubmit(request.submitter);
  else /** @type {any} */ (globalThis).htmx.ajax("GET", request.action, { source, target });
}

/** Shows a message about a failed request.
 * @param {Sent} sent @param {string} why Selects the sentence of the template that gives the reason. */
function fail(sent, why) {
  const { sourceElement: source, target } = sent, old = failures.get(target), text = written(source);
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("failure"));
  const box = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const button = /** @type {HTMLElement} */ (box.querySelector("button"));
  for (const words of box.querySelectorAll(`p:not([data-why="${why}"])`)) words.remove();
  button.addEventListener("click", () => tryAgain(sent));
  addEventListener("online", () => { if (box.isConnected && text === written(source)) tryAgain(sent); }, { once: true });
  blockOf(source).after(box);
  if (old?.contains(document.activeElement)) button.focus();
  old?.remove();
  failures.set(target, box);
  box.scrollIntoView({ block: "nearest" });
  document.getElementById("status")?.replaceChildren(box.querySelector("p")?.textContent ?? "");
}

on("before:swap", ({ target }) => failures.get(target)?.remove());
on("before:response", (sent, event) => {
  if (sent.response.raw.status < 500 || restores(sent)) return;
  event.preventDefault();
  fail(sent, "refused");
});
on("error", (sent) => {
  const why = sent.request.signal.reason === "timeout" ? "late" : navigator.onLine ? "unreachable" : "offline";
  if (sent.text === undefined && !restores(sent)) fail(sent, why);  // otherwise the swap failed
});

/* The browser handles clicks with a modifier key. Of several requests for pages, only the last is shown:
   a new request or a history navigation aborts the pending one. A repeat of the pending request within
   AT_ONCE, for example by a double click, is ignored. */
const AT_ONCE = 1000;  // milliseconds

/** @type {Sent | undefined} */
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

/** Listens to an htmx event of a request that changes the URL. Other requests, such as those for parts of a
 * tree, may run in parallel.
 * @param {string} name @param {(page: Sent, event: Event) => void} act */
const onPage = (name, act) => on(name, (page, event) => {
  if (page.push || page.replace || restores(page)) act(page, event);
});

onPage("config:request", (page, event) => {
  page.asked = `${page.request.action}?${new URLSearchParams(/** @type {any} */ (page.request.body))}`;
  const isAgain = pending && page.asked === pending.asked
    && page.sourceEvent.timeStamp - pending.sourceEvent.timeStamp < AT_ONCE;
  if (isAgain) event.preventDefault(); else end();
});
onPage("before:request", (page) => { pending = page; });
onPage("after:request", (page, event) => {
  if (page !== pending) event.preventDefault();
  if (page.response.raw.url === location.href) page.push = null;  // no duplicate history entry
});
onPage("finally:request", (page) => { if (page === pending) pending = undefined; });

/* The URL has already changed: the browser loads the page or shows its own error. */
onPage("error", (page) => { if (page === pending && restores(page)) location.reload(); });

/* Buttons that copy or share a text, or delete what is stored in this browser. */

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

/** Offers a text to other apps, on phones and if the button asks for it. Returns whether they were offered.
 * @param {HTMLElement} button */
async function send({ dataset: { share, copy = "" } }) {
  if (share === undefined || !navigator.share || !matchMedia("(pointer: coarse)").matches) return false;
  return navigator.share({ text: textToCopy(copy) }).then(() => true, ({ name }) => name === "AbortError");
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
  else if (await send(button)) return;
  else await copy(textToCopy(button.dataset.copy ?? ""));
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

/* The site as an app: pages that were visited can be read offline, and browsers that can offer to install it. */

if (!document.documentElement.matches(".embedded")) {
  addEventListener("load", () => navigator.serviceWorker?.register("/worker.js"));
}

// The button "Install as an app" of the page "More", in browsers that can.
addEventListener("beforeinstallprompt", (event) => document.querySelectorAll("[data-install]").forEach((offer) => {
  offer.removeAttribute("hidden");
  offer.addEventListener("click", () => /** @type {Event & { prompt(): void }} */ (event).prompt());
}));
