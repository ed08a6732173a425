"""The rules of a game: its codes and its answers, by number and as text.

A code has ``positions`` places, each filled with one of ``symbols`` symbols, written ``0 1 ... 9 a
... f``; symbols may repeat or not, and without repeats a leading 0 may be ruled out. ``p4c10n`` is
Bulls & Cows (5040 codes), ``p4c10z`` the same without leading 0 (4536), ``p4c6r`` is Mastermind
(1296). Codes are numbered in lexicographic order from 0; a code's number is its *index*.

An answer is ``bulls.cows`` (`bullscows.game.scoring`). Answers are ordered by ``(p+1)*bulls +
cows``; ``(p-1).1`` is impossible; ``p.0`` ends the game. In a game of bulls only (``p4c6rb``,
black-peg Mastermind) every answer has 0 cows.
"""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, permutations, product
from math import perm
from typing import TypeAlias

from bullscows.errors import EngineError, counted, did_you_mean
from bullscows.game import arguments
from bullscows.game.arguments import ArgumentTypeError
from bullscows.game.scoring import Answer, Scorer, score

SYMBOLS = "0123456789abcdef"
MAX_POSITIONS = 8
MAX_SYMBOLS = len(SYMBOLS)
KNOWN_GAMES = ("p4c6r", "p4c10n")
"""The two games that everybody knows, Mastermind and Bulls & Cows."""

NUMBERS = "number:"
"""How the games of one place are written (`bullscows.game.number_game`); they are no `Rules`."""

Code: TypeAlias = tuple[int, ...]
"""The symbols of a code by number."""
CodeIndex: TypeAlias = int
"""The number of a code in lexicographic order, from 0."""
AnswerIndex: TypeAlias = int
"""The place of an answer in `Rules.answers`."""

Turn: TypeAlias = tuple[CodeIndex, AnswerIndex]
"""A guess and its answer, by number."""

Turns: TypeAlias = tuple[Turn, ...]
"""Turns of a game that is known from elsewhere, as on the path to a node of a tree."""

ALIASES = {"bulls-cows": "p4c10n", "mastermind": "p4c6r", "super-mastermind": "p5c8r"}
"""Names of games that `Rules.parse` accepts."""

_RULES_TEXT = re.compile(r"p([1-9][0-9]?)c([1-9][0-9]?)([nrz])(b?)")
_ANSWER_TEXT = re.compile(r"([0-8])\.([0-8])")


class RulesError(EngineError, ValueError):
    """Rules that no game has: a bad notation, or numbers out of range."""


class CodeError(EngineError, ValueError):
    """A text or tuple that is not a code of the game."""


class AnswerError(EngineError, ValueError):
    """A text or pair that is not an answer of the game."""


def respond(guess: Sequence[object], secret: Sequence[object]) -> Answer:
    """Return the answer to `guess` for a secret, by the definition (`score`).

    Both are texts, or sequences of symbols by number, of the same length; exchanging them does not
    change the answer.

    Examples
    --------
    >>> print(respond("0123", "1045"))
    0.2

    Parameters
    ----------
    guess
        A text, or a sequence of symbols by number.
    secret
        The same, of the same length.

    Returns
    -------
    Answer
        Bulls and cows.

    Raises
    ------
    CodeError
        If a symbol does not exist, or the lengths differ.
    """
    asked = _symbols("guess", guess)
    hidden = _symbols("secret", secret)
    if len(asked) != len(hidden):
        raise CodeError(
            f"guess and secret must be of the same length: {arguments.shown(guess)} has "
            f"{len(asked)} symbols, {arguments.shown(secret)} has {len(hidden)}"
        )
    return score(asked, hidden)


def _symbols(name: str, code: object) -> list[int]:
    """Return the symbols of a code by number; raise `CodeError` if one does not exist."""
    allowed = f"a text of the symbols {SYMBOLS[0]} to {SYMBOLS[-1]}, or a sequence of their numbers"
    if not isinstance(code, Sequence) or isinstance(code, bytes):
        raise ArgumentTypeError(name, code, allowed)
    known: Sequence[object] = SYMBOLS if isinstance(code, str) else range(MAX_SYMBOLS)
    if not code or any(symbol not in known for symbol in code):
        raise CodeError(f"{name} must be {allowed}, not {arguments.shown(code)}")
    return [known.index(symbol) for symbol in code]


@dataclass(frozen=True)
class Rules:
    """The rules of one game.

    Examples
    --------
    >>> bulls_and_cows = Rules.parse("p4c10n")
    >>> bulls_and_cows.parse_code("9876"), bulls_and_cows.text(5039)
    (5039, '9876')
    >>> [str(answer) for answer in Rules(2, 3, repeats=True).answers]
    ['0.0', '0.1', '0.2', '1.0', '2.0']

    Raises
    ------
    RulesError
        Unless 1 <= positions <= 8, 1 <= symbols <= 16, and, without repeats,
        symbols >= positions; or if a leading 0 is ruled out where symbols repeat, or where there
        is no other symbol.
    """

    positions: int
    """Places in a code, p."""
    symbols: int
    """Different symbols, d."""
    repeats: bool
    """May a symbol occur more than once in a code?"""
    leading_zero: bool = True
    """May a code begin with symbol 0?"""
    bulls_only: bool = False
    """Do answers count bulls, but no cows?"""

    def __post_init__(self) -> None:
        arguments.whole("positions", self.positions)
        arguments.whole("symbols", self.symbols)
        for name in ("repeats", "leading_zero", "bulls_only"):
            arguments.instance(name, getattr(self, name), bool, "True or False")
        if not 1 <= self.positions <= MAX_POSITIONS:
            raise RulesError(f"positions must be 1 to {MAX_POSITIONS}, not {self.positions}")
        if not 1 <= self.symbols <= MAX_SYMBOLS:
            raise RulesError(f"symbols must be 1 to {MAX_SYMBOLS}, not {self.symbols}")
        if not self.repeats and self.symbols < self.positions:
            raise RulesError(
                f"without repeats {self.positions} positions need at least "
                f"{self.positions} symbols, not {self.symbols}"
            )
        if not self.leading_zero and self.repeats:
            raise RulesError("codes may do without a leading 0 only where no symbol repeats")
        if not self.leading_zero and self.symbols == 1:
            raise RulesError("without a leading 0 a code needs at least 2 symbols, not 1")

    @classmethod
    def of(cls, game: Rules | str) -> Rules:
        """Return the rules that are given, as a value or as text for `parse`."""
        if isinstance(game, str):
            return cls.parse(game)
        return arguments.instance("game", game, cls, "Rules, or their text such as 'p4c10n'")

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read the notation ``p4c10n``; inverse of `str`.

        ``n`` stands for no repeats, ``r`` for repeats, ``z`` for no repeats and no leading 0; a
        ``b`` after it for bulls only.  Capital letters and the names in `ALIASES` are
        accepted too.

        Examples
        --------
        >>> Rules.parse("p4c10n").size, Rules.parse("p4c10z").size
        (5040, 4536)
        >>> print(Rules.parse("P4C10N"), Rules.parse("Mastermind"))
        p4c10n p4c6r
        """
        name = arguments.text("text", text, "p4c10n").lower()
        match = _RULES_TEXT.fullmatch(ALIASES.get(name, name))
        if match is None and text.startswith(NUMBERS):
            raise RulesError(
                f"{text[:20]!r} is no game of places and symbols: only `bullscows solve` takes it"
            )
        if match is None:
            if meant := did_you_mean(text, ALIASES):
                raise RulesError(f"invalid rules {text[:40]!r}{meant}")
            raise RulesError(
                f"invalid rules {text[:40]!r}: write p<positions>c<symbols> and n, r or z, and "
                f"b for bulls only, for example p4c10n, or one of {', '.join(ALIASES)}"
            )
        positions, symbols, kind, bulls_only = match.groups()
        return cls(int(positions), int(symbols), kind == "r", kind != "z", bool(bulls_only))

    def __str__(self) -> str:
        kind = "r" if self.repeats else "n" if self.leading_zero else "z"
        return f"p{self.positions}c{self.symbols}{kind}{'b' * self.bulls_only}"

    @property
    def size(self) -> int:
        """The number of codes."""
        if self.repeats:
            return int(self.symbols**self.positions)
        return perm(self.symbols, self.positions) - self.skipped

    @property
    def skipped(self) -> int:
        """How many codes of the game with a leading 0, the first ones, this one does without."""
        return 0 if self.leading_zero else perm(self.symbols - 1, self.positions - 1)

    @property
    def pinned(self) -> int:
        """The number of places and symbols, from 0 on, that every symmetry of the game fixes.

        It is 1 if no code begins with 0, and 0 otherwise.
        """
        return 0 if self.leading_zero else 1

    # -- codes ---------------------------------------------------------------------------------

    def code(self, index: CodeIndex) -> Code:
        """Return the code with number `index` in lexicographic order, as a tuple of symbols."""
        try:
            number = operator.index(index)
        except TypeError:
            raise ArgumentTypeError("index", index, "the number of a code") from None
        if not 0 <= number < self.size:
            raise CodeError(f"code number {index} is not in 0 to {self.size - 1}")
        rest = number if self.repeats else number + self.skipped
        unused = list(range(self.symbols))
        code = []
        for left in reversed(range(self.positions)):
            ways = self.symbols**left if self.repeats else perm(len(unused) - 1, left)
            rank, rest = divmod(rest, ways)
            code.append(rank if self.repeats else unused.pop(rank))
        return tuple(code)

    def codes(self) -> Iterator[Code]:
        """Yield all codes by ascending number, which is far quicker than one by one.

        Examples
        --------
        >>> list(Rules(2, 2, repeats=True).codes())
        [(0, 0), (0, 1), (1, 0), (1, 1)]
        """
        symbols = range(self.symbols)
        if self.repeats:
            return product(symbols, repeat=self.positions)
        return islice(permutations(symbols, self.positions), self.skipped, None)

    def index(self, code: Sequence[int]) -> CodeIndex:
        """Return the lexicographic number of `code`; raise `CodeError` if it is not a code."""
        try:
            self._check_code(code)
        except TypeError:
            raise ArgumentTypeError("code", code, "a sequence of symbols by number") from None
        index = 0
        unused = list(range(self.symbols))
        for symbol in code:
            index = index * len(unused) + unused.index(symbol)
            if not self.repeats:
                unused.remove(symbol)
        return index - self.skipped

    def _check_code(self, code: Sequence[int]) -> None:
        if len(code) != self.positions:
            raise CodeError(
                f"a code of {self} has {counted(self.positions, 'symbol')}, not {len(code)}"
            )
        for symbol in code:
            if symbol not in range(self.symbols):
                raise CodeError(f"symbol {symbol!r} is not in 0 to {self.symbols - 1}")
        if not self.repeats and len(set(code)) != len(code):
            raise CodeError(f"symbols may not repeat in {self}")
        if not self.leading_zero and code[0] == 0:
            raise CodeError(f"no code of {self} begins with 0")

    def parse_code(self, text: str) -> CodeIndex:
        """Return the number of the code written as `text`, such as ``0123``.

        Only the characters ``0`` to ``9`` and ``a`` to ``f`` count as symbols: no other digits
        of Unicode, no capitals.
        """
        arguments.text("text", text, "0123")
        symbols = [SYMBOLS.find(character) for character in text]
        for character, symbol in zip(text, symbols, strict=True):
            if not 0 <= symbol < self.symbols:
                raise CodeError(
                    f"invalid symbol {character!r} in code {text[:20]!r}: "
                    f"{self} uses {SYMBOLS[0]} to {SYMBOLS[self.symbols - 1]}"
                )
        try:
            return self.index(symbols)
        except CodeError as error:
            raise CodeError(f"invalid code {text[:20]!r}: {error}") from None

    def numbers(self, codes: str | Sequence[CodeIndex | str]) -> list[CodeIndex]:
        """Return codes by number, given as numbers or texts, or as one text with spaces between."""
        allowed = "codes by number or text, or one text with spaces between"
        return [self.number(code) for code in arguments.words("codes", codes, allowed)]

    def number(self, code: CodeIndex | str, name: str = "code") -> CodeIndex:
        """Return a code by number, given as number or text; `name` is that of the argument."""
        if isinstance(code, str):
            return self.parse_code(code)
        number = arguments.whole(name, code, "a code, by number or text")
        self.code(number)
        return number

    def text(self, index: CodeIndex) -> str:
        """Return the code with number `index` as text; inverse of `parse_code`."""
        return "".join(SYMBOLS[symbol] for symbol in self.code(index))

    # -- answers -------------------------------------------------------------------------------

    @cached_property
    def answers(self) -> tuple[Answer, ...]:
        """All answers in ascending order; the last one, ``p.0``, ends the game.

        An *answer index* is a place in this tuple of (p+1)(p+2)/2 - 1 answers: 14 for p = 4; p + 1
        with bulls only. Some rules allow only a part of them.
        """
        p = self.positions
        pairs = ((b, c) for b in range(p + 1) for c in range(1 if self.bulls_only else p + 1 - b))
        return tuple(Answer(b, c) for b, c in pairs if (b, c) != (p - 1, 1))

    @cached_property
    def answer_texts(self) -> tuple[str, ...]:
        """The texts of `answers`, for example ``0.1``."""
        return tuple(map(str, self.answers))

    @property
    def win(self) -> AnswerIndex:
        """The index of the answer ``p.0``."""
        return len(self.answers) - 1

    def answer_index(self, bulls: int, cows: int) -> AnswerIndex:
        """Return the place of the answer in `answers`; raise `AnswerError` if impossible."""
        try:
            return self.answers.index(Answer(bulls, cows))
        except ValueError:
            answer = f"{arguments.shown(bulls)}.{arguments.shown(cows)}"
            if self.bulls_only:
                raise AnswerError(
                    f"impossible answer {answer}: {self} counts 0 to {self.positions} bulls, "
                    "and no cows"
                ) from None
            raise AnswerError(
                f"impossible answer {answer}: with {self.positions} positions bulls and "
                f"cows are at most {self.positions} together, and never {self.positions - 1}.1"
            ) from None

    def parse_answer(self, text: str) -> AnswerIndex:
        """Return the place in `answers` of an answer written ``bulls.cows``."""
        match = _ANSWER_TEXT.fullmatch(arguments.text("text", text, "1.2"))
        if match is None:
            form = "bulls.0, for example 1.0" if self.bulls_only else "bulls.cows, for example 1.2"
            raise AnswerError(f"invalid answer {text[:20]!r}: write {form}")
        return self.answer_index(int(match[1]), int(match[2]))

    def answer_number(self, answer: object) -> AnswerIndex:
        """Return the place in `answers` of an answer given by number, as text or as `Answer`."""
        if isinstance(answer, str):
            return self.parse_answer(answer)
        if isinstance(answer, Answer):
            return self.answer_index(*answer)
        number = arguments.whole("answer", answer, "an answer, by number or text")
        if not 0 <= number <= self.win:
            raise AnswerError(f"answer number {number} is not in 0 to {self.win}")
        return number

    def respond(self, guess: CodeIndex, secret: CodeIndex) -> AnswerIndex:
        """Return the answer index for two codes given by number."""
        try:
            return next(_scorer(self).answers(guess, (secret,)))
        except TypeError:
            raise ArgumentTypeError("guess, secret", (guess, secret), "numbers of codes") from None

    def partition(
        self, guess: CodeIndex, candidates: Iterable[CodeIndex]
    ) -> dict[AnswerIndex, list[CodeIndex]]:
        """Split `candidates` by the answer each would give to `guess`.

        Returns the non-empty parts by ascending answer index, members in the order given.
        """
        members = list(candidates)
        parts = defaultdict[int, list[int]](list)
        for member, answer in zip(members, _scorer(self).answers(guess, members), strict=True):
            parts[answer].append(member)
        return dict(sorted(parts.items()))

    def separates(self, guess: CodeIndex, candidates: Iterable[CodeIndex]) -> bool:
        """Whether each of `candidates` gives `guess` an answer of its own.

        Examples
        --------
        >>> game = Rules(2, 3, repeats=False)  # 01 02 10 12 20 21
        >>> game.separates(0, (1, 2)), game.separates(0, (1, 5))
        (True, False)
        """
        given = set()
        for answer in _scorer(self).answers(guess, candidates):
            if answer in given:
                return False
            given.add(answer)
        return True

    def splits(self, guess: CodeIndex, candidates: Iterable[CodeIndex]) -> bool:
        """Whether some two of `candidates` give `guess` different answers."""
        answers = _scorer(self).answers(guess, candidates)
        first = next(answers, None)
        return any(answer != first for answer in answers)


@lru_cache(maxsize=32)
def _scorer(rules: Rules) -> Scorer:
    """Return the scorer of a game, made once."""
    return Scorer(rules.code, rules.answers, symbols=rules.symbols, bulls_only=rules.bulls_only)
