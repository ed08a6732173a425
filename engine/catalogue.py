"""The shipped trees by name: which game, which criterion, and how each is made."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from engine.treefile import NAME, Proof

_CHECKOUT = Path(__file__).resolve().parent.parent / "trees"
_PACKAGED = Path(__file__).resolve().parent.parent / "app" / "_data" / "trees"


class UnknownTreeError(ValueError):
    """A name that the catalogue does not have."""


@dataclass(frozen=True)
class TreeSpec:
    """How a shipped tree is made."""

    name: str
    """The file's name without ``.json``."""
    rules: str
    """The game, as in ``p4c10n``."""
    objective: str
    """The objective of the search, or the name of the one-step rule."""
    max_turns: int | None
    """The cap on turns, if any."""
    proof: Proof
    """``exact`` for a search, ``heuristic`` for a one-step rule followed throughout."""


def _rule(name: str, rules: str, rule: str) -> TreeSpec:
    return TreeSpec(name, rules, rule, None, "heuristic")


_SPECS = (
    _rule("crush-rule-bulls-cows", "p4c10n", "crush"),
    _rule("larmouth-rule-bulls-cows", "p4c10n", "larmouth"),
    _rule("crush-rule-mastermind", "p4c6r", "crush"),
    _rule("larmouth-rule-mastermind", "p4c6r", "larmouth"),
)

CATALOGUE: dict[str, TreeSpec] = {spec.name: spec for spec in _SPECS}
"""All shipped trees."""


def spec(name: str) -> TreeSpec:
    """Return the entry of a shipped tree; raise `UnknownTreeError` if there is none."""
    try:
        return CATALOGUE[name]
    except KeyError:
        raise UnknownTreeError(
            f"unknown tree {name[:40]!r}; known are {', '.join(CATALOGUE)}"
        ) from None


def default_folder() -> Path:
    """Return the folder of the trees.

    It is what BULLSCOWS_TREES says, else the checkout's `trees`, else the package's copy.
    """
    named = os.environ.get("BULLSCOWS_TREES")
    if named:
        return Path(named)
    return _CHECKOUT if _CHECKOUT.is_dir() else _PACKAGED


def tree_path(name_or_file: str, folder: Path) -> Path:
    """Return the file that a user means by a path or by a tree's name."""
    if NAME.fullmatch(name_or_file):
        return folder / f"{name_or_file}.json"
    return Path(name_or_file)
