from .brackets import Squeeze
from .fronts import FrontSearch, Point, pareto_front
from .position import (
    GuessError,
    HistoryError,
    HorizonError,
    Outcome,
    Position,
    Progress,
    SearchError,
    Statistics,
    Techniques,
)
from .search import Search
from .solution import Solution
from .solver import solve

__all__ = [
    "FrontSearch",
    "GuessError",
    "HistoryError",
    "HorizonError",
    "Outcome",
    "Point",
    "Position",
    "Progress",
    "Search",
    "SearchError",
    "Solution",
    "Squeeze",
    "Statistics",
    "Techniques",
    "pareto_front",
    "solve",
]
