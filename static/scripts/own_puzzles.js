/* Puzzles from the games that were solved in this browser: positions in which some guess gets another answer from each
   code left. Nothing is sent to the server before a puzzle is opened. */

import { answerTo, codesOf, left, rulesOf } from "./answers.js";
import { solvedGames } from "./puzzles.js";

const MOST = 6, LATEST = 20, MOST_CODES = 10_000, FEWEST = 3;  // puzzles, games to look at, codes of a game, codes left

/** Returns the first position of a game that can be won in two: its turns, and the number of codes left.
 * @param {import("./answers.js").Rules} rules @param {string[]} codes @param {string[]} guesses */
function winningPosition(rules, codes, guesses) {
  const secret = guesses[guesses.length - 1], turns = guesses.map((guess) => `${guess}:${answerTo(rules, guess, secret)}`);
  let remaining = codes;
  for (let turn = 1; turn < guesses.length; turn++) {
    remaining = left(rules, remaining, ...(/** @type {[string, string]} */ (turns[turn - 1].split(":"))));
    const most = (rules.positions + 1) * (rules.positions + 2) / 2 - 1;
    if (remaining.length < FEWEST) return undefined;
    const wins = (/** @type {string} */ guess) => new Set(remaining.map((code) => answerTo(rules, guess, code))).size === remaining.length;
    if (remaining.length <= most && codes.some(wins)) return { turns: turns.slice(0, turn), count: remaining.length };
  }
}

/** Lists puzzles, those of the latest games first.
 * @param {HTMLElement} box */
function list(box) {
  const { digits, pegs, size = "", place } = box.dataset, found = box.querySelector("ul");
  const template = /** @type {HTMLTemplateElement} */ (box.querySelector("template"));
  /** @type {Map<string, string[]>} */
  const known = new Map();
  found?.replaceChildren();
  for (const [game, guesses] of solvedGames().slice(-LATEST).reverse()) {
    const name = game.split("/")[0], rules = rulesOf(name);
    if (rules.symbols ** rules.positions > 10 * MOST_CODES || (found?.childElementCount ?? 0) >= MOST) continue;
    const codes = known.get(name) ?? codesOf(rules), position = codes.length <= MOST_CODES && winningPosition(rules, codes, guesses);
    known.set(name, codes);
    if (!position) continue;
    const item = /** @type {Element} */ (/** @type {Element} */ (template.content.firstElementChild).cloneNode(true));
    const words = /** @type {Element} */ (item.querySelector("span")), counts = [rules.positions, rules.symbols];
    item.querySelector("a")?.setAttribute("href", `${place}${name}?h=${position.turns.join("-")}`);
    item.querySelector("strong")?.append(`${rules.pegs ? pegs : digits}, ${counts.reduce((text, count) => text.replace("{}", `${count}`), size)}`);
    words.textContent = (words.textContent ?? "").replace("{}", `${position.count}`);
    found?.append(item);
  }
  box.hidden = !found?.childElementCount;
}

const box = /** @type {HTMLElement | null} */ (document.querySelector(".own-puzzles"));
try { if (box) list(box); } catch { /* storage unavailable */ }
