/** The codes of a game and the answers to guesses, for games that go on offline. */

/** @typedef {{positions: number, symbols: number, repeats: boolean, pinned: number, pegs: boolean, bullsOnly: boolean}} Rules */

const SYMBOLS = "0123456789abcdef";

/** @param {string} game For example `p4c10n`. @returns {Rules} */
export function rulesOf(game) {
  const match = game.match(/^p(\d+)c(\d+)([nrz])(b?)$/);
  if (!match) throw new RangeError(`no rules: ${game}`);
  const [, positions, symbols, kind, only] = match, repeats = kind === "r";
  return { positions: +positions, symbols: +symbols, repeats, pinned: +(kind === "z"), pegs: repeats && +symbols < 10, bullsOnly: !!only };
}

/** @param {Rules} rules @returns {string[]} All codes, in lexicographic order. */
export function codesOf({ positions, symbols, repeats, pinned }) {
  let codes = [...SYMBOLS.slice(pinned, symbols)];
  for (let place = 1; place < positions; place++) {
    codes = codes.flatMap((code) => [...SYMBOLS.slice(0, symbols)]
      .filter((symbol) => repeats || !code.includes(symbol)).map((symbol) => code + symbol));
  }
  return codes;
}

/** @param {Rules} rules @param {string} guess @param {string} secret @returns {string} The answer, bulls.cows. */
export function answerTo({ bullsOnly }, guess, secret) {
  let bulls = 0, shared = 0, rest = secret;
  for (let place = 0; place < guess.length; place++) {
    if (guess[place] === secret[place]) bulls++;
    const at = rest.indexOf(guess[place]);
    if (at < 0) continue;
    shared++;
    rest = rest.slice(0, at) + rest.slice(at + 1);
  }
  return `${bulls}.${bullsOnly ? 0 : shared - bulls}`;
}

/** Returns the codes that give an answer to a guess.
 * @param {Rules} rules @param {string[]} codes @param {string} guess @param {string} answer */
export const left = (rules, codes, guess, answer) => codes.filter((code) => answerTo(rules, guess, code) === answer);

/** Returns the code that a visitor wrote, without spaces and in small letters.
 * @param {URLSearchParams} asked */
export const typedIn = (asked) => (asked.get("guess") ?? "").replace(/\s/g, "").toLowerCase();
