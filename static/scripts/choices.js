/* Stores the user's choices in this browser: appearance, strategy, and the game in progress. Shows pending
   and failed requests. Runs before the first paint, to avoid visible changes, and before htmx sends its
   first request. */
"use strict";

{
const root = document.documentElement;
/** @type {{theme: string, contrast: string, palette: string, tiles: string, pegs: string, shape: string, keys: string, marks: string[], game: string}} */
const DEFAULTS = { theme: "system", contrast: "system", palette: "standard", tiles: "standard",
  pegs: "digits", shape: "round", keys: "on", marks: [], game: "" };

/** Returns the stored choices, or the defaults if storage is unavailable or not valid JSON. */
function read() {
  try { return { ...DEFAULTS, ...JSON.parse(localStorage.choices ?? "{}") }; } catch { return { ...DEFAULTS }; }
}
/** @param {Partial<typeof DEFAULTS>} changed */
function keep(changed) {
  try { localStorage.choices = JSON.stringify({ ...read(), ...changed }); } catch { /* storage unavailable */ }
  look();
}

/** Sets the data attributes of the root element that the style sheet reads, and the colour of the browser's bars. */
function look() {
  const { theme, contrast, palette, tiles, pegs, shape, keys, game } = read();
  Object.assign(root.dataset, { theme, contrast, palette, tiles, pegs, shape, keys });
  for (const bars of /** @type {NodeListOf<HTMLMetaElement>} */ (document.querySelectorAll("meta[data-scheme]"))) {
    const { scheme = "" } = bars.dataset, isChosen = theme === "light" || theme === "dark";
    bars.media = isChosen ? (theme === scheme ? "all" : "not all") : `(prefers-color-scheme: ${scheme})`;
  }
  root.toggleAttribute("data-under-way", typeof game === "string" && /^\/\w[\w/.:%-]*(\?[\w=&]+)?$/.test(game));
}
look();

/** Returns the first characters of a text without splitting surrogate pairs.
 * @param {unknown} text @param {number} most */
const cut = (text, most) => [...String(text)].slice(0, most).join("");

/** Writes the user's own marks on the pegs of the sprite, which all pegs of the page reference. A peg shows
 * two characters; the keys of the keypad show up to 12. */
function mark() {
  const { marks, pegs } = read();
  /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll(".sprite .own")).forEach((text, place) => {
    text.textContent = cut(marks[place] || text.dataset.symbol, 2);
  });
  for (const name of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".key .colour"))) {
    const own = pegs === "own" && cut(marks[parseInt(name.dataset.colour ?? "", 16)] ?? "", 12);
    if (own) name.textContent = own;
    name.classList.toggle("named", (own || "").length > 2);
  }
}

/** Restores the stored choices in the forms. */
function fill() {
  const { game, ...looks } = read();
  for (const link of document.querySelectorAll(".under-way a")) link.setAttribute("href", game || "/");
  const settings = /** @type {HTMLFormElement | null} */ (document.getElementById("settings"));
  for (const field of /** @type {HTMLInputElement[]} */ ([...settings?.elements ?? []])) {
    if (field.type === "radio") field.checked = Object.entries(looks).some(([name, value]) => name === field.name && value === field.value);
    if (field.name === "mark") field.value = looks.marks[Number(field.dataset.place)] ?? "";
  }
}

/** Stores the path of a game in progress with its options, and removes it when the game is over. */
function follow() {
  const { underWay, over, start = "" } = document.getElementById("board")?.dataset ?? {};
  const [game] = read().game.split("?");
  if (underWay !== undefined) keep({ game: location.pathname + (start.match(/\?.*/)?.[0] ?? "") });
  else if (over !== undefined && game && location.pathname.startsWith(game)) keep({ game: "" });
}

document.addEventListener("DOMContentLoaded", () => { mark(); fill(); follow(); });
document.addEventListener("htmx:after:swap", () => { mark(); follow(); });
/* Apply choices made on another page (after Back) or in another tab. */
addEventListener("pageshow", ({ persisted }) => { if (persisted) { look(); mark(); } });
addEventListener("storage", () => { look(); mark(); });
document.addEventListener("change", ({ target }) => {
  const { form, name, value } = /** @type {HTMLInputElement} */ (target);
  if (form?.id === "settings") {
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=mark]"));
    const marks = [...fields].map((field) => field.value.trim());
    keep(name === "mark" ? { marks } : { [name]: value });
    mark();
  }
});

/* Elements that a pending request will change get aria-busy; the style sheet then shows a progress bar. */

/** Request context of htmx (see site.js).
 * @typedef {object} Sent
 * @property {{action: string, headers: object, signal: AbortSignal, submitter?: HTMLElement}} request
 * @property {{raw: Response}} response
 * @property {string} [text] The response body, once received.
 * @property {Element} sourceElement
 * @property {Element} target
 * @property {Element[]} indicators
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

/** Whether the request restores a history entry, which site.js handles.
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
}
