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

/** Shows the games of a kind, with numbers formatted as on the server.
 * @param {HTMLElement} box @param {string} kind */
function show(box, kind) {
  const turns = kept().split("\n").filter((line) => line.startsWith(`${kind} `)).map((line) => +line.split(" ")[2]);
  const write = (/** @type {number} */ number) => number.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 }).replaceAll("\xa0", "\u202f");
  /** @param {string} part @param {number} number */
  const fill = (part, number) => box.querySelector(part)?.replaceChildren(write(number));
  box.hidden = !turns.length;
  fill(".tally-games", turns.length);
  fill(".tally-average", turns.reduce((a, b) => a + b, 0) / turns.length);
  for (const row of /** @type {NodeListOf<HTMLTableRowElement>} */ (box.querySelectorAll("tbody tr"))) {
    const times = turns.filter((turn) => turn === row.rowIndex).length;
    row.hidden = row.rowIndex > Math.max(...turns);
    row.querySelector("rect")?.setAttribute("width", `${100 * times / (turns.length || 1)}%`);
    row.cells[2].textContent = write(times);
  }
}

/** Updates the tally. Without storage, no tally is shown. */
function update() {
  const board = document.getElementById("board"), box = /** @type {HTMLElement | null} */ (document.querySelector(".tally"));
  if (!board?.dataset.game || !box) return;
  try {
    count(board.dataset);
    show(box, board.dataset.game.split(" ")[0]);
  } catch { /* storage unavailable */ }
}
update();
document.addEventListener("htmx:after:swap", update);
addEventListener("storage", update);
