/* What every page does, in one file so that a first visit takes at most eight requests. It runs before the first paint,
   to avoid visible changes, and before htmx sends its first request.

   1 Preferences   2 The game under way   3 The first question   4 Requests of htmx   5 Copying and forgetting
   6 Parts on demand   7 Choices of a new game   8 Aids of a game   9 The site as an app

   Each section is a block, so that sections share no names except the first two functions. */
"use strict";

/** Returns the JSON object that localStorage has under a name, or an empty object if there is none.
 * @param {string} name @returns {Record<string, any>} */
function parsed(name) {
  try { return { ...JSON.parse(localStorage[name] ?? "{}") }; } catch { return {}; }
}

/** Returns the values of that object for the keys of the defaults. A default replaces a value that is missing or of
 * another type.
 * @template T @param {string} name @param {T & {}} defaults @returns {T} */
function stored(name, defaults) {
  const values = parsed(name);
  return /** @type {any} */ (Object.fromEntries(Object.entries(defaults).map(([key, value]) =>
    [key, values[key]?.constructor === value.constructor ? values[key] : value])));
}

/* 1 Preferences ------------------------------------------------------------------------------------ */

/* Every page looks and sounds as the visitor chose on the preferences page; preferences.js stores the choices. The style
   sheet reads them from the root element. */

{
const root = document.documentElement;
const DEFAULTS = { theme: "system", contrast: "system", palette: "standard", tiles: "standard", answers: "marks",
  sound: "off", vibration: "off", pegs: "digits", shape: "round", keys: "on" };

/** Returns the choices that are no attributes of the root element.
 * @returns {{symbols: string, marks: string[]}} */
const others = () => stored("choices", { symbols: "0", marks: [] });

/** Sets the data attributes of the root element and the colour of the browser's bars, and loads the sounds if wanted. */
function look() {
  const choices = stored("choices", DEFAULTS), { theme, sound, vibration } = choices;
  for (const name of Object.keys(DEFAULTS)) root.dataset[name] = choices[/** @type {keyof typeof DEFAULTS} */ (name)];
  for (const bars of /** @type {NodeListOf<HTMLMetaElement>} */ (document.querySelectorAll("meta[data-scheme]"))) {
    const { scheme = "" } = bars.dataset, isChosen = theme === "light" || theme === "dark";
    bars.media = isChosen ? (theme === scheme ? "all" : "not all") : `(prefers-color-scheme: ${scheme})`;
  }
  if ([sound, vibration].includes("on")) import("./sound.js");
}
look();

/** Shows the digits of a small game from 1, if the visitor prefers that or an address of this tab asked for it:
 * `symbols=1`; `symbols=0` ends it. */
function number() {
  if (!document.getElementById("digits")) return;
  let asked = new URLSearchParams(location.search).get("symbols");
  try { asked = sessionStorage.symbols = asked ?? sessionStorage.symbols ?? ""; } catch { /* storage unavailable */ }
  if ((asked || others().symbols) === "1") import("./symbols.js");
}

/** Returns the first characters of a text without splitting surrogate pairs.
 * @param {unknown} text @param {number} most */
const cut = (text, most) => [...String(text)].slice(0, most).join("");

/** Writes the user's own marks on the pegs of the sprite, which all pegs of the page reference. A peg shows
 * two characters; the keys of the keypad show up to 12. */
function mark() {
  const { marks } = others();
  /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll(".sprite .own")).forEach((text, place) => {
    text.textContent = cut(marks[place] || text.dataset.symbol, 2);
  });
  for (const name of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".key .colour"))) {
    const own = root.dataset.pegs === "own" && cut(marks[parseInt(name.dataset.colour ?? "", 16)] ?? "", 12);
    if (own) name.textContent = own;
    name.classList.toggle("named", (own || "").length > 2);
  }
}

for (const shown of ["DOMContentLoaded", "htmx:after:swap"]) document.addEventListener(shown, () => { mark(); number(); });
/* Choices of another page (after Back), of another tab, and of the form on this page, which sends this event too. */
addEventListener("pageshow", ({ persisted }) => { if (persisted) { look(); mark(); } });
addEventListener("storage", () => { look(); mark(); });
}

/* 2 The game under way ----------------------------------------------------------------------------- */

/* The home page leads back to a game that was left before its end, with its name, turn and date. */

{
const read = () => stored("choices", { game: "", title: "", turn: 0, played: 0 });

/** Tells the style sheet before the first paint whether there is such a game. */
function offer() {
  const { game } = read();
  document.documentElement.toggleAttribute("data-under-way", /^\/\w[\w/.:%-]*(\?[\w=&]+)?$/.test(game));
}
offer();

/** Names the game in the link of the home page. */
function fill() {
  const { game, title, turn, played } = read(), date = new Date(played);
  const day = played && date.toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "long" });
  for (const link of document.querySelectorAll(".under-way a")) {
    const which = /** @type {HTMLElement} */ (link.querySelector("small"));
    link.setAttribute("href", game || "/");
    which.textContent = [title, turn && which.dataset.turn?.replace("{}", String(turn)), day].filter(Boolean).join(" · ");
  }
}

/** @param {Partial<ReturnType<typeof read>>} game */
function keep(game) {
  try { localStorage.choices = JSON.stringify({ ...parsed("choices"), ...game }); } catch { /* storage unavailable */ }
  offer();
}

/** Stores the path of the game on this page with its options, and removes it when the game is over. */
function follow() {
  const { underWay, over, start = "" } = document.getElementById("board")?.dataset ?? {};
  const [game] = read().game.split("?");
  if (underWay !== undefined) keep({
    game: location.pathname + (start.match(/\?.*/)?.[0] ?? ""),
    title: document.querySelector(".game-title")?.textContent ?? "",
    turn: document.querySelectorAll("#board .past")[0]?.querySelectorAll("tbody tr").length + 1 || 1,
    played: document.querySelector(".game-title small") ? 0 : Date.now(),  // the title has the day of the puzzle
  });
  else if (over !== undefined && game && location.pathname.startsWith(game)) keep({ game: "" });
}

document.addEventListener("DOMContentLoaded", () => { fill(); follow(); });
document.addEventListener("htmx:after:swap", follow);
for (const returned of ["pageshow", "storage"]) addEventListener(returned, offer);
}

/* 3 The first question ----------------------------------------------------------------------------- */

/* The first screen of a game asks what the answer to a guess is, once for each kind of answer (digits and pegs), if
   this tab has shown the home page: visitors who come by a link know the game. */

{
const REPLY = 2000;  // milliseconds to read that the answer is right

const asked = () => (localStorage.asked ?? "").split(" ");

/** Tells the style sheet which kinds are still asked about. */
function ask() {
  try {
    document.documentElement.dataset.asks = sessionStorage.home ? ["digits", "pegs"].filter((kind) => !asked().includes(kind)).join(" ") : "";
  } catch { /* storage unavailable */ }
}
ask();

/** Asks no more about a kind of answer.
 * @param {Element | null} question One of that kind. */
function settle(question) {
  const kind = question?.matches(".pegs-try") ? "pegs" : "digits";
  try {
    if (question && !asked().includes(kind)) localStorage.asked = [...asked(), kind].join(" ").trim();
  } catch { /* storage unavailable */ }
}

/** Settles the question of a game that has begun. */
function follow() {
  if (document.getElementById("board")?.dataset.underWay !== undefined) settle(document.querySelector(".try"));
}

document.addEventListener("DOMContentLoaded", () => {
  follow();
  try { if (document.querySelector("#content > .home")) sessionStorage.home = "shown"; } catch { /* storage unavailable */ }
});
document.addEventListener("htmx:after:swap", follow);
document.addEventListener("change", ({ target }) => {
  const answer = /** @type {HTMLElement} */ (target), question = answer.closest(".try"), isRight = answer.matches("[data-right]");
  if (!question) return;
  const verdict = /** @type {HTMLElement} */ (question.querySelector(isRight ? ".try-right" : ".try-wrong"));
  document.getElementById("status")?.replaceChildren(verdict.innerText);
  if (!isRight || question.closest(".game-panel")) return;
  settle(question);
  setTimeout(ask, REPLY);
});
document.addEventListener("click", (event) => {
  const skip = /** @type {Element} */ (event.target).closest?.(".try-skip");
  if (!skip) return;
  event.preventDefault();
  settle(skip.closest(".try"));
  ask();
});
}

/* 4 Requests of htmx ------------------------------------------------------------------------------- */

/* Shows requests that are pending or failed, shows only the last page asked for, and lets the browser follow links
   natively. */

{
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

/* Elements that a pending request will change get aria-busy; the style sheet then shows a progress bar. */

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
   a new request or a history navigation aborts the pending one. That includes history entries of links within the
   page, which htmx leaves to the browser. A repeat of the pending request within AT_ONCE, for example by a double
   click, is ignored. */
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
}

/* 5 Copying and forgetting ------------------------------------------------------------------------- */

/* Buttons that copy or share a text, or delete what is stored in this browser. */

{
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
}

/* 6 Parts on demand -------------------------------------------------------------------------------- */

/* A script for a part of a page is loaded with the part, or when the part becomes visible. */

{
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
}

/* 7 Choices of a new game -------------------------------------------------------------------------- */

/* The game, the strategy of each game, and whether guesses are varied, stored in this browser. */

{
/** @returns {{game: string, trees: Record<string, string>, shuffle: boolean}} */
const read = () => stored("start", { game: "", trees: {}, shuffle: true });

/** Restores the choices in the forms. The start page offers one strategy for each game, out of `data-trees`. */
function fill() {
  const { game, trees, shuffle } = read();
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("form :is([name=tree], [name=shuffle])"))) {
    const { rules = "", trees: offered } = field.dataset, chosen = trees[rules];
    if (field.name === "shuffle") field.checked = shuffle;
    else if (!offered) field.checked ||= field.value === chosen;
    else {
      if (offered.split(" ").includes(chosen)) field.value = chosen;
      field.checked ||= rules === game;
    }
  }
}

document.addEventListener("DOMContentLoaded", fill);
addEventListener("pageshow", ({ persisted }) => { if (persisted) fill(); });
document.addEventListener("change", ({ target }) => {
  const { name, value, checked, dataset: { rules = "", trees } } = /** @type {HTMLInputElement} */ (target);
  if (name !== "shuffle" && name !== "tree") return;
  const choices = read();
  if (name === "shuffle") choices.shuffle = checked;
  else if (trees) choices.game = rules;
  else choices.trees = { ...choices.trees, [rules]: value };
  try { localStorage.start = JSON.stringify(choices); } catch { /* storage unavailable */ }
});
}

/* 8 Aids of a game --------------------------------------------------------------------------------- */

/* In wide windows the aids are open next to the board, unless the visitor closed them. In others they open
   over the board, one at a time; the analysis, whose state is in the URL, is then only hidden behind another aid,
   and comes back at a click on its heading. */

{
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

/** Opens the aids next to the board. Those with `data-closed` wait for the visitor. */
function dock() {
  const side = column(), names = closed();
  for (const fold of side?.querySelectorAll(":scope > .fold:not([open], .open, [data-closed])") ?? []) {
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
  if (fold.matches?.(".side > .fold") && fold.open && covers(fold)) {
    for (const other of fold.parentElement?.querySelectorAll("details.fold[open]") ?? []) {
      if (other !== fold) other.removeAttribute("open");
    }
  }
}, true);

/** Closes the aids that cover the board, after Escape or a tap on what is no control. The row is filled below open hints.
 * Returns whether there were any.
 * @param {Element | null} tapped */
function uncover(tapped) {
  if (tapped?.closest(".side, .entry, a, button, label") || document.querySelector(":popover-open")) return false;
  const open = [...document.querySelectorAll(".screen > .side > .fold:is([open], .open)")].filter((fold) => covers(fold));
  for (const fold of open) {
    const opener = /** @type {HTMLElement} */ (fold.querySelector("summary, .analysis-head a"));
    if (fold.contains(document.activeElement)) opener.focus();
    if (fold.matches("details")) fold.removeAttribute("open"); else opener.click();
  }
  return open.length > 0;
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && uncover(null)) event.preventDefault();
});
let hadPanel = false;  // whether a tap found a panel open, which closes before the click
document.addEventListener("pointerdown", () => { hadPanel = Boolean(document.querySelector(":popover-open")); }, true);
document.addEventListener("click", ({ target }) => { if (!hadPanel) uncover(/** @type {Element} */ (target)); });
/* A click, and no event of the parts themselves, is a choice: a swap closes them too, until they are docked again. */
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.(".side > .fold > summary, .analysis :is(.analysis-head a, .analysis-close)");
  const aid = link?.closest(".fold");
  if (!aid) return;
  if (column()) {
    keep(aid, !aid.matches("[open], .open"));
    return;
  }
  const fold = aid.matches(".analysis.open") && link?.matches(".analysis-head a") && aid.parentElement?.querySelector("details.fold[open]");
  if (!fold || !covers(fold)) return;
  event.preventDefault();
  event.stopPropagation();
  fold.removeAttribute("open");
}, true);
}

/* 9 The site as an app ----------------------------------------------------------------------------- */

/* Pages that were visited can be read offline, and browsers can offer to install the site. */

if (!document.documentElement.matches(".embedded")) {
  addEventListener("load", () => navigator.serviceWorker?.register("/worker.js"));
}

// The button "Install as an app" of the page "More", in browsers that can.
addEventListener("beforeinstallprompt", (event) => document.querySelectorAll("[data-install]").forEach((offer) => {
  offer.removeAttribute("hidden");
  offer.addEventListener("click", () => /** @type {Event & { prompt(): void }} */ (event).prompt());
}));
