/* Keeps in this browser what a visitor chose: how pegs look, the strategy, and the game under way; copies
   and forgets; loads the scripts that parts of a page need. It runs before the page is drawn, so that nothing
   changes under the visitor's eyes. */
"use strict";

{
const root = document.documentElement;
/** @type {{pegs: string, shape: string, keys: string, marks: string[], trees: Record<string, string>, shuffle: boolean, game: string}} */
const DEFAULTS = { pegs: "digits", shape: "shapes", keys: "on", marks: [], trees: {}, shuffle: true, game: "" };

/** What was chosen; a browser that keeps nothing, or something else, leaves all as it is. */
function read() {
  try { return { ...DEFAULTS, ...JSON.parse(localStorage.choices ?? "{}") }; } catch { return { ...DEFAULTS }; }
}
/** @param {Partial<typeof DEFAULTS>} changed */
function keep(changed) {
  try { localStorage.choices = JSON.stringify({ ...read(), ...changed }); } catch { /* nothing kept */ }
  look();
}

/** Tells the style sheet what to show. */
function look() {
  const { pegs, shape, keys, game } = read();
  Object.assign(root.dataset, { pegs, shape, keys });
  root.toggleAttribute("data-under-way", typeof game === "string" && /^\/\w[\w/.:%-]*$/.test(game));
}
look();

/** The first characters of a text, none of them halved.
 * @param {unknown} text @param {number} most */
const cut = (text, most) => [...String(text)].slice(0, most).join("");

/** Writes the visitor's own marks on the pegs: one drawing of each serves the whole page. It shows two
 * characters; longer names stand on the keys that type the colours. */
function mark() {
  const { marks, pegs } = read();
  /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll(".sprite .own")).forEach((text, place) => {
    text.textContent = cut(marks[place] || text.dataset.symbol, 2);
  });
  for (const name of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".key .colour"))) {
    const own = pegs === "own" && cut(marks[parseInt(name.dataset.colour ?? "", 16)] ?? "", 12);
    if (own) name.textContent = own;
    name.classList.toggle("named", (own || "").length > 2);
  }
}

/** Chooses in the forms what was chosen last. */
function fill() {
  const { trees, shuffle, game, ...looks } = read();
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-choices]"))) {
    const fields = /** @type {HTMLInputElement[]} */ ([...form.elements]);
    for (const field of fields) {
      if (field.name === "tree" && field.value === trees[form.dataset.choices ?? ""]) field.checked = true;
      if (field.name === "shuffle") field.checked = shuffle;
    }
  }
  for (const link of document.querySelectorAll(".under-way a")) link.setAttribute("href", game || "/");
  const settings = /** @type {HTMLFormElement | null} */ (document.getElementById("settings"));
  for (const field of /** @type {HTMLInputElement[]} */ ([...settings?.elements ?? []])) {
    if (field.type === "radio") field.checked = Object.entries(looks).some(([name, value]) => name === field.name && value === field.value);
    if (field.name === "mark") field.value = looks.marks[Number(field.dataset.place)] ?? "";
  }
}

/** Keeps the address of a game that is not over, and forgets it when it is. */
function follow() {
  const { underWay, over } = document.getElementById("board")?.dataset ?? {};
  if (underWay !== undefined) keep({ game: location.pathname });
  else if (over !== undefined && read().game && location.pathname.startsWith(read().game)) keep({ game: "" });
}

const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
document.addEventListener("DOMContentLoaded", () => { mark(); fill(); follow(); begin(arrival?.type === "navigate"); });
document.addEventListener("htmx:after:swap", () => { mark(); follow(); begin(false); });
/* What was chosen elsewhere since: on a page to which Back leads, or in another tab. */
addEventListener("pageshow", ({ persisted }) => { if (persisted) { look(); mark(); } });
addEventListener("storage", () => { look(); mark(); });
document.addEventListener("change", ({ target }) => {
  const { form, name, value, checked } = /** @type {HTMLInputElement} */ (target);
  if (form?.id === "settings") {
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=mark]"));
    const marks = [...fields].map((field) => field.value.trim());
    keep(name === "mark" ? { marks } : { [name]: value });
    mark();
  } else if (form?.dataset.choices) {
    if (name === "tree") keep({ trees: { ...read().trees, [form.dataset.choices]: value } });
    if (name === "shuffle") keep({ shuffle: checked });
  }
});

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

/** @param {string} names Under which this browser keeps what is to be forgotten. */
function forget(names) {
  for (const name of names.split(" ")) localStorage.removeItem(name);
  dispatchEvent(new Event("storage"));
}

document.addEventListener("click", async (event) => {
  const target = /** @type {Element} */ (event.target);
  const button = /** @type {HTMLElement | null} */ (target.closest?.("[data-copy], [data-forget]"));
  if (!button) return;
  if ("forget" in button.dataset) forget(button.dataset.forget ?? "");
  else await copy([button.dataset.copy ?? "", button.dataset.link ?? ""].filter(Boolean).map(textToCopy).join("\n"));
  const { done = "", label = button.textContent ?? "" } = button.dataset;
  document.getElementById("status")?.replaceChildren(done);
  button.dataset.label = label;
  button.textContent = done;
  setTimeout(() => { button.textContent = label; }, 2000);
});

/* A script that only a part of a page needs comes with that part, or when it is seen. */
const seen = new IntersectionObserver((parts) => parts.forEach(({ isIntersecting, target }) => {
  if (isIntersecting) load(target);
}));
/** @param {Element} part */
function load(part) {
  seen.unobserve(part);
  import(part.getAttribute("data-script") ?? "");
}

/** Makes a page ready that has just come. A visit by a link begins a game; Back and a reload go on with it.
 * What has been played to here is for tally.js to know.
 * @param {boolean} isVisit */
function begin(isVisit) {
  document.querySelectorAll("[data-script]").forEach((part) => part.hasAttribute("data-seen") ? seen.observe(part) : load(part));
  try {
    const isOffline = document.getElementById("a-board");  // each turn is a visit: see offline.js
    if ((isVisit && !isOffline) || !sessionStorage.play) sessionStorage.play = Date.now();
    const { game, end } = document.getElementById("board")?.dataset ?? {};
    if (game && !document.querySelector(".tally")) sessionStorage.game = game;
    if (end && !isVisit) import(end);  // it counts at once when the end comes, whoever leaves
  } catch { /* nothing kept */ }
}
}
