from .beam import BeamSearch
from .comparison import Rivals, rivals
from .hybrids import HYBRIDS, Hybrid, HybridSearch, PlanError
from .k_way import KWaySearch
from .one_step import HEURISTICS, Heuristic, heuristic_tree
from .ranking import Ranking, rank

__all__ = [
    "HEURISTICS",
    "HYBRIDS",
    "BeamSearch",
    "Heuristic",
    "Hybrid",
    "HybridSearch",
    "KWaySearch",
    "PlanError",
    "Ranking",
    "Rivals",
    "heuristic_tree",
    "rank",
    "rivals",
]
