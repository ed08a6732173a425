/* The games finished in this browser, known to nobody else, and how many turns they took. */

/* Each is a line: kind, name, turns. A puzzle counts once, another game each time it is played, and
   only after its last guess: whoever follows a link to its end has not played it. */
export const GAMES = /^([a-z0-9-]+ \S+ [1-9]\d{0,2}\n)*$/;

/** The lines; unless all have this form, none is believed.
 * @returns {string} */
const kept = () => GAMES.test(localStorage.games) ? localStorage.games : "";

/** Adds the game that has just come to its end here, if there is one.
 * @param {DOMStringMap} board */
function count({ game = "", before, once, undone }) {
  const kind = game.split(" ")[0], name = once ?? `${kind} ${sessionStorage.play}`, lines = kept();
  if (before && sessionStorage.game === before && !`\n${lines}`.includes(`\n${name} `)) {
    localStorage.games = `${lines}${name} ${(game.match(/\d\.\d/g) ?? []).length + Number(undone ?? 0)}\n`;
  }
  sessionStorage.game = "";
}

/** Shows the games of a kind; numbers are written as the server writes them.
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

/** A browser that keeps nothing throws an error, and shows no tally. */
function update() {
  const board = document.getElementById("board"), box = /** @type {HTMLElement | null} */ (document.querySelector(".tally"));
  if (!board?.dataset.game || !box) return;
  try {
    count(board.dataset);
    show(box, board.dataset.game.split(" ")[0]);
  } catch { /* nothing kept */ }
}
update();
document.addEventListener("htmx:after:swap", update);
addEventListener("storage", update);
