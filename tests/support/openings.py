"""A tiny game with positions after one guess for every objective."""

from pathlib import Path

import pytest

from bullscows.game.rules import Rules
from bullscows.shipping import catalogue
from bullscows.shipping.catalogue import TreeSpec
from bullscows.shipping.openings import make

RULES = Rules.parse("p2c5r")
TURNS = 4
"""Enough after some first guesses only."""


def ship_a_tree(patch: pytest.MonkeyPatch) -> None:
    """Let a tree of the tiny game ship, so that its last turn is one that pages offer."""
    tree = TreeSpec("tiny", str(RULES), "average,last", TURNS, "exact")
    patch.setitem(catalogue.CATALOGUE, "tiny", tree)


def make_file(trees: Path) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        ship_a_tree(patch)
        make(RULES, trees)
    return trees / "openings" / f"{RULES}.json"
