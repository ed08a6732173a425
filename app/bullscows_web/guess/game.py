"""The game in which you guess, as a value: the secret of a puzzle, and your guesses.

It is written in a URL as ``/guess/p4c10n/k3f9/0123-4567``: rules, seed, guesses.  The answers
follow from that, so nothing is stored, Back is undo, and an address without guesses shares the
puzzle.  Aid is part of the query (see `bullscows_web.guess.aid`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from bullscows.game.responses import responses_between
from bullscows.game.rules import Answer, AnswerIndex, CodeIndex, Rules
from bullscows.game.symmetry import IndexArray
from bullscows_web.guess.aid import UNAIDED, Aid
from bullscows_web.guess.puzzle import MAX_GUESSES, Puzzle
from bullscows_web.guess.typed_guess import read, read_new
from bullscows_web.trees.library import Library
from bullscows_web.web.errors import MalformedError


@dataclass(frozen=True, eq=False)
class Asked:
    """A guess that was made, with its answer."""

    number: int
    """1 for the first."""
    guess: CodeIndex
    """The guess."""
    answer: AnswerIndex
    """The answer of the secret."""
    before: IndexArray
    """The candidates before it, (n,) int32 ascending."""
    after: IndexArray
    """The candidates after it, (n,) int32 ascending."""


@dataclass(frozen=True)
class Guessing:
    """A game in which the visitor guesses."""

    puzzle: Puzzle
    """The puzzle."""
    guesses: tuple[CodeIndex, ...] = ()
    """The guesses so far; none follows the secret."""
    gave_up: bool = False
    """Whether the visitor asked for the secret without having found it."""
    aid: Aid = UNAIDED
    """Aid in the game; no guess taken back is one of `guesses`."""

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

        `aid` has to have the form of `bullscows_web.guess.aid.PATTERN`.

        Raises
        ------
        NotFoundError, MalformedError
            If there is no such puzzle, or there are more than `MAX_GUESSES` guesses.
        GuessError
            If a guess, or one that was taken back, is no code.
        """
        game = cls(Puzzle.parse(library, rules, seed))
        texts = guesses.split("-") if guesses else []
        if len(texts) > MAX_GUESSES:
            raise MalformedError("puzzle", f"a game has at most {MAX_GUESSES} guesses")
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
        aid = aid.revealed() if self.is_over else aid
        return Guessing(self.puzzle, guesses, aid=aid.beside(guesses))

    def given_up(self) -> Guessing:
        """Return the game given up, with its secret shown."""
        return replace(self, gave_up=True)

    def hinted(self) -> Guessing:
        """Return the game with hints for the next guess."""
        return replace(self, aid=self.aid.hinted(len(self.guesses) + 1))

    def again(self) -> Guessing:
        """Return the puzzle from its start, with its secret known."""
        return Guessing(self.puzzle, aid=Aid(known=True))

    def ask(self, text: str) -> Guessing:
        """Return the game after the guess that a visitor wrote; spaces and capitals don't matter.

        Raises
        ------
        GuessError
            If that is no code, or was asked before.
        """
        return self.after(read_new(self.rules, text, self.guesses))

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
        """Whether its figures measure the player: not if other answers helped."""
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
        return answered(self.rules, self.guesses, self.puzzle.secret)

    @property
    def answers(self) -> tuple[AnswerIndex, ...]:
        """The answers so far."""
        return tuple(turn.answer for turn in self.turns)

    @property
    def candidates(self) -> IndexArray:
        """The codes that fit all answers, (n,) int32 ascending."""
        return self.turns[-1].after if self.turns else _all_codes(self.rules)

    @property
    def remaining(self) -> int:
        """How many codes fit all answers."""
        return len(self.candidates)


def answered(rules: Rules, guesses: Sequence[CodeIndex], secret: CodeIndex) -> tuple[Asked, ...]:
    """Return guesses with the answers of a secret, oldest first."""
    turns, before = [], _all_codes(rules)
    for number, guess in enumerate(guesses, start=1):
        answer = rules.respond(guess, secret)
        given = responses_between(rules, np.array([guess], dtype=np.int32), before)[0]
        after = before[given == answer]
        turns.append(Asked(number, guess, answer, before, after))
        before = after
    return tuple(turns)


def _all_codes(rules: Rules) -> IndexArray:
    return np.arange(rules.size, dtype=np.int32)


def contradicted(
    rules: Rules, turns: Sequence[Asked], code: CodeIndex
) -> list[tuple[Asked, Answer]]:
    """Return the turns whose answers rule a code out, with what it would have answered."""
    return [
        (turn, rules.answers[answer])
        for turn in turns
        if (answer := rules.respond(turn.guess, code)) != turn.answer
    ]
