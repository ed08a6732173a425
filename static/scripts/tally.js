/* Games finished in this browser and their numbers of turns, stored only in this browser. */

/* One line for each game: kind, name, turns. A puzzle counts once, any other game each time it is played. A
   game counts only if its last guess was made here, so a link to its end does not count. */
export const GAMES = /^([a-z0-9-]+ \S+ [1-9]\d{0,2}\n)*$/;

/** Returns the stored lines, or an empty string if any line is malformed.
 * @returns {string} */
const kept = () => GAMES.test(localStorage.games) ? localStorage.games : "";

/** Adds the game that was just finished here, if there is one.
 * @param {DOMStringMap} board */
function count({ game = "", before, once, undone }) {
  const kind = game.split(" ")[0], name = once ?? `${kind} ${sessionStorage.play}`, lines = kept();
  if (before && sessionStorage.game === before && !`\n${lines}`.includes(`\n${name} `)) {
    localStorage.games = `${lines}${name} ${(game.match(/\d\.\d/g) ?? []).length + Number(undone ?? 0)}\n`;
  }
  sessionStorage.game = "";
}

/** Shows the games of a kind in a tally, with numbers formatted as on the server.
 * @param {HTMLElement} box @param {string} kind */
function show(box, kind) {
  const turns = kept().split("\n").filter((line) => line.startsWith(`${kind} `)).map((line) => +line.split(" ")[2]);
  const write = (/** @type {number} */ number) => number.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 }).replaceAll("\xa0", "\u202f");
  /** @param {string} part @param {number} number */
  const fill = (part, number) => box.querySelector(part)?.replaceChildren(write(number));
  box.hidden = !turns.length;
  fill(".tally-games", turns.length);
  fill(".tally-average", turns.reduce((a, b) => a + b, 0) / turns.length);
  const rows = [.../** @type {NodeListOf<HTMLTableRowElement>} */ (box.querySelectorAll("tbody tr"))];
  const times = rows.map(({ rowIndex }) => turns.filter((turn) => Math.min(turn, rows.length) === rowIndex).length);
  rows.forEach((row, place) => {
    row.hidden = row.rowIndex > Math.max(...turns);
    row.querySelector("rect")?.setAttribute("width", `${100 * times[place] / (turns.length || 1)}%`);
    row.style.setProperty("--share", `${times[place] / (Math.max(...times) || 1)}`);  // of a bar that stands
    row.cells[2].textContent = write(times[place]);
  });
}

/** Updates all tallies. Without storage, none is shown. */
function update() {
  const board = document.getElementById("board"), kind = board?.dataset.game?.split(" ")[0];
  if (!board || !kind) return;
  try {
    if (board.dataset.over !== undefined) count(board.dataset);
    for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".tally"))) show(box, kind);
  } catch { /* storage unavailable */ }
}
update();
document.addEventListener("htmx:after:swap", update);
addEventListener("storage", update);
