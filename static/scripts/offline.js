/** Plays a game to its end without a connection: the page that can't be had is made from its tree. */

import { decode, relabelling, rulesOf } from "./tree.js";

const PLAYED = /^((?:\/[a-z]{2})?\/play\/([a-z0-9-]+))\/([0-9a-z]+)(?:\/([0-9.-]+))?$/;
const [, game, name, token, told = ""] = location.pathname.match(PLAYED) ?? [];
const answers = told.split("-").filter(Boolean);

/** @param {string} what @returns {HTMLElement} A copy of what the template holds. */
function made(what) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(what));
  return /** @type {HTMLElement} */ (/** @type {Element} */ (template.content.firstElementChild).cloneNode(true));
}

/** @param {HTMLElement} box @param {string} part @param {string | Node} content */
function fill(box, part, content) {
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

/** @param {string} given @param {boolean} pegs */
function answer(given, pegs) {
  const box = made(pegs ? "a-peg-answer" : "an-answer");
  given.split(".").forEach((number, place) => {
    const count = box.querySelectorAll(".count")[place];
    count.classList.toggle("zero", number === "0");
    /** @type {Element} */ (count.querySelector("b")).textContent = number;
  });
  return box;
}

/** The address after some answers.
 * @param {string[]} given */
const address = (given) => [game, token, given.join("-")].filter(Boolean).join("/");

/** @param {{rules: string, string: string}} tree */
function play(tree) {
  const rules = rulesOf(tree.rules), pegs = rules.repeats, win = `${rules.positions}.0`;
  const show = relabelling(rules, token), board = made("a-board");
  for (const box of board.querySelectorAll(".answers, .slate")) box.classList.add(`p${rules.positions}`);
  const rows = /** @type {HTMLElement} */ (board.querySelector("tbody"));
  let node = decode(tree.rules, tree.string);
  const isOver = answers.at(-1) === win;
  for (const [turn, given] of answers.entries()) {
    const row = made("a-turn");
    fill(row, "th", `${turn + 1}`);
    fill(row, ".asked", code(show(node.guess), pegs));
    fill(row, ".told", answer(given, pegs));
    /** @type {HTMLAnchorElement} */ (row.querySelector(".undo a")).href = address(answers.slice(0, turn));
    rows.append(row);
    if (given === win && turn === answers.length - 1 && node.candidates.includes(node.guess)) break;
    const next = node.children.get(given);
    if (!next) return;  // no game gets here: the page stays what it was
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
    cell.prepend(answer(given, pegs));
    board.querySelector(".answers")?.append(cell);
  }
  board.querySelector(".end")?.toggleAttribute("hidden", !isOver);
  document.title = `${turn}: ${guess}`;
  document.getElementById("content")?.replaceChildren(board);
  /** @type {HTMLElement} */ (board.querySelector("h1")).focus();
}

const kept = name && await caches.match(`/api/v1/trees/${name}`, { ignoreVary: true });
if (kept) play(await kept.json());
