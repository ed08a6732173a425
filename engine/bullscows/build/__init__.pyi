from .builder import build_by_tasks, build_record
from .catalogue import CATALOGUE, TreeSpec, spec
from .strategies import (
    DrawnError,
    Means,
    UnknownStrategyError,
    expected_lengths,
    names,
    strategy_tree,
)

__all__ = [
    "CATALOGUE",
    "DrawnError",
    "Means",
    "TreeSpec",
    "UnknownStrategyError",
    "build_by_tasks",
    "build_record",
    "expected_lengths",
    "names",
    "spec",
    "strategy_tree",
]
