/* The user's preferences and the game under way, stored in this browser. Runs before the first paint, to avoid
   visible changes. */
"use strict";

{
const root = document.documentElement;
/** @type {{theme: string, contrast: string, palette: string, tiles: string, answers: string, symbols: string, pegs: string, shape: string, keys: string, marks: string[], game: string, title: string, turn: number, played: number}} */
const DEFAULTS = { theme: "system", contrast: "system", palette: "standard", tiles: "standard", answers: "marks", symbols: "0",
  pegs: "digits", shape: "round", keys: "on", marks: [], game: "", title: "", turn: 0, played: 0 };

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
  const { theme, contrast, palette, tiles, answers, pegs, shape, keys, game } = read();
  Object.assign(root.dataset, { theme, contrast, palette, tiles, answers, pegs, shape, keys });
  for (const bars of /** @type {NodeListOf<HTMLMetaElement>} */ (document.querySelectorAll("meta[data-scheme]"))) {
    const { scheme = "" } = bars.dataset, isChosen = theme === "light" || theme === "dark";
    bars.media = isChosen ? (theme === scheme ? "all" : "not all") : `(prefers-color-scheme: ${scheme})`;
  }
  root.toggleAttribute("data-under-way", typeof game === "string" && /^\/\w[\w/.:%-]*(\?[\w=&]+)?$/.test(game));
}
look();

/** Shows the digits of a small game from 1, if the visitor prefers that or an address of this tab asked for it:
 * `symbols=1`; `symbols=0` ends it. */
function number() {
  if (!document.getElementById("digits")) return;
  let asked = new URLSearchParams(location.search).get("symbols");
  try { asked = sessionStorage.symbols = asked ?? sessionStorage.symbols ?? ""; } catch { /* storage unavailable */ }
  if ((asked || read().symbols) === "1") import("./symbols.js");
}

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
  const { game, title, turn, played, ...looks } = read();
  for (const link of document.querySelectorAll(".under-way a")) {
    const which = /** @type {HTMLElement} */ (link.querySelector("small")), date = new Date(played);
    const day = played && date.toLocaleDateString(root.lang, { day: "numeric", month: "long" });
    link.setAttribute("href", game || "/");
    which.textContent = [title, turn && which.dataset.turn?.replace("{}", String(turn)), day].filter(Boolean).join(" · ");
  }
  const settings = /** @type {HTMLFormElement | null} */ (document.getElementById("settings"));
  for (const field of /** @type {HTMLInputElement[]} */ ([...settings?.elements ?? []])) {
    if (field.type === "radio") field.checked = Object.entries(looks).some(([name, value]) => name === field.name && value === field.value);
    if (field.name === "mark") field.value = looks.marks[Number(field.dataset.place)] ?? "";
  }
}

/** Stores the path of a game in progress with its options, its name, turn and time, and removes it when the game is over. */
function follow() {
  const { underWay, over, start = "" } = document.getElementById("board")?.dataset ?? {};
  const [game] = read().game.split("?");
  if (underWay !== undefined) {
    settle(document.querySelector(".try"));
    keep({
      game: location.pathname + (start.match(/\?.*/)?.[0] ?? ""),
      title: document.querySelector(".game-title")?.textContent ?? "",
      turn: document.querySelectorAll("#board .past")[0]?.querySelectorAll("tbody tr").length + 1 || 1,
      played: Date.now(),
    });
  }
  else if (over !== undefined && game && location.pathname.startsWith(game)) keep({ game: "" });
}

/** Lets the first screens ask their question about each kind of answer, once, if this tab has shown the home page. */
function ask() {
  try {
    const asked = (localStorage.asked ?? "").split(" ");
    root.dataset.asks = sessionStorage.home ? ["digits", "pegs"].filter((kind) => !asked.includes(kind)).join(" ") : "";
  } catch { /* storage unavailable */ }
}
ask();

/** Asks no more about a kind of answer.
 * @param {Element | null} question One of that kind. */
function settle(question) {
  const kind = question?.matches(".pegs-try") ? "pegs" : "digits";
  try {
    const asked = (localStorage.asked ?? "").split(" ");
    if (question && !asked.includes(kind)) localStorage.asked = [...asked, kind].join(" ").trim();
  } catch { /* storage unavailable */ }
}
const REPLY = 2000;  // milliseconds to read that the answer is right
document.addEventListener("change", ({ target }) => {
  const answer = /** @type {HTMLElement} */ (target);
  if (!answer.matches(".try [data-right]") || answer.closest(".game-panel")) return;
  settle(answer.closest(".try"));
  setTimeout(ask, REPLY);
});
document.addEventListener("click", ({ target }) => {
  const skip = /** @type {Element} */ (target).closest?.(".try-skip");
  if (!skip) return;
  settle(skip.closest(".try"));
  ask();
});

document.addEventListener("DOMContentLoaded", () => {
  mark();
  number();
  fill();
  follow();
  try { if (document.querySelector(".home")) sessionStorage.home = "shown"; } catch { /* storage unavailable */ }
});
document.addEventListener("htmx:after:swap", () => { mark(); number(); follow(); });
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
}
