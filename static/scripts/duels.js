/* Duels that ended in this browser, stored only here: the record against each level. */

/* One line for each duel: rules, level, the end of its token, result. A duel counts once, and only if it was
   played in this tab, so a link to its end does not count. */
export const DUELS = /^([a-z0-9]+ [a-z]+ [\w-]{12} (won|drawn|lost)\n)*$/;
const MOST = 2000;

/** Returns the stored lines; none if any line is malformed.
 * @returns {string[]} */
const kept = () => DUELS.test(localStorage.duels ?? "") ? (localStorage.duels ?? "").split("\n").slice(0, -1) : [];

/** Remembers the duel under way, or counts the one that is over.
 * @param {DOMStringMap} board */
function count({ duel = "", ended }) {
  if (!ended) sessionStorage.duel = duel;
  else if (sessionStorage.duel === duel && !kept().some((line) => line.startsWith(`${duel} `))) {
    localStorage.duels = [...kept(), `${duel} ${ended}`].slice(-MOST).join("\n") + "\n";
  }
}

/** Writes the numbers of duels won, drawn and lost against each level on the page. */
function show() {
  const lines = kept();
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-record]"))) {
    const results = lines.filter((line) => line.startsWith(`${box.dataset.record} `)).map((line) => line.split(" ")[3]);
    box.hidden = !results.length;
    for (const number of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("b"))) {
      number.textContent = results.filter((result) => result === number.dataset.result).length.toLocaleString(document.documentElement.lang);
    }
  }
  document.querySelector("[data-with-record]")?.toggleAttribute("hidden", !lines.length);
  document.querySelector("[data-without-record]")?.toggleAttribute("hidden", !!lines.length);
}

/** Without storage, nothing is counted and no record is shown. */
function update() {
  const board = document.getElementById("board");
  try {
    if (board?.dataset.duel) count(board.dataset);
    show();
  } catch { /* storage unavailable */ }
}
update();
document.addEventListener("htmx:after:swap", update);
addEventListener("storage", update);
