"""The games as they stand on shelves: by the name on the box, or by their rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bullscows.game.rules import Rules
from bullscows_web.language.titles import N_
from bullscows_web.trees.library import Entry, Game

BOXES = {
    N_("Mastermind"): Rules(4, 6, True),
    N_("Super Mastermind"): Rules(5, 8, True),
    N_("Bulls & Cows"): Rules(4, 10, False),
    N_("Bulls & Cows with 3 digits"): Rules(3, 10, False),
    N_("Bulls & Cows with 5 digits"): Rules(5, 10, False),
    N_("No 0 at the front"): Rules(4, 10, False, leading_zero=False),
    N_("Digits may repeat"): Rules(4, 10, True),
}
"""The rules by the name of the box."""


@dataclass(frozen=True)
class Box:
    """A game by the name on its box."""

    name: str
    """What it is called, to be translated."""
    rules: Rules
    """Its rules."""
    entry: Entry | None
    """The tree that plays it first of all; None if none does: then the game can be analysed."""


def boxes(games: Sequence[Game]) -> list[Box]:
    """Return the games of all boxes, those of the shelf with a tree."""
    first = {game.rules: game.entries[0] for game in games}
    return [Box(name, rules, first.get(rules)) for name, rules in BOXES.items()]
