"""A puzzle: a secret that follows from the rules and a seed, so that nothing is stored.

The secret is number ``n mod size`` of the codes in lexicographic order, where n is the SHA-256 hash
of the text ``bullscows/guess/RULES/SEED``, read as a number with the most significant byte first.
Its 256 bits spread over all codes evenly to 70 decimal places.  Anyone can compute the secret:
players play for themselves, and there is no key to lose.  Pages with a link to share and the
description of the API say so (see docs/reference/puzzles.md).

The seed of the puzzle of a day is its date, such as ``2026-11-21``.  Days are those of UTC for
everybody, so that all get the same puzzle at the same moment: it opens at midnight UTC and stays
open.  The harder puzzle of a week has the date of its Monday.

The best guess known in a position of a puzzle needs no search.  A game stands *on the tree* as long
as its guesses are the tree's, up to symmetry.  Off the tree, Larmouth's rule ranks all guesses (see
`bullscows.strategies.one_step`).
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Annotated

from fastapi import Depends

from bullscows.game.history import History, candidates
from bullscows.game.objective import mean_turns
from bullscows.game.rules import CodeIndex, Rules, RulesError
from bullscows.strategies.ranking import rank
from bullscows.tree.lookup import find_image
from bullscows_web.trees.library import Entry, Library, LibraryDep
from bullscows_web.web.exceptions import MalformedError, NotFoundError, NotOpenError

FIRST = date(2026, 1, 1)
"""The first day that has a puzzle, the first of a month."""

WEEKLY = Rules(5, 8, False)
"""The game of the weekly puzzle. Its tree is proved optimal, so every guess is judged exactly."""
MAX_SEED = 32
"""The longest seed."""
MAX_CODES = 200_000
"""The most codes of a game, among them six of ten digits; the first page takes 30 ms of it."""
MAX_GUESSES = 30
"""The most guesses of a game, several times what any player needs; after them it is lost."""

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SEED = re.compile(r"[0-9a-z]+(?:-[0-9a-z]+)*")
_DRAWN = "0123456789bcdfghjkmnpqrstvwxyz"
"""Characters of drawn seeds: without vowels they spell no words."""
_DRAWN_LENGTH = 7


def entry_of(library: Library, rules: str) -> Entry:
    """Return the first tree of a game, or raise `NotFoundError` if no tree plays it."""
    entries = library.of(rules)
    if not entries:
        raise NotFoundError("unknown-game", rules)
    return entries[0]


async def rules_of(library: LibraryDep, rules: str) -> Rules:
    """Return the game in a path; raise `NotFoundError` if no tree plays it."""
    return entry_of(library, rules).rules


RulesDep = Annotated[Rules, Depends(rules_of)]


@dataclass(frozen=True)
class Puzzle:
    """A secret to guess; make one with `draw`, `of_day` or `parse`."""

    rules: Rules
    seed: str
    """The seed that the secret follows from."""
    tree: Entry | None
    """The first tree of the game, which guesses are compared with; None if no tree plays it."""

    @classmethod
    def draw(cls, library: Library, rules: str) -> Puzzle:
        """Return one of 21,870,000,000 puzzles, each as likely, or raise `NotFoundError`."""
        seed = "".join(secrets.choice(_DRAWN) for _ in range(_DRAWN_LENGTH))
        return cls.parse(library, rules, seed)

    @classmethod
    def of_day(cls, entry: Entry, day: date) -> Puzzle:
        """Return the puzzle that everybody gets on a day."""
        return cls(entry.rules, day.isoformat(), entry)

    @classmethod
    def parse(cls, library: Library, rules: str, seed: str) -> Puzzle:
        """Read two parts of a URL.

        Raises `NotFoundError` if there is no such game, or it has more than `MAX_CODES` codes and
        no tree. Raises `MalformedError` if the seed is not 1 to `MAX_SEED` small letters and
        digits, hyphens between them, or a date that does not exist.
        """
        tree = next(iter(library.of(rules)), None)
        game = tree.rules if tree else small_game(rules)
        if len(seed) > MAX_SEED or not _SEED.fullmatch(seed):
            message = f"a seed has 1 to {MAX_SEED} small letters and digits, for example k3f9"
            raise MalformedError("malformed-puzzle", message)
        day_of(seed)
        return cls(game, seed, tree)

    @property
    def entry(self) -> Entry:
        """The tree of a game that has one."""
        assert self.tree is not None, "callers check it"
        return self.tree

    @property
    def path(self) -> str:
        """Its URL below `/guess/`."""
        return f"{self.rules}/{self.seed}"

    @property
    def day(self) -> date | None:
        """The day whose puzzle this is, if it is any's."""
        return day_of(self.seed)

    @property
    def is_weekly(self) -> bool:
        """Whether it is the puzzle of a week."""
        return self.day is not None and self.rules == WEEKLY

    @cached_property
    def secret(self) -> CodeIndex:
        """The code to guess."""
        text = f"bullscows/guess/{self.path}"
        return int.from_bytes(sha256(text.encode()).digest(), "big") % self.rules.size

    @property
    def needs(self) -> int:
        """The turn at which the tree finds the code."""
        return len(self.entry.tree.play(self.secret))


def small_game(text: str) -> Rules:
    """Return a game of at most `MAX_CODES` codes, or raise `NotFoundError`."""
    try:
        rules = Rules.parse(text)
    except RulesError:
        raise NotFoundError("unknown-game", text) from None
    if str(rules) != text or rules.size > MAX_CODES:
        raise NotFoundError("unknown-game", text)
    return rules


# -- days --------------------------------------------------------------------------------------


def day_of(seed: str) -> date | None:
    """Return the day of a seed, or None; raise `MalformedError` if no such date exists."""
    if not _DATE.fullmatch(seed):
        return None
    try:
        return date.fromisoformat(seed)
    except ValueError:
        raise MalformedError("no-day", f"the calendar has no day {seed}") from None


def current(rules: Rules, today: date) -> date:
    """Return the day of a game's newest puzzle: today, or the Monday before of a weekly game."""
    return today - timedelta(days=today.weekday()) if rules == WEEKLY else today


def opening(day: date) -> datetime:
    """Return when the puzzle of a day opens."""
    return datetime.combine(day, time(), UTC)


def check(day: date, today: date) -> None:
    """Raise `NotFoundError` before the first day, and `NotOpenError` after today."""
    if day < FIRST:
        raise NotFoundError("no-puzzle", str(day))
    if day > today:
        raise NotOpenError(day, opening(day))


async def get_today() -> date:
    """Return the date in UTC, as a dependency."""
    return datetime.now(UTC).date()


TodayDep = Annotated[date, Depends(get_today)]


# -- advice ------------------------------------------------------------------------------------

MAX_COMPARED = 8000
"""The most codes of a game whose guesses are compared."""
MAX_ANSWERS = 2_000_000
"""The most answers of candidates to guesses that are worked out, where symmetry helps no more."""
SYMMETRIC_TURNS = 2
"""Number of different guesses up to which most guesses are equivalent to another."""
KEPT = 4096
"""For how many positions the best guess is kept: a few hundred bytes each."""


@dataclass(frozen=True)
class Advice:
    """The best guess known in a position."""

    guess: CodeIndex
    to_go: float | None
    """How many guesses the tree then needs on average, this one included; None off the tree, where
    the guess is the most informative one."""


def advice(puzzle: Puzzle, history: History) -> Advice | None:
    """Return the best guess known after some turns: the tree's, or the most informative one.

    None off the tree where comparing all guesses takes too long.
    """
    image = find_image(puzzle.tree.tree, history) if puzzle.tree else None
    if puzzle.tree and image:
        node = image.node
        to_go = mean_turns(puzzle.tree.tree.distribution_at(node)[node.turn - 1 :])
        return Advice(image.guess, to_go)
    guess = _most_informative(history)
    return None if guess is None else Advice(guess, None)


@lru_cache(maxsize=KEPT)
def _most_informative(history: History) -> CodeIndex | None:
    rules = history.rules
    if rules.size > MAX_COMPARED:
        return None
    left = candidates(rules, history)
    is_symmetric = len({guess for guess, _ in history}) <= SYMMETRIC_TURNS
    if not is_symmetric and len(left) * rules.size > MAX_ANSWERS:
        return None
    ranking = rank(history, left, "larmouth")
    return ranking.guesses[0] if ranking.complete else None
