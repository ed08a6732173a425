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
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FORMAT = "bulls-cows-proof/1"
MOST_CODES = 12_000
"""The largest game whose proofs are checked: the table of answers has a byte for each two codes."""
MOST_BYTES = 1 << 28
"""The most text of a file that is read."""
MOST_WEIGHT = 1 << 46
"""Limit on weights: the sum over all codes stays below 2**63."""
FIRST = 1024
"""How many guesses, those with the most parts of all candidates, are tried first on a part."""
SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The symbols of codes, as files write them."""

_NAME = re.compile(r"p([1-8])c([2-9]|1[0-6])([rnz])(b?)")
_USE = re.compile(r"([0-9]\.[0-9])=([1-9][0-9]{0,8})@([0-9a-z/]+)")

Codes = NDArray[np.int64]
"""Numbers of codes, ascending."""


class ProofError(ValueError):
    """A proof that does not prove its claim; says in which line and why."""


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise ProofError(message)


class CheckedProof(NamedTuple):
    """A claim whose proof was accepted: no strategy costs less."""

    rules: str
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


class Game:
    """The codes of a game and the answers between them; raises `ProofError` for an unknown name."""

    def __init__(self, name: str) -> None:
        match = _NAME.fullmatch(name)
        if match is None:
            raise ProofError(f"{name!r} is no game, such as p4c10n")
        self.positions = int(match[1])
        self.symbols = int(match[2])
        self.has_zero = match[3] != "z"
        self.renames_by_place = match[3] == "r" and match[4] == "b"
        """Whether answers stay the same if each place gets its own names of the symbols."""
        least_kinds = 1 if match[3] == "r" else self.positions
        codes = (
            code
            for code in product(range(self.symbols), repeat=self.positions)
            if len(set(code)) >= least_kinds and (self.has_zero or code[0] > 0)
        )
        self.codes = np.array(list(islice(codes, MOST_CODES + 1)))
        """(codes, positions): the symbols of each code, in lexicographic order."""
        size = len(self.codes)
        _require(0 < size <= MOST_CODES, f"{name} has no codes, or more than {MOST_CODES}")
        texts = ("".join(SYMBOLS[symbol] for symbol in code) for code in self.codes)
        self.guesses = {text: number for number, text in enumerate(texts)}
        self._powers = self.symbols ** np.arange(self.positions)[::-1]
        self._values = self.codes @ self._powers
        bulls = np.zeros((size, size), dtype=np.uint8)
        both = np.zeros_like(bulls)  # bulls and cows
        for place in self.codes.T:
            bulls += place[:, None] == place
        for symbol in range(self.symbols):
            count = (self.codes == symbol).sum(axis=1, dtype=np.uint8)
            both += np.minimum(count[:, None], count)
        if match[4]:
            both = bulls
        self.table = both * (both + 1) // 2 + bulls
        """(codes, codes): the number of the answer of each code, as the secret, to each other."""
        answers = [f"{b}.{n - b}" for n in range(self.positions + 1) for b in range(n + 1)]
        self.answers = {answer: number for number, answer in enumerate(answers)}
        """The number of each answer.  The last one is the win."""

    def image(self, transformation: str, codes: Codes) -> Codes:
        """Return the images of codes, in the order of the codes.

        ``1032/0213`` reads: the image of x has symbol ``names[x[positions[i]]]`` at place i.  If
        each place may have its own names, they can follow one another: ``10/0213/2310``.
        Answers between images are those between the codes, and the codes of the game are mapped to
        each other, so costs are equal.  Raises `ProofError` if it is no such map.
        """
        parts = [[SYMBOLS.find(letter) for letter in part] for part in transformation.split("/")]
        lists = self.positions if self.renames_by_place and len(parts) > 2 else 1
        wanted = [range(self.positions), *[range(self.symbols)] * lists]
        is_one = [sorted(part) for part in parts] == [list(each) for each in wanted]
        is_one = is_one and (self.has_zero or parts[0][0] == parts[1][0] == 0)
        _require(is_one, f"{transformation!r} is no transformation of the game")
        names = np.broadcast_to(parts[1:], (self.positions, self.symbols))
        values = names[range(self.positions), self.codes[codes][:, parts[0]]] @ self._powers
        return np.asarray(np.searchsorted(self._values, values))

    def after(self, history: str) -> Codes:
        """Return the candidates after turns such as ``0123:0.1 4567:0.0``."""
        left = np.arange(len(self.codes))
        for turn in history.split():
            guess, _, answer = turn.partition(":")
            left = left[self.table[self.guesses[guess], left] == self.answers[answer]]
        return left


class Splits:
    """How many parts guesses make of some candidates and of subsets of them.  A win is no part."""

    def __init__(self, game: Game, codes: Codes) -> None:
        win = len(game.answers) - 1
        bit = np.min_scalar_type(1 << win).type(1)
        bits = np.left_shift(bit, game.table[codes], dtype=bit.dtype)
        bits &= (1 << win) - 1
        self.parts = _parts(bits)
        """The number of parts of all the candidates, by guess."""
        self.fan_out = max(int(self.parts.max()), 1)
        others = np.argsort(-self.parts.astype(np.int8), kind="stable")
        others = others[np.isin(others, codes, invert=True)]
        self._first = bits.take(np.concatenate((codes, others[:FIRST])), axis=1)
        others = others[FIRST:]
        self._others = bits.take(others, axis=1)
        self._with_more = (self.parts[others, None] > np.arange(win + 1)).sum(axis=0)

    def most_parts(self, rows: NDArray[np.intp]) -> tuple[int, int]:
        """Return the most parts of the candidates in `rows`, by a guess of them and by any guess.

        No guess makes more parts of them than of all, so that most guesses need no look.
        """
        parts = _parts(self._first.take(rows, axis=0))
        most = parts.max()
        with_more = self._with_more[most]
        if with_more > 0:
            most = max(most, _parts(self._others[rows, :with_more]).max())
        return int(parts[rows].max()), max(int(most), 1)


def _parts(bits: NDArray[Any]) -> NDArray[np.uint8]:
    return np.asarray(np.bitwise_count(np.bitwise_or.reduce(bits, axis=0)))


class Checker:
    """Accepts the lemmas of a proof, one after the other.

    A code costs the weight of the turn at which it is found.  Without `weights` that is the turn,
    and each lemma counts turns from its own first guess on.
    """

    def __init__(self, game: Game, weights: Sequence[int] | None = None) -> None:
        self.game = game
        self.lemmas: list[tuple[Codes, int, int]] = []
        """Candidates cost at least a bound if the next guess is that of a turn or a later one."""
        self._is_average = weights is None
        self._weights = weights or range(1, 2 * len(game.codes))
        self._least = cache(self._least_cost)

    def accept(
        self, history: str, bound: int, symmetries: Sequence[str], uses: Mapping[str, str]
    ) -> None:
        """Add a lemma: the candidates after `history` cost at least `bound`.

        It is accepted if every guess that gives information costs as much.  Of guesses that
        `symmetries` of the candidates map to each other, the first one is looked at.  `uses` names
        earlier lemmas for parts of guesses.  Raises `ProofError` if a guess may cost less.
        """
        codes = self.game.after(history)
        _require(len(codes) > 0, "no code fits the history")
        _require(type(bound) is int, "the bound is no number")
        turn = 1 if self._is_average else len(history.split()) + 1
        proved = self._proved(codes, turn, uses)
        first = self.orbit_representatives(codes, symmetries)
        for guess, cost, parts in self.open_guesses(codes, turn, bound, first):
            for answer, (_, least) in parts.items():
                cost += max(proved.get((guess, answer), 0) - least, 0)
            if cost < bound:
                text = "".join(SYMBOLS[symbol] for symbol in self.game.codes[guess])
                raise ProofError(f"guess {text} costs {cost} or more, but {bound} is claimed")
        self.lemmas.append((codes, turn, bound))

    def _proved(self, codes: Codes, turn: int, uses: Mapping[str, str]) -> dict[Any, int]:
        """Return bounds of parts by guess and answer from words such as ``0.1=17@1032/0213``."""
        proved = {}
        for guess, word in [(text, word) for text in uses for word in uses[text].split()]:
            match = _USE.fullmatch(word)
            if match is None or int(match[2]) > len(self.lemmas):
                raise ProofError(f"{word!r} names no earlier lemma")
            key = self.game.guesses[guess], self.game.answers[match[1]]
            lemma, lemma_turn, bound = self.lemmas[int(match[2]) - 1]
            image = np.sort(self.game.image(match[3], lemma))
            is_part = np.array_equal(image, codes[self.game.table[key[0], codes] == key[1]])
            _require(is_part, f"{word!r}: the lemma is about other candidates")
            _require(lemma_turn <= turn + 1, f"{word!r}: the lemma is about a later turn")
            proved[key] = bound + len(lemma) * self._is_average
        return proved

    def orbit_representatives(self, codes: Codes, symmetries: Sequence[str]) -> Codes:
        """Return for each guess the first one that symmetries of the candidates map to it."""
        first = np.arange(len(self.game.codes))
        images = [self.game.image(each, first) for each in symmetries]
        for image in images:
            is_symmetry = np.array_equal(np.sort(image[codes]), codes)
            _require(is_symmetry, "a symmetry does not map the candidates to each other")
        while True:
            before = first
            for image in images:
                first = np.minimum(first, first[image])
            if np.array_equal(first, before):
                return first

    def open_guesses(
        self, codes: Codes, turn: int, bound: int, first: Codes
    ) -> Iterator[tuple[int, int, dict[int, tuple[Codes, int]]]]:
        """Yield guesses that may cost less than a bound, as far as is known without lemmas.

        With each guess comes its least cost, and its parts of three and more codes by answer, with
        their bounds.  Instead of each guess, that which `first` has at its place is looked at.
        """
        splits = Splits(self.game, codes)
        parts = splits.parts
        fan_out = splits.fan_out
        # 1. By the number of parts.
        finds = np.zeros(len(parts), dtype=np.intp)
        finds[codes] = 1
        counts = range(len(self.game.answers))
        least = [[self._least(len(codes), turn, now, n, fan_out) for n in counts] for now in (0, 1)]
        informs = (parts > 1) | (finds == 1)
        guesses = np.unique(first[informs & (np.array(least)[finds, parts] < bound)])
        # 2. By the sizes of the parts.
        given = np.ascontiguousarray(self.game.table[codes].take(guesses, axis=1).T)
        rows = len(counts) * np.arange(len(guesses))[:, None]
        sizes = np.bincount((given + rows).ravel(), minlength=rows.size * len(counts))
        sizes = sizes.reshape(-1, len(counts))
        by_size = [self._least(n, turn + 1, 1, fan_out, fan_out) for n in range(len(codes) + 1)]
        costs = np.array(by_size)[sizes[:, :-1]].sum(axis=1) + self._weight(turn) * sizes[:, -1]
        # 3. By the fan-out of each part, the largest one first.
        by_answer = np.argsort(given, kind="stable")
        ends = np.cumsum(sizes, axis=1)
        largest = np.argsort(-sizes[:, :-1], kind="stable")
        for at in np.flatnonzero(costs < bound).tolist():
            cost = int(costs[at])
            bounds = {}
            for answer in largest[at].tolist():
                size = int(sizes[at, answer])
                if cost >= bound or size < 3:  # the cost of one or two is certain
                    break
                part = by_answer[at, ends[at, answer] - size : ends[at, answer]]
                made, most = splits.most_parts(part)
                by_code = self._least(size, turn + 1, 1, made, most)
                by_other = self._least(size, turn + 1, 0, most, most)
                bounds[answer] = codes[part], min(by_code, by_other)
                cost += bounds[answer][1] - by_size[size]
            if cost < bound:
                yield int(guesses[at]), cost, bounds

    def _least_cost(self, codes: int, turn: int, now: int, parts: int, fan_out: int) -> int:
        """Return the least cost if a guess finds one or none of some codes and makes some parts.

        At most one code of each part is found by the next guess, by the one after it `fan_out`
        times as many, and so on.
        """
        cost = 0
        parts = max(parts, 1)
        while codes > 0:
            cost += min(now, codes) * self._weight(turn)
            codes -= now
            now = parts
            parts *= fan_out
            turn += 1
        return cost

    def _weight(self, turn: int) -> int:
        return self._weights[min(turn, len(self._weights)) - 1]


def check(path: Path, progress: Callable[[tuple[int, int]], None] | None = None) -> CheckedProof:
    """Check a proof file; raise `ProofError` if it does not prove its claim, or `OSError`.

    `progress` is called with the number of lemmas that are accepted, and of all lemmas.
    """
    number = 1
    try:
        with lzma.open(path, "rt", encoding="ascii") as file:
            first, *lines = file.read(MOST_BYTES).splitlines()
        rules, weights, claim = _header(json.loads(first))
        checker = Checker(Game(rules), weights)
        for number, line in enumerate(lines, start=2):
            checker.accept(*json.loads(line))
            if progress is not None:
                progress((number - 1, len(lines)))
        _require(len(lines) > 0, "no lemma follows")
        codes, turn, bound = checker.lemmas[-1]
        is_root = len(codes) == len(checker.game.codes) and turn == 1
        _require(is_root, "the last lemma is not about all codes at the first turn")
        _require(bound >= claim, f"the last lemma proves {bound}, but {claim} is claimed")
    except ProofError as error:
        raise ProofError(f"line {number}: {str(error)[:200]}") from None
    except (lzma.LZMAError, EOFError) as error:
        raise ProofError(f"not an xz file: {error}") from None
    except KeyError as error:
        raise ProofError(f"line {number}: {str(error)[:60]} is no code or answer") from None
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise ProofError(f"line {number}: it is not JSON of a header or lemma") from None
    return CheckedProof(rules, weights, claim, len(checker.lemmas))


def _header(header: Any) -> tuple[str, tuple[int, ...] | None, int]:
    """Read the game, the weights and the claim from the first line."""
    _require(header.get("format") == FORMAT, f"not a {FORMAT} file")
    rules, weights, claim = (header.get(name) for name in ("rules", "weights", "claim"))
    _require(type(claim) is int, "the claim is a number")
    if weights is not None:
        are_valid = all(type(each) is int and 0 <= each < MOST_WEIGHT for each in weights)
        _require(are_valid and len(weights) > 0, f"weights are numbers below {MOST_WEIGHT}")
        _require(sorted(weights) == weights, "a weight is less than the one before")
        weights = tuple(weights)
    return rules, weights, claim


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python proof_checker.py FILE")
    try:
        print(f"proved: {check(Path(sys.argv[1]))}")
    except (OSError, ProofError) as error:
        sys.exit(f"not proved: {error}")
