from .duel import Champions, NoChampionError, Reply, best_reply, champions
from .hybrids.search import HYBRIDS, Hybrid, HybridSearch, PlanError
from .narrowed.beam import BeamSearch
from .narrowed.k_way import KWaySearch
from .rules.guess_comparison import GuessComparison, compare_guess
from .rules.one_step import HEURISTICS, Heuristic, heuristic_tree
from .rules.ranking import Ranking, rank

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
