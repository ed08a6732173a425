"""Trees of single questions by tasks."""

from typing import Any

from bullscows.game.question import Question
from bullscows.jobs.coordinator import optimal_trees
from bullscows.jobs.pools import Pool
from bullscows.jobs.store.store import Store
from bullscows.tree.strategy_tree import StrategyTree


def optimal_tree(question: Question, store: Store, pool: Pool, **options: Any) -> StrategyTree:
    """Return the optimal tree of one position."""
    return optimal_trees([question], store, pool, **options)[0]
