/* The form of the preferences page: shows the choices that this browser has stored, and stores changes. site.js applies
   them to every page, and to this one at once. */

const form = /** @type {HTMLFormElement} */ (document.getElementById("settings"));
const fields = /** @type {HTMLInputElement[]} */ ([...form.elements]);

/** @returns {Record<string, any>} */
function read() {
  try { return { ...JSON.parse(localStorage.choices ?? "{}") }; } catch { return {}; }
}

/** Stores the choice of a field.
 * @param {HTMLInputElement} field */
function store({ name, value }) {
  const marks = fields.filter((field) => field.name === "mark").map((field) => field.value.trim());
  try {
    localStorage.choices = JSON.stringify({ ...read(), ...(name === "mark" ? { marks } : { [name]: value }) });
  } catch { /* storage unavailable */ }
  dispatchEvent(new Event("storage"));
}

const choices = read();
/* What was chosen or typed before this script was there. */
const early = fields.filter((field) => field.type === "radio" ? field.checked && !field.defaultChecked : field.name === "mark" && field.value);
for (const field of fields) {
  if (field.name === "mark") field.value ||= choices.marks?.[Number(field.dataset.place)] ?? "";
  else if (field.type === "radio" && field.value === choices[field.name] && early.every(({ name }) => name !== field.name)) field.checked = true;
}
early.forEach(store);

form.addEventListener("change", ({ target }) => {
  const field = /** @type {HTMLInputElement} */ (target);
  store(field);
  if (["sound", "vibration"].includes(field.name) && field.value === "on") import("./sound.js").then(({ signal }) => signal("win"));
});
