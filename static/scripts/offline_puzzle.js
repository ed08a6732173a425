/** Continues a puzzle offline: its stored first page, with the guesses of the address, and the stored page of its code. */

import { answerTo, codesOf, left, rulesOf, typedIn } from "./answers.js";
import * as parts from "./offline_board.js";
import { DAY, dateOf, read, write } from "./puzzles.js";
import { shared } from "./daily.js";
import "./keypad.js";

const PATH = /^((?:\/[a-z]{2})?\/guess\/([a-z0-9]+)\/([a-z0-9-]+))(?:\/([\da-f]+(?:-[\da-f]+)*))?(\/reveal)?$/;
const MOST = 30;  // guesses
const [, start = "", rules = "", seed = "", given = "", reveal = ""] = location.pathname.match(PATH) ?? [];
const asked = new URLSearchParams(location.search), helped = read(asked.get("help") ?? "");

/** The address of the puzzle after some guesses, with the options of this game.
 * @param {string[]} guesses @param {string[]} undone Guesses taken back. */
function address(guesses, undone, end = "") {
  const query = new URLSearchParams(["limit", "hard"].flatMap((name) => asked.get(name) ? [[name, asked.get(name) ?? ""]] : []));
  const help = write({ ...helped, seen: undone.filter((code) => !guesses.includes(code)) });
  if (help) query.set("help", help);
  return [start, guesses.join("-")].filter(Boolean).join("/") + end + (`${query}` && `?${query}`);
}

/** Shows the puzzle of the address.
 * @param {Document} page Its first page. @param {string} secret Its code. */
function play(page, secret) {
  const played = rulesOf(rules), codes = codesOf(played);
  const guesses = given.split("-").filter(Boolean), typed = typedIn(asked);
  const fits = guesses.every((guess) => answerTo(played, guess, typed) === answerTo(played, guess, secret));
  if (codes.includes(typed) && !guesses.includes(typed) && (fits || !asked.get("hard"))) guesses.push(typed);
  helped.seen = helped.seen.filter((code) => !guesses.includes(code));
  history.replaceState(history.state, "", address(guesses, helped.seen, reveal));

  let remaining = codes;
  const turns = guesses.map((guess, turn) => {
    const answer = answerTo(played, guess, secret);
    remaining = left(played, remaining, guess, answer);
    return { guess, answer, left: remaining.length, undo: address(guesses.slice(0, turn), [...helped.seen, ...guesses.slice(turn)]) };
  });
  const board = /** @type {HTMLElement} */ (page.getElementById("board")), place = /** @type {HTMLElement} */ (board.querySelector(".rows > div"));
  for (const part of place.querySelectorAll(":scope > :not(h1, .known)")) if (guesses.length || reveal) part.remove();
  if (guesses.length) place.append(parts.past(played, turns, "guess"));

  const isFound = guesses.at(-1) === secret, { limit = "" } = Object.fromEntries(asked), made = guesses.length + helped.seen.length;
  const isOver = isFound || !!reveal || (limit ? (helped.known ? guesses.length : made) >= +limit : guesses.length >= MOST);
  const name = (/** @type {string[]} */ answers) => `guess-${rules} ${seed}/${answers.join("-")}`, answers = turns.map(({ answer }) => answer);
  Object.assign(board.dataset, { game: name(answers), guesses: guesses.join("-"), help: write(helped) }, isOver && { over: "" });
  if (isFound && !helped.known) Object.assign(board.dataset, { before: name(answers.slice(0, -1)), once: name([]), undone: `${helped.seen.length}` });
  const title = (page.querySelector(".game-title")?.textContent ?? "").split(" · ")[0].trim();
  if (isOver) end(board, title, guesses, secret);
  else if (guesses.length) go(board, guesses, remaining.length);
  const surrender = /** @type {HTMLAnchorElement | null} */ (page.querySelector("#menu a[href*='/reveal']"));
  if (isOver) surrender?.remove(); else surrender?.setAttribute("href", address(guesses, helped.seen, "/reveal"));
  parts.show(page, board.querySelector(".past tr:last-child .answer-cell .unseen")?.textContent ?? "");
  if (isOver) /** @type {HTMLElement} */ (document.querySelector(".result")).focus();
}

/** Prepares the row for the next guess.
 * @param {HTMLElement} board @param {string[]} guesses @param {number} remaining */
function go(board, guesses, remaining) {
  const form = /** @type {HTMLFormElement} */ (board.querySelector("form.fill")), label = /** @type {HTMLElement} */ (form.querySelector("label"));
  board.dataset.underWay = "";
  board.querySelector(".rows")?.classList.remove("first");
  board.querySelector("h1")?.classList.add("unseen");
  board.querySelector(".side")?.remove();
  form.setAttribute("action", [start, guesses.join("-")].join("/"));
  label.textContent = (label.textContent ?? "").replace(/\d+/, `${guesses.length + 1}`);
  form.querySelector(".left")?.replaceWith(parts.left(remaining, "guess"));
}

/** Shows the end of the game.
 * @param {HTMLElement} board @param {string} title @param {string[]} guesses @param {string} secret */
function end(board, title, guesses, secret) {
  const box = parts.made("a-puzzle-end"), isFound = guesses.at(-1) === secret, form = parts.counted(box, guesses.length);
  const said = isFound ? form : box.querySelector(reveal ? ".given-up" : ".lost");
  for (const words of box.querySelectorAll(".result > span")) if (words !== said) words.remove();
  if (said?.matches(".lost")) parts.fill(box, ".lost", `${guesses.length}`);
  /** @type {HTMLElement} */ (box.querySelector(".result")).dataset.secret = secret;
  const record = /** @type {HTMLElement} */ (box.querySelector(".day-record")), [today, yesterday] = [0, DAY].map((ago) => dateOf(Date.now() - ago));
  if (seed === today || seed === yesterday) {
    record.dataset.rules = rules;
    /** @type {HTMLElement} */ (record.querySelector(".day-next")).dataset.day = seed;
    record.querySelector("a")?.setAttribute("href", start.replace(seed, "today"));
  } else record.remove();
  if (isFound && !helped.known) box.querySelectorAll(".tally tbody tr")[guesses.length + helped.seen.length - 1]?.classList.add("here");
  const played = rulesOf(rules), turns = isFound ? guesses.length + helped.seen.length : "–";
  parts.fill(box, "#result", shared(`${title}, ${seed}: ${turns}`, guesses, secret, start, played));
  if (!isFound) parts.fill(board.querySelector(".rows > div")?.appendChild(parts.made("a-solution")) ?? box, ".code", parts.slots(secret, played.pegs));
  board.querySelectorAll("form, .side, .thought, .undo").forEach((part) => part.remove());
  board.classList.add("ended");
  board.classList.toggle("found", isFound);
  board.append(box);
}

/** Continues the puzzle of the address, if its first page and that of its code are stored. */
export async function run() {
  const [page, solved] = start ? await Promise.all([start, `${start}/reveal`].map(parts.stored)) : [];
  const { secret } = /** @type {HTMLElement | null | undefined} */ (solved?.querySelector("[data-secret]"))?.dataset ?? {};
  if (page && secret) play(page, secret);
}
