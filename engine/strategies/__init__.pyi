from .beam import BeamSearch
from .duel import Champions, NoChampionError, Reply, best_reply, champions
from .guess_comparison import GuessComparison, compare_guess
from .hybrids import HYBRIDS, Hybrid, HybridSearch, PlanError
from .k_way import KWaySearch
from .one_step import HEURISTICS, Heuristic, heuristic_tree
from .ranking import Ranking, rank

__all__ = [
    "HEURISTICS",
    "HYBRIDS",
    "BeamSearch",
    "Champions",
    "GuessComparison",
    "Heuristic",
    "Hybrid",
    "HybridSearch",
    "KWaySearch",
    "NoChampionError",
    "PlanError",
    "Ranking",
    "Reply",
    "best_reply",
    "champions",
    "compare_guess",
    "heuristic_tree",
    "rank",
]
