from .beam import BeamSearch
from .guess_comparison import GuessComparison, compare_guess
from .hybrids import HYBRIDS, Hybrid, HybridSearch, PlanError
from .k_way import KWaySearch
from .one_step import HEURISTICS, Heuristic, heuristic_tree
from .ranking import Ranking, rank

__all__ = [
    "HEURISTICS",
    "HYBRIDS",
    "BeamSearch",
    "GuessComparison",
    "Heuristic",
    "Hybrid",
    "HybridSearch",
    "KWaySearch",
    "PlanError",
    "Ranking",
    "compare_guess",
    "heuristic_tree",
    "rank",
]
