/* Copying, and the tally. Everything else is links, forms and htmx, which links.js keeps in order. */
"use strict";

navigator.serviceWorker?.register("/worker.js");  // what was seen can be read offline

/** The text to copy: a link's address, else this page's, or a text, in which \x7f stands for DEL.
 * @param {string} id @returns {string} */
function textToCopy(id) {
  const { href, textContent } = /** @type {any} */ (document.getElementById(id) ?? location);
  return href ?? textContent.replaceAll("\\x7f", "\x7f");
}

/** Where the clipboard is closed to us (plain http), copying through a selection still works.
 * @param {string} text */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/* The games finished in this browser, known to nobody else. Each is a line: kind, name, turns. A
   puzzle counts once, another game each time it is played, and only after its last guess: whoever
   follows a link to its end has not played it. To visit a page by a link is to play anew; to come
   by Back or a reload is to play on. Unless all lines have this form, none is believed. */
const LINES = /^([a-z0-9-]+ \S+ [1-9]\d{0,2}\n)*$/;

/** @param {boolean} isVisit */
function tally(isVisit) {
  if (isVisit || !sessionStorage.play) sessionStorage.play = Date.now();
  const { game, before, once, undone } = document.getElementById("board")?.dataset ?? {};
  const box = /** @type {HTMLElement | null} */ (document.querySelector(".tally"));
  if (game && !box) sessionStorage.game = game;
  if (!game || !box) return;
  /** @type {string} */
  let lines = LINES.test(localStorage.games) ? localStorage.games : "";
  const kind = game.split(" ")[0], name = once ?? `${kind} ${sessionStorage.play}`;
  if (before && sessionStorage.game === before && !`\n${lines}`.includes(`\n${name} `)) {
    localStorage.games = lines += `${name} ${(game.match(/\d\.\d/g) ?? []).length + Number(undone ?? 0)}\n`;
  }
  sessionStorage.game = "";
  const turns = lines.split("\n").filter((line) => line.startsWith(`${kind} `)).map((line) => +line.split(" ")[2]);
  /** @param {string} part @param {number} number */
  const fill = (part, number) => box.querySelector(part)?.replaceChildren(write(number));
  const write = (/** @type {number} */ number) => number.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 }).replaceAll("\xa0", "\u202f");
  box.hidden = !turns.length;
  fill(".tally-games", turns.length);
  fill(".tally-average", turns.reduce((a, b) => a + b, 0) / turns.length);
  for (const row of /** @type {NodeListOf<HTMLTableRowElement>} */ (box.querySelectorAll("tbody tr"))) {
    const count = turns.filter((turn) => turn === row.rowIndex).length;
    row.hidden = row.rowIndex > Math.max(...turns);
    row.querySelector("rect")?.setAttribute("width", `${100 * count / (turns.length || 1)}%`);
    row.cells[2].textContent = write(count);
  }
}

/** A browser that keeps nothing throws an error, and shows no tally.
 * @param {boolean} isVisit */
function update(isVisit) { try { tally(isVisit); } catch { /* nothing kept */ } }
const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
update(arrival?.type === "navigate");
document.addEventListener("htmx:after:swap", () => update(false));

document.addEventListener("click", async (event) => {
  const target = /** @type {Element} */ (event.target);
  const button = /** @type {HTMLElement | null} */ (target.closest?.("[data-copy], [data-forget]"));
  if (!button) return;
  if ("forget" in button.dataset) { localStorage.clear(); tally(false); }
  else await copy([button.dataset.copy ?? "", button.dataset.link ?? ""].filter(Boolean).map(textToCopy).join("\n"));
  const { done = "", label = button.textContent ?? "" } = button.dataset;
  document.getElementById("status")?.replaceChildren(done);
  button.dataset.label = label;
  button.textContent = done;
  setTimeout(() => { button.textContent = label; }, 2000);
});

/* What a part of a page needs comes when that part is seen: a first visit loads none of it. */
const seen = new IntersectionObserver((parts) => {
  const shown = parts.filter(({ isIntersecting }) => isIntersecting);
  for (const { target } of shown) { seen.unobserve(target); import(target.getAttribute("data-script") ?? ""); }
});
document.querySelectorAll("[data-script]").forEach((part) => seen.observe(part));
