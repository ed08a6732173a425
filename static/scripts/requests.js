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
