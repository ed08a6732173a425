/** Continues a puzzle offline: its stored first page, with the guesses of the address and answers by the public rule. */

import { answer, counted, fill, made } from "./offline.js";
import { answerTo, codesOf, rulesOf } from "./tree.js";
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

/** Returns the code of the puzzle: see `app/bullscows_web/guess/puzzle.py`.
 * @param {string[]} codes */
async function secretOf(codes) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`bullscows/guess/${rules}/${seed}`));
  return codes[new Uint8Array(hash).reduce((sum, byte) => (sum * 256 + byte) % codes.length, 0)];
}

/** Returns a code in slots, with the faces of the keys.
 * @param {string} text @param {Map<string, Element>} faces */
function slots(text, faces) {
  const box = made("a-slotted-code");
  fill(box, ".unseen", [...text].join(" "));
  box.querySelector(".slots")?.append(...[...text].map((symbol) => {
    const slot = Object.assign(document.createElement("span"), { className: "slot" });
    slot.append(faces.get(symbol)?.cloneNode(true) ?? symbol);
    return slot;
  }));
  return box;
}

/** @param {Document} page The first page of the puzzle. */
async function show(page) {
  const played = rulesOf(rules), codes = codesOf(played), secret = await secretOf(codes);
  const guesses = given.split("-").filter(Boolean), answers = guesses.map((guess) => answerTo(played, guess, secret));
  const typed = (asked.get("guess") ?? "").replace(/\s/g, "").toLowerCase();
  const fits = guesses.every((guess, turn) => answerTo(played, guess, typed) === answers[turn]);
  if (codes.includes(typed) && !guesses.includes(typed) && (fits || !asked.get("hard"))) {
    answers.push(answerTo(played, typed, secret));
    guesses.push(typed);
  }
  helped.seen = helped.seen.filter((code) => !guesses.includes(code));
  history.replaceState(history.state, "", address(guesses, helped.seen, reveal));

  const content = /** @type {HTMLElement} */ (page.getElementById("content"));
  const board = /** @type {HTMLElement} */ (content.querySelector("#board")), rows = made("a-past");
  const faces = new Map([...content.querySelectorAll(".key")].map((key) => [key.getAttribute("data-key") ?? "", /** @type {Element} */ (key.querySelector(".face"))]));
  let left = codes;
  for (const [turn, guess] of guesses.entries()) {
    left = left.filter((code) => answerTo(played, guess, code) === answers[turn]);
    const row = made("a-past-turn");
    Object.assign(row.dataset, { guess, answer: answers[turn] });
    fill(row, "th", `${turn + 1}`);
    fill(row, ".row", slots(guess, faces));
    fill(row, ".answer-cell", answer(answers[turn], played));
    fill(row, ".number", left.length.toLocaleString(document.documentElement.lang));
    /** @type {HTMLAnchorElement} */ (row.querySelector(".undo a")).href = address(guesses.slice(0, turn), [...helped.seen, ...guesses.slice(turn)]);
    rows.querySelector("tbody")?.append(row);
  }
  const place = /** @type {HTMLElement} */ (board.querySelector(".rows > div"));
  for (const part of place.querySelectorAll(":scope > :not(h1, .known)")) if (guesses.length || reveal) part.remove();
  if (guesses.length) place.append(rows);

  const isFound = guesses.at(-1) === secret, { limit = "" } = Object.fromEntries(asked), turns = guesses.length + helped.seen.length;
  const isOver = isFound || !!reveal || (limit ? (helped.known ? guesses.length : turns) >= +limit : guesses.length >= MOST);
  const name = (/** @type {string[]} */ given) => `guess-${rules} ${seed}/${given.join("-")}`;
  Object.assign(board.dataset, { game: name(answers), guesses: guesses.join("-"), help: write(helped) }, isOver && { over: "" });
  if (isFound && !helped.known) Object.assign(board.dataset, { before: name(answers.slice(0, -1)), once: name([]), undone: `${helped.seen.length}` });
  if (isOver) end(board, faces, guesses, secret);
  else if (guesses.length) go(board, guesses, left.length);
  const surrender = /** @type {HTMLAnchorElement | null} */ (content.querySelector("#menu a[href*='/reveal']"));
  if (isOver) surrender?.remove(); else if (surrender) surrender.href = address(guesses, helped.seen, "/reveal");

  document.title = page.title;
  document.getElementById("content")?.replaceChildren(...content.childNodes);
  document.getElementById("status")?.replaceChildren(rows.querySelector("tr:last-child .answer-cell .unseen")?.textContent ?? "");
  document.dispatchEvent(new Event("htmx:after:swap"));  // lets the other scripts initialize the board, as they do online
  if (isOver) /** @type {HTMLElement} */ (document.querySelector(".result")).focus();
}

/** Prepares the row for the next guess.
 * @param {HTMLElement} board @param {string[]} guesses @param {number} left */
function go(board, guesses, left) {
  const form = /** @type {HTMLFormElement} */ (board.querySelector("form.fill")), label = /** @type {HTMLElement} */ (form.querySelector("label"));
  board.dataset.underWay = "";
  board.querySelector(".rows")?.classList.remove("first");
  board.querySelector("h1")?.classList.add("unseen");
  board.querySelector(".fold:has(.field)")?.remove();
  form.setAttribute("action", [start, guesses.join("-")].join("/"));
  label.textContent = (label.textContent ?? "").replace(/\d+/, `${guesses.length + 1}`);
  const count = /** @type {HTMLElement} */ (form.querySelector(".left"));
  count.dataset.words = made("a-board").querySelector(".left")?.getAttribute("data-words") ?? "";
  fill(form, ".left", left.toLocaleString(document.documentElement.lang)).dataset.remaining = `${left}`;
}

/** Shows the end of the game.
 * @param {HTMLElement} board @param {Map<string, Element>} faces @param {string[]} guesses @param {string} secret */
function end(board, faces, guesses, secret) {
  const box = made("a-puzzle-end"), isFound = guesses.at(-1) === secret, form = counted(box, guesses.length);
  const said = isFound ? form : box.querySelector(reveal ? ".given-up" : ".lost");
  for (const words of box.querySelectorAll(".result > span")) if (words !== said) words.remove();
  if (said?.matches(".lost")) fill(box, ".lost", `${guesses.length}`);
  /** @type {HTMLElement} */ (box.querySelector(".result")).dataset.secret = secret;
  const record = /** @type {HTMLElement} */ (box.querySelector(".day-record")), [today, yesterday] = [0, DAY].map((ago) => dateOf(Date.now() - ago));
  if (seed === today || seed === yesterday) {
    record.dataset.rules = rules;
    /** @type {HTMLElement} */ (record.querySelector(".day-next")).dataset.day = seed;
    record.querySelector("a")?.setAttribute("href", start.replace(seed, "today"));
  } else record.remove();
  if (isFound && !helped.known) box.querySelectorAll(".tally tbody tr")[guesses.length + helped.seen.length - 1]?.classList.add("here");
  const title = (board.closest("#content")?.querySelector(".game-title")?.textContent ?? "").split(" · ")[0].trim();
  fill(box, "#result", shared(`${title}, ${seed}: ${isFound ? guesses.length + helped.seen.length : "–"}`, guesses, secret, start, rulesOf(rules)));
  if (!isFound) fill(board.querySelector(".rows > div")?.appendChild(made("a-solution")) ?? box, ".code", slots(secret, faces));
  board.querySelectorAll("form, .side, .thought, .undo").forEach((part) => part.remove());
  board.classList.add("ended");
  board.classList.toggle("found", isFound);
  board.append(box);
}

const stored = start && await caches.match(start, { ignoreSearch: true, ignoreVary: true });
if (stored) await show(new DOMParser().parseFromString(await stored.text(), "text/html"));
