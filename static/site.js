/* The only script of our own: buttons that copy. Everything else is links, forms and htmx. */
"use strict";

navigator.serviceWorker?.register("/worker.js");  // what was seen can be read offline

/* The text to copy: this page's address, or an element's text, in which \x7f stands for DEL. */
function textToCopy(name) {
  if (name === "location") return location.href;
  return document.getElementById(name).textContent.replaceAll("\\x7f", "\x7f");
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

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  await copy(textToCopy(button.dataset.copy));
  document.getElementById("status").textContent = button.dataset.done;
  button.dataset.label ??= button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => { button.textContent = button.dataset.label; }, 2000);
});
