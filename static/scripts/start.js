/* Choices when a game starts: the game, the strategy of each game, and whether guesses are varied. */

/** Returns the stored choices, or the defaults if storage is unavailable or not valid JSON.
 * @returns {{game: string, trees: Record<string, string>, shuffle: boolean}} */
function read() {
  const defaults = { game: "", trees: {}, shuffle: true };
  try { return { ...defaults, ...JSON.parse(localStorage.start ?? "{}") }; } catch { return defaults; }
}

/** Restores the choices in the forms. The start page offers one strategy for each game, out of `data-trees`. */
function fill() {
  const { game, trees, shuffle } = read();
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("form :is([name=tree], [name=shuffle])"))) {
    const { rules = "", trees: offered } = field.dataset, chosen = Object(trees)[rules];
    if (field.name === "shuffle") field.checked = shuffle !== false;
    else if (!offered) field.checked ||= field.value === chosen;
    else {
      if (offered.split(" ").includes(chosen)) field.value = chosen;
      field.checked ||= rules === game;
    }
  }
}

fill();
addEventListener("pageshow", ({ persisted }) => { if (persisted) fill(); });
document.addEventListener("change", ({ target }) => {
  const { name, value, checked, dataset: { rules = "", trees } } = /** @type {HTMLInputElement} */ (target);
  const choices = read();
  if (name === "shuffle") choices.shuffle = checked;
  else if (trees) choices.game = rules;
  else if (name === "tree") choices.trees = { ...choices.trees, [rules]: value };
  try { localStorage.start = JSON.stringify(choices); } catch { /* storage unavailable */ }
});
