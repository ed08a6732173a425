/** Continues a game offline: its stored first page, with the guesses of the stored tree. */

import { rulesOf } from "./answers.js";
import { answer, code, counted, fill, left, made, past, show, slots, stored } from "./offline_board.js";
import "./keys.js";

const PLAYED = /^((?:\/[a-z]{2})?\/play)(?:\/([a-z0-9-]+)(?:\/([0-9a-z]+)(?:\/([0-9.-]+))?)?)?$/;
const [, start = "", named = "", token = "", given = ""] = location.pathname.match(PLAYED) ?? [];
const asked = new URLSearchParams(location.search), name = named || (asked.get("tree") ?? "");
const answers = given.split("-").filter(Boolean);

/** @typedef {{guess: string, candidates: number, is_candidate: boolean, children: Record<string, number>}} Node */
/** @typedef {import("./answers.js").Rules} Rules */

/** Name of a game after some answers, as used in its URL and in the tally.
 * @param {string[]} given */
const game = (given) => [name, token, given.join("-")].filter(Boolean).join("/");
/** @param {string[]} given */
const address = (given) => `${start}/${game(given)}`;

/** Shows the game of the address.
 * @param {Document} page Its first page. @param {{rules: string, nodes: Node[]}} tree */
function play(page, { rules: text, nodes }) {
  const rules = rulesOf(text), win = `${rules.positions}.0`, isOver = answers.at(-1) === win;
  const board = /** @type {HTMLElement} */ (page.getElementById("board")), { order = "", letters = "" } = board.dataset;
  const shown = (/** @type {string} */ code) => [...order].map((place) => letters[parseInt(code[+place], 16)]).join("");
  /** @type {import("./offline_board.js").Past[]} */
  const turns = [];
  let node = nodes[0];
  for (const [turn, given] of answers.entries()) {
    const isWon = given === win && turn === answers.length - 1 && node.is_candidate, next = nodes[node.children[given]];
    if (!isWon && !next) return;  // impossible answer: keep the offline page
    turns.push({ guess: shown(node.guess), answer: given, left: isWon ? 1 : next.candidates, undo: address(answers.slice(0, turn)) });
    if (!isWon) node = next;
  }
  const guess = shown(node.guess);
  const screen = isOver ? end(rules, turns) : go(board, rules, node, guess, turns);
  screen.dataset.game = `${text} ${game(answers)}`;
  if (isOver) Object.assign(screen.dataset, { over: "", before: `${text} ${game(answers.slice(0, -1))}` });
  else if (turns.length) screen.dataset.underWay = "";
  board.replaceWith(screen);
  page.title = page.title.replace(/\d+: \S+/, `${turns.length + Number(!isOver)}: ${guess}`);
  show(page, screen.querySelector("h1")?.textContent ?? "");
  document.querySelector("h1")?.focus();
  if (!turns.length) sessionStorage.play = Date.now();
}

/** Shows the next guess on the board, and the answers that some code gives to it.
 * @param {HTMLElement} board @param {Rules} rules @param {Node} node @param {string} guess @param {import("./offline_board.js").Past[]} turns */
function go(board, rules, node, guess, turns) {
  const rows = /** @type {HTMLElement} */ (board.querySelector(".rows")), title = /** @type {HTMLElement} */ (board.querySelector(".guess-now .unseen"));
  if (turns.length) {
    rows.classList.remove("first");
    rows.firstElementChild?.replaceChildren(past(rules, turns, "play"));
  }
  title.textContent = (title.textContent ?? "").replace(/\d+/, `${turns.length + 1}`);
  fill(board, ".guess-now [data-guess]", slots(guess, rules.pegs)).dataset.guess = guess;
  board.querySelector(".left")?.replaceWith(left(node.candidates, "play"));
  for (const cell of board.querySelectorAll(".cell:not(.win)")) {
    const [bulls, cows] = ["b", "c"].map((letter) => [...cell.classList].find((each) => RegExp(`^${letter}\\d+$`).test(each))?.slice(1) ?? "0");
    cell.replaceWith(choice(rules, `${bulls}.${cows}`, node.children[`${bulls}.${cows}`] !== undefined));
  }
  const won = node.is_candidate ? offered(made("a-win"), rules, `${rules.positions}.0`) : made("no-win");
  won.classList.add(`b${rules.positions}`);
  board.querySelector(".cell.win")?.replaceWith(won);
  board.querySelector(".side")?.remove();
  return board;
}

/** @param {HTMLElement} cell @param {Rules} rules @param {string} given */
function offered(cell, rules, given) {
  cell.dataset.answer = given;
  cell.setAttribute("href", address([...answers, given]));
  cell.prepend(answer(given, rules));
  return cell;
}

/** Returns the cell of an answer: a link, or dimmed if no code gives the answer.
 * @param {Rules} rules @param {string} given @param {boolean} isPossible */
function choice(rules, given, isPossible) {
  const cell = document.createElement(isPossible ? "a" : "span"), [bulls, cows] = given.split(".");
  cell.className = `cell b${bulls} c${cows}`;
  if (isPossible) return offered(cell, rules, given);
  cell.classList.add("void");
  cell.ariaHidden = "true";
  cell.append(answer(given, rules));
  return cell;
}

/** Returns the end of the game.
 * @param {Rules} rules @param {import("./offline_board.js").Past[]} turns */
function end(rules, turns) {
  const board = made("an-end"), { guess: secret } = turns[turns.length - 1];
  board.querySelector(".slate")?.classList.add(`p${rules.positions}`);
  fill(board, ".guess-code", code(secret, rules.pegs)).dataset.secret = secret;
  const form = counted(board, turns.length);
  for (const other of board.querySelectorAll("[data-plural]")) if (other !== form) other.remove();
  for (const [turn, { guess, answer: given, undo = "" }] of turns.entries()) {
    const row = made("a-turn");
    fill(row, "th", `${turn + 1}`);
    fill(row, ".asked", code(guess, rules.pegs));
    fill(row, ".answer-cell", answer(given, rules));
    row.querySelector(".undo a")?.setAttribute("href", undo);
    board.querySelector(".ledger tbody")?.append(row);
  }
  board.querySelector(".new")?.setAttribute("href", `${start}?tree=${name}${token === "0" ? "" : "&shuffle=on"}`);
  board.querySelectorAll(".tally tbody tr")[turns.length - 1]?.classList.add("here");
  return board;
}

/** Opens a stored beginning of a game with the tree, varied if that is asked for and stored. */
async function begin() {
  const keys = await Promise.all((await caches.keys()).map(async (kept) => (await caches.open(kept)).keys()));
  const paths = keys.flat().map(({ url }) => new URL(url).pathname), wanted = new RegExp(`^${start}/${name}/[0-9a-z]+$`);
  const isVaried = named !== "" || asked.has("shuffle"), starts = paths.filter((path) => wanted.test(path));
  const liked = starts.filter((path) => path.endsWith("/0") !== isVaried), offered = liked.length ? liked : starts;
  if (offered.length) location.replace(offered[Math.floor(Math.random() * offered.length)]);
}

/** Continues the game of the address, if what it takes is stored. */
export async function run() {
  if (!/^[a-z0-9-]+$/.test(name)) return;
  if (!token) return begin();
  const page = await stored([start, name, token].join("/")), tree = await caches.match(`/trees/${name}.json`, { ignoreVary: true });
  if (page && tree) play(page, await tree.json());
}
