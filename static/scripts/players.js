/* Results of all players of a day's puzzle: sends the result of this browser once, and shows the others. */

import { recordOf } from "./puzzles.js";

const LONGEST = 20;  // puzzles whose results were sent

/** Sends the result of a puzzle that was solved here once, and returns the results of all players.
 * @param {string} address @param {string} puzzle */
async function results(address, puzzle) {
  const { seen, found } = recordOf(puzzle), guesses = found ? found.split("-") : [], secret = guesses.at(-1) ?? "";
  const sent = (localStorage.sent ?? "").split(" "), isSolved = guesses.length > 0, isNew = isSolved && !sent.includes(puzzle);
  const others = [...new Set([...seen, ...guesses])].filter((code) => code !== secret), turns = others.length + 1;
  const body = JSON.stringify({ guesses: [...others, secret] });
  if (isNew) localStorage.sent = [...sent, puzzle].slice(-LONGEST).join(" ");
  try {
    const sending = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    const response = await (isNew ? fetch(address, sending) : fetch(isSolved ? `${address}?turns=${turns}` : address));
    if (!response.ok) throw new Error(response.statusText);
    return await response.json();
  } catch (error) {
    if (isNew) localStorage.sent = sent.join(" ");  // to be sent again
    throw error;
  }
}

/** Shows the results of all players, unless this is turned off. Without the server's database nothing is shown.
 * @param {HTMLElement} box */
async function showPlayers(box) {
  const line = /** @type {HTMLElement} */ (box.nextElementSibling), isOn = localStorage.counted !== "no";
  const field = /** @type {HTMLInputElement} */ (line.querySelector("input")), better = /** @type {HTMLElement} */ (line.querySelector("span"));
  field.checked = isOn;
  field.onchange = () => { localStorage.counted = field.checked ? "yes" : "no"; showPlayers(box); };
  line.hidden = isOn && box.hidden;
  box.hidden ||= !isOn;
  better.hidden = true;
  if (!isOn) return;
  const { results: address = "", solved = "" } = box.dataset;
  try {
    const { distribution, better_than: share } = await results(address, solved), lang = document.documentElement.lang;
    const rows = [.../** @type {NodeListOf<HTMLTableRowElement>} */ (box.querySelectorAll("tbody tr"))];
    const counts = rows.map((_, place) => (place < rows.length - 1 ? distribution.slice(place, place + 1) : distribution.slice(place)).reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0));
    rows.forEach((row, place) => {
      row.hidden = row.rowIndex > distribution.length;
      row.style.setProperty("--share", `${counts[place] / (Math.max(...counts) || 1)}`);
      row.cells[2].textContent = counts[place].toLocaleString(lang);
    });
    better.hidden = share === null;
    better.querySelector("strong")?.replaceChildren((share / 100).toLocaleString(lang, { style: "percent" }));
    box.hidden = line.hidden = false;
  } catch { /* no database, no connection, no storage */ }
}

function update() {
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-results]"))) {
    showPlayers(box).catch(() => { /* storage unavailable */ });
  }
}
update();
document.addEventListener("htmx:after:swap", update);
