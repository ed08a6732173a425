"""Games in which only the visitor guesses: a friend's encrypted code, or an adversary.

The adversary has no code.  It gives the consistent answer that prolongs the game most or, if the
search is not finished, the one that leaves the most codes.  The URL contains guesses and answers,
for example ``0123:0.1-1456:1.1``, so a reload shows the same game; contradictory turns are
rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bullscows.game.candidates import candidates
from bullscows.game.history import History
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.symmetry import IndexArray
from bullscows_web.duel.duel import MAX_TURNS
from bullscows_web.guess.typed_guess import read, read_new
from bullscows_web.trees.position import parse_answer
from bullscows_web.web.errors import MalformedError


@dataclass(frozen=True)
class SoloGame:
    """A game in which only the visitor guesses."""

    history: History
    """The guesses with their answers."""

    @classmethod
    def of_code(cls, rules: Rules, code: CodeIndex, guesses: str) -> SoloGame:
        """Parse guesses of a code; guesses after the code are ignored.

        Raises `GuessError` or `MalformedError` if one is no code of the game, or there are too
        many.
        """
        found: list[CodeIndex] = []
        for guess in [read(rules, text) for text in _listed(guesses)]:
            if code not in found:
                found.append(guess)
        turns = [(guess, rules.respond(guess, code)) for guess in found]
        return cls(History(rules, tuple(turns)))

    @classmethod
    def of_turns(cls, rules: Rules, turns: str) -> SoloGame:
        """Read guesses with their answers.

        Raises `GuessError` or `MalformedError` if one is none of the game, there are too many, or
        no code fits all answers.
        """
        parts = [text.partition(":") for text in _listed(turns)]
        pairs = [(read(rules, guess), parse_answer(rules, answer)) for guess, _, answer in parts]
        game = cls(History(rules, tuple(pairs)))
        if not len(game.left):
            raise MalformedError("turns", f"no code fits all {len(pairs)} answers")
        if any(answer == rules.win for _, answer in pairs[:-1]):
            raise MalformedError("turns", "turns follow the end of the game")
        return game

    def ask(self, text: str) -> CodeIndex:
        """Return the guess that a visitor wrote; raise `GuessError` if it is none, or was made."""
        return read_new(self.rules, text, self.history.guesses)

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.history.rules

    @property
    def is_found(self) -> bool:
        """Whether the last guess was right."""
        return bool(self.history) and self.history[-1][1] == self.rules.win

    @property
    def is_over(self) -> bool:
        """Whether the secret is found or no guess is left."""
        return self.is_found or len(self.history) >= MAX_TURNS

    @cached_property
    def left(self) -> IndexArray:
        """The codes that fit all answers, ascending."""
        return candidates(self.rules, self.history)

    def moves(self, *, is_adversary: bool) -> str:
        """Return the turns for the URL; answers are included for the adversary only."""
        texts = self.history.texts if is_adversary else map(self.rules.text, self.history.guesses)
        return "-".join(texts)


def _listed(text: str) -> Sequence[str]:
    texts = text.split("-") if text else []
    if len(texts) > MAX_TURNS:
        raise MalformedError("turns", f"a game has at most {MAX_TURNS} guesses")
    return texts
