/* Keyboard shortcuts for answers: two digits give bulls and cows, one gives bulls only, Backspace undoes, arrows move. */

/** First digit of an incomplete answer (empty if there is none), and its board. */
let bulls = "", /** @type {Element | null} */ board = null;

/** @returns {HTMLElement[]} */
const cells = () => [...document.querySelectorAll(".answers a[data-answer]")].map((cell) => /** @type {HTMLElement} */ (cell));

/**
 * Starts an answer with its number of bulls, and highlights the answers that match.
 * @param {string} digit
 */
function begin(digit) {
  bulls = digit;
  board = document.querySelector(".answers");
  for (const cell of cells()) cell.classList.toggle("chosen", !!digit && (cell.dataset.answer ?? "").startsWith(`${digit}.`));
}

/** @param {string} answer For example 1.2. If the answer is not offered, the live region says so. */
function give(answer, said = answer.replace(".", " ")) {
  begin("");
  const cell = cells().find((each) => each.dataset.answer === answer), status = document.getElementById("status");
  const words = /** @type {HTMLElement | null} */ (document.querySelector(".answers"))?.dataset.impossible ?? "";
  if (cell) cell.click();
  else if (status) status.textContent = words.replace("*", said);
}

/** Discards the first digit if there is one, otherwise undoes the last answer. */
function takeBack() {
  const links = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".ledger .undo a"));
  if (bulls) begin(""); else links[links.length - 1]?.click();
}

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Returns the nearest answer in a direction, with a penalty for sideways distance.
 * @param {HTMLElement} from
 * @param {[number, number]} step
 */
function next(from, [x, y]) {
  const middle = (/** @type {HTMLElement} */ cell) => {
    const { left, right, top, bottom } = cell.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const [here, there] = middle(from);
  const distances = cells().map((cell) => {
    const [across, down] = middle(cell).map((place, axis) => place - [here, there][axis]);
    const ahead = across * x + down * y, sideways = Math.abs(across * y) + Math.abs(down * x);
    return { cell, distance: ahead > 1 ? ahead + 3 * sideways : Infinity };
  });
  const nearest = distances.reduce((best, each) => each.distance < best.distance ? each : best, { cell: from, distance: Infinity });
  return nearest.cell;
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target), step = STEPS[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea")) return;
  if (document.documentElement.dataset.keys === "off") return;  // disabled in the preferences
  if (document.querySelector(":popover-open")) return;  // Escape closes the panel
  if (bulls && board !== document.querySelector(".answers")) begin("");  // the board was replaced
  const isCell = target.matches(".answers a"), isHeading = target.matches("h1");
  if (/^\d$/.test(event.key) && cells().length) {
    if (document.querySelector(".answers.in-row")) give(`${event.key}.0`, event.key);
    else if (bulls) give(`${bulls}.${event.key}`); else begin(event.key);
  } else if (event.key === "Backspace") takeBack();
  else if (event.key === "Escape") begin("");
  else if (step && (isCell || isHeading || (step[0] && target === document.body))) (isCell ? next(target, step) : cells()[0])?.focus();
  else return;
  event.preventDefault();
});
