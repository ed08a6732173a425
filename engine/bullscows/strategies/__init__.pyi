from .duel import Champions, NoChampionError, Reply, best_reply, champions
from .hybrids.search import HYBRIDS, Hybrid, HybridSearch, PlanError
from .narrowed.beam import BeamSearch
from .narrowed.k_way import KWaySearch
from .narrowed.pigeonhole import fullest_hole, least_worst_parts
from .narrowed.worst_first import WorstFirst, worst_first
from .rules.all_ties import BestOfTies
from .rules.guess_comparison import GuessComparison, compare_guess
from .rules.least_frequent import LEAST_FREQUENT, READINGS, LeastFrequent, Reading, symbol_counts
from .rules.one_step import HEURISTICS, FirstCandidate, Heuristic, heuristic_tree
from .rules.random_candidate import ExpectedLengths, RandomCandidate, TooManyCandidatesError
from .rules.ranking import Ranking, rank
from .static_game import StaticSet, StaticTooLargeError, static_set

__all__ = [
    "HEURISTICS",
    "HYBRIDS",
    "LEAST_FREQUENT",
    "READINGS",
    "BeamSearch",
    "BestOfTies",
    "Champions",
    "ExpectedLengths",
    "FirstCandidate",
    "GuessComparison",
    "Heuristic",
    "Hybrid",
    "HybridSearch",
    "KWaySearch",
    "LeastFrequent",
    "NoChampionError",
    "PlanError",
    "RandomCandidate",
    "Ranking",
    "Reading",
    "Reply",
    "StaticSet",
    "StaticTooLargeError",
    "TooManyCandidatesError",
    "WorstFirst",
    "best_reply",
    "champions",
    "compare_guess",
    "fullest_hole",
    "heuristic_tree",
    "least_worst_parts",
    "rank",
    "static_set",
    "symbol_counts",
    "worst_first",
]
