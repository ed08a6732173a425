/* Daily puzzles: state, streak, calendar and text to share, from the storage of this browser. */

import { DAY, dateOf, recordOf, solvedDays, solvedPuzzles } from "./puzzles.js";

const DATED = /\/\d{4}-\d\d-\d\d$/;

/**
 * Returns the number of consecutive days solved, ending at a day or at the day before.
 * @param {string} rules
 * @param {string} day
 */
function streak(rules, day) {
  const solved = new Set(solvedDays());
  let time = Date.parse(day), count = 0;
  if (!solved.has(`${rules}/${day}`)) time -= DAY;
  for (; solved.has(`${rules}/${dateOf(time)}`); time -= DAY) count += 1;
  return count;
}

/**
 * Returns the largest number of consecutive days solved.
 * @param {string} rules
 */
function bestStreak(rules) {
  const times = solvedDays().filter((puzzle) => puzzle.startsWith(`${rules}/`)).map((puzzle) => Date.parse(puzzle.split("/")[1])).sort();
  let best = 0, count = 0;
  times.forEach((time, place) => {
    count = time - times[place - 1] === DAY ? count + 1 : 1;
    best = Math.max(best, count);
  });
  return best;
}

/**
 * Returns the number of turns of a puzzle, guesses taken back included, and whether it is solved.
 * @param {string} puzzle
 */
function resultOf(puzzle) {
  const { seen, found, known } = recordOf(puzzle), guesses = found ? found.split("-") : [];
  const turns = new Set([...seen, ...guesses]).size;
  return { turns, guesses, seen, state: guesses.length ? "solved" : known ? "known" : turns ? "open" : "new" };
}

/** Shows the record of a game: puzzles solved, streaks, mean.
 * @param {HTMLElement} box */
function showRecord(box) {
  const { rules = "" } = box.dataset;
  const turns = solvedPuzzles().filter((puzzle) => puzzle.startsWith(`${rules}/`) && DATED.test(puzzle)).map((puzzle) => resultOf(puzzle).turns);
  const mean = turns.reduce((a, b) => a + b, 0) / turns.length;
  /** @type {Record<string, string>} */
  const figures = {
    solved: String(turns.length), streak: String(streak(rules, dateOf(Date.now()))), best: String(bestStreak(rules)),
    mean: turns.length ? mean.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 }) : "–",
  };
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("[data-figure]"))) {
    figure.textContent = figures[figure.dataset.figure ?? ""];
  }
  box.parentElement?.querySelectorAll(".of-games").forEach((part) => part.toggleAttribute("hidden", !turns.length));
}

/** Shows the seven days that end with that of a puzzle, each with the turns if it is solved.
 * @param {HTMLElement} box */
function showWeek(box) {
  const { rules = "", day = "" } = box.dataset, { lang } = document.documentElement;
  box.replaceChildren(...[6, 5, 4, 3, 2, 1, 0].map((before) => {
    const time = Date.parse(day) - before * DAY, { turns, state } = resultOf(`${rules}/${dateOf(time)}`);
    const name = new Date(time).toLocaleDateString(lang, { weekday: "short", timeZone: "UTC" });
    const place = document.createElement("li"), number = document.createElement("strong");
    number.textContent = state === "solved" ? String(turns) : "–";
    place.classList.toggle("solved", state === "solved");
    place.append(number, ` ${name}`);
    return place;
  }));
}

/** Of the puzzles to play next, offers the first that is neither solved nor given up. */
function showNext() {
  const ways = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-next]"))];
  const chosen = ways.find(({ dataset: { next } }) => !next || ["new", "open"].includes(resultOf(next).state));
  for (const way of ways) way.hidden = way !== chosen;
}

/** Marks the days of the calendar, and says what its button leads to. */
function showMonth() {
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".days [data-puzzle]"))) {
    const { turns, state } = resultOf(link.dataset.puzzle ?? "");
    link.classList.toggle("solved", state === "solved");
    link.classList.toggle("begun", state === "open");
    link.querySelector("strong")?.replaceChildren(state === "solved" ? String(turns) : "");
    for (const words of /** @type {NodeListOf<HTMLElement>} */ (link.querySelectorAll("[data-words]"))) words.hidden = words.dataset.words !== state;
  }
}

/** Returns a result to share: a title, the answers without the guesses, the address.
 * @param {string} title @param {string[]} guesses @param {string} secret @param {string} address */
export function shared(title, guesses, secret, address, { pegs = false, bullsOnly = false } = {}) {
  return [title, ...guesses.map((guess) => pictures(guess, secret, pegs, bullsOnly)), new URL(address, location.href).href].join("\n");
}

/**
 * Returns an answer as emoji, bulls before cows.
 * @param {string} guess
 * @param {string} secret
 * @param {boolean} pegs
 * @param {boolean} bullsOnly
 */
function pictures(guess, secret, pegs, bullsOnly) {
  const bulls = [...guess].filter((symbol, place) => secret[place] === symbol).length;
  const common = new Set(guess), count = (/** @type {string} */ text, /** @type {string} */ symbol) => text.split(symbol).length - 1;
  const both = [...common].reduce((sum, symbol) => sum + Math.min(count(guess, symbol), count(secret, symbol)), 0);
  return (pegs ? "⚫" : "🐂").repeat(bulls) + (pegs ? "⚪" : "🐄").repeat(bullsOnly ? 0 : both - bulls) || "–";
}

/** Updates the card on the home page. */
function show() {
  const card = document.getElementById("day-puzzle");
  if (!card) return;
  const { rules = "", day: served = "", start = "", name } = card.dataset, now = Date.now();
  const day = served < dateOf(now) ? dateOf(now) : served, isServed = day === served;
  const { turns, guesses, seen, state } = resultOf(`${rules}/${day}`), days = streak(rules, day);
  const address = isServed ? `${start}/${day}` : `${start}/today`;

  for (const words of /** @type {NodeListOf<HTMLElement>} */ (card.querySelectorAll("[data-state]"))) {
    words.hidden = words.dataset.state !== state;
  }
  for (const number of card.querySelectorAll(".day-turns")) number.textContent = String(turns);
  const row = /** @type {HTMLElement} */ (card.querySelector(".day-row"));
  row.hidden = !days;
  /** @type {HTMLElement} */ (row.querySelector("dd")).textContent = String(days);
  for (const part of card.querySelectorAll(".day-best, .day-date")) part.toggleAttribute("hidden", !isServed);
  card.querySelector("a.primary")?.setAttribute("href", state === "open" && isServed ? `${address}/${seen.join("-")}` : address);

  const text = document.getElementById("day-text"), button = /** @type {HTMLElement} */ (card.querySelector("[data-copy]"));
  button.hidden = state !== "solved";
  const secret = guesses.at(-1) ?? "", inRow = days > 1 ? ` (${row.querySelector("dt")?.textContent}: ${days})` : "";
  if (text) text.textContent = shared(`${name}, ${day}: ${turns}${inRow}`, guesses, secret, address);
}

/* Time of the next request for a new card, and delay before a retry: the server's clock may be behind. */
let retry = 0, wait = 4000;  // milliseconds

/** Counts down to the next puzzle at midnight UTC: at the end of a game, and on the home page, which then requests its card. */
function count() {
  const next = /** @type {HTMLElement | null} */ (document.querySelector(".day-next")), card = document.getElementById("day-puzzle");
  const clock = next?.querySelector("dd"), now = Date.now();
  if (!next || !clock) return;
  const { day, weekly } = next.dataset;
  const left = day ? Date.parse(day) + (weekly === undefined ? DAY : 7 * DAY) - now : DAY - now % DAY;
  clock.textContent = left > DAY ? days(left) : new Date(Math.max(0, left)).toISOString().slice(11, 19);
  clock.hidden = left <= 0;
  next.querySelector("dd + dd")?.toggleAttribute("hidden", left > 0);
  if (!card || (card.dataset.day ?? "") >= dateOf(now) || card.nextElementSibling?.matches(".failure") || now < retry) return;
  update();
  retry = now + wait;
  wait *= 2;
  card.dispatchEvent(new Event("newday"));
}

/** Returns a time in whole days, in words.
 * @param {number} time Milliseconds. */
function days(time) {
  return new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: "day", unitDisplay: "long" }).format(Math.floor(time / DAY));
}

/* Without storage, these throw an error and the puzzles stay plain links. */
function update() {
  try {
    show();
    showMonth();
    for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".days, .day-record"))) showRecord(box);
    for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".week"))) showWeek(box);
    showNext();
  } catch { /* storage unavailable */ }
}
update();
count();
setInterval(count, 1000);
document.addEventListener("htmx:after:swap", () => { update(); count(); });
addEventListener("storage", update);
addEventListener("pageshow", ({ persisted }) => { if (persisted) update(); });
