"""Check a proof that no strategy takes fewer turns: without a search, a hash or a canonical form.

This module shares no code with the search, imports nothing but NumPy and the standard library, and
also runs alone: ``python proof_checker.py FILE``.  docs/reference/proof-format.md specifies the
files, and says why lemmas that are accepted hold.
"""

from __future__ import annotations

import json
import lzma
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from math import perm
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FORMAT = "bulls-cows-proof/1"
MOST_CODES = 12_000
"""The largest game whose proofs are checked: the table of answers has a byte for each two codes."""
MOST_BYTES = 1 << 28
"""The largest file, after decompression."""

MOST_WEIGHT = 1 << 46
"""Limit on weights: the sum over all codes stays below 2**63."""

_SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"
_NAME = re.compile(r"p([1-8])c([2-9]|1[0-6])([rnz])(b?)")
_OBJECTIVE = re.compile(r"[a-z0-9:,]+")
_USE = re.compile(r"([0-9]\.[0-9])=([1-9][0-9]{0,8})@([0-9a-z]+/[0-9a-z]+)")
_BLOCK = 256
"""Rows of the table of answers that are computed at once."""

Codes = NDArray[np.int64]
"""Numbers of codes, ascending."""


class ProofError(ValueError):
    """A proof that does not prove its claim; says in which line and why."""


@dataclass(frozen=True)
class CheckedProof:
    """A claim whose proof was accepted: no strategy costs less."""

    rules: str
    objective: str
    """A name for the weights; the checker does not know what it stands for."""
    max_turns: int | None
    weights: tuple[int, ...] | None
    """The cost of a code that is found at turn 1, 2, ...; None: the turns themselves."""
    claim: int
    lemmas: int

    def __str__(self) -> str:
        if self.weights is None:
            return f"no strategy of {self.rules} takes fewer than {self.claim} turns over all codes"
        weights = ", ".join(map(str, self.weights[:8]))
        more = ", ..." if len(self.weights) > 8 else ""
        return (
            f"no strategy of {self.rules} costs less than {self.claim}, if a code costs "
            f"{weights}{more} at turn 1, 2, ..."
        )


class Lemma(NamedTuple):
    """The candidates cost at least `bound` if the next guess is that of `turn` or a later one."""

    candidates: Codes
    turn: int
    bound: int


class Game:
    """The codes of a game and the answers between them; raises `ProofError` for an unknown name."""

    def __init__(self, name: str) -> None:
        match = _NAME.fullmatch(name)
        if match is None:
            raise ProofError(f"{name!r} is no game, such as p4c10n")
        self.positions = int(match[1])
        self.symbols = int(match[2])
        self.has_zero = match[3] != "z"
        with_repeats = match[3] == "r"
        size = self.symbols**self.positions if with_repeats else perm(self.symbols, self.positions)
        if not 0 < size <= 2 * MOST_CODES:
            raise ProofError(f"{name} has {size} codes; the most are {MOST_CODES}")
        symbols = range(self.symbols)
        drawn = product(symbols, repeat=self.positions) if with_repeats else None
        codes = [
            code
            for code in drawn or permutations(symbols, self.positions)
            if self.has_zero or code[0] > 0
        ]
        if not 0 < len(codes) <= MOST_CODES:
            raise ProofError(f"{name} has {len(codes)} codes; the most are {MOST_CODES}")
        self.codes = np.array(codes, dtype=np.int64)
        """(codes, positions): the symbols of each code, in lexicographic order."""
        self.numbers = {self._text(code): number for number, code in enumerate(codes)}
        self._powers = self.symbols ** np.arange(self.positions - 1, -1, -1)
        self._number_of = np.full(self.symbols**self.positions, -1, dtype=np.int64)
        self._number_of[self.codes @ self._powers] = np.arange(len(codes))
        self.answers = self._shapes(only_bulls=bool(match[4]))
        """Bulls and cows of each answer; the table has the numbers of answers in this list."""
        self.table = self._table(only_bulls=bool(match[4]))
        """(codes, codes) uint8: the answer of the first code, as the secret, to the second."""
        self.win = self.answers.index((self.positions, 0))
        self._answer_of = {f"{bulls}.{cows}": at for at, (bulls, cows) in enumerate(self.answers)}
        self._transformations: dict[str, tuple[Codes, Codes]] = {}

    def __len__(self) -> int:
        return len(self.codes)

    def _text(self, code: tuple[int, ...]) -> str:
        return "".join(_SYMBOLS[symbol] for symbol in code)

    def _shapes(self, only_bulls: bool) -> list[tuple[int, int]]:
        places = range(self.positions + 1)
        if only_bulls:
            return [(bulls, 0) for bulls in places]
        return [(bulls, cows) for bulls in places for cows in places if bulls + cows in places]

    def _table(self, only_bulls: bool) -> NDArray[np.uint8]:
        """Compare all codes; `common` counts the symbols that two codes share, with repeats."""
        symbols = np.arange(self.symbols)
        placed = (self.codes[:, :, None] == symbols).reshape(len(self), -1).astype(np.float32)
        counts = (self.codes[:, :, None] == symbols).sum(axis=1)
        steps = np.arange(self.positions)
        held = (counts[:, :, None] > steps).reshape(len(self), -1).astype(np.float32)
        numbers = np.zeros((self.positions + 1, self.positions + 1), dtype=np.uint8)
        for number, (bulls, cows) in enumerate(self.answers):
            numbers[bulls, cows] = number
        table = np.empty((len(self), len(self)), dtype=np.uint8)
        for start in range(0, len(self), _BLOCK):
            rows = slice(start, start + _BLOCK)
            bulls = (placed[rows] @ placed.T).astype(np.intp)
            common = (held[rows] @ held.T).astype(np.intp)
            table[rows] = numbers[bulls, 0 if only_bulls else common - bulls]
        return table

    def image(self, transformation: str, codes: Codes) -> Codes:
        """Return the images of codes, in the order of the codes.

        ``1032/0213`` reads: the image of x has symbol ``symbols[x[positions[i]]]`` at place i.
        Answers between images are those between the codes, and the codes of the game are mapped to
        each other, so costs are equal.  Raises `ProofError` if it is no such map.
        """
        positions, symbols = self._transformation(transformation)
        return np.asarray(self._number_of[symbols[self.codes[codes][:, positions]] @ self._powers])

    def _transformation(self, text: str) -> tuple[Codes, Codes]:
        if text in self._transformations:
            return self._transformations[text]
        places, _, symbols = text.partition("/")
        orders = [[_SYMBOLS.find(letter) for letter in part] for part in (places, symbols)]
        sizes = (self.positions, self.symbols)
        for order, size in zip(orders, sizes, strict=True):
            if sorted(order) != list(range(size)):
                raise ProofError(f"{text[:60]!r} is no transformation of the game")
        if not self.has_zero and (orders[0][0] != 0 or orders[1][0] != 0):
            raise ProofError(f"{text[:60]!r} maps codes to ones with a leading 0")
        self._transformations[text] = np.array(orders[0]), np.array(orders[1])
        return self._transformations[text]

    def answer(self, text: str) -> int:
        """Return the number of an answer such as 0.1."""
        if text not in self._answer_of:
            raise ProofError(f"{text[:20]!r} is no answer")
        return self._answer_of[text]

    def guess(self, text: str) -> int:
        """Return the number of a code."""
        if text not in self.numbers:
            raise ProofError(f"{text[:20]!r} is no code")
        return self.numbers[text]

    def after(self, history: str) -> Codes:
        """Return the candidates after turns such as ``0123:0.1 4567:0.0``."""
        left = np.arange(len(self))
        for turn in turns_of(history):
            guess, _, answer = turn.partition(":")
            left = left[self.table[left, self.guess(guess)] == self.answer(answer)]
        return left


def turns_of(history: str) -> list[str]:
    """Return the turns of a history, which are separated by single spaces."""
    return history.split(" ") if history else []


class Checker:
    """Accepts the lemmas of a proof, one after the other.

    A code costs the weight of the turn at which it is found.  Without `weights` that is the number
    of turns from the next guess on, so a lemma holds at every turn: each counts as the first one,
    and a guess costs a turn for each code that it leaves.
    """

    def __init__(self, game: Game, weights: Sequence[int] | None = None) -> None:
        self.game = game
        self.lemmas: list[Lemma] = []
        self._weights = weights
        self._size_bounds: dict[tuple[int, int], Codes] = {}
        width = np.uint32 if len(game.answers) <= 32 else np.uint64
        self._bits = (1 << np.arange(len(game.answers), dtype=np.uint64)).astype(width)

    def turn_after(self, history: str) -> int:
        """Return the turn of the next guess, as lemmas count."""
        return 1 if self._weights is None else len(turns_of(history)) + 1

    def next_turn(self, turn: int) -> int:
        """Return the turn after a turn, as lemmas count."""
        return 1 if self._weights is None else turn + 1

    def _weight(self, turn: int) -> int:
        if self._weights is None:
            return turn
        return self._weights[min(turn, len(self._weights)) - 1]

    def accept(
        self, history: str, bound: int, symmetries: Sequence[str], uses: Mapping[str, str]
    ) -> None:
        """Add a lemma: the candidates after `history` cost at least `bound`.

        It is accepted if every guess that gives information costs as much.  Of guesses that
        `symmetries` of the candidates map to each other, the first one is looked at.  `uses` names
        earlier lemmas for parts of guesses.  Raises `ProofError` if a guess may cost less.
        """
        candidates = self.game.after(history)
        if len(candidates) == 0:
            raise ProofError("no code fits the history")
        turn = self.turn_after(history)
        after = self.next_turn(turn)
        costs, sizes, fan_out = self.guess_bounds(candidates, turn)
        first = self.orbit_representatives(candidates, symmetries)
        by_size = self.size_bounds(fan_out, after)
        used = {self.game.guess(guess): words for guess, words in uses.items()}
        for guess in np.unique(first[costs < bound]).tolist():
            answers = self.game.table[candidates, guess]
            least = by_size[sizes[guess]]
            for answer, proved in self._by_lemmas(
                candidates, answers, after, used.pop(guess, "")
            ).items():
                least[answer] = max(least[answer], proved)
            cost = int(costs[guess]) + int((least - by_size[sizes[guess]]).sum())
            for answer in np.argsort(-sizes[guess], kind="stable").tolist():
                if cost >= bound or sizes[guess, answer] < 2:
                    break
                ahead = self.look_ahead_bound(candidates[answers == answer], after)
                cost += max(ahead - int(least[answer]), 0)
            if cost < bound:
                raise ProofError(
                    f"guess {self._text(guess)} costs {cost} or more, but {bound} is claimed"
                )
        if used:
            raise ProofError(f"guess {self._text(min(used))} needs no lemma")
        self.lemmas.append(Lemma(candidates, turn, bound))

    def _text(self, guess: int) -> str:
        return next(text for text, number in self.game.numbers.items() if number == guess)

    def size_bounds(self, fan_out: int, turn: int) -> Codes:
        """Return the least costs of 0, 1, 2, ... candidates whose guesses make few parts.

        A guess finds one code and leaves at most `fan_out` other parts.  So at most 1 code is found
        at the first guess, `fan_out` at the second, its square at the third, and so on.
        """
        key = fan_out, turn
        if key not in self._size_bounds:
            costs = [0]
            room = 1
            width = 1
            for _ in range(len(self.game)):
                if room == 0:
                    turn += 1
                    width = min(width * fan_out, len(self.game))
                    room = width
                costs.append(costs[-1] + self._weight(turn))
                room -= 1
            self._size_bounds[key] = np.array(costs)
        return self._size_bounds[key]

    def guess_bounds(self, candidates: Codes, turn: int) -> tuple[Codes, Codes, int]:
        """Return the least cost of each guess, the sizes of its parts, and the fan-out of the set.

        A guess costs the weight of its turn if it is a candidate and, for each part other than the
        win, its cost by size.  The fan-out is the most of these parts that a guess makes of the
        set: no guess makes more of a subset.  A guess that gives no information costs infinitely
        much.
        """
        count = len(candidates)
        answers = len(self.game.answers)
        rows = self.game.table[candidates].T + answers * np.arange(len(self.game))[:, None]
        sizes = np.bincount(rows.ravel(), minlength=answers * len(self.game))
        sizes = sizes.reshape(len(self.game), answers)
        informs = sizes.max(axis=1) < count
        informs[candidates] = True
        sizes[:, self.game.win] = 0
        fan_out = max(int((sizes > 0).sum(axis=1).max()), 1)
        passed = np.arange(len(self.game) + 1) if self._weights is None else 0
        of_parts = self.size_bounds(fan_out, self.next_turn(turn)) + passed
        costs = of_parts[sizes].sum(axis=1)
        costs[candidates] += self._weight(turn)
        return np.where(informs, costs, np.iinfo(np.int64).max), sizes, fan_out

    def look_ahead_bound(self, part: Codes, turn: int) -> int:
        """Return the least cost of a part by the most parts that a guess makes of it.

        A guess finds one code, if it is one of the part, at this turn, and at most one code of each
        of its other parts at the next turn.
        """
        seen = np.bitwise_or.reduce(self._bits[self.game.table[part]], axis=0)
        at_next = np.bitwise_count(seen).astype(np.int64)
        now = np.zeros_like(at_next)
        now[part] = 1
        at_next[part] -= 1
        later = len(part) - now - at_next
        this, following, last = (self._weight(turn + step) for step in range(3))
        return int((now * this + at_next * following + later * last).min())

    def _by_lemmas(
        self, candidates: Codes, answers: Codes, turn: int, words: str
    ) -> dict[int, int]:
        """Return the bounds of parts by lemmas: words such as ``0.1=17@1032/0213``."""
        proved: dict[int, int] = {}
        for word in words.split(" ") if words else []:
            match = _USE.fullmatch(word)
            if match is None or int(match[2]) > len(self.lemmas):
                raise ProofError(f"{word[:60]!r} names no earlier lemma")
            answer = self.game.answer(match[1])
            lemma = self.lemmas[int(match[2]) - 1]
            image = np.sort(self.game.image(match[3], lemma.candidates))
            if answer == self.game.win or not np.array_equal(image, candidates[answers == answer]):
                raise ProofError(f"{word[:60]!r}: the lemma is about other candidates")
            if lemma.turn > turn:
                raise ProofError(f"{word[:60]!r}: the lemma is about a later turn")
            proved[answer] = max(proved.get(answer, 0), lemma.bound)
        return proved

    def orbit_representatives(self, candidates: Codes, symmetries: Sequence[str]) -> Codes:
        """Return for each guess the first one that symmetries of the candidates map to it."""
        everything = np.arange(len(self.game))
        first = everything.copy()
        images = [self.game.image(each, everything) for each in symmetries]
        for text, image in zip(symmetries, images, strict=True):
            if not np.array_equal(np.sort(image[candidates]), candidates):
                raise ProofError(f"{text[:60]!r} does not map the candidates to each other")
        while True:
            before = first.copy()
            for image in images:
                first = np.minimum(first, first[image])
                first[image] = np.minimum(first, first[image])
            if np.array_equal(first, before):
                return first


def check(path: Path, progress: Callable[[tuple[int, int]], None] | None = None) -> CheckedProof:
    """Check a proof file; raise `ProofError` if it does not prove its claim, or `OSError`.

    `progress` is called with the number of lemmas that are accepted, and of all lemmas.
    """
    lines = _lines(path)
    number = 1
    try:
        header = _header(lines[0])
        checker = Checker(Game(header.rules), header.weights)
        for number, line in enumerate(lines[1:], start=2):
            checker.accept(*_fields(line))
            if progress is not None:
                progress((number - 1, len(lines) - 1))
        last = checker.lemmas[-1] if checker.lemmas else None
        if last is None or len(last.candidates) < len(checker.game) or last.turn > 1:
            raise ProofError("the last lemma is not about all codes at the first turn")
        if last.bound < header.claim:
            raise ProofError(f"the last lemma proves {last.bound}, but {header.claim} is claimed")
    except ProofError as error:
        raise ProofError(f"line {number}: {error}") from None
    except (ValueError, RecursionError):  # of JSON: of its syntax, or a number of too many digits
        raise ProofError(f"line {number}: it is not JSON") from None
    return replace(header, lemmas=len(checker.lemmas))


def _lines(path: Path) -> list[str]:
    decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_BYTES)
    try:
        content = decompressor.decompress(path.read_bytes(), MOST_BYTES)
        lines = content.decode("ascii").split("\n")
    except (lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
        raise ProofError(f"not an xz file of ASCII text: {error}") from None
    if not decompressor.eof or decompressor.unused_data or lines.pop():
        raise ProofError("the file is cut off, too large, or something follows it")
    if not lines:
        raise ProofError("the file is empty")
    return lines


def _header(line: str) -> CheckedProof:
    """Read the first line: the game, the weights, and the claim."""
    header: Any = json.loads(line)
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ProofError(f"not a {FORMAT} file")
    names = ("rules", "objective", "max_turns", "weights", "claim")
    rules, objective, max_turns, weights, claim = (header.get(name) for name in names)
    if type(rules) is not str or type(objective) is not str or type(claim) is not int:
        raise ProofError("rules and objective are texts, the claim is a number")
    if _OBJECTIVE.fullmatch(objective) is None:
        raise ProofError("the objective has letters, digits, colons and commas only")
    if max_turns is not None and type(max_turns) is not int:
        raise ProofError("max_turns is a number or null")
    if weights is None and (objective != "average" or max_turns is not None):
        raise ProofError("only average without max_turns has no weights")
    return CheckedProof(rules, objective, max_turns, _weights(weights), claim, 0)


def _weights(given: Any) -> tuple[int, ...] | None:
    if given is None:
        return None
    if type(given) is not list or not given:
        raise ProofError("weights are a list of numbers, or null")
    if any(type(weight) is not int or not 0 <= weight < MOST_WEIGHT for weight in given):
        raise ProofError(f"weights are numbers from 0 to {MOST_WEIGHT - 1}")
    if sorted(given) != given:
        raise ProofError("a weight is less than the one before")
    return tuple(given)


def _fields(line: str) -> tuple[str, int, list[str], dict[str, str]]:
    """Read a lemma: its history, bound, symmetries, and uses of other lemmas by guesses."""
    fields: Any = json.loads(line)
    kinds = [str, int, list, dict]
    if not isinstance(fields, list) or [type(field) for field in fields] != kinds:
        raise ProofError("a lemma is a list of a text, a number, a list and an object")
    texts = [*fields[2], *fields[3].values()]
    if not all(isinstance(text, str) for text in texts):
        raise ProofError("symmetries and uses of lemmas are texts")
    return fields[0], fields[1], fields[2], fields[3]


def main(arguments: Sequence[str]) -> int:
    """Check a file; return 0 if its claim is proved, 1 if not, 2 if it can't be read."""
    if len(arguments) != 1:
        print("usage: python proof_checker.py FILE", file=sys.stderr)
        return 2
    try:
        found = check(Path(arguments[0]))
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    except ProofError as error:
        print(f"not proved: {error}")
        return 1
    print(f"proved: {found}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
