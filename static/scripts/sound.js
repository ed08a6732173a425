/* Sound and vibration of a game: a note for each turn, two when a match waits for you again, four for a win. Loaded by
   site.js if the visitor switched one of them on. Vibration ignores `prefers-reduced-motion`: that is about motion on
   the screen, and vibration is off until the visitor switches it on. */

/** The frequencies of the notes, in hertz. */
const NOTES = { turn: [660], yours: [520, 780], win: [523, 659, 784, 1047] };
const STEP = 0.12;  // seconds from one note to the next
const VOLUME = 0.15, SILENT = 0.001;
const PULSE = 20, PAUSE = 80;  // milliseconds of vibration for each note

const { dataset } = document.documentElement;
/** @type {AudioContext | undefined} */
let audio;

/** Whether the visitor has used this page. Before that, browsers play nothing and log a warning. */
const isUsed = () => /** @type {any} */ (navigator).userActivation?.hasBeenActive ?? true;

/* Browsers allow sound that begins in an event of the visitor, before the response of the server arrives. */
function wake() {
  if (dataset.sound !== "on" || !isUsed()) return;
  audio ??= new AudioContext();
  audio.resume();
}
for (const action of ["click", "keydown"]) addEventListener(action, wake, true);

/** @param {keyof typeof NOTES} name */
export function signal(name) {
  wake();
  NOTES[name].forEach((frequency, place) => {
    if (!audio || dataset.sound !== "on") return;
    const tone = new OscillatorNode(audio, { type: "triangle", frequency }), volume = new GainNode(audio, { gain: VOLUME });
    const start = audio.currentTime + place * STEP;
    volume.gain.setValueAtTime(VOLUME, start).exponentialRampToValueAtTime(SILENT, start + STEP);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + STEP);
  });
  if (dataset.vibration === "on" && isUsed()) navigator.vibrate?.(NOTES[name].flatMap(() => [PULSE, PAUSE]));
}

/** Returns the parts of a board that have sounds: turns of all players, whether the visitor is to guess in a match, and
 * whether the game is won. */
function state() {
  const { turn, over } = document.getElementById("board")?.dataset ?? {};
  return { turns: document.querySelectorAll("#board .ledger tbody tr").length, isYours: turn !== undefined, isWon: over === "won" };
}

let before = state();
document.addEventListener("htmx:before:swap", () => { before = state(); });
document.addEventListener("htmx:after:swap", (event) => {
  const { turns, isYours, isWon } = state(), sent = /** @type {CustomEvent} */ (event).detail?.ctx;
  if (!sent || "HX-History-Restore-Request" in sent.request.headers) return;  // offline pages, Back and Forward are silent
  if (isWon && !before.isWon) signal("win");
  else if (isYours && !before.isYours) signal("yours");
  else if (turns > before.turns) signal("turn");
});
