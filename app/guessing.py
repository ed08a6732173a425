"""The game the other way round as a value: the secret of a puzzle, and the visitor's guesses.

It is written in a URL as ``/guess/p4c10n/k3f9/0123-4567``: rules, seed, guesses.  The answers and
all else follow from that, so nothing is stored, Back is undo, and an address without guesses is the
same puzzle for whoever gets the link.  What aided the visitor follows in the query (see `app.aid`).

The secret is number ``n mod size`` of the codes in lexicographic order, where n is the SHA-256 hash
of the text ``bullscows/guess/RULES/SEED``, read as a number with the most significant byte first.
Its 256 bits spread over all codes evenly to 70 decimal places.  Whoever wants to can work the
secret out: a visitor plays for himself, and there is no key to lose.  Pages with a link to share
and the description of the API say so (see docs/puzzles.md).
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, partial
from hashlib import sha256
from typing import Literal

from app.aid import UNAIDED, Aid
from app.daily import day_of
from app.library import Entry, Library
from engine.game.rules import (
    SYMBOLS,
    Answer,
    AnswerIndex,
    CodeError,
    CodeIndex,
    Rules,
)
from engine.tree.strategy_tree import Candidates

MAX_SEED = 32
"""The longest seed."""
MAX_GUESSES = 30
"""The most guesses of a game, several times what any player needs; after them it is lost."""

_SEED = re.compile(r"[0-9a-z]+(?:-[0-9a-z]+)*")
_DRAWN = "0123456789bcdfghjkmnpqrstvwxyz"
"""What drawn seeds are made of: no vowels, so they spell nothing."""
_DRAWN_LENGTH = 7


class UnknownGameError(LookupError):
    """No tree of this server plays a game of this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no tree here plays {name[:20]!r}")
        self.name = name


class MalformedPuzzleError(ValueError):
    """A text that is no seed, or more guesses than a game has."""


Flaw = Literal["empty", "gap", "length", "symbol", "repeated", "again"]
"""What is wrong with a guess: nothing written; a place left empty; too short or too long; a
character that is no symbol of the game; a symbol twice where none repeats; asked before."""


class GuessError(CodeError):
    """A text that can't be guessed, and in what way."""

    def __init__(self, rules: Rules, flaw: Flaw, text: str, *, part: str = "", turn: int = 0):
        super().__init__(f"invalid guess {text[:20]!r} in {rules}: {flaw} {part}".rstrip())
        self.rules = rules
        self.flaw = flaw
        self.text = text
        self.part = part
        """The symbol, or the number of the place, that is wrong."""
        self.turn = turn
        """When it was asked before."""


def entry_of(library: Library, rules: str) -> Entry:
    """Return the first tree of a game: what its guesses are held against.

    Raises
    ------
    UnknownGameError
        If no tree plays the game.
    """
    entry = next((entry for entry in library if str(entry.rules) == rules), None)
    if entry is None:
        raise UnknownGameError(rules)
    return entry


@dataclass(frozen=True)
class Puzzle:
    """A secret to guess; make one with `draw`, `of_day` or `parse`."""

    entry: Entry
    """The tree of the game that guesses are held against."""
    seed: str
    """What the secret follows from."""

    @classmethod
    def draw(cls, entry: Entry) -> Puzzle:
        """Return a new puzzle: one of 21,870,000,000, each as likely."""
        return cls(entry, "".join(secrets.choice(_DRAWN) for _ in range(_DRAWN_LENGTH)))

    @classmethod
    def of_day(cls, entry: Entry, day: date) -> Puzzle:
        """Return the puzzle that everybody gets on a day."""
        return cls(entry, day.isoformat())

    @classmethod
    def parse(cls, library: Library, rules: str, seed: str) -> Puzzle:
        """Read two parts of a URL.

        Raises
        ------
        UnknownGameError
            If no tree plays the game.
        MalformedPuzzleError
            If the seed is not 1 to `MAX_SEED` small letters and digits, hyphens between them.
        NoDayError
            If the seed is a date that does not exist.
        """
        entry = entry_of(library, rules)
        if len(seed) > MAX_SEED or not _SEED.fullmatch(seed):
            raise MalformedPuzzleError(
                f"a seed has 1 to {MAX_SEED} small letters and digits, as in k3f9"
            )
        day_of(seed)
        return cls(entry, seed)

    @property
    def rules(self) -> Rules:
        """The rules of its game."""
        return self.entry.rules

    @property
    def path(self) -> str:
        """Its URL below `/guess/`."""
        return f"{self.rules}/{self.seed}"

    @property
    def day(self) -> date | None:
        """The day whose puzzle this is, if it is any's."""
        return day_of(self.seed)

    @cached_property
    def secret(self) -> CodeIndex:
        """The code to guess."""
        text = f"bullscows/guess/{self.path}"
        return int.from_bytes(sha256(text.encode()).digest(), "big") % self.rules.size


@dataclass(frozen=True)
class Asked:
    """A guess that was made, with its answer."""

    number: int
    """1 for the first."""
    guess: CodeIndex
    """What was asked."""
    answer: AnswerIndex
    """What the secret answers."""
    before: Candidates
    """What the secret could be before, ascending."""
    after: Candidates
    """What it could be afterwards."""


@dataclass(frozen=True)
class Guessing:
    """A game in which the visitor guesses."""

    puzzle: Puzzle
    """What is guessed."""
    guesses: tuple[CodeIndex, ...] = ()
    """The guesses so far; none follows the secret."""
    gave_up: bool = False
    """Whether the visitor asked for the secret without having found it."""
    aid: Aid = UNAIDED
    """What aided the visitor; no guess taken back is one of `guesses`."""

    @classmethod
    def parse(
        cls,
        library: Library,
        rules: str,
        seed: str,
        guesses: str = "",
        *,
        gave_up: bool = False,
        aid: str = "",
    ) -> Guessing:
        """Read the parts of a URL; what follows the guess that is the secret is left out.

        `aid` has to have the form of `app.aid.PATTERN`.

        Raises
        ------
        UnknownGameError, MalformedPuzzleError
            If there is no such puzzle, or there are more than `MAX_GUESSES` guesses.
        GuessError
            If a guess, or one that was taken back, is no code.
        """
        game = cls(Puzzle.parse(library, rules, seed))
        texts = guesses.split("-") if guesses else []
        if len(texts) > MAX_GUESSES:
            raise MalformedPuzzleError(f"a game has at most {MAX_GUESSES} guesses")
        for code in [read(game.rules, text) for text in texts]:
            if not game.is_over:
                game = game.after(code)
        aided = Aid.parse(aid, partial(read, game.rules)).beside(game.guesses)
        return cls(game.puzzle, game.guesses, gave_up and not game.is_over, aided)

    def after(self, guess: CodeIndex) -> Guessing:
        """Return the game after another guess."""
        guesses = (*self.guesses, guess)
        return Guessing(self.puzzle, guesses, aid=self.aid.beside(guesses))

    def before(self, number: int) -> Guessing:
        """Return the game before guess `number`: later ones are taken back, the end stays known."""
        guesses, undone = self.guesses[: number - 1], self.guesses[number - 1 :]
        aid = self.aid.without(*(guess for guess in undone if guess != self.puzzle.secret))
        aid = aid.told() if self.is_over else aid
        return Guessing(self.puzzle, guesses, aid=aid.beside(guesses))

    def given_up(self) -> Guessing:
        """Return the game with the secret told."""
        return replace(self, gave_up=True)

    def hinted(self) -> Guessing:
        """Return the game with hints for the next guess."""
        return replace(self, aid=self.aid.hinted(len(self.guesses) + 1))

    def again(self) -> Guessing:
        """Return the puzzle from its start, for whoever has seen its end."""
        return Guessing(self.puzzle, aid=Aid(known=True))

    def ask(self, text: str) -> Guessing:
        """Return the game after the guess that a visitor wrote; spaces and capitals don't matter.

        Raises
        ------
        GuessError
            If that is no code, or was asked before.
        """
        text = "".join(text.split()).lower()
        guess = read(self.rules, text)
        if guess in self.guesses:
            raise GuessError(self.rules, "again", text, turn=self.guesses.index(guess) + 1)
        return self.after(guess)

    # -- what is known -------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.puzzle.rules

    @property
    def path(self) -> str:
        """Its URL below `/guess/`."""
        guesses = "-".join(map(self.rules.text, self.guesses))
        parts = (self.puzzle.path, guesses, "reveal" if self.gave_up else "")
        return "/".join(filter(None, parts))

    @property
    def is_found(self) -> bool:
        """Whether the last guess is the secret."""
        return bool(self.guesses) and self.guesses[-1] == self.puzzle.secret

    @property
    def is_judged(self) -> bool:
        """Whether its figures say something of the visitor: not if other answers helped."""
        return not (self.aid.known or self.aid.undone)

    @property
    def made(self) -> int:
        """How many guesses were made, those taken back included."""
        return len(self.guesses) + len(self.aid.undone)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to guess, or no guess is left."""
        return self.is_found or self.gave_up or len(self.guesses) == MAX_GUESSES

    @cached_property
    def turns(self) -> tuple[Asked, ...]:
        """The guesses with their answers, oldest first."""
        rules, turns = self.rules, []
        candidates: Candidates = tuple(range(rules.size))
        for number, guess in enumerate(self.guesses, start=1):
            answer = rules.respond(guess, self.puzzle.secret)
            after = tuple(rules.partition(guess, candidates)[answer])
            turns.append(Asked(number, guess, answer, candidates, after))
            candidates = after
        return tuple(turns)

    @property
    def answers(self) -> tuple[AnswerIndex, ...]:
        """The answers so far."""
        return tuple(turn.answer for turn in self.turns)

    @property
    def candidates(self) -> Candidates:
        """The codes that fit all answers, ascending."""
        return self.turns[-1].after if self.turns else tuple(range(self.rules.size))

    @property
    def remaining(self) -> int:
        """How many codes fit all answers."""
        return len(self.candidates)


def contradicted(
    rules: Rules, turns: Sequence[Asked], code: CodeIndex
) -> list[tuple[Asked, Answer]]:
    """Return the turns whose answers rule a code out, with what it would have answered."""
    return [
        (turn, rules.answers[answer])
        for turn in turns
        if (answer := rules.respond(turn.guess, code)) != turn.answer
    ]


def read(rules: Rules, text: str) -> CodeIndex:
    """Return the code that a text is; raise `GuessError`, which says in what way it is none."""
    if not text:
        raise GuessError(rules, "empty", text)
    if len(text) == rules.positions and "_" in text:
        raise GuessError(rules, "gap", text, part=str(text.index("_") + 1))
    for character in text:
        if character not in SYMBOLS[: rules.symbols]:
            raise GuessError(rules, "symbol", text, part=character)
    if len(text) != rules.positions:
        raise GuessError(rules, "length", text, part=str(len(text)))
    for character in text:
        if not rules.repeats and text.count(character) > 1:
            raise GuessError(rules, "repeated", text, part=character)
    return rules.parse_code(text)
