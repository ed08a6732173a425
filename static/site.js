/* The only script of our own: copying, and the tally. Everything else is links, forms and htmx. */
"use strict";

navigator.serviceWorker?.register("/worker.js");  // what was seen can be read offline

/* The text to copy: this page's address, a link's, or an element's text, where \x7f stands for DEL. */
function textToCopy(name) {
  if (name === "location") return location.href;
  const { href, textContent } = document.getElementById(name);
  return href ?? textContent.replaceAll("\\x7f", "\x7f");
}

/* Where the clipboard is closed to us (plain http), copying through a selection still works. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/* The games finished in this browser, one a line, known to nobody else. A game counts once, and
   only after its last guess: whoever follows a link to its end has not played it. */
function tally() {
  const { game, before, once = game } = document.getElementById("board")?.dataset ?? {};
  const box = document.querySelector(".tally");
  if (game && !box) sessionStorage.game = game;
  if (!box) return;
  const games = new Set(localStorage.games?.split("\n"));
  const isNew = ![...games].some((one) => one.startsWith(once));
  if (isNew && sessionStorage.game === before) localStorage.games = [...games.add(game)].join("\n");
  sessionStorage.game = "";
  const turns = [...games].filter((one) => one.split(" ")[0] === game.split(" ")[0])
    .map((one) => one.split(/[/-]\d\.\d/).length - 1);
  box.hidden = !turns.length;
  if (box.hidden) return;
  const write = (number) => number.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 });
  box.querySelector(".tally-games").textContent = write(turns.length);
  box.querySelector(".tally-average").textContent = write(turns.reduce((a, b) => a + b, 0) / turns.length);
  for (const row of box.querySelectorAll("tbody tr")) {
    const count = turns.filter((turn) => turn === row.rowIndex).length;
    row.hidden = row.rowIndex > Math.max(...turns);
    row.querySelector("rect").setAttribute("width", `${100 * count / turns.length}%`);
    row.cells[2].textContent = write(count);
  }
}

/* A browser that keeps nothing throws an error, and shows no tally. */
function update() { try { tally(); } catch { /* nothing kept */ } }
update();
document.addEventListener("htmx:after:swap", update);

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy], [data-forget]");
  if (!button) return;
  if ("forget" in button.dataset) { localStorage.removeItem("games"); tally(); }
  else await copy(textToCopy(button.dataset.copy));
  document.getElementById("status").textContent = button.dataset.done;
  button.dataset.label ??= button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => { button.textContent = button.dataset.label; }, 2000);
});
