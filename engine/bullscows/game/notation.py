"""Turns as people write them: guesses with their answers, read from any usual notation.

The grammar, in which capitals and small letters are the same::

    turns   = [gap] {turn gap} [turn] [gap]
    turn    = [number] guess {link} answer
    number  = one or two digits, then . or ) and a space: 1. 1234 1B1C
    guess   = as many symbols of the game as it has positions: 1234, or 1 2 3 4
    link    = a space or one of : = , ; > → | ( [ - – —
    answer  = pair | counted | marks | 0
    pair    = bulls, then cows: 1.1  1,1  1, 1  1:1  1/1  1+1  1-1  1 - 1  1 1  11
    counted = count word [count word], in any order: 1B1C  1b 1c  2C  1 bull, 2 cows  2b1w  1A2B
              1б1к  1 бык 2 коровы  2ч1б  2 чёрные и 1 белая фишка
    marks   = ● or ⚫ for each bull, then ○ or ⚪ for each cow: ●●○
    gap     = spaces, new lines, , ; | ) ] - – — and a full stop; between turns at least one

A turn stands on one line.  An answer ends at a gap.  Of several readings the one with the longest
answers that the game has is taken, so that all of the text can be read: `0123:0.1-4567:1.1` is two
turns, and a lone `0`, no bulls and no cows, is read where no pair can be.
With bulls only, so is any lone number.

``b`` and ``б`` begin two words each.  The other word decides: ``1b1c`` and ``2b1w`` have b for
bulls, ``1a2b`` for cows; ``1б1к`` has б for bulls (быки), ``2ч1б`` for white pegs (белые),
which are cows.  Alone, ``b`` means bulls (or black pegs), and ``б`` what the pages call it: bulls
in games of numbers, white pegs in games of pegs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from bullscows.game.history import MAX_HISTORY, History, HistoryError
from bullscows.game.rules import (
    SYMBOLS,
    AnswerError,
    AnswerIndex,
    CodeError,
    CodeIndex,
    Rules,
    Turns,
)

SHOWN = 40
"""The most characters of a turn that are repeated."""

_SPACE = r"[^\S\n]"
_GAP = re.compile(r"(?:[\s,;|)\]–—-]|\.(?=\s|$))*")
_LINK = re.compile(rf"(?:{_SPACE}|[:=,;>→|(\[–—-])*")
_OTHER = re.compile(r"[^\s:=,;→|()\[\]–—-]*")
_NUMBER = re.compile(rf"[0-9]{{1,2}}[.)]{_SPACE}+")
_END = r"(?=[\s,;|)\]–—-]|\.(?:\s|$)|$)"
_WORD = r"([a-zа-яё]+)(?: +(?:pegs?|фиш[а-я]+))?"
_COUNT = rf"([0-9]){_SPACE}?{_WORD}"
_JOINT = rf"{_SPACE}?[,+&]?{_SPACE}?(?:(?:and|и){_SPACE})?"
_PAIR = re.compile(
    rf"([0-9])(?:{_SPACE}?,?{_SPACE}?|[.:/+–-]|{_SPACE}[:+–-]{_SPACE})([0-9]){_END}", re.IGNORECASE
)
_BOTH = re.compile(rf"{_COUNT}{_JOINT}{_COUNT}{_END}", re.IGNORECASE)
_ONE = re.compile(rf"{_COUNT}{_END}", re.IGNORECASE)
_MARKS = re.compile(rf"(?=[●⚫○⚪])([●⚫]*)([○⚪]*){_END}")
_NONE = re.compile(rf"0{_END}")
_LONE = re.compile(rf"[0-8]{_END}")

_BULL, _COW = True, False
_WORDS = (
    (re.compile(r"a|bulls?|blacks?|бык[а-я]*|ч|ч[её]рн[а-яё]*"), (_BULL,)),
    (re.compile(r"c|w|cows?|whites?|к|коров[а-я]*|бел[а-я]*"), (_COW,)),
    (re.compile(r"b"), (_BULL, _COW)),
)


class UnreadableTurnError(HistoryError):
    """A turn that can't be read, with its number, its text, and what is wrong with it."""

    def __init__(self, number: int, text: str, flaw: str, part: str = "") -> None:
        super().__init__(f"turn {number}, {text!r}, can't be read: {flaw}")
        self.number = number
        """Its number, 1 for the first."""
        self.text = text
        """How it is written, or the beginning."""
        self.flaw = flaw
        """`guess`: no code of the game; `answer`: none is to be read; `impossible`: the game has
        no such answer; `too-many`: there are more turns than a position may have."""
        self.part = part
        """The guess, if it is that."""


def has_pegs(rules: Rules) -> bool:
    """Whether a game's codes are shown as pegs: ten colours and more are hard to tell apart."""
    return rules.repeats and rules.symbols < 10


def read_answer(rules: Rules, text: str) -> AnswerIndex:
    """Return the answer that a text is in any notation, for example ``1.2``, ``1 2`` or ``1b2c``.

    Raises `AnswerError` if the text is no answer of this game.
    """
    written = text.strip()
    counts = [pair for end, pair in _Reader(rules, written).counts_at(0) if end == len(written)]
    if not counts:
        return rules.parse_answer(written)
    return rules.answer_index(*counts[0])


def read_code(rules: Rules, text: str) -> CodeIndex:
    """Return the code that a text is; spaces and capitals do not matter.

    Raises `CodeError` if the text is no code of this game.
    """
    return rules.parse_code("".join(text.split()).lower())


def read_history(rules: Rules, text: str) -> History:
    """Return the history that a text is, in the notation of `History.parse` or in any other.

    Raises the errors of `History.parse` if the text is no history of this game.
    """
    try:
        return History.parse(rules, text)
    except (HistoryError, CodeError, AnswerError):
        try:
            return History(rules, read_turns(rules, text))
        except UnreadableTurnError:
            pass
        raise


def read_turns(rules: Rules, text: str) -> Turns:
    """Return the turns in a text.

    Raises `UnreadableTurnError` if the text is no list of turns of this game; it names the first
    that can't be read.
    """
    return _Reader(rules, text).turns()


class _Reader:
    """Reads one text; what was found to lead nowhere is not tried again."""

    def __init__(self, rules: Rules, text: str) -> None:
        self._rules = rules
        self._text = text
        used = SYMBOLS[: rules.symbols]
        symbol = f"[{used}{used.upper()}]"
        more = rules.positions - 1
        self._guess = re.compile(
            rf"(?:{symbol}{{{more + 1}}}|{symbol}(?: {symbol}){{{more}}})(?!\w)"
        )
        self._dead: set[tuple[int, int]] = set()
        self._failed_at = -1
        self._error = UnreadableTurnError(1, "", "answer")

    def turns(self) -> Turns:
        found = self._rest(0, 1)
        if found is None:
            raise self._error
        return found

    def _rest(self, at: int, number: int) -> Turns | None:
        """Return the turns from a place on, of which the first has this number."""
        at = _end(_GAP.match(self._text, at))
        if at == len(self._text):
            return ()
        if (at, number) in self._dead:
            return None
        for turn, end in self._turns_at(at, number):
            rest = self._rest(end, number + 1)
            if rest is not None:
                return (turn, *rest)
        self._dead.add((at, number))
        return None

    def _turns_at(
        self, at: int, number: int
    ) -> Iterator[tuple[tuple[CodeIndex, AnswerIndex], int]]:
        """Try every reading of one turn; note how the last that begins here fails."""
        if number > MAX_HISTORY:
            self._note(at, number, "too-many")
            return
        flaws = []
        for start in self._starts(at):
            guess, end = self._guess_at(start)
            if guess is None:
                flaws.append(("guess", self._text[start:end]))
                continue
            answers = list(self._answers_at(_end(_LINK.match(self._text, end))))
            possible = sorted((place, index) for place, index in answers if index is not None)
            yield from (((guess, index), place) for place, index in reversed(possible))
            if not possible:
                flaws.append(("impossible" if answers else "answer", ""))
        if flaws:
            self._note(at, number, *flaws[-1])

    def _starts(self, at: int) -> Iterator[int]:
        """Return where the guess of a turn may begin: at once, or after the turn's number."""
        numbered = _NUMBER.match(self._text, at)
        yield at
        if numbered:
            yield numbered.end()

    def _guess_at(self, at: int) -> tuple[CodeIndex | None, int]:
        """Return the guess that stands at a place, None if none does, and where it ends."""
        found = self._guess.match(self._text, at)
        if found is None:
            return None, _end(_OTHER.match(self._text, at))
        try:
            return self._rules.parse_code(found[0].replace(" ", "").lower()), found.end()
        except CodeError:
            return None, found.end()

    def _answers_at(self, at: int) -> Iterator[tuple[int, AnswerIndex | None]]:
        """Return where the answers that begin at a place end, and which they are, None if none."""
        for end, (bulls, cows) in self.counts_at(at):
            try:
                yield end, self._rules.answer_index(bulls, cows)
            except AnswerError:
                yield end, None

    def counts_at(self, at: int) -> Iterator[tuple[int, tuple[int, int]]]:
        """Yield where the answers that begin at a place end, with their bulls and cows."""
        pegs = has_pegs(self._rules)
        if pair := _PAIR.match(self._text, at):
            yield pair.end(), (int(pair[1]), int(pair[2]))
        if both := _BOTH.match(self._text, at):
            pairs = _parted(_roles(both[2], pegs), _roles(both[4], pegs))
            if len(pairs) == 1:
                first = int(both[1])
                second = int(both[3])
                yield both.end(), (first, second) if pairs[0] else (second, first)
        if (one := _ONE.match(self._text, at)) and (roles := _roles(one[2], pegs)):
            count = int(one[1])
            is_bull = roles[0] is _BULL or self._rules.bulls_only
            yield one.end(), (count, 0) if is_bull else (0, count)
        if marks := _MARKS.match(self._text, at):
            yield marks.end(), (len(marks[1]), len(marks[2]))
        if self._rules.bulls_only and (lone := _LONE.match(self._text, at)):
            yield lone.end(), (int(lone[0]), 0)
        elif none := _NONE.match(self._text, at):
            yield none.end(), (0, 0)

    def _note(self, at: int, number: int, flaw: str, part: str = "") -> None:
        """Keep the failure that comes last in the text: all before it can be read."""
        if at > self._failed_at:
            self._failed_at = at
            text = self._text[at : self._next(at)].strip()
            self._error = UnreadableTurnError(number, text[:SHOWN], flaw, part[:SHOWN])

    def _next(self, at: int) -> int:
        """Return where the turn after one that can't be read begins, or the line ends."""
        line = self._text.find("\n", at)
        end = len(self._text) if line < 0 else line
        for gap in re.finditer(r"[\s,;|–—-]+", self._text[at:end]):
            guess, place = self._guess_at(at + gap.end())
            answer = self._answers_at(_end(_LINK.match(self._text, place)))
            if gap.start() and guess is not None and next(answer, None):
                return at + gap.start()
        return end


def _roles(word: str, pegs: bool) -> tuple[bool, ...]:
    """Return what a word may stand for, the likelier first: bulls, cows or both."""
    if word.lower() == "б":
        return (_COW, _BULL) if pegs else (_BULL, _COW)
    return next((roles for words, roles in _WORDS if words.fullmatch(word.lower())), ())


def _parted(first: tuple[bool, ...], second: tuple[bool, ...]) -> list[bool]:
    """Return whether the first of two words stands for bulls, for each way to tell them apart."""
    return [role for role, other in product(first, second) if role is not other]


def _end(match: re.Match[str] | None) -> int:
    assert match is not None
    return match.end()
