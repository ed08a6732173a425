/** Continues a game offline: builds the unavailable page from the cached tree. */

import { decode, drawn, relabelling, rulesOf } from "./tree.js";

const PLAYED = /^((?:\/[a-z]{2})?\/play)(?:\/([a-z0-9-]+)\/([0-9a-z]+)(?:\/([0-9.-]+))?)?$/;
const [, start, played, token = "", given = ""] = location.pathname.match(PLAYED) ?? [];
const asked = new URLSearchParams(location.search), name = played ?? asked.get("tree");
const answers = given.split("-").filter(Boolean);

/** @param {string} what @returns {HTMLElement} Copy of the content of a template. */
export function made(what) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(what));
  return /** @type {HTMLElement} */ (/** @type {Element} */ (template.content.firstElementChild).cloneNode(true));
}

/** @param {HTMLElement} box @param {string} part @param {string | Node} content */
export function fill(box, part, content) {
  const at = /** @type {HTMLElement} */ (box.querySelector(part));
  if (typeof content === "string") at.textContent = (at.dataset.words ?? "{}").replace("{}", content);
  else at.replaceChildren(content);
  return at;
}

/** @param {string} text @param {boolean} pegs */
function code(text, pegs) {
  const box = made("a-code");
  fill(box, ".unseen", [...text].join(" "));
  const shown = fill(box, ".digits", text);
  if (!pegs) return box;
  shown.className = "pegs";
  shown.replaceChildren(...[...text].map((symbol) => {
    const pin = made("a-peg");
    /** @type {Element} */ (pin.querySelector("use")).setAttribute("href", `#s${parseInt(symbol, 16)}`);
    return pin;
  }));
  return box;
}

/** @param {string} given @param {import("./tree.js").Rules} rules */
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

/** Name of a game after some answers, as used in its URL and in the tally.
 * @param {string[]} given */
const game = (given) => [name, token, given.join("-")].filter(Boolean).join("/");
/** @param {string[]} given */
const address = (given) => `${start}/${game(given)}`;

/** @param {{rules: string, string: string}} tree */
function play(tree) {
  const rules = rulesOf(tree.rules), { pegs } = rules, win = `${rules.positions}.0`;
  const show = relabelling(rules, token), board = made("a-board");
  for (const box of board.querySelectorAll(".answers, .slate")) box.classList.add(`p${rules.positions}`);
  board.querySelector(".answers")?.classList.toggle("in-row", rules.bullsOnly);
  const rows = /** @type {HTMLElement} */ (board.querySelector("tbody"));
  let node = decode(tree.rules, tree.string);
  const isOver = answers.at(-1) === win;
  for (const [turn, given] of answers.entries()) {
    const row = made("a-turn");
    fill(row, "th", `${turn + 1}`);
    fill(row, ".asked", code(show(node.guess), pegs));
    fill(row, ".answer-cell", answer(given, rules));
    /** @type {HTMLAnchorElement} */ (row.querySelector(".undo a")).href = address(answers.slice(0, turn));
    rows.append(row);
    if (given === win && turn === answers.length - 1 && node.candidates.includes(node.guess)) break;
    const next = node.children.get(given);
    if (!next) return;  // impossible answer: keep the offline page
    node = next;
  }
  rows.closest("table")?.toggleAttribute("hidden", !answers.length);
  const guess = show(node.guess), turn = answers.length + Number(!isOver);
  const shown = fill(board, ".guess-code", code(guess, pegs));
  shown.dataset[isOver ? "secret" : "guess"] = guess;
  fill(board, ".guess-turn", `${turn}`);
  fill(board, ".left", `${isOver ? 1 : node.candidates.length}`).dataset.remaining = `${node.candidates.length}`;
  const cells = [...node.children.keys(), ...(node.candidates.includes(node.guess) ? [win] : [])];
  for (const given of isOver ? [] : cells) {
    const cell = /** @type {HTMLAnchorElement} */ (made(given === win ? "a-win" : "a-cell"));
    const [bulls, cows] = given.split(".");
    cell.classList.add(`b${bulls}`, ...(given === win ? [] : [`c${cows}`]));
    cell.dataset.answer = given;
    cell.href = address([...answers, given]);
    cell.prepend(answer(given, rules));
    board.querySelector(".answers")?.append(cell);
  }
  finish(board, tree.rules, isOver);
  document.title = `${turn}: ${guess}`;
  document.getElementById("content")?.replaceChildren(board);
  /** @type {HTMLElement} */ (board.querySelector("h1")).focus();
  if (!answers.length) sessionStorage.play = Date.now();
  document.dispatchEvent(new Event("htmx:after:swap"));  // lets the other scripts initialize the board, as they do online
}

/** Returns the sentence about the number of turns in its plural form, with the number.
 * @param {HTMLElement} box @param {number} turns */
export function counted(box, turns) {
  const plurals = new Intl.PluralRules(document.documentElement.lang), forms = /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".found")]);
  const form = forms.find(({ dataset }) => dataset.plural === plurals.select(turns)) ?? forms[forms.length - 1];
  /** @type {Element} */ (form.querySelector("strong")).textContent = `${turns}`;
  return form;
}

/** Shows the parts for a finished game or for a game in progress, and sets the name of the game for the tally.
 * @param {HTMLElement} board @param {string} rules @param {boolean} isOver */
function finish(board, rules, isOver) {
  const turns = answers.length, form = counted(board, turns);
  for (const part of board.querySelectorAll(".found, .left")) part.toggleAttribute("hidden", isOver ? part !== form : part.matches(".found"));
  for (const part of board.querySelectorAll(isOver ? ".going, .prompt, .answers" : turns ? ".end" : ".end, .going")) part.remove();
  for (const link of board.querySelectorAll(".new")) {
    link.setAttribute("href", `${start}?tree=${name}${token === "0" ? "" : "&shuffle=on"}`);
  }
  board.dataset.game = `${rules} ${game(answers)}`;
  if (isOver) Object.assign(board.dataset, { over: "", before: `${rules} ${game(answers.slice(0, -1))}` });
  else if (turns) board.dataset.underWay = "";
  if (!isOver) return;
  const title = /** @type {HTMLElement} */ (board.querySelector(".guess-turn"));
  title.textContent = title.dataset.found ?? "";
  board.querySelectorAll(".tally tbody tr")[turns - 1]?.classList.add("here");
}

/** Starts a game, as the server does for a URL without a game.
 * @param {string} rules */
function begin(rules) {
  location.replace(`${start}/${name}/${asked.get("shuffle") ? drawn(rulesOf(rules)) : "0"}`);
}

const kept = start && name && await caches.match(`/api/v1/trees/${name}`, { ignoreVary: true });
const tree = kept && await kept.json();
if (tree && token) play(tree);
else if (tree) begin(tree.rules);
