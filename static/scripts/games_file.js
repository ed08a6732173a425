/* Exports and imports the games of this browser as a file. Nothing is sent to the server. */

import { both, DAYS, PUZZLES, read as seenIn, write } from "./puzzles.js";
import { GAMES } from "./tally.js";

/* Storage keys with their formats. A file with any other content is rejected. */
const FORMS = { games: GAMES, puzzles: PUZZLES, days: DAYS };
const FORMAT = "bullscows-games-1", MOST_BYTES = 1_000_000;

/** @typedef {"games" | "puzzles" | "days"} Name */
/** @typedef {Record<Name, string>} Kept */

const NAMES = /** @type {Name[]} */ (Object.keys(FORMS));
const EMPTY = { games: "", puzzles: "1\n", days: "1\n" };

/** Returns the stored texts. A damaged text is replaced by an empty one. */
function kept() {
  const texts = NAMES.map((name) => [name, localStorage.getItem(name) ?? ""]);
  return /** @type {Kept} */ (Object.fromEntries(texts.map(([name, text]) => [
    name, FORMS[/** @type {Name} */ (name)].test(text) ? text : EMPTY[/** @type {Name} */ (name)],
  ])));
}

/**
 * Reads an exported file. Returns undefined if the file is too large or any part of it is invalid.
 * @param {File} file
 * @returns {Promise<Kept | undefined>}
 */
async function read(file) {
  if (file.size > MOST_BYTES) return undefined;
  try {
    const { format, ...texts } = JSON.parse(await file.text());
    const isOurs = format === FORMAT && Object.keys(texts).sort().join() === [...NAMES].sort().join();
    return isOurs && NAMES.every((name) => typeof texts[name] === "string" && FORMS[name].test(texts[name])) ? texts : undefined;
  } catch { return undefined; }
}

/** @param {string} text */
const linesOf = (text) => text.split("\n").filter((line) => line.includes(" ") || line.includes("/"));

/**
 * Merges the stored texts with those of a file, without duplicate lines. If both contain a puzzle, the
 * finished record wins (the stored one if both are finished); two unfinished records are merged.
 * @param {Kept} here
 * @param {Kept} file
 * @returns {Kept}
 */
function merged(here, file) {
  const puzzles = new Map(linesOf(file.puzzles).map((line) => [line.split(" ")[0], line]));
  for (const line of linesOf(here.puzzles)) {
    const [puzzle, help, found] = line.split(" ");
    const [, theirs = "", end = ""] = puzzles.get(puzzle)?.split(" ") ?? [];
    if (found || help.endsWith("k") || !puzzles.has(puzzle)) puzzles.set(puzzle, line);
    else if (!end) puzzles.set(puzzle, `${puzzle} ${write(both(seenIn(help), seenIn(theirs)))} `);
  }
  const union = (/** @type {Name} */ name) => [...new Set([...linesOf(file[name]), ...linesOf(here[name])])].map((line) => `${line}\n`).join("");
  return { games: union("games"), puzzles: ["1", ...puzzles.values(), ""].join("\n"), days: `1\n${union("days")}` };
}

/** Downloads all games as a file. */
function save() {
  const text = JSON.stringify({ format: FORMAT, ...kept() }, null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "bulls-and-cows.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const box = /** @type {HTMLElement} */ (document.querySelector(".games-file"));
const words = /** @type {HTMLElement} */ (box.querySelector(".said"));

box.querySelector("[data-save]")?.addEventListener("click", save);
/** Imports the chosen file, which may have been chosen before this script loaded.
 * @param {HTMLInputElement} input */
async function take(input) {
  const file = input.files?.[0];
  if (!file) return;
  const texts = await read(file);
  if (texts) {
    const all = merged(kept(), texts);
    for (const name of NAMES) localStorage.setItem(name, all[name]);
    dispatchEvent(new Event("storage"));
  }
  words.textContent = (texts ? words.dataset.taken : words.dataset.foreign) ?? "";
  document.getElementById("status")?.replaceChildren(words.textContent);  // the live region of the page
  input.value = "";
}
const input = /** @type {HTMLInputElement} */ (box.querySelector("input[type=file]"));
input.addEventListener("change", () => take(input));
take(input);
