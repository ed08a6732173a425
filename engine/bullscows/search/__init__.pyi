from .anytime import AnytimeSearch
from .fronts import FrontSearch, pareto_front
from .points import Point
from .position import (
    Counters,
    GuessError,
    HorizonError,
    Position,
    Progress,
    SearchError,
    Techniques,
)
from .search import Search
from .solution import Solution
from .solver import solve

__all__ = [
    "AnytimeSearch",
    "Counters",
    "FrontSearch",
    "GuessError",
    "HorizonError",
    "Point",
    "Position",
    "Progress",
    "Search",
    "SearchError",
    "Solution",
    "Techniques",
    "pareto_front",
    "solve",
]
