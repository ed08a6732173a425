from .builder import Means, build_by_tasks, build_record, rule_record, strategy_tree
from .catalogue import CATALOGUE, TreeSpec, UnknownStrategyError, spec

__all__ = [
    "CATALOGUE",
    "Means",
    "TreeSpec",
    "UnknownStrategyError",
    "build_by_tasks",
    "build_record",
    "rule_record",
    "spec",
    "strategy_tree",
]
