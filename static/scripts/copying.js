/* Buttons that copy or share a text, or delete what is stored in this browser. */

/** Returns the text to copy: the URL of a link, the text of another element (`\x7f` becomes DEL), or the
 * page URL if there is no such element.
 * @param {string} id @returns {string} */
function textToCopy(id) {
  const { href, textContent } = /** @type {any} */ (document.getElementById(id) ?? location);
  return href ?? textContent.replaceAll("\\x7f", "\x7f");
}

/** Copies a text, through a selection if the Clipboard API is unavailable (plain HTTP).
 * @param {string} text */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** Offers a text to other apps, on phones and if the button asks for it. Returns whether they were offered.
 * @param {HTMLElement} button */
async function send({ dataset: { share, copy = "" } }) {
  if (share === undefined || !navigator.share || !matchMedia("(pointer: coarse)").matches) return false;
  return navigator.share({ text: textToCopy(copy) }).then(() => true, ({ name }) => name === "AbortError");
}

/** @param {string} names Keys to remove from localStorage, separated by spaces. */
function forget(names) {
  for (const name of names.split(" ")) localStorage.removeItem(name);
  dispatchEvent(new Event("storage"));
}

document.addEventListener("click", async (event) => {
  const target = /** @type {Element} */ (event.target);
  const button = /** @type {HTMLElement | null} */ (target.closest?.("[data-copy], [data-forget]"));
  if (!button) return;
  if ("forget" in button.dataset) forget(button.dataset.forget ?? "");
  else if (await send(button)) return;
  else await copy(textToCopy(button.dataset.copy ?? ""));
  const { done = "", label = button.textContent ?? "" } = button.dataset;
  document.getElementById("status")?.replaceChildren(done);
  button.dataset.label = label;
  button.textContent = done;
  setTimeout(() => { button.textContent = label; }, 2000);
});
