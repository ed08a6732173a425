/* Results of all players of a day's puzzle: sends the result of this browser once, and shows the others. */

import { recordOf } from "./puzzles.js";

const LONGEST = 20;  // puzzles whose results were sent

/** Returns the guesses of a puzzle that was solved here, those taken back included and the code last; otherwise none.
 * @param {string} puzzle */
function guessesOf(puzzle) {
  const { seen, found } = recordOf(puzzle), secret = found.split("-").at(-1);
  return secret ? [...new Set([...seen, ...found.split("-")])].filter((code) => code !== secret).concat(secret) : [];
}

/** Sends the result of a puzzle that was solved here once, and returns how many players needed 1, 2, ... turns.
 * @param {string} address @param {string} puzzle @returns {Promise<number[]>} */
async function results(address, puzzle) {
  const guesses = guessesOf(puzzle), isSolved = guesses.length > 0;
  const sent = (localStorage.sent ?? "").split(" "), isNew = isSolved && !sent.includes(puzzle);
  const body = JSON.stringify({ guesses });
  if (isNew) localStorage.sent = [...sent, puzzle].slice(-LONGEST).join(" ");
  try {
    const sending = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    const response = await (isNew ? fetch(address, sending) : fetch(address));
    if (!response.ok) throw new Error(response.statusText);
    return (await response.json()).distribution;
  } catch (error) {
    if (isNew) localStorage.sent = sent.join(" ");  // to be sent again
    throw error;
  }
}

/** Says how a result compares with those of the others: better than some, or as good as some; nothing about a worse one.
 * @param {HTMLElement} line @param {number[]} distribution @param {number} turns Of this player, who is counted; 0 if unsolved. */
function compare(line, distribution, turns) {
  const sum = (/** @type {number[]} */ counts) => counts.reduce((a, b) => a + b, 0), others = sum(distribution) - 1;
  const worse = sum(distribution.slice(turns)), equal = (distribution[turns - 1] ?? 0) - 1, share = (worse || equal) / others;
  const words = (worse ? line.dataset.better : line.dataset.equal) ?? "";
  line.hidden = !(turns && others > 0 && share >= .005);  // a smaller one is written as 0 %
  line.textContent = words.replace("{}", share.toLocaleString(document.documentElement.lang, { style: "percent" }));
}

/** Shows the results of all players, unless this is turned off. Without the server's database nothing is shown.
 * @param {HTMLElement} box */
async function showPlayers(box) {
  const line = /** @type {HTMLElement} */ (box.nextElementSibling), isOn = localStorage.counted !== "no";
  const field = /** @type {HTMLInputElement} */ (line.querySelector("input")), standing = /** @type {HTMLElement} */ (line.querySelector("strong"));
  field.checked = isOn;
  field.onchange = () => { localStorage.counted = field.checked ? "yes" : "no"; showPlayers(box); };
  line.hidden = isOn && box.hidden;
  box.hidden ||= !isOn;
  standing.hidden = true;
  if (!isOn) return;
  const { results: address = "", solved = "" } = box.dataset;
  try {
    const distribution = await results(address, solved), lang = document.documentElement.lang;
    const rows = [.../** @type {NodeListOf<HTMLTableRowElement>} */ (box.querySelectorAll("tbody tr"))];
    const counts = rows.map((_, place) => (place < rows.length - 1 ? distribution.slice(place, place + 1) : distribution.slice(place)).reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0));
    rows.forEach((row, place) => {
      row.hidden = row.rowIndex > distribution.length;
      row.style.setProperty("--share", `${counts[place] / (Math.max(...counts) || 1)}`);
      row.cells[2].textContent = counts[place].toLocaleString(lang);
    });
    compare(standing, distribution, guessesOf(solved).length);
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
