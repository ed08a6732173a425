/* The form of the preferences page: shows the choices that this browser has stored, and stores changes. site.js applies
   them to every page, and to this one at once. */

const form = /** @type {HTMLFormElement} */ (document.getElementById("settings"));
const fields = /** @type {HTMLInputElement[]} */ ([...form.elements]);

/** @returns {Record<string, any>} */
function read() {
  try { return { ...JSON.parse(localStorage.choices ?? "{}") }; } catch { return {}; }
}

const choices = read();
for (const field of fields) {
  if (field.type === "radio" && field.value === choices[field.name]) field.checked = true;
  if (field.name === "mark") field.value = choices.marks?.[Number(field.dataset.place)] ?? "";
}

form.addEventListener("change", ({ target }) => {
  const { name, value } = /** @type {HTMLInputElement} */ (target);
  const marks = fields.filter((field) => field.name === "mark").map((field) => field.value.trim());
  try {
    localStorage.choices = JSON.stringify({ ...read(), ...(name === "mark" ? { marks } : { [name]: value }) });
  } catch { /* storage unavailable */ }
  dispatchEvent(new Event("storage"));
  if (["sound", "vibration"].includes(name) && value === "on") import("./sound.js").then(({ signal }) => signal("win"));
});
