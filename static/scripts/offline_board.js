/** Parts of boards that go on offline: copies of the templates of the page `/offline`. */

/** A past turn: guess and answer, how many codes it left if that is shown, and the address before it if it can be taken back.
 * @typedef {{guess: string, answer: string, left?: number, undo?: string}} Past */

/** @param {string} what @returns {HTMLElement} Copy of the content of a template. */
export function made(what) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(what));
  return /** @type {HTMLElement} */ (/** @type {Element} */ (template.content.firstElementChild).cloneNode(true));
}

/** @param {Element} box @param {string} part @param {string | Node} content */
export function fill(box, part, content) {
  const at = /** @type {HTMLElement} */ (box.querySelector(part));
  if (typeof content === "string") at.textContent = (at.dataset.words ?? "{}").replace("{}", content);
  else at.replaceChildren(content);
  return at;
}

/** Returns a number as the page writes it.
 * @param {number} number */
export const written = (number) => number.toLocaleString(document.documentElement.lang).replaceAll("\xa0", "\u202f");

/** Returns an element that shows a symbol: a digit, or a peg.
 * @param {string} symbol @param {boolean} pegs */
function face(symbol, pegs) {
  const box = made(pegs ? "a-peg" : "a-digit");
  if (pegs) box.querySelector("use")?.setAttribute("href", `#s${parseInt(symbol, 16)}`);
  else box.textContent = symbol;
  return box;
}

/** Returns a code in a line of text.
 * @param {string} text @param {boolean} pegs */
export function code(text, pegs) {
  const box = made("a-code");
  fill(box, ".unseen", [...text].join(" "));
  const shown = fill(box, ".digits", pegs ? "" : text);
  if (pegs) {
    shown.className = "pegs";
    shown.append(...[...text].map((symbol) => face(symbol, true)));
  }
  return box;
}

/** Returns the number of codes left.
 * @param {number} count @param {"play" | "guess"} kind Chooses the words about a single code. */
export function left(count, kind) {
  const forms = made("a-left"), box = /** @type {HTMLElement} */ (counted(forms, count).querySelector(".left"));
  box.dataset.remaining = `${count}`;
  if (count === 1) box.textContent = forms.dataset[kind] ?? "";
  return box;
}

/** Returns a code in slots.
 * @param {string} text @param {boolean} pegs */
export function slots(text, pegs) {
  const box = made("a-slotted-code");
  fill(box, ".unseen", [...text].join(" "));
  box.querySelector(".slots")?.append(...[...text].map((symbol) => {
    const slot = Object.assign(document.createElement("span"), { className: "slot" });
    slot.append(face(symbol, pegs));
    return slot;
  }));
  return box;
}

/** @param {string} given @param {import("./answers.js").Rules} rules */
export function answer(given, { pegs, bullsOnly }) {
  const box = made(`${pegs ? "a-peg-answer" : "an-answer"}${bullsOnly ? "-of-bulls" : ""}`), words = /** @type {HTMLElement} */ (box.querySelector(".unseen"));
  words.textContent = given.split(".").reduce((text, number) => text.replace("{}", number), words.dataset.words ?? "");
  box.querySelectorAll(".count").forEach((count, place) => {
    const number = given.split(".")[place];
    count.classList.toggle("zero", number === "0");
    count.append(number);
  });
  return box;
}

/** Returns the table of past turns.
 * @param {import("./answers.js").Rules} rules @param {Past[]} turns @param {"play" | "guess"} kind Chooses the words for taking one back. */
export function past(rules, turns, kind) {
  const rows = made("a-past");
  rows.classList.add(`p${rules.positions}`);
  for (const [turn, { guess, answer: given, left, undo }] of turns.entries()) {
    const row = made("a-past-turn");
    Object.assign(row.dataset, { guess, answer: given });
    fill(row, "th", `${turn + 1}`);
    fill(row, ".row", slots(guess, rules.pegs));
    fill(row, ".answer-cell", answer(given, rules));
    const number = /** @type {HTMLElement} */ (row.querySelector(".number"));
    if (left === undefined) number.remove(); else number.textContent = (number.dataset.words ?? "").replace("{}", written(left));
    const link = /** @type {HTMLAnchorElement} */ (row.querySelector(".undo a"));
    if (undo === undefined) row.querySelector(".undo")?.remove();
    else Object.assign(link, { href: undo, title: fill(link, ".unseen", link.dataset[kind] ?? "").textContent });
    rows.querySelector("tbody")?.append(row);
  }
  return rows;
}

/** Returns the part of a box that has the plural form of a number, with the number.
 * @param {Element} box @param {number} count */
export function counted(box, count) {
  const plurals = new Intl.PluralRules(document.documentElement.lang), forms = /** @type {HTMLElement[]} */ ([...box.querySelectorAll("[data-plural]")]);
  const form = forms.find(({ dataset }) => dataset.plural === plurals.select(count)) ?? forms[forms.length - 1];
  /** @type {Element} */ (form.querySelector("strong")).textContent = written(count);
  return form;
}

/** Returns the stored copy of a page, or nothing.
 * @param {string} path */
export async function stored(path) {
  const page = await caches.match(path, { ignoreSearch: true, ignoreVary: true });
  return page && new DOMParser().parseFromString(await page.text(), "text/html");
}

/** Shows the content of a page instead of the present one, says what happened to screen readers, and lets the other
 * scripts initialize the board, as they do online.
 * @param {Document} page @param {string} words */
export function show(page, words) {
  document.title = page.title;
  document.getElementById("content")?.replaceChildren(.../** @type {Element} */ (page.getElementById("content")).childNodes);
  document.getElementById("status")?.replaceChildren(words);
  document.dispatchEvent(new Event("htmx:after:swap"));
}
