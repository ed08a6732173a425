/* Notes of the player on the symbols of a puzzle: excluded, certain or possible. Holding a key or a right click
   on it changes its note, and so does a tap on a tile of an earlier row, or a key while the notes button is
   pressed. They are stored in this browser until the game is over. Also remembers whether notes are automatic. */

/* One line for each puzzle, latest last: puzzle, then each symbol with a letter for its note. If any line is
   malformed, all lines are ignored. */
const NOTES = /^([a-z0-9]+\/[a-z0-9-]+ ([0-9a-f][oim])*\n)*$/;
const MOST = 20;  // puzzles
const HOLD = 450;  // milliseconds
/** @type {Record<string, string>} */
const STATES = { o: "out", i: "in", m: "maybe" };

/** Lines that are shown if storage is unavailable. */
let kept = "";
let isOn = false;  // whether keys change notes

/** @returns {string[]} */
function lines() {
  try { kept = localStorage.notes ?? ""; } catch { /* storage unavailable */ }
  return NOTES.test(kept) ? kept.split("\n").slice(0, -1) : [];
}

/** @returns {string} */
const puzzle = () => document.getElementById("board")?.dataset.puzzle ?? "";
/** @returns {HTMLElement | null} */
const panel = () => document.querySelector(".notes");

/** Returns the notes of this puzzle by symbol.
 * @returns {Map<string, string>} */
function notes() {
  const [, text = ""] = lines().find((line) => line.startsWith(`${puzzle()} `))?.split(" ") ?? [];
  return new Map([...text.matchAll(/(.)(.)/g)].map(([, symbol, letter]) => [symbol, letter]));
}

/** Stores the notes of this puzzle, and shows them.
 * @param {Map<string, string>} changed */
function keep(changed) {
  const others = lines().filter((line) => !line.startsWith(`${puzzle()} `));
  const own = changed.size ? [`${puzzle()} ${[...changed].flat().join("")}`] : [];
  kept = [...others, ...own].slice(-MOST).map((line) => `${line}\n`).join("");
  try { localStorage.notes = kept; } catch { /* storage unavailable */ }
  show();
}

/** @param {string} symbol @returns {HTMLElement | null} */
const keyOf = (symbol) => document.querySelector(`form.fill .key[data-key="${symbol}"]`);

/** Returns the symbol that a key shows: not that of `data-key` if digits begin with 1; a peg has that.
 * @param {HTMLElement | null} key */
const shownBy = (key) => key?.querySelector(".face")?.textContent || key?.dataset.key;

/** Gives a symbol the next note, and tells it to screen readers.
 * @param {string} symbol */
function turn(symbol) {
  const noted = notes(), letters = ["", ...Object.keys(STATES), ""];
  const next = letters[letters.indexOf(noted.get(symbol) ?? "") + 1];
  noted.delete(symbol);
  if (next) noted.set(symbol, next);
  keep(noted);
  const name = keyOf(symbol)?.querySelector(".colour")?.textContent ?? shownBy(keyOf(symbol)) ?? symbol;
  document.getElementById("status")?.replaceChildren(`${name}: ${panel()?.dataset[STATES[next] ?? "none"]}`);
}

/** Marks a face with the note of its symbol; the row that is being filled copies the faces of the keys.
 * @param {Element | null} face @param {string | undefined} letter */
function mark(face, letter) {
  if (letter) face?.setAttribute("data-note", STATES[letter]); else face?.removeAttribute("data-note");
}

/** Shows the notes on the keys and on the tiles. */
function show() {
  const box = panel(), noted = notes();
  if (!box) return;
  box.removeAttribute("aria-busy");
  box.querySelector("[data-notes=on]")?.setAttribute("aria-pressed", String(isOn));
  document.querySelector("form.fill .keypad")?.classList.toggle("noting", isOn);
  for (const key of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("form.fill .key"))) {
    const letter = noted.get(key.dataset.key ?? "");
    mark(key.querySelector(".face"), letter);
    key.querySelector(".note-word")?.remove();
    if (letter) key.append(Object.assign(document.createElement("span"), { className: "unseen note-word", textContent: `(${box.dataset[STATES[letter]]})` }));
  }
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".past tr[data-guess]"))) {
    row.querySelectorAll(".face").forEach((face, place) => mark(face, noted.get(row.dataset.guess?.[place] ?? "")));
  }
  document.dispatchEvent(new Event("notes"));  // keypad.js copies the faces
}

/** Returns the symbol of a key or of a tile of an earlier row.
 * @param {Element} target @param {boolean} onTile @returns {string | undefined} */
function symbolAt(target, onTile) {
  const key = /** @type {HTMLElement | null} */ (target.closest("form.fill .key"));
  const tile = onTile && target.closest(".past tr[data-guess] .slot");
  if (!tile) return key?.dataset.key;
  const row = /** @type {HTMLElement} */ (tile.closest("tr"));
  return row.dataset.guess?.[[...tile.parentElement?.children ?? []].indexOf(tile)];
}

let hold = 0, isHeld = false;  // the timer of a key that is pressed, and whether its note was changed
addEventListener("pointerdown", ({ target, button }) => {
  isHeld = false;
  const symbol = panel() && button === 0 && symbolAt(/** @type {Element} */ (target), false);
  if (symbol) hold = setTimeout(() => { isHeld = true; turn(symbol); }, HOLD);
});
for (const end of ["pointerup", "pointercancel", "pointerleave"]) addEventListener(end, () => clearTimeout(hold));
addEventListener("contextmenu", (event) => {
  const symbol = panel() && symbolAt(/** @type {Element} */ (event.target), false);
  if (!symbol) return;
  event.preventDefault();
  clearTimeout(hold);
  if (!isHeld) turn(symbol);
  isHeld = true;
});

/* Before keypad.js, which fills the row. */
addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target), symbol = panel() && symbolAt(target, true);
  const button = /** @type {HTMLElement | null} */ (target.closest("[data-notes]"))?.dataset.notes;
  if (button === "on") isOn = !isOn;
  if (button) keep(button === "clear" ? new Map() : notes());
  if (!symbol || (!isOn && !isHeld && target.closest(".key"))) return;
  event.stopImmediatePropagation();
  if (!isHeld) turn(symbol);
  isHeld = false;
}, true);

addEventListener("keydown", (event) => {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form.fill")), target = /** @type {Element} */ (event.target);
  if (!form || !isOn || event.ctrlKey || event.metaKey || event.altKey || target.closest("input:not(#guess), select, textarea")) return;
  const letter = (form.dataset.letters ?? "").indexOf(event.key.toLowerCase());
  const key = /** @type {HTMLElement[]} */ ([...form.querySelectorAll(".key")]).find((each) => shownBy(each) === event.key.toLowerCase());
  const symbol = key?.dataset.key ?? (letter < 0 ? undefined : letter.toString(16));
  if (event.key === "Escape") isOn = false;
  else if (symbol) turn(symbol);
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
  show();
}, true);

/** @returns {HTMLInputElement | null} */
const automatic = () => document.querySelector(".marking input");
/** Stores whether notes are automatic.
 * @param {HTMLInputElement} box */
function remember(box) {
  try { localStorage.marking = box.checked ? "on" : "off"; } catch { /* storage unavailable */ }
}
addEventListener("change", ({ target }) => {
  const box = automatic();
  if (box && target === box) remember(box);
});

/** Initializes a new board. The notes of a game that is over are removed. */
function begin() {
  const box = automatic();
  try { if (box) box.checked = localStorage.marking === "on"; } catch { /* storage unavailable */ }
  isOn &&= panel() !== null;
  if (document.getElementById("board")?.dataset.over !== undefined && notes().size) keep(new Map());
  show();
}
document.addEventListener("htmx:after:swap", begin);
addEventListener("storage", show);
addEventListener("pageshow", ({ persisted }) => persisted && begin());
const ticked = automatic();
if (ticked?.checked) remember(ticked);  // before this script was there
begin();
