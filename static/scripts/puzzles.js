/* What this browser has seen of each puzzle, known to nobody else: an end seen before is no find. */
"use strict";

{
/* A version, then a line each, the last used last: puzzle, what aided it as in an address (see
   app/guess/aid.py) with every guess among those taken back, and the guesses that found its code, if that
   was no game after the end. Unless all has this form, nothing of it is believed. */
const RECORD = /^1\n([a-z0-9]+\/[a-z0-9-]+ (h[\d-]+)?\.?(u[\da-f-]+)?\.?k? ([\da-f]+(-[\da-f]+)*)?\n)*$/;
const KEPT = 100, MOST = 60;  // puzzles, and guesses of each

/** What a browser has seen of a puzzle.
 * @typedef {{hints: string[], seen: string[], known: boolean}} Seen */

const codes = (/** @type {string} */ text) => text.split("-").filter(Boolean);

/** @param {string} text @returns {Seen} */
function read(text) {
  const of = (/** @type {string} */ letter) => text.split(".").find((part) => part[0] === letter)?.slice(1) ?? "";
  return { hints: codes(of("h")), seen: codes(of("u")), known: /k$/.test(text) };
}

/** @param {Seen} seen */
function write({ hints, seen, known }) {
  const turns = [...new Set(hints)].sort((a, b) => +a - +b), guesses = [...new Set(seen)].slice(0, MOST);
  return [turns.length && `h${turns.join("-")}`, guesses.length && `u${guesses.join("-")}`, known && "k"].filter(Boolean).join(".");
}

/** @param {Seen} one @param {Seen} other @returns {Seen} */
const both = (one, other) => ({ hints: [...one.hints, ...other.hints], seen: [...one.seen, ...other.seen], known: one.known || other.known });

/** @param {boolean} isVisit */
function remember(isVisit) {
  const board = document.getElementById("board"), { puzzle, start = "", guesses = "", aid = "", before, over } = board?.dataset ?? {};
  if (!puzzle) return;
  /** @type {string[]} */
  const lines = RECORD.test(localStorage.puzzles) ? localStorage.puzzles.split("\n").slice(1, -1) : [];
  const [, kept = "", found = ""] = lines.find((line) => line.startsWith(`${puzzle} `))?.split(" ") ?? [];
  const record = read(kept), here = read(aid), asked = codes(guesses);
  const isOver = over !== undefined, isOwn = before !== undefined && sessionStorage.game === before;
  const isClosed = record.known || found !== "", isSame = found !== "" && found === guesses;

  /* What is to be told of the game here: its own aid, and what was seen before. */
  const told = both(here, record);
  told.seen = told.seen.filter((code) => !asked.includes(code));
  told.known = here.known || (isClosed && !isSame);
  if (told.known) told.hints = told.seen = [];  // beside that nothing else matters

  if (!isClosed) {
    const next = both(record, { ...here, seen: [...here.seen, ...asked] });
    next.known ||= isOver && !isOwn;
    const line = `${puzzle} ${write(next)} ${isOver && isOwn ? guesses : ""}`;
    const others = lines.filter((other) => !other.startsWith(`${puzzle} `));
    localStorage.puzzles = ["1", ...[...others, line].slice(-KEPT), ""].join("\n");
  }

  const address = (/** @type {string} */ path, /** @type {string} */ query) =>
    start + (path && `/${path}`) + (query && `?aid=${query}`);
  if (isVisit && found && !guesses && !aid) {  // solved: its result is what there is to see
    location.replace(address(found, write({ ...record, seen: record.seen.filter((code) => !codes(found).includes(code)) })));
  } else if (!isOver) {
    for (const field of document.getElementsByName("aid")) /** @type {HTMLInputElement} */ (field).value = write(told);
    document.querySelector(".known")?.toggleAttribute("hidden", !told.known);
  } else if (board && (isOwn || isSame) && write(told) !== write(here)) {
    board.dataset.undone = `${told.seen.length}`;
    if (told.known) delete board.dataset.before;  // no game for the tally
    location.replace(address(guesses, write(told)));
  }
}

/* A browser that keeps nothing throws an error: then the address tells what it can. */
const update = (/** @type {boolean} */ isVisit) => { try { remember(isVisit); } catch { /* nothing kept */ } };
const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
update(arrival?.type === "navigate");
document.addEventListener("htmx:after:swap", () => update(false));
addEventListener("pageshow", ({ persisted }) => persisted && update(false));
}
