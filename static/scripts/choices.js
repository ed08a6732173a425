/* Keeps in this browser what a visitor chose: how pegs look, the strategy, and the game under way. It
   runs before the page is drawn, so that nothing changes under the visitor's eyes. */
"use strict";

{
const root = document.documentElement;
/** @type {{pegs: string, shape: string, keys: string, marks: string[], trees: Record<string, string>, shuffle: boolean, game: string}} */
const DEFAULTS = { pegs: "digits", shape: "shapes", keys: "on", marks: [], trees: {}, shuffle: true, game: "" };

/** What was chosen; a browser that keeps nothing, or something else, leaves all as it is. */
function read() {
  try { return { ...DEFAULTS, ...JSON.parse(localStorage.choices ?? "{}") }; } catch { return { ...DEFAULTS }; }
}
/** @param {Partial<typeof DEFAULTS>} changed */
function keep(changed) {
  try { localStorage.choices = JSON.stringify({ ...read(), ...changed }); } catch { /* nothing kept */ }
  look();
}

/** Tells the style sheet what to show. */
function look() {
  const { pegs, shape, keys, game } = read();
  Object.assign(root.dataset, { pegs, shape, keys });
  root.toggleAttribute("data-under-way", typeof game === "string" && /^\/\w[\w/.:%-]*$/.test(game));
}
look();

/** The first characters of a text, none of them halved.
 * @param {unknown} text @param {number} most */
const cut = (text, most) => [...String(text)].slice(0, most).join("");

/** Writes the visitor's own marks on the pegs: one drawing of each serves the whole page. It shows two
 * characters; longer names stand on the keys that type the colours. */
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

/** Chooses in the forms what was chosen last. */
function fill() {
  const { trees, shuffle, game, ...looks } = read();
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-choices]"))) {
    const fields = /** @type {HTMLInputElement[]} */ ([...form.elements]);
    for (const field of fields) {
      if (field.name === "tree" && field.value === trees[form.dataset.choices ?? ""]) field.checked = true;
      if (field.name === "shuffle") field.checked = shuffle;
    }
  }
  for (const link of document.querySelectorAll(".under-way a")) link.setAttribute("href", game || "/");
  const settings = /** @type {HTMLFormElement | null} */ (document.getElementById("settings"));
  for (const field of /** @type {HTMLInputElement[]} */ ([...settings?.elements ?? []])) {
    if (field.type === "radio") field.checked = Object.entries(looks).some(([name, value]) => name === field.name && value === field.value);
    if (field.name === "mark") field.value = looks.marks[Number(field.dataset.place)] ?? "";
  }
}

/** Keeps the address of a game that is not over, and forgets it when it is. */
function follow() {
  const { underWay, over } = document.getElementById("board")?.dataset ?? {};
  if (underWay !== undefined) keep({ game: location.pathname });
  else if (over !== undefined && read().game && location.pathname.startsWith(read().game)) keep({ game: "" });
}

document.addEventListener("DOMContentLoaded", () => { mark(); fill(); follow(); });
document.addEventListener("htmx:after:swap", () => { mark(); follow(); });
/* What was chosen elsewhere since: on a page to which Back leads, or in another tab. */
addEventListener("pageshow", ({ persisted }) => { if (persisted) { look(); mark(); } });
addEventListener("storage", () => { look(); mark(); });
document.addEventListener("change", ({ target }) => {
  const { form, name, value, checked } = /** @type {HTMLInputElement} */ (target);
  if (form?.id === "settings") {
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=mark]"));
    const marks = [...fields].map((field) => field.value.trim());
    keep(name === "mark" ? { marks } : { [name]: value });
    mark();
  } else if (form?.dataset.choices) {
    if (name === "tree") keep({ trees: { ...read().trees, [form.dataset.choices]: value } });
    if (name === "shuffle") keep({ shuffle: checked });
  }
});
}
