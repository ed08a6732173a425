"""What a worker does: answer one question within a budget and a time, and say what it proved.

This runs in processes that may be killed at any moment, here or on other machines, so it takes
text and returns a value, and keeps nothing but what makes the next task quicker: the tables of
the games that it has met.
"""

from __future__ import annotations

import threading
import time

from engine.objective import INFINITE
from engine.questions import Question
from engine.search import Position, Search
from engine.store import Result
from engine.table import ResponseTable

_GAMES_KEPT = 2

_kept = threading.local()  # a worker of a cluster may run several threads; a Search serves one


def perform(question: str, budget: int, seconds: float | None) -> Result:
    """Find the value of a position if it is at most `budget`, else prove that it is more.

    With an exact value comes the tree.  After `seconds` of the processor's time, whatever else the
    machine does, the result is what is proven by then, and says so (`Result.sliced`).

    Raises
    ------
    ValueError
        If the question makes no sense, or no search can answer it.
    """
    started = time.process_time()
    asked = Question.parse(question)
    search = _search(asked)
    position = Position.after(search.table, asked.history)
    outcome = search.value(position, budget=min(budget, INFINITE - 1), time_limit=seconds)
    lower = min(outcome.lower, INFINITE)
    upper = INFINITE if lower >= INFINITE else outcome.upper
    guesses = None
    if upper is not None and upper <= lower < INFINITE:
        guesses = " ".join(str(node.guess) for node in search.tree(position).nodes)
    unfinished = lower <= budget and (upper is None or upper > lower)
    return Result(lower, upper, unfinished, guesses, time.process_time() - started)


def _search(question: Question) -> Search:
    """Return the search of the question's game and objective; the last few are kept warm."""
    searches: dict[tuple[str, str, int | None], Search] | None
    searches = getattr(_kept, "searches", None)
    if searches is None:
        searches = _kept.searches = {}
    name = (str(question.rules), question.objective, question.max_turns)
    search = searches.pop(name, None)
    if search is None:
        search = Search(_table(question), question.weights(), clock=time.process_time)
        while len(searches) >= _GAMES_KEPT:
            searches.pop(next(iter(searches)))
    searches[name] = search
    return search


def _table(question: Question) -> ResponseTable:
    table: ResponseTable | None = getattr(_kept, "table", None)
    if table is None or table.rules != question.rules:
        table = _kept.table = ResponseTable.of(question.rules)
    return table
