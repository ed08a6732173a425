/* A match that keeps up with the other players: it polls, fast while it waits for them, and fetches the board when there
   is another version. Polls also show who is there. They cost the server less than event streams: docs/reliability.md. */

const TICK = 2_000, CALM = 6_000;  // milliseconds
const CONNECTED = 30;  // seconds, as in match.py

const htmx = /** @type {any} */ (globalThis).htmx;
const state = () => document.getElementById("board")?.dataset ?? {};
const [prefix, id] = location.pathname.split("/match/");
const mayNotify = () => globalThis.Notification?.permission === "granted";
const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));

/* A private link: the browser sends its fragment to nobody, so this script posts it, once. */
if (/^#[\w-]{22}$/.test(location.hash)) {
  const form = document.createElement("form"), field = document.createElement("input");
  Object.assign(form, { method: "post", action: `${prefix}/match/open`, hidden: true });
  Object.assign(field, { name: "link", value: location.href });
  history.replaceState(null, "", location.pathname);
  form.append(field);
  document.body.append(form);
  form.submit();
}

/** @returns {HTMLInputElement | null} The field of the guess that is being typed. */
const field = () => document.querySelector("form.fill [name=guess]");

let isFetching = false;

/** Fetches the board if another version is known, and keeps the guess that is being typed.
 * @param {number | string} version */
async function update(version) {
  const isMoving = document.querySelector("form.htmx-request");  // the response to a move is the board
  if (isFetching || isMoving || !(Number(version) > Number(state().version))) return;
  isFetching = true;
  const typed = field()?.value, { turn } = state();
  try {
    await htmx.ajax("GET", location.pathname + location.search, { target: "#board", select: "#board", swap: "outerHTML" });
  } finally { isFetching = false; }
  const now = field();
  if (!now || !typed || turn !== state().turn) return;
  now.value = typed;
  now.setSelectionRange(typed.length, typed.length);
  now.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

let looked = Date.now();

const ago = new Intl.RelativeTimeFormat(document.documentElement.lang, { style: "short" });
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

/** Shows when the others were seen.
 * @param {number[]} seen Seconds since each seat was seen. */
function show(seen) {
  const presence = document.getElementById("presence");
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (presence?.querySelectorAll("[data-seat]") ?? [])) {
    const age = Math.max(1, Math.round(seen[Number(each.dataset.seat)] ?? 1)), isThere = age < CONNECTED;
    const [unit, size] = UNITS.find(([, least]) => age >= least) ?? ["second", 1];
    const words = isThere ? presence?.dataset.connected : presence?.dataset.seen;
    each.className = isThere ? "present" : "away";
    each.querySelector("time")?.replaceChildren(words?.replace("…", ago.format(-Math.floor(age / size), unit)) ?? "");
  }
}

/** Shows who is there, and finds out whether something happened. The answer is a 304 as long as nothing did. */
async function look() {
  looked = Date.now();
  try {
    const answer = await fetch(state().presence ?? "", { cache: "no-cache" });
    if (!answer.ok) return;
    const { version, seen } = await answer.json(), now = Date.parse(answer.headers.get("Date") ?? "") / 1000;
    await update(version);
    show(seen.map((/** @type {number} */ at) => now - at));
  } catch { /* no connection: the next look finds it */ }
}

setInterval(() => {
  const { over, turn } = state(), isCalm = document.hidden || over !== undefined || turn !== undefined;
  if ((!document.hidden || mayNotify()) && Date.now() - looked > (isCalm ? CALM : TICK)) look();
}, TICK / 4);

/** Catches up after sleep, a lost connection or Back. */
function wake() {
  if (!document.hidden) look();
}
addEventListener("online", wake);
addEventListener("pageshow", ({ persisted }) => { if (persisted) wake(); });
document.addEventListener("visibilitychange", wake);

/* The icon marks your turn, and so does a notification if you allow it and look elsewhere. */
let { turn } = state();

async function notify() {
  const worker = await navigator.serviceWorker?.getRegistration(), options = { tag: id, icon: icon?.href };
  if (worker) await worker.showNotification(document.title, options);
  else new Notification(document.title, options);
}

function mark() {
  if (icon) icon.href = state().icon ?? icon.href;
  const isNew = state().turn !== undefined && state().turn !== turn;
  ({ turn } = state());
  if (isNew && document.hidden && mayNotify()) notify();
}
document.addEventListener("htmx:after:swap", mark);
mark();

const button = /** @type {HTMLElement | null} */ (document.querySelector("[data-notify]"));
if (button && globalThis.Notification?.permission === "default") {
  button.hidden = false;
  button.addEventListener("click", async () => {
    if (await Notification.requestPermission() === "granted") button.textContent = button.dataset.notify ?? "";
    else button.hidden = true;
  });
}
