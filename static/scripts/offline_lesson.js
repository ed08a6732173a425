/** Continues an exercise of a lesson offline: its stored page, with the guesses of the address. */

import { answerTo, codesOf, left, rulesOf, typedIn } from "./answers.js";
import * as parts from "./offline_board.js";
import "./keypad.js";

const PATH = /^(((?:\/[a-z]{2})?\/learn)\/[12]\/[1-5])(?:\/(\d+(?:-\d+)*))?$/;
const LISTED = 12;  // the most codes left that are listed
const [, start = "", lessons = "", given = ""] = location.pathname.match(PATH) ?? [];

/** @typedef {{hints: Record<string, string>, verdicts: Record<string, string>, followed: Record<string, string>}} Words */
/** Whether a guess follows the rule, the key of the sentences about that and about the reason, and how many codes have each digit.
 * @typedef {{follows: boolean, said: string, reason: string, counts: Record<string, number>, values: Record<string, string | number>}} Verdict */

/** Returns a sentence with its named parts.
 * @param {string} words @param {Record<string, string | number>} values */
const filled = (words, values) => words.replace(/%\((\w+)\)[sd]/g, (_, name) => `${values[name]}`);

/** Judges a guess as `app/bullscows_web/learn/lessons.py` does.
 * @param {import("./answers.js").Rules} rules @param {string[]} codes The codes left. @param {string} guess @returns {Verdict} */
function judge(rules, codes, guess) {
  const counts = Object.fromEntries([..."0123456789"].slice(0, rules.symbols).map((digit) => [digit, codes.filter((code) => code.includes(digit)).length]));
  const answers = codes.map((code) => answerTo(rules, guess, code)), most = Math.max(...answers.map((one) => answers.filter((other) => other === one).length));
  const unused = Object.keys(counts).filter((digit) => counts[digit] && !guess.includes(digit)).sort((one, other) => counts[one] - counts[other]);
  const [rarer = ""] = unused, worst = [...guess].sort((one, other) => counts[other] - counts[one])[0], absent = [...guess].find((digit) => !counts[digit]);
  const reason = codes.length <= 2 ? (codes.length < 2 ? "last" : "few") : most === 1 ? "apart" : absent && rarer ? "absent"
    : rarer && counts[rarer] < counts[worst] ? "frequent" : most < codes.length ? "rarest" : "order";
  const follows = codes.length <= 2 ? codes.includes(guess) : reason === "apart" || reason === "rarest", digit = reason === "absent" ? absent ?? "" : worst;
  const said = reason === "apart" ? "better" : follows ? "follows" : "breaks";
  const values = { digits: [...guess].join(", "), digit, count: counts[digit], rarer, fewer: counts[rarer], most, size: codes.length };
  return { follows, said, reason, counts, values };
}

/** Returns the table of how many codes have each digit, and the words about a guess.
 * @param {Words} words @param {Verdict} verdict @param {string} guess @param {string} better */
async function judged(words, { follows, said, reason, counts, values }, guess, better) {
  const table = /** @type {HTMLTableElement} */ ((await parts.stored(`${lessons}/2/2`))?.querySelector(".digit-counts"));
  const [digits, numbers] = [...table.rows].map((row) => [...row.cells].slice(1)), { verdicts } = words;
  digits.forEach((cell, place) => {
    const digit = cell.textContent?.trim() ?? "";
    numbers[place].textContent = `${counts[digit] || "–"}`;
    for (const each of [cell, numbers[place]]) each.className = guess.includes(digit) ? "used" : "";
  });
  const line = Object.assign(document.createElement("p"), { className: "verdict" });
  const strong = Object.assign(document.createElement("strong"), { className: follows ? "follows" : "breaks", textContent: verdicts[said] });
  const sentences = [verdicts[reason], Number(values.size) > 2 && Number(values.most) > 1 && verdicts.most, better && reason === "rarest" && verdicts.example];
  line.append(strong, ` ${filled(sentences.filter(Boolean).join(" "), { ...values, better })}`);
  return [table, line];
}

/** Returns the codes left as a list, if they are few.
 * @param {string[]} codes */
function listed(codes) {
  if (codes.length < 2 || codes.length > LISTED) return [];
  const box = parts.made("codes-left"), list = /** @type {Element} */ (box.querySelector("ul"));
  list.append(...codes.map((text) => {
    const item = document.createElement("li");
    item.append(parts.code(text, false));
    return item;
  }));
  return [...box.children];
}

/** Shows the exercise of the address.
 * @param {Document} page Its stored page. */
async function play(page) {
  const { rules: game = "", codes: few, opening = "", secret = "", solved = "", better = "", words: text = "" } = /** @type {HTMLElement} */ (page.getElementById("board")).dataset;
  const rules = rulesOf(game), all = codesOf(rules), typed = typedIn(new URLSearchParams(location.search));
  const first = opening.split(" ").filter(Boolean), before = given.split("-").filter(Boolean);
  const isNew = all.includes(typed) && ![...first, ...before].includes(typed), guesses = secret || !isNew ? before : [];
  if (isNew) guesses.push(typed);
  history.replaceState(history.state, "", [start, guesses.join("-")].filter(Boolean).join("/"));
  if (!guesses.length) return parts.show(page, "");

  let codes = few ? few.split(" ") : all;
  /** @type {Verdict[]} */
  const verdicts = [];
  const turns = (secret ? [...first, ...guesses] : []).map((guess, turn) => {
    const answer = answerTo(rules, guess, secret);
    if (turn >= first.length) verdicts.push(judge(rules, codes, guess));
    codes = left(rules, codes, guess, answer);
    return { guess, answer, left: codes.length };
  });
  const guess = guesses[guesses.length - 1];
  if (!secret) verdicts.push(judge(rules, codes, guess));
  const last = verdicts[verdicts.length - 1], isSolved = secret ? guess === secret : last.follows, isFound = secret !== "" && isSolved;
  const shown = isSolved ? await parts.stored(solved) : page, board = shown?.getElementById("board");
  if (!shown || !board) return;
  /** @type {Words} */
  const words = JSON.parse(text);
  const step = /** @type {HTMLElement} */ (board.querySelector(".step")), byRule = /\/2\/\d$/.test(start);
  const made = secret ? parts.past(rules, turns, "guess") : parts.slots(guess, false);
  if (isFound) {
    step.querySelector(".past")?.replaceWith(made);
    step.querySelector("h1")?.replaceChildren(...parts.counted(parts.made("a-puzzle-end"), turns.length).childNodes);
    const form = words.followed[new Intl.PluralRules(document.documentElement.lang).select(guesses.length)] ?? words.followed.many;
    if (byRule) step.querySelector("p:last-child")?.replaceChildren(filled(form, { right: verdicts.filter(({ follows }) => follows).length, count: guesses.length }));
  } else {
    const hint = Object.assign(document.createElement("p"), { className: "hint", textContent: filled(words.hints[codes.length === 1 ? "only" : turns[turns.length - 1]?.answer] ?? "", { code: codes[0] }) });
    step.replaceChildren(made, ...(byRule ? await judged(words, last, guess, better) : [hint]), ...listed(codes));
  }
  const form = board.querySelector("form.fill"), label = form?.querySelector("label");
  form?.setAttribute("action", location.pathname);
  if (label) label.textContent = (label.textContent ?? "").replace(/\d+/, `${guesses.length + 1}`);
  if (secret) form?.querySelector(".left")?.remove();
  if (secret) form?.querySelector(".notice")?.before(parts.left(codes.length, "guess"));
  parts.show(shown, step.querySelector(".past tr:last-child .answer-cell .unseen")?.textContent ?? "");
}

/** Continues the exercise of the address, if its page is stored. */
export async function run() {
  const page = start ? await parts.stored(start) : undefined;
  if (page?.getElementById("board")?.dataset.words) await play(page);
}
