"""Knowledge before a search: the strategies of shipped trees, and bounds by size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from bullscows.game.history import History, answer_counts
from bullscows.game.objective import INFINITE, Weights, cheapest
from bullscows.game.question import Question
from bullscows.game.response_table import all_codes
from bullscows.game.rules import CodeIndex
from bullscows.game.symmetry import representatives
from bullscows.tree.files import POSSIBLES_ONLY, read_tree
from bullscows.tree.lookup import find_image
from bullscows.tree.storage import RecordError, default_folder, load_record, tree_files


@dataclass(frozen=True)
class ShippedStrategy:
    """Strategy of a shipped tree in a position."""

    tree: str
    """The name of the tree."""
    guess: CodeIndex
    """Its guess, by the names of the position."""
    distribution: tuple[int, ...]
    """The candidates that it finds at turn 1, 2, ... of the game."""
    is_of_candidates: bool
    """Whether each guess is a candidate."""


def shipped_strategies(history: History) -> Iterator[ShippedStrategy]:
    """Yield what the shipped trees of the game do after a history, if they get there.

    A damaged file is left out: `bullscows verify` reports it.
    """
    for path in tree_files(default_folder()):
        with suppress(RecordError, OSError):
            if load_record(path).get("rules") != str(history.rules):
                continue
            file = read_tree(path)
            image = find_image(file.tree, history)
            if image is not None:
                yield ShippedStrategy(
                    file.name,
                    image.guess,
                    file.tree.distribution_at(image.node),
                    file.record.objective == POSSIBLES_ONLY,
                )


def unsearched_bound(question: Question, weights: Weights) -> int:
    """Return a lower bound on the cost of a position that takes no search.

    The candidates cost at least what their number allows.  At the start of a game the best guess
    of all costs at least what the sizes of its parts allow.
    """
    costs = (*weights.values, INFINITE) if weights.capped else weights.values

    @cache
    def least(size: int, turn: int) -> int:
        return min(cheapest(size, costs, question.answers - 1, turn), INFINITE)

    if question.history or question.secrets is not None:
        return least(len(question.candidates), question.turn)
    rules = question.rules
    secrets = all_codes(rules)
    parts = answer_counts(rules, secrets, representatives(rules, ())).tolist()
    bounds = [least(1, 1) + sum(least(size, 2) for size in sizes[:-1]) for sizes in parts]
    return min(*bounds, INFINITE)
