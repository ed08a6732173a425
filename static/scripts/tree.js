/** Decodes a strategy tree from its base-92 string, as `engine/bullscows/tree/codec.py` does, and relabels it. */

/** @typedef {{positions: number, symbols: number, repeats: boolean, pinned: number, pegs: boolean, bullsOnly: boolean}} Rules */
/**
 * @typedef {object} Node
 * @property {string[]} candidates Candidates in ascending order.
 * @property {string} guess Guess of the tree.
 * @property {Map<string, Node>} children By answer (for example `1.2`), ascending, without the win.
 */

const SYMBOLS = "0123456789abcdef";
const BASE = 92;

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

/** @param {Rules} rules @param {string} guess @param {string[]} candidates @returns {Map<string, string[]>} By answer. */
function parts(rules, guess, candidates) {
  const found = new Map();
  for (const code of candidates) {
    const answer = answerTo(rules, guess, code);
    if (!found.has(answer)) found.set(answer, []);
    found.get(answer).push(code);
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the implied guess, which is not stored: the first candidate that separates all candidates.
 * @param {Rules} rules @param {string[]} candidates */
function implied(rules, candidates) {
  const { positions, bullsOnly } = rules, answers = bullsOnly ? positions + 1 : (positions + 1) * (positions + 2) / 2 - 1;
  if (candidates.length > answers) return undefined;
  return candidates.find((code) => parts(rules, code, candidates).size === candidates.length);
}

/** @param {string} game @param {string} text @returns {Node} The root. @throws {RangeError} If the string is invalid. */
export function decode(game, text) {
  const rules = rulesOf(game), codes = codesOf(rules), { positions } = rules;
  let digits = 2, at = 0;
  while (BASE ** digits < codes.length) digits++;
  const stored = () => {
    const values = [...text.slice(at, at += digits)].map((digit) => digit.charCodeAt(0) - (digit < "\\" ? 35 : 36));
    return codes[values.reduce((number, value) => number * BASE + value, 0)];
  };
  const root = { candidates: codes, guess: "", children: new Map() };
  const nodes = [root];
  for (const node of nodes) {  // breadth first: the loop also visits appended nodes
    node.guess = implied(rules, node.candidates) ?? stored();
    const parted = node.guess ? parts(rules, node.guess, node.candidates) : new Map();
    if (!parted.size || (parted.size === 1 && node.candidates.length > 1)) throw new RangeError("no tree");
    for (const [answer, candidates] of parted) {
      if (answer === `${positions}.0`) continue;
      node.children.set(answer, { candidates, guess: "", children: new Map() });
      nodes.push(node.children.get(answer));
    }
  }
  if (at !== text.length) throw new RangeError("the string goes on after its tree");
  return root;
}

const factorial = (/** @type {number} */ n) => { let product = 1n; for (let i = 2n; i <= n; i++) product *= i; return product; };

/** Returns the permutation with a given lexicographic rank. The first `pinned` items stay in place.
 * @param {bigint} rank @param {number} size @param {number} pinned */
function unrank(rank, size, pinned) {
  const all = [...Array(size).keys()], order = all.slice(0, pinned), unused = all.slice(pinned);
  for (let left = size - pinned - 1; left >= 0; left--) {
    order.push(...unused.splice(Number(rank / factorial(left)), 1));
    rank %= factorial(left);
  }
  return order;
}

/** Returns the numbers of permutations of the positions and of the symbols.
 * @param {Rules} rules */
const orders = ({ positions, symbols, pinned }) => [factorial(positions - pinned), factorial(symbols - pinned)];

/** Returns the token of a random relabelling.
 * @param {Rules} rules */
export function drawn(rules) {
  const [places, names] = orders(rules), [random] = crypto.getRandomValues(new BigUint64Array(1));
  return (random % (places * names)).toString(36);
}

/** Returns the map from codes of the tree to codes shown in the game: see `app/bullscows_web/trees/relabelling.py`.
 * @param {Rules} rules @param {string} token @returns {(code: string) => string} */
export function relabelling(rules, token) {
  const rank = [...token].reduce((sum, digit) => sum * 36n + BigInt(parseInt(digit, 36)), 0n);
  const { positions, symbols, pinned } = rules, [count] = orders(rules);
  const places = unrank(rank % count, positions, pinned), names = unrank(rank / count, symbols, pinned);
  return (code) => places.map((_, shown) => SYMBOLS[names[SYMBOLS.indexOf(code[places.indexOf(shown)])]]).join("");
}
