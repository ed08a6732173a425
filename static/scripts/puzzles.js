/* What this browser has seen of each puzzle, known to nobody else: an end seen before is no find. */

/* A version, then a line each, the last used last: puzzle, what aided it as in an address (see
   app/bullscows_web/guess/aid.py) with every guess among those taken back, and the guesses that found its code, if that
   was no game after the end. Unless all has this form, nothing of it is believed. */
export const PUZZLES = /^1\n([a-z0-9]+\/[a-z0-9-]+ (h[\d-]+)?\.?(u[\da-f-]+)?\.?k? ([\da-f]+(-[\da-f]+)*)?\n)*$/;
/* A version, then a line for each puzzle that was begun on its own day and found by the end of the next one:
   rules/day, the last one last. */
export const DAYS = /^1\n([a-z0-9]+\/\d{4}-\d\d-\d\d\n)*$/;
export const DAY = 86_400_000;  // milliseconds
const MOST = 100, MOST_GUESSES = 60, MOST_DAYS = 4000;  // puzzles, guesses of each, days

/** What a browser has seen of a puzzle.
 * @typedef {{hints: string[], seen: string[], known: boolean}} Seen */

const codes = (/** @type {string} */ text) => text.split("-").filter(Boolean);

/** @param {string} text @returns {Seen} */
export function read(text) {
  const of = (/** @type {string} */ letter) => text.split(".").find((part) => part[0] === letter)?.slice(1) ?? "";
  return { hints: codes(of("h")), seen: codes(of("u")), known: /k$/.test(text) };
}

/** @param {Seen} seen */
export function write({ hints, seen, known }) {
  const turns = [...new Set(hints)].sort((a, b) => +a - +b), guesses = [...new Set(seen)].slice(0, MOST_GUESSES);
  return [turns.length && `h${turns.join("-")}`, guesses.length && `u${guesses.join("-")}`, known && "k"].filter(Boolean).join(".");
}

/** @param {Seen} one @param {Seen} other @returns {Seen} */
export const both = (one, other) => ({ hints: [...one.hints, ...other.hints], seen: [...one.seen, ...other.seen], known: one.known || other.known });

/** The lines that are kept, if they are believed.
 * @param {"puzzles" | "days"} name @returns {string[]} */
const linesOf = (name) => (name === "days" ? DAYS : PUZZLES).test(localStorage[name]) ? localStorage[name].split("\n").slice(1, -1) : [];
/** @param {"puzzles" | "days"} name @param {string[]} lines */
const keep = (name, lines) => { localStorage[name] = ["1", ...lines, ""].join("\n"); };

/** The puzzles that were solved on their own day. */
export const solvedDays = () => linesOf("days");

/** What is kept of a puzzle: what was seen of it, and the guesses that found its code.
 * @param {string} puzzle */
export function recordOf(puzzle) {
  const [, aid = "", found = ""] = linesOf("puzzles").find((line) => line.startsWith(`${puzzle} `))?.split(" ") ?? [];
  return { ...read(aid), found };
}

/** The date in UTC.
 * @param {number} time */
export const dateOf = (time) => new Date(time).toISOString().slice(0, 10);

/** Whether a puzzle is begun on its own day, or was on the day before; the first guess begins it.
 * @param {string} puzzle @param {Seen} seen */
function isTimely(puzzle, seen) {
  const [today, yesterday] = [0, DAY].map((ago) => `/${dateOf(Date.now() - ago)}`);
  const begun = (localStorage.begun ?? "").split(" ").filter((/** @type {string} */ each) => each.endsWith(today) || each.endsWith(yesterday));
  if (puzzle.endsWith(today) && seen.seen.length && !begun.includes(puzzle)) begun.push(puzzle);
  localStorage.begun = begun.join(" ");
  return begun.includes(puzzle);
}

/** Keeps it, and of a puzzle of the day that is found in time that too.
 * @param {string} puzzle @param {Seen} seen @param {string} found */
function note(puzzle, seen, found) {
  const others = linesOf("puzzles").filter((line) => !line.startsWith(`${puzzle} `)), days = solvedDays();
  keep("puzzles", [...others, `${puzzle} ${write(seen)} ${found}`].slice(-MOST));
  if (isTimely(puzzle, seen) && found && !days.includes(puzzle)) keep("days", [...days, puzzle].slice(-MOST_DAYS));
}

/** @param {boolean} isVisit */
function remember(isVisit) {
  const board = document.getElementById("board"), { puzzle, start = "", guesses = "", aid = "", before, over } = board?.dataset ?? {};
  if (!puzzle) return;
  const { found, ...record } = recordOf(puzzle), here = read(aid), asked = codes(guesses);
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
    note(puzzle, next, isOver && isOwn ? guesses : "");
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
