/* Record of each puzzle in this browser only. A solution seen before does not count as solved. */

/* A version, then a line for each puzzle, most recently used last: puzzle, help in URL format (see
   app/bullscows_web/guess/game.py) with every guess counted as undone, and the guesses that solved the puzzle
   (empty if it is unsolved or its end was seen first). If any line is malformed, all lines are ignored. */
export const PUZZLES = /^1\n([a-z0-9]+\/[a-z0-9-]+ (h[\d-]+)?\.?(u[\da-f-]+)?\.?k? ([\da-f]+(-[\da-f]+)*)?\n)*$/;
/* A version, then a line (rules/day) for each puzzle that was started on its own day and solved by the end of
   the next day, latest last. */
export const DAYS = /^1\n([a-z0-9]+\/\d{4}-\d\d-\d\d\n)*$/;
export const DAY = 86_400_000;  // milliseconds
const MOST = 1000, MOST_GUESSES = 60, MOST_DAYS = 4000;  // puzzles, guesses of each, days

/** Record of a puzzle: hints, guesses, and whether its code is known.
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

/** Returns the stored lines, or none if any line is malformed.
 * @param {"puzzles" | "days"} name @returns {string[]} */
const linesOf = (name) => (name === "days" ? DAYS : PUZZLES).test(localStorage[name]) ? localStorage[name].split("\n").slice(1, -1) : [];
/** @param {"puzzles" | "days"} name @param {string[]} lines */
const keep = (name, lines) => { localStorage[name] = ["1", ...lines, ""].join("\n"); };

/** Returns the puzzles in the list of days: started on their own day and solved in time. */
export const solvedDays = () => linesOf("days");

/** Returns the puzzles that were solved here. */
export const solvedPuzzles = () => linesOf("puzzles").filter((line) => !line.endsWith(" ")).map((line) => line.split(" ")[0]);

/** Returns the puzzles that were solved here, each with its guesses, latest last.
 * @returns {[string, string[]][]} */
export const solvedGames = () => linesOf("puzzles").filter((line) => !line.endsWith(" "))
  .map((line) => [line.split(" ")[0], line.split(" ")[2].split("-")]);

/** Returns the record of a puzzle, and the guesses that solved it.
 * @param {string} puzzle */
export function recordOf(puzzle) {
  const [, help = "", found = ""] = linesOf("puzzles").find((line) => line.startsWith(`${puzzle} `))?.split(" ") ?? [];
  return { ...read(help), found };
}

/** Returns the UTC date.
 * @param {number} time */
export const dateOf = (time) => new Date(time).toISOString().slice(0, 10);

/** Whether a puzzle of today or yesterday was started on its own day. The first guess starts a puzzle.
 * @param {string} puzzle @param {Seen} seen */
function isTimely(puzzle, seen) {
  const [today, yesterday] = [0, DAY].map((ago) => `/${dateOf(Date.now() - ago)}`);
  const begun = (localStorage.begun ?? "").split(" ").filter((/** @type {string} */ each) => each.endsWith(today) || each.endsWith(yesterday));
  if (puzzle.endsWith(today) && seen.seen.length && !begun.includes(puzzle)) begun.push(puzzle);
  localStorage.begun = begun.join(" ");
  return begun.includes(puzzle);
}

/** Stores the record of a puzzle, and adds a daily puzzle solved in time to the list of days.
 * @param {string} puzzle @param {Seen} seen @param {string} found */
function note(puzzle, seen, found) {
  const others = linesOf("puzzles").filter((line) => !line.startsWith(`${puzzle} `)), days = solvedDays();
  keep("puzzles", [...others, `${puzzle} ${write(seen)} ${found}`].slice(-MOST));
  if (isTimely(puzzle, seen) && found && !days.includes(puzzle)) keep("days", [...days, puzzle].slice(-MOST_DAYS));
}

/** @param {boolean} isVisit */
function remember(isVisit) {
  const board = document.getElementById("board"), { puzzle, start = "", guesses = "", help = "", before, over } = board?.dataset ?? {};
  if (!puzzle) return;
  const { found, ...record } = recordOf(puzzle), here = read(help), guessed = codes(guesses);
  const isOver = over !== undefined, isOwn = before !== undefined && sessionStorage.game === before;
  const isClosed = record.known || found !== "", isSame = found !== "" && found === guesses;

  /* Help to report for this game: its own, and that of earlier games of the puzzle. */
  const helped = both(here, record);
  helped.seen = helped.seen.filter((code) => !guessed.includes(code));
  helped.known = here.known || (isClosed && !isSame);
  if (helped.known) helped.hints = helped.seen = [];  // irrelevant once the code is known

  if (!isClosed) {
    const next = both(record, { ...here, seen: [...here.seen, ...guessed] });
    next.known ||= isOver && !isOwn;
    note(puzzle, next, isOver && isOwn ? guesses : "");
  }

  /* The address of a game of the puzzle, with the options of this one. */
  const [place, options] = start.split("?");
  const address = (/** @type {string} */ path, /** @type {string} */ query) => {
    const asked = [options, query && `help=${query}`].filter(Boolean).join("&");
    return place + (path && `/${path}`) + (asked && `?${asked}`);
  };
  if (isVisit && found && !guesses && !help) {  // solved: show the result
    location.replace(address(found, write({ ...record, seen: record.seen.filter((code) => !codes(found).includes(code)) })));
  } else if (!isOver) {
    for (const field of document.getElementsByName("help")) /** @type {HTMLInputElement} */ (field).value = write(helped);
    document.querySelector(".known")?.toggleAttribute("hidden", !helped.known);
  } else if (board && (isOwn || isSame) && write(helped) !== write(here)) {
    board.dataset.undone = `${helped.seen.length}`;
    if (helped.known) delete board.dataset.before;  // not counted in the tally
    location.replace(address(guesses, write(helped)));
  }
}

/* Without storage, remember() throws an error and only the help in the URL counts. */
const update = (/** @type {boolean} */ isVisit) => { try { remember(isVisit); } catch { /* storage unavailable */ } };
const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
if (document.documentElement.dataset.puzzles === undefined) {  // not another copy, which a module imports without `?v=`
  document.documentElement.dataset.puzzles = "";
  update(arrival?.type === "navigate");
  document.addEventListener("htmx:after:swap", () => update(false));
  addEventListener("pageshow", ({ persisted }) => persisted && update(false));
}
