/* Slots of a row that fill as you type or tap. The form still sends the text field: the slots mirror its
   value, its caret selects the current slot, and the field itself shows any text that the slots cannot. */

/** @returns {HTMLFormElement | null} */
const board = () => document.querySelector("form.fill");

/**
 * @param {HTMLFormElement} form
 * @returns {HTMLInputElement}
 */
const fieldOf = (form) => /** @type {HTMLInputElement} */ (form.elements.namedItem("guess"));

/**
 * Returns the keys of a board by the symbols that they type.
 * @param {HTMLFormElement} form
 * @returns {Map<string, HTMLElement>}
 */
const keysOf = (form) => new Map([...form.querySelectorAll(".key")].map((key) => [key.getAttribute("data-key") ?? "", /** @type {HTMLElement} */ (key)]));

/** Returns a symbol as its key shows it; a peg is its symbol.
 * @param {HTMLFormElement} form @param {string} symbol */
const faceOf = (form, symbol) => keysOf(form).get(symbol)?.querySelector(".face")?.textContent || symbol;

/** Updates the slots from the field, and marks the current slot. */
function show() {
  const form = board();
  if (!form) return;
  const field = fieldOf(form), keys = keysOf(form), slots = form.querySelectorAll(".slot");
  const text = field.value, caret = field.selectionStart ?? text.length, once = !("repeats" in form.dataset);
  const isShown = text.length <= slots.length && [...text].every((symbol) => keys.has(symbol));
  form.classList.toggle("live", isShown);
  slots.forEach((slot, place) => {
    const face = isShown ? keys.get(text[place])?.querySelector(".face") : undefined;
    if (slot.textContent !== (face?.textContent ?? "") || slot.innerHTML !== (face?.outerHTML ?? "")) {
      slot.replaceChildren(...(face ? [face.cloneNode(true)] : []));
    }
    slot.classList.toggle("now", place === caret);
  });
  for (const [symbol, key] of keys) key.ariaDisabled = String(once && text.includes(symbol));
}

/** @param {string} words Text for the live region. */
const tell = (words) => document.getElementById("status")?.replaceChildren(words);

/**
 * Shows a message below the row instead of the last one, and tells it to screen readers.
 * @param {HTMLFormElement} form
 * @param {string} words Empty to remove the message.
 */
function say(form, words) {
  const notice = form.querySelector(".notice");
  if (notice) notice.textContent = words;
  form.querySelector(".error")?.remove();
  fieldOf(form).removeAttribute("aria-invalid");
  if (words) tell(words);
}

/**
 * Inserts a symbol at the caret. The symbol replaces the selection, or the next symbol if the row is full.
 * @param {HTMLFormElement} form
 * @param {string} symbol
 */
function fill(form, symbol) {
  const field = fieldOf(form), places = form.querySelectorAll(".slot").length;
  const start = field.selectionStart ?? 0, next = field.value.length < places ? start : start + 1;
  const end = Math.max(field.selectionEnd ?? 0, next);
  const rest = field.value.slice(0, start) + field.value.slice(end);
  if (rest.length >= places) return;
  if (!("repeats" in form.dataset) && rest.includes(symbol)) return say(form, (form.dataset.again ?? "").replace("*", faceOf(form, symbol)));
  field.setRangeText(symbol, start, end, "end");
  say(form, "");
  show();
}

/**
 * Deletes the selection, or the symbol before the caret.
 * @param {HTMLFormElement} form
 */
function takeAway(form) {
  const field = fieldOf(form), end = field.selectionEnd ?? 0, start = field.selectionStart ?? 0;
  field.setRangeText("", start === end ? Math.max(0, start - 1) : start, end, "end");
  say(form, "");
  show();
}

/**
 * Returns the symbol typed by a key of the keyboard: the key itself, or the colour for its letter.
 * @param {HTMLFormElement} form
 * @param {string} key
 */
function symbolOf(form, key) {
  const keys = [...keysOf(form).keys()], letter = (form.dataset.letters ?? "").indexOf(key.toLowerCase());
  return keys.find((symbol) => faceOf(form, symbol) === key.toLowerCase()) ?? (letter < 0 ? undefined : letter.toString(16));
}

document.addEventListener("beforeinput", (event) => {
  const form = board();
  if (!form?.classList.contains("live") || event.target !== fieldOf(form)) return;
  if (event.inputType !== "insertText" || event.data?.length !== 1) return;
  event.preventDefault();
  const symbol = symbolOf(form, event.data);
  if (symbol) fill(form, symbol);
});

document.addEventListener("input", (event) => {
  const form = board(), field = form && fieldOf(form);
  if (!field || event.target !== field) return;
  const written = [...field.value.replace(/\s/g, "")].map((key) => symbolOf(form, key) ?? key).join("");
  if (written !== field.value) field.value = written;
  say(form, "");
  show();
});

const AT_ONCE = 1000;  // milliseconds
let sent = -AT_ONCE;  // time of the last guess

/* An empty row is not sent. The second Enter of a double press arrives after the board was replaced. */
document.addEventListener("submit", (event) => {
  const form = board(), isAgain = event.timeStamp - sent < AT_ONCE;
  if (!form || event.target !== form) return;
  if (fieldOf(form).value.trim()) return void (sent = event.timeStamp);
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!isAgain) say(form, form.dataset.empty ?? "");
}, true);

/* Keys pressed outside the field fill it too; there, Enter submits the form. A symbol skips the first question. */
document.addEventListener("keydown", (event) => {
  const form = board(), target = /** @type {Element} */ (event.target);
  if (!form || event.ctrlKey || event.metaKey || event.altKey || target.closest("input:not(.try input), select, textarea")) return;
  if (document.documentElement.dataset.keys === "off" || document.querySelector(":popover-open")) return;  // off, or in a panel
  const symbol = symbolOf(form, event.key), isEnter = event.key === "Enter" && !target.closest("a, button, summary");
  const skip = /** @type {HTMLElement | null} */ (document.querySelector(".rows .try-skip"));
  if (symbol) {
    if (skip?.offsetParent) skip.click();
    fill(form, symbol);
  } else if (skip?.offsetParent) return;
  else if (event.key === "Backspace") takeAway(form);
  else if (isEnter) form.requestSubmit();
  else return;
  event.preventDefault();
  if (!isEnter) fieldOf(form).focus({ preventScroll: true });
});

document.addEventListener("click", (event) => {
  const form = board(), target = /** @type {Element} */ (event.target);
  if (!form) return;
  const key = /** @type {HTMLElement | null} */ (target.closest("form.fill [data-key]"))?.dataset.key;
  if (key) {
    if (key === "Backspace") takeAway(form); else fill(form, key);
    tell([...fieldOf(form).value].map((symbol) => faceOf(form, symbol)).join(" "));
  } else if (target === fieldOf(form) && form.classList.contains("live")) {
    const field = fieldOf(form), { clientX } = /** @type {MouseEvent} */ (event);
    const place = [...form.querySelectorAll(".slot")].filter((slot) => slot.getBoundingClientRect().right < clientX).length;
    field.setSelectionRange(place, Math.min(place + 1, field.value.length));
    show();
  }
});

/* Keep the focus and the caret when a keypad button is pressed. */
document.addEventListener("mousedown", (event) => {
  if (/** @type {Element} */ (event.target).closest("form.fill .keypad button")) event.preventDefault();
});
document.addEventListener("selectionchange", () => { if (document.activeElement?.matches("form.fill [name=guess]")) show(); });

/* Notes wait for the first action, or until their panel is open, unless there are some. Offline they may be missing. */
const loadNotes = () => import("./notes.js").catch(() => {});
for (const action of ["pointerdown", "keydown", "toggle"]) addEventListener(action, loadNotes, { once: true, capture: true });
try { if (document.querySelector(".aids[open]") || localStorage.notes || localStorage.marking === "on") loadNotes(); } catch { /* storage unavailable */ }
document.addEventListener("notes", show);

/** Initializes a new board: disables the on-screen keyboard and places the caret. */
function begin() {
  const form = board();
  if (!form) return;
  const field = fieldOf(form);
  field.inputMode = "none";
  field.setSelectionRange(field.value.length, field.value.length);
  if (document.activeElement === document.body) field.focus({ preventScroll: true });
  show();
}

document.addEventListener("htmx:after:swap", begin);
addEventListener("pageshow", begin);
begin();
