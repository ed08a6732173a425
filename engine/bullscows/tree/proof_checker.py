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
from collections.abc import Callable, Iterator, Mapping, Sequence
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
SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The symbols of codes, as files write them."""

_NAME = re.compile(r"p([1-8])c([2-9]|1[0-6])([rnz])(b?)")
_OBJECTIVE = re.compile(r"[a-z0-9:,]+")
_USE = re.compile(r"([0-9]\.[0-9])=([1-9][0-9]{0,8})@([0-9a-z]+/[0-9a-z]+)")

Codes = NDArray[np.int64]
"""Numbers of codes, ascending."""


class ProofError(ValueError):
    """A proof that does not prove its claim; says in which line and why."""


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise ProofError(message)


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
        costs = ", ".join(map(str, self.weights[:8]))
        least = f"no strategy of {self.rules} costs less than {self.claim}"
        return f"{least}, if a code costs {costs}, ... at turn 1, 2, ..."


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
        repeats = match[3] == "r"
        size = self.symbols**self.positions if repeats else perm(self.symbols, self.positions)
        if not self.has_zero:
            size -= size // self.symbols
        _require(0 < size <= MOST_CODES, f"{name} has {size} codes; the most are {MOST_CODES}")
        symbols = range(self.symbols)
        drawn = product(symbols, repeat=self.positions) if repeats else None
        listed = drawn or permutations(symbols, self.positions)
        codes = [code for code in listed if self.has_zero or code[0] > 0]
        self.codes = np.array(codes, dtype=np.int64)
        """(codes, positions): the symbols of each code, in lexicographic order."""
        self.texts = ["".join(SYMBOLS[symbol] for symbol in code) for code in codes]
        self._numbers = {text: number for number, text in enumerate(self.texts)}
        self._powers = self.symbols ** np.arange(self.positions - 1, -1, -1)
        self._number_of = np.full(self.symbols**self.positions, -1, dtype=np.int64)
        self._number_of[self.codes @ self._powers] = np.arange(size)
        places = range(self.positions + 1)
        cows = range(1) if match[4] else places
        self.answers = [(b, c) for b in places for c in cows if b + c <= self.positions]
        """Bulls and cows of each answer; the table has the numbers of answers in this list."""
        self.table = self._table(bulls_only=bool(match[4]))
        """(codes, codes) uint8: the answer of the first code, as the secret, to the second."""
        self.win = self.answers.index((self.positions, 0))
        self._answer_of = {f"{bulls}.{cows}": at for at, (bulls, cows) in enumerate(self.answers)}

    def __len__(self) -> int:
        return len(self.codes)

    def _table(self, bulls_only: bool) -> NDArray[np.uint8]:
        """Compare all codes; `common` counts the symbols that two codes share, with repeats."""
        counts = (self.codes[:, :, None] == np.arange(self.symbols)).sum(axis=1)
        numbers = np.zeros((self.positions + 1, self.positions + 1), dtype=np.uint8)
        for number, answer in enumerate(self.answers):
            numbers[answer] = number
        table = np.empty((len(self), len(self)), dtype=np.uint8)
        for secret in range(len(self)):
            bulls = (self.codes == self.codes[secret]).sum(axis=1)
            common = np.minimum(counts, counts[secret]).sum(axis=1)
            table[secret] = numbers[bulls, 0 if bulls_only else common - bulls]
        return table

    def image(self, transformation: str, codes: Codes) -> Codes:
        """Return the images of codes, in the order of the codes.

        ``1032/0213`` reads: the image of x has symbol ``symbols[x[positions[i]]]`` at place i.
        Answers between images are those between the codes, and the codes of the game are mapped to
        each other, so costs are equal.  Raises `ProofError` if it is no such map.
        """
        parts = transformation.split("/")
        orders = [[SYMBOLS.find(letter) for letter in part] for part in parts]
        wanted = [list(range(self.positions)), list(range(self.symbols))]
        is_one = [sorted(order) for order in orders] == wanted
        _require(is_one, f"{transformation[:60]!r} is no transformation of the game")
        positions, symbols = map(np.array, orders)
        if not self.has_zero and (positions[0] != 0 or symbols[0] != 0):
            raise ProofError(f"{transformation[:60]!r} maps codes to ones with a leading 0")
        return np.asarray(self._number_of[symbols[self.codes[codes][:, positions]] @ self._powers])

    def answer(self, text: str) -> int:
        """Return the number of an answer such as 0.1."""
        _require(text in self._answer_of, f"{text[:20]!r} is no answer")
        return self._answer_of[text]

    def guess(self, text: str) -> int:
        """Return the number of a code."""
        _require(text in self._numbers, f"{text[:20]!r} is no code")
        return self._numbers[text]

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
        _require(len(candidates) > 0, "no code fits the history")
        turn = 1 if self._weights is None else len(turns_of(history)) + 1
        after = self.next_turn(turn)
        costs, sizes, fan_out = self.guess_bounds(candidates, turn)
        first = self.orbit_representatives(candidates, symmetries)
        by_size = self.size_bounds(fan_out, after)
        used = {self.game.guess(guess): words for guess, words in uses.items()}
        for guess in np.unique(first[costs < bound]).tolist():
            answers = self.game.table[candidates, guess]
            least = by_size[sizes[guess]]
            words = used.pop(guess, "")
            for answer, proved in self._by_lemmas(candidates, answers, after, words):
                least[answer] = max(least[answer], proved)
            cost = int(costs[guess]) + int((least - by_size[sizes[guess]]).sum())
            for answer in np.argsort(-sizes[guess], kind="stable").tolist():
                if cost >= bound or sizes[guess, answer] < 2:
                    break
                ahead = self.look_ahead_bound(candidates[answers == answer], after)
                cost += max(ahead - int(least[answer]), 0)
            text = self.game.texts[guess]
            _require(cost >= bound, f"guess {text} costs {cost} or more, but {bound} is claimed")
        if used:
            raise ProofError(f"guess {self.game.texts[min(used)]} needs no lemma")
        self.lemmas.append(Lemma(candidates, turn, bound))

    def size_bounds(self, fan_out: int, turn: int) -> Codes:
        """Return the least costs of 0, 1, 2, ... candidates whose guesses make few parts.

        A guess finds one code and leaves at most `fan_out` other parts.  So at most 1 code is found
        at the first guess, `fan_out` at the second, its square at the third, and so on.
        """
        key = fan_out, turn
        if key not in self._size_bounds:
            costs = [0]
            width = 1
            while len(costs) <= len(self.game):
                costs += [self._weight(turn)] * min(width, len(self.game) + 1 - len(costs))
                width *= fan_out
                turn += 1
            self._size_bounds[key] = np.cumsum(costs)
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
    ) -> Iterator[tuple[int, int]]:
        """Yield bounds of parts by their answers from words such as ``0.1=17@1032/0213``."""
        for word in words.split(" ") if words else []:
            match = _USE.fullmatch(word)
            if match is None or int(match[2]) > len(self.lemmas):
                raise ProofError(f"{word[:60]!r} names no earlier lemma")
            answer = self.game.answer(match[1])
            lemma = self.lemmas[int(match[2]) - 1]
            image = np.sort(self.game.image(match[3], lemma.candidates))
            is_part = answer != self.game.win
            is_part &= np.array_equal(image, candidates[answers == answer])
            _require(is_part, f"{word[:60]!r}: the lemma is about other candidates")
            _require(lemma.turn <= turn, f"{word[:60]!r}: the lemma is about a later turn")
            yield answer, lemma.bound

    def orbit_representatives(self, candidates: Codes, symmetries: Sequence[str]) -> Codes:
        """Return for each guess the first one that symmetries of the candidates map to it."""
        everything = np.arange(len(self.game))
        images = [self.game.image(each, everything) for each in symmetries]
        for text, image in zip(symmetries, images, strict=True):
            is_symmetry = np.array_equal(np.sort(image[candidates]), candidates)
            _require(is_symmetry, f"{text[:60]!r} does not map the candidates to each other")
        first = everything
        while True:
            before = first
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
        header = _header(json.loads(lines[0]))
        checker = Checker(Game(header.rules), header.weights)
        for number, line in enumerate(lines[1:], start=2):
            checker.accept(*_fields(json.loads(line)))
            if progress is not None:
                progress((number - 1, len(lines) - 1))
        last = checker.lemmas[-1] if checker.lemmas else None
        if last is None or len(last.candidates) < len(checker.game) or last.turn > 1:
            raise ProofError("the last lemma is not about all codes at the first turn")
        claim = header.claim
        _require(last.bound >= claim, f"the last lemma proves {last.bound}, but {claim} is claimed")
    except ProofError as error:
        raise ProofError(f"line {number}: {error}") from None
    except (ValueError, RecursionError):  # of JSON: of its syntax, or a number of too many digits
        raise ProofError(f"line {number}: it is not JSON") from None
    return replace(header, lemmas=len(checker.lemmas))


def _lines(path: Path) -> list[str]:
    decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_BYTES)
    try:
        content = decompressor.decompress(path.read_bytes(), MOST_BYTES)
        *lines, rest = content.decode("ascii").split("\n")
    except (lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
        raise ProofError(f"not an xz file of ASCII text: {error}") from None
    is_whole = decompressor.eof and not decompressor.unused_data and not rest
    _require(is_whole, "the file is cut off, too large, or something follows it")
    _require(bool(lines), "the file is empty")
    return lines


def _header(header: Any) -> CheckedProof:
    """Read the first line: the game, the weights, and the claim."""
    is_known = isinstance(header, dict) and header.get("format") == FORMAT
    _require(is_known, f"not a {FORMAT} file")
    names = ("rules", "objective", "max_turns", "weights", "claim")
    rules, objective, max_turns, weights, claim = (header.get(name) for name in names)
    are_valid = [type(one) for one in (rules, objective, claim)] == [str, str, int]
    _require(are_valid, "rules and objective are texts, the claim is a number")
    is_name = _OBJECTIVE.fullmatch(objective) is not None
    _require(is_name, "the objective has letters, digits, colons and commas only")
    _require(max_turns is None or type(max_turns) is int, "max_turns is a number or null")
    if weights is None:
        is_average = objective == "average" and max_turns is None
        _require(is_average, "only average without max_turns has no weights")
        return CheckedProof(rules, objective, max_turns, None, claim, 0)
    is_list = type(weights) is list and weights != []
    _require(is_list, "weights are a list of numbers, or null")
    are_valid = all(type(weight) is int and 0 <= weight < MOST_WEIGHT for weight in weights)
    _require(are_valid, f"weights are numbers from 0 to {MOST_WEIGHT - 1}")
    _require(sorted(weights) == weights, "a weight is less than the one before")
    return CheckedProof(rules, objective, max_turns, tuple(weights), claim, 0)


def _fields(fields: Any) -> tuple[str, int, list[str], dict[str, str]]:
    """Read a lemma: its history, bound, symmetries, and uses of other lemmas by guesses."""
    is_lemma = isinstance(fields, list) and [type(one) for one in fields] == [str, int, list, dict]
    _require(is_lemma, "a lemma is a list of a text, a number, a list and an object")
    history, bound, symmetries, uses = fields
    are_texts = all(isinstance(text, str) for text in (*symmetries, *uses.values()))
    _require(are_texts, "symmetries and uses of lemmas are texts")
    return history, bound, symmetries, uses


def main(arguments: Sequence[str]) -> int:
    """Check a file; return 0 if its claim is proved, 1 if not, 2 if it can't be read."""
    if len(arguments) != 1:
        print("usage: python proof_checker.py FILE", file=sys.stderr)
        return 2
    try:
        print(f"proved: {check(Path(arguments[0]))}")
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    except ProofError as error:
        print(f"not proved: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
