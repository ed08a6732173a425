"""The game in which you guess, as a value: the secret of a puzzle, and your guesses.

It is written in a URL as ``/guess/p4c10n/k3f9/0123-4567``: rules, seed, guesses.  The answers
follow from that, so nothing is stored, Back is undo, and an address without guesses shares the
puzzle.  The query has the options of the game, for example ``?limit=10&hard=on``, and the help that
the player used, after ``help=``: the turns at which hints were shown, the guesses that were taken
back although their answers had been seen, and whether the secret was known before it was found.
For example, ``h1-3.u0123-4567.k`` is two hints, two guesses taken back, and a known secret.  Empty
parts are left out; the address of a game without help has no such part.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Annotated

from fastapi import Depends, Query

from bullscows.game.history import History, candidates
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.symmetry import IndexArray
from bullscows_web.guess.puzzle import MAX_GUESSES, Puzzle
from bullscows_web.guess.typed_guess import GuessError, read, read_new
from bullscows_web.language.catalogues import Language
from bullscows_web.review.reasons import contradictions
from bullscows_web.trees.library import Library
from bullscows_web.web.exceptions import MalformedError
from bullscows_web.web.frame import address_parts

LIMITS = range(8, 13)
"""The limits to choose from, as many as board games have rows."""
MAX_UNDONE = 60
"""The most guesses taken back that are remembered."""

_CODES = rf"[0-9a-f]{{1,8}}(-[0-9a-f]{{1,8}}){{0,{MAX_UNDONE - 1}}}"
_TURNS = r"[1-9][0-9]?(-[1-9][0-9]?){0,98}"
HELP_PATTERN = rf"^(h{_TURNS}(\.u{_CODES})?(\.k)?|u{_CODES}(\.k)?|k)?$"
"""The help in an address."""
_PARTS = re.compile(r"(?:h([^.]+))?\.?(?:u([^.]+))?\.?(k)?")


@dataclass(frozen=True)
class Options:
    """The options of a game."""

    limit: int | None = None
    """The turn after which the game is lost, one of `LIMITS`; None for no limit."""
    hard: bool = False
    """Whether a guess has to fit all answers so far."""

    @property
    def query(self) -> dict[str, str]:
        """The options as part of a query; those that are not set are left out."""
        limit = {} if self.limit is None else {"limit": str(self.limit)}
        return limit | ({"hard": "on"} if self.hard else {})


STANDARD = Options()
"""No limit, any guess."""


async def options_of(
    limit: Annotated[str, Query(pattern="^([89]|1[0-2])?$")] = "",
    hard: Annotated[str, Query(pattern="^(on)?$")] = "",
) -> Options:
    """Read the options of a query; an empty one, as forms send it, is not set."""
    return Options(int(limit) if limit else None, hard == "on")


OptionsDep = Annotated[Options, Depends(options_of)]


@dataclass(frozen=True)
class HelpUsed:
    """Help used in a game."""

    hints: tuple[int, ...] = ()
    """The turns at which hints were shown, ascending."""
    undone: tuple[CodeIndex, ...] = ()
    """The guesses that were taken back, in the order in which they were."""
    known: bool = False
    """Whether the secret was shown before."""

    @classmethod
    def parse(cls, text: str, read: Callable[[str], CodeIndex]) -> HelpUsed:
        """Read a text that matches `HELP_PATTERN`; `read` parses a guess, and its errors pass."""
        found = _PARTS.fullmatch(text)
        assert found is not None, "the pattern of the address"
        hints, undone, known = found.groups()
        return cls(
            tuple(sorted({int(turn) for turn in address_parts(hints)})),
            tuple(dict.fromkeys(read(code) for code in address_parts(undone))),
            known is not None,
        )

    def text(self, rules: Rules) -> str:
        """Return the text that `parse` reads."""
        hints = "-".join(map(str, self.hints))
        undone = "-".join(map(rules.text, self.undone))
        parts = (hints and f"h{hints}", undone and f"u{undone}", "k" if self.known else "")
        return ".".join(filter(None, parts))

    def hinted(self, turn: int) -> HelpUsed:
        """Return the help used after hints at a turn too."""
        return replace(self, hints=tuple(sorted({*self.hints, turn})))

    def without(self, *guesses: CodeIndex) -> HelpUsed:
        """Return the help used after some guesses were taken back too."""
        undone = tuple(dict.fromkeys((*self.undone, *guesses)))
        return replace(self, undone=undone[:MAX_UNDONE])

    def in_game(self, guesses: tuple[CodeIndex, ...]) -> HelpUsed:
        """Return the help used in a game with these guesses, none of which is taken back."""
        return replace(self, undone=tuple(code for code in self.undone if code not in guesses))

    def words(self, language: Language) -> str:
        """Return the help used in words to follow the number of turns: ", 1 hint", or nothing."""
        ngettext = language.ngettext
        parts = []
        if self.known:
            parts = [language.gettext("the code was known already")]
        else:
            if hints := len(self.hints):
                parts += [
                    ngettext("%(number)d hint", "%(number)d hints", hints) % {"number": hints}
                ]
            if undone := len(self.undone):
                text = ngettext(
                    "%(number)d guess taken back", "%(number)d guesses taken back", undone
                )
                parts += [text % {"number": undone}]
        return "".join(f", {part}" for part in parts)


NO_HELP = HelpUsed()
"""Nothing."""


@dataclass(frozen=True)
class Guessing:
    """A game in which the visitor guesses."""

    puzzle: Puzzle
    guesses: tuple[CodeIndex, ...] = ()
    """The guesses so far; none follows the secret."""
    gave_up: bool = False
    """Whether the visitor asked for the secret without having found it."""
    help: HelpUsed = NO_HELP
    """Help used in the game; no guess taken back is one of `guesses`."""
    options: Options = STANDARD
    """Limit of turns and hard mode; in hard mode no guess contradicts an earlier answer."""

    @classmethod
    def parse(
        cls,
        library: Library,
        rules: str,
        seed: str,
        guesses: str = "",
        *,
        help: str = "",
        options: Options = STANDARD,
    ) -> Guessing:
        """Read the parts of a URL; what follows the last turn of the game is left out.

        `help` has to match `HELP_PATTERN`.  A game with a guess that contradicts an earlier answer
        is not in hard mode, whatever its options say.  Raises `NotFoundError` or `MalformedError`
        if there is no such puzzle, or there are more than `MAX_GUESSES` guesses.  Raises
        `GuessError` if a guess, or one that was taken back, is no code.
        """
        puzzle = Puzzle.parse(library, rules, seed)
        game = cls(puzzle, help=HelpUsed.parse(help, partial(read, puzzle.rules)), options=options)
        texts = address_parts(guesses)
        if len(texts) > MAX_GUESSES:
            raise MalformedError("malformed-puzzle", f"a game has at most {MAX_GUESSES} guesses")
        for code in [read(game.rules, text) for text in texts]:
            if not game.is_over:
                game = game.after(code)
        earlier = [History(game.rules, game.history[:turn]) for turn in range(len(game.guesses))]
        if options.hard and any(map(contradictions, earlier, game.guesses)):
            game = replace(game, options=replace(options, hard=False))
        return game

    def after(self, guess: CodeIndex) -> Guessing:
        """Return the game after another guess."""
        guesses = (*self.guesses, guess)
        return replace(self, guesses=guesses, help=self.help.in_game(guesses))

    def before(self, number: int) -> Guessing:
        """Return the game before guess `number`: later ones are taken back, the end stays known."""
        guesses = self.guesses[: number - 1]
        undone = self.guesses[number - 1 :]
        help = self.help.without(*(guess for guess in undone if guess != self.puzzle.secret))
        help = HelpUsed(known=True) if self.is_over else help.in_game(guesses)
        return replace(self, guesses=guesses, gave_up=False, help=help)

    def given_up(self) -> Guessing:
        """Return the game given up, with its secret shown; one that is over stays as it is."""
        return self if self.is_over else replace(self, gave_up=True)

    def hinted(self) -> Guessing:
        """Return the game with hints for the next guess."""
        return replace(self, help=self.help.hinted(len(self.guesses) + 1))

    def again(self) -> Guessing:
        """Return the puzzle from its start, with its secret known."""
        return Guessing(self.puzzle, help=HelpUsed(known=True), options=self.options)

    def ask(self, text: str) -> Guessing:
        """Return the game after the guess that a visitor wrote; spaces and capitals don't matter.

        Raises `GuessError` if that is no code, was asked before, or contradicts an answer in hard
        mode.
        """
        guess = read_new(self.rules, text, self.guesses)
        if self.options.hard:
            for number, instead in contradictions(self.history, guess):
                given = self.rules.answers[self.history[number - 1][1]]
                raise GuessError(
                    self.rules, "contradiction", text, turn=number, answers=(given, instead)
                )
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
        """Whether its figures measure the player: not if other answers helped."""
        return not (self.help.known or self.help.undone)

    @property
    def made(self) -> int:
        """How many guesses were made, those taken back included."""
        return len(self.guesses) + len(self.help.undone)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to guess, or no guess is left."""
        return self.is_found or self.gave_up or not self.turns_left

    @property
    def turns_left(self) -> int:
        """How many guesses are left; a guess taken back counts, except without a limit."""
        if self.options.limit is None:
            return MAX_GUESSES - len(self.guesses)
        return max(0, self.options.limit - (len(self.guesses) if self.help.known else self.made))

    @cached_property
    def history(self) -> History:
        """The guesses with the answers of the secret."""
        secret = self.puzzle.secret
        turns = [(guess, self.rules.respond(guess, secret)) for guess in self.guesses]
        return History(self.rules, tuple(turns))

    @cached_property
    def candidates(self) -> IndexArray:
        """The codes that fit all answers, (n,) int32 ascending."""
        return candidates(self.rules, self.history)

    @property
    def remaining(self) -> int:
        """How many codes fit all answers."""
        return len(self.candidates)
