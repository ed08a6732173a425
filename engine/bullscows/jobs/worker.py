"""The worker: answers one question within a budget and a time, and returns what it proved.

This runs in processes that may be killed at any moment, here or on other machines, so it takes an
order and returns a result.  For later orders it keeps the last games in memory, and what it has
searched in the file of a transposition table, if the order names a folder.

The file is mapped into memory, whose pages belong to the system: the processes of one game share
them, and what a killed worker had written remains.  Nothing needs to be trusted: an entry with a
torn, flipped or zeroed word counts as empty (`bullscows.kernels.transposition`).
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import numpy as np

from bullscows import __version__
from bullscows.game.objective import INFINITE, Bounds
from bullscows.game.question import Question
from bullscows.jobs.plan import table_of
from bullscows.jobs.store.store import Result
from bullscows.kernels.workspace import Tables
from bullscows.search.bounding import Bounding, tree_of
from bullscows.search.position import Position
from bullscows.search.search import Search, table_bits_of
from bullscows.strategies.hybrids import HybridSearch, hybrid_of

_GAMES_KEPT = 2
_QUESTIONS_KEPT = 32

_kept = threading.local()  # a worker of a cluster may run several threads; a Search serves one


@dataclass(frozen=True)
class Order:
    """One turn at a task."""

    question: str
    budget: int
    """The value is wanted if it is at most this; otherwise a proof that it is more."""
    seconds: float | None = None
    """Processor time after which to return what is proved; None: no limit."""
    lower: int = 0
    """Known lower bound."""
    upper: int | None = None
    """The cost of a known strategy."""
    is_long: bool = False
    """Whether an earlier turn was too short.  Then bounds are sought from both sides."""
    threads: int = 1
    folder: str | None = None
    """Where to keep what was searched for the next turn; None: nowhere."""


@dataclass
class _Game:
    """A search that is kept, and its last long questions."""

    search: Search
    has_file: bool
    boundings: dict[tuple[str, int], Bounding] = field(default_factory=dict)


def perform(order: Order) -> Result:
    """Find the value of a position if it is at most a budget, else prove that it is more.

    With an exact value comes the tree.  After the order's time the result is what is proved by
    then; if what was searched is not kept for another turn, the question should be split
    (`Result.sliced`).  Raises `ValueError` if no search can answer the question.
    """
    started = time.process_time()
    asked = Question.parse(order.question)
    if asked.mde is not None:
        # A hybrid stores no bounds to continue from, so a time limit would lose all its work.
        found = HybridSearch(asked.rules, hybrid_of(asked)).value(asked.history.turns)
        cost = INFINITE if found is None else found
        return Result(cost, cost, seconds=time.process_time() - started)
    game = _game(asked, order)
    position = Position.after(game.search.table, asked.history)
    bounds = _bounds(game, position, asked, order)
    lower = min(bounds.lower, INFINITE)
    upper = INFINITE if lower >= INFINITE else bounds.upper
    guesses = None
    if upper is not None and upper <= lower < INFINITE and asked.first is None:
        guesses = " ".join(str(node.guess) for node in game.search.tree(position).nodes)
    unfinished = lower <= order.budget and (upper is None or upper > lower)
    sliced = unfinished and not game.has_file
    return Result(lower, upper, sliced, guesses, time.process_time() - started)


def _bounds(game: _Game, position: Position, asked: Question, order: Order) -> Bounds:
    """Search; a long question, or a single guess, by bounds from where the last turn ended."""
    budget = min(order.budget, INFINITE - 1)
    if asked.first is None and (not order.is_long or order.seconds is None):
        return game.search.value(position, budget=budget, time_limit=order.seconds)
    name = (order.question, budget)
    bounding = game.boundings.pop(name, None)
    if bounding is None:
        tree = tree_of(game.search, asked.history)
        option = None if asked.first is None else tree.option(tree.root, asked.first)
        bounding = Bounding(game.search, tree, option=option, budget=budget)
    bounding.learn(Bounds(order.lower, order.upper))
    game.boundings[name] = bounding
    while len(game.boundings) > _QUESTIONS_KEPT:
        game.boundings.pop(next(iter(game.boundings)))
    return bounding.bounds(order.seconds)


def _game(question: Question, order: Order) -> _Game:
    """Return the search of the question's game and objective; the last few are kept."""
    games: dict[tuple[object, ...], _Game] | None
    games = getattr(_kept, "games", None)
    if games is None:
        games = _kept.games = {}
    path = None if order.folder is None else path_of(Path(order.folder), question)
    name = (question.rules, question.objective, question.max_turns, order.threads, path)
    game = games.pop(name, None)
    if game is None:
        while len(games) >= _GAMES_KEPT:
            games.pop(next(iter(games)))
        table = table_of(question.rules)
        weights = question.weights()
        clock = time.process_time
        known = None if path is None else mapped_tables(path, table_bits_of(table.size))
        search = Search(table, weights, threads=order.threads, known=known, clock=clock)
        game = _Game(search, known is not None)
    games[name] = game
    return game


def folder_of(store: Path) -> Path:
    """Return the folder of the tables that belong to a store."""
    return store.with_name(store.name + "-tables")


def path_of(folder: Path, question: Question) -> Path:
    """Return the file for all positions of a question's game, with its objective and turns."""
    game = f"{__version__} {question.rules} {question.objective} {question.max_turns}"
    return folder / f"{sha256(game.encode()).hexdigest()[:32]}.table"


def mapped_tables(path: Path, bits: int) -> Tables | None:
    """Map the table of ``2**bits`` entries in a file, which is created if need be.

    Returns None if that fails, for example on a full disk; then a private table has to do.
    """
    size = 16 << bits  # two words of 8 bytes for each entry
    try:
        if not path.exists() or path.stat().st_size != size:
            _make(path, size)
        words = np.memmap(path, dtype=np.uint64, mode="r+", shape=(2, 1 << bits))
    except (OSError, ValueError):
        return None
    return np.asarray(words[0]), np.asarray(words[1])


def _make(path: Path, size: int) -> None:
    """Create an empty table, all of its blocks reserved: a mapped file must not lack any."""
    path.parent.mkdir(exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, size)
            else:  # Windows: a file that is extended gets its blocks
                file.truncate(size)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def discard(path: Path) -> None:
    """Remove a table, and its folder with the last one; processes that use it continue."""
    path.unlink(missing_ok=True)
    with suppress(OSError):
        path.parent.rmdir()
