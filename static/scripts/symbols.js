/* Digits from 1: a game of at most nine digits shows 1 to 9 for 0 to 8, and reads them, as sold boxes have it. Codes in
   addresses, in attributes and in storage begin with 0 as ever. Loaded by site.js if the visitor wants it. */

const CODES = ".code .unseen, .code .digits, .slot, .face, .icicle text:not(.small), .error, [data-code]";

const QUOTED = /(?<=[“«„])\d(?=[”»“])|^\d(?= )/;  // a digit that an error message complains about

/** Returns the element that says how many places and digits the codes of this page have, if they can begin with 1. */
const game = () => document.getElementById("digits")?.dataset;

/** @param {string} text */
const shown = (text) => text.replace(/\d/g, (digit) => `${(+digit + 1) % 10}`);
/** @param {string} text @returns {string} The inverse: 0 becomes 9, which no such game has. */
const typed = (text) => text.replace(/\d/g, (digit) => `${(+digit + 9) % 10}`);

/** Returns a pattern of codes in other text: as many digits as there are places, with a separator between them or none. */
const codes = (separator = "") => new RegExp(`(?<![\\d,.\u202f])\\d(?:${separator}\\d){${Number(game()?.places) - 1}}(?![\\d\u202f])`, "g");

/** Shows what is new on the page. */
function show() {
  const { symbols } = game() ?? {};
  if (!symbols) return;
  const range = new RegExp(`(?<!\\d)0( \\p{L}+ )${+symbols - 1}(?!\\d)`, "gu"), ranged = (/** @type {string} */ text) => text.replace(range, `1$1${symbols}`);
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(CODES))) {
    if (each.dataset.digits || each.childElementCount || !each.textContent) continue;
    each.dataset.digits = "1";
    each.textContent = each.matches(".error") ? each.textContent.replace(codes(), shown).replace(QUOTED, shown) : shown(each.textContent);
  }
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(":is(input, textarea)[data-typed]"))) {
    if (field.dataset.digits) continue;
    field.dataset.digits = "1";
    field.title = ranged(field.title);
    if (!field.closest("form.fill")) field.value = field.value.replace(codes(), shown);
  }
  for (const block of document.querySelectorAll(".icicle a:not([data-digits])")) {
    block.setAttribute("data-digits", "1");
    block.setAttribute("aria-label", (block.getAttribute("aria-label") ?? "").replace(/^\d+/, shown));
    for (const title of block.querySelectorAll("title")) title.textContent = (title.textContent ?? "").replace(/(?<= · )\d+(?= · )/, shown);
  }
  const texts = document.createTreeWalker(/** @type {Node} */ (document.getElementById("content")), NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const words = ranged(text.nodeValue ?? "");
    if (words !== text.nodeValue) text.nodeValue = words;
  }
}

/** Shows the codes of the title and of the status, which have no elements for them, unless both are what it wrote last. */
let said = "";
function say() {
  const status = /** @type {Element} */ (document.getElementById("status")), both = () => document.title + status.textContent;
  if (!game() || both() === said) return;
  document.title = document.title.replace(codes(), shown);
  status.textContent = (status.textContent ?? "").replace(codes(" "), shown);
  said = both();
}

/* The board reads the faces of its keys (keypad.js). Other fields are read when their form is sent. */
document.addEventListener("formdata", ({ target, formData }) => {
  const form = /** @type {HTMLFormElement} */ (target);
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(":is(input, textarea)[data-typed]"))) {
    if (game() && !form.matches(".fill")) formData.set(field.name, field.matches("textarea") ? field.value.replace(codes(), typed) : typed(field.value));
  }
});

show();
say();
document.addEventListener("htmx:after:swap", () => { show(); say(); });
new MutationObserver(show).observe(/** @type {Node} */ (document.getElementById("content")), { childList: true, subtree: true });
