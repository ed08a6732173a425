"""The atlas: least total, best first guesses and best worst case of games by their sizes.

Each game is one entry of ``trees/atlas.json``, which is written as soon as the game is done, so
that an interrupted run continues. ``proved`` means that an exhaustive search found no smaller
total; a ``bounded`` entry has the total of a strategy that was made, and a proved lower bound.
Games of more than `SEARCHED` codes are not searched (`bullscows.shipping.large_games`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from bullscows.game.objective import total_turns
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import MAX_POSITIONS, MAX_SYMBOLS, CodeIndex, Rules, RulesError
from bullscows.game.symmetry import representatives
from bullscows.game.timer import OutOfTimeError, ReportText, Timer
from bullscows.shipping.catalogue import CATALOGUE, checkpoint_bound, proved_lower
from bullscows.tree.files import read_tree, write_tree
from bullscows.tree.storage import (
    ATLAS,
    CHECKPOINTS,
    RecordError,
    check_folder,
    load_record,
    write_whole,
)

if TYPE_CHECKING:
    from bullscows.search.position_search import Search
    from bullscows.search.solution import Solution

LARGEST = 2_000_000
"""Codes of the largest games."""

SEARCHED = 20_000
"""Codes of the largest games that are searched."""

BULLS_ONLY = 1300
"""Codes of the largest games whose answers are bulls only."""

KINDS = ("n", "r", "z", "nb", "rb", "zb")
"""Endings of the names of the games."""

SMALL = 1000
"""Games of up to this many codes are proved without a time limit, but those of bulls only."""

BEAM = "beam-2-100"
"""The strategy of games that are not proved and have no better one among the shipped trees."""

_SHARE = 0.6
"""Share of the time limit for the total; the rest is for first guesses and the worst case."""


@dataclass(frozen=True)
class Entry:
    """Entry of one game in the atlas, in file order."""

    rules: str
    secrets: int
    """Number of codes."""
    status: Literal["proved", "bounded"]
    """Whether `total` is the least total."""
    total: int
    """Turns over all secrets of the best strategy known."""
    mean: float
    lower: int
    """Lower bound on the total of any strategy."""
    upper: int
    """Equals `total`."""
    worst: int | None
    """The least last turn of any strategy; None: not proved."""
    distribution: list[int]
    """Secrets that the strategy finds at turn 1, 2, ..."""
    first_guesses: list[str]
    """The strategy's first guess, then one of each other class of equivalent guesses that attains
    the total too; of a game that is not proved, only the strategy's."""
    nodes: int
    """Positions searched."""
    seconds: float
    estimated_hours: float | None = None
    """Of a game that is not proved, the processor time of the proof by tasks, if it was estimated:
    the mean of random draws (`bullscows.search.estimate`)."""
    estimate_error: float | None = None
    """The standard error of that mean; None if there was one draw."""
    estimate_draws: int | None = None

    @classmethod
    def of(cls, rules: Rules, found: Strategy, lower: int, **others: Any) -> Entry:
        """Return an entry whose status follows from its bounds."""
        total = total_turns(found.distribution)
        return cls(
            rules=str(rules),
            secrets=rules.size,
            status="proved" if lower == total else "bounded",
            total=total,
            mean=total / rules.size,
            lower=lower,
            upper=total,
            distribution=list(found.distribution),
            first_guesses=list(found.first_guesses),
            **others,
        )

    @property
    def strategy(self) -> Strategy:
        """The strategy's figures."""
        return Strategy(tuple(self.distribution), tuple(self.first_guesses))


class Strategy(NamedTuple):
    """Figures of a strategy."""

    distribution: tuple[int, ...]
    first_guesses: tuple[str, ...]


@dataclass(frozen=True)
class Atlas:
    """All entries."""

    games: dict[str, Entry] = field(default_factory=dict)
    """By rules."""
    worst_totals: dict[str, int] = field(default_factory=dict)
    """By rules, the least total of a strategy that ends at the least last turn, if the strategy of
    the entry ends later."""

    def record(self, games: Iterable[str] | None = None) -> dict[str, Any]:
        """Return some or all games as a JSON object."""
        chosen = list(self.games) if games is None else list(games)
        return {
            "games": [_stated(self.games[name]) for name in chosen],
            "worst_totals": {
                name: self.worst_totals[name] for name in chosen if name in self.worst_totals
            },
        }


def _stated(entry: Entry) -> dict[str, Any]:
    """Return the fields of an entry, those of an estimate only if there is one."""
    fields = asdict(entry)
    return {name: fields[name] for name in fields if name[:5] != "estim" or fields[name]}


def games(largest: int = LARGEST) -> list[Rules]:
    """Return the games of the atlas with at most `largest` codes, smallest first.

    >>> len(games(SEARCHED)), len(games())
    (339, 410)
    """
    found = []
    places = range(1, MAX_POSITIONS + 1)
    symbols = range(2, MAX_SYMBOLS + 1)
    for kind, p, d in product(KINDS, places, symbols):
        with suppress(RulesError):
            rules = Rules.parse(f"p{p}c{d}{kind}")
            if rules.size <= (min(largest, BULLS_ONLY) if rules.bulls_only else largest):
                found.append(rules)
    return sorted(found, key=lambda one: one.size)


# -- the file --------------------------------------------------------------------------------------


def atlas_path(folder: Path) -> Path:
    """Return the file in a folder of trees."""
    return folder / ATLAS


def read_atlas(path: Path) -> Atlas:
    """Read the file; raise `RecordError` if it is damaged, `OSError` if it can't be read."""
    stated = load_record(path)
    try:
        entries = [Entry(**one) for one in stated["games"]]
        return Atlas({one.rules: one for one in entries}, dict(stated.get("worst_totals", {})))
    except (TypeError, KeyError) as error:
        raise RecordError(f"{path.name} is no atlas: {error}") from error


def write_atlas(path: Path, atlas: Atlas) -> None:
    """Write the file atomically, a game to a line."""
    order = [name for rules in games() if (name := str(rules)) in atlas.games]
    record = atlas.record(order)
    lines = ",\n".join(f"  {json.dumps(one)}" for one in record["games"])
    totals = json.dumps(record["worst_totals"])
    write_whole(path, f'{{\n"games": [\n{lines}\n],\n"worst_totals": {totals}\n}}\n')


# -- the computation -------------------------------------------------------------------------------


def update(
    folder: Path,
    chosen: Sequence[Rules],
    *,
    time_limit: float | None,
    threads: int,
    progress: ReportText | None = None,
) -> list[Rules]:
    """Compute the games that are missing, or not proved and given less time before.

    The file is written after each game, and read again before, so that several processes may share
    the games.  Returns the games whose time did not suffice for an entry.  Raises `OSError` if
    there is no such folder.
    """
    path = atlas_path(folder)
    check_folder(folder)
    late = []
    for place, rules in enumerate(chosen, start=1):
        atlas = _read(path)
        known = atlas.games.get(str(rules))
        if known is None or _is_open(atlas, known, time_limit):
            if progress is not None:
                progress(f"{rules}, {place} of {len(chosen)}")
            try:
                entry, worst_total = _Work(rules, folder, known, time_limit, threads).entry()
            except OutOfTimeError:
                late.append(rules)
                continue
            if known is not None and entry.status == "bounded":
                entry = replace(
                    entry,
                    estimated_hours=known.estimated_hours,
                    estimate_error=known.estimate_error,
                    estimate_draws=known.estimate_draws,
                )
            atlas = _read(path)
            atlas.games[entry.rules] = entry
            if worst_total is not None:
                atlas.worst_totals[entry.rules] = worst_total
            elif entry.worst == len(entry.distribution):
                atlas.worst_totals.pop(entry.rules, None)
            write_atlas(path, atlas)
    return late


def take_over_bounds(folder: Path) -> None:
    """Write the lower bounds of all checkpoints to the atlas, and to trees that are not proved.

    The atlas takes over these trees, too, where they are better than the strategy there.
    """
    from bullscows.search.checkpoint import total_bound

    atlas = read_atlas(atlas_path(folder))
    for checkpoint in sorted((folder / CHECKPOINTS).glob("*.json")):
        rules = Rules.parse(checkpoint.stem)
        lower = total_bound(checkpoint, rules)
        entry = atlas.games.get(str(rules))
        if entry is not None and entry.lower < lower:
            atlas.games[str(rules)] = replace(entry, lower=lower)
    for spec in CATALOGUE.values():
        path = folder / f"{spec.name}.json"
        if spec.lower is None or not path.exists():
            continue
        file = read_tree(path)
        total = file.tree.total
        write_tree(path, replace(file.record, lower=proved_lower(spec, folder)))
        entry = atlas.games.get(spec.rules)
        if entry is not None and total < entry.total:
            atlas.games[spec.rules] = replace(
                entry,
                total=total,
                upper=total,
                mean=total / entry.secrets,
                distribution=list(file.tree.distribution),
                first_guesses=[file.tree.rules.text(file.tree.root.guess)],
            )
    write_atlas(atlas_path(folder), atlas)


def add_estimate(folder: Path, rules: Rules, *, seconds: float) -> None:
    """Estimate for some seconds how long the proof of a game takes that is not proved."""
    from bullscows.search.estimate import estimate

    path = atlas_path(folder)
    known = read_atlas(path).games[str(rules)]
    found = estimate(
        Question.of(rules), upper=known.total, seconds=seconds, slice_seconds=min(seconds / 10, 5)
    )
    if found is not None:
        error = found.error
        atlas = read_atlas(path)
        atlas.games[known.rules] = replace(
            known,
            estimated_hours=round(float(found.work[1]) / 3600, 3),
            estimate_error=None if error is None else round(float(error[1]) / 3600, 3),
            estimate_draws=found.draws,
        )
        write_atlas(path, atlas)


def _read(path: Path) -> Atlas:
    return read_atlas(path) if path.exists() else Atlas()


def _is_open(atlas: Atlas, known: Entry, time_limit: float | None) -> bool:
    ends_at_worst = known.worst == len(known.distribution) or known.rules in atlas.worst_totals
    is_done = known.status == "proved" and known.worst is not None and ends_at_worst
    return (
        not is_done
        and known.secrets <= SEARCHED
        and (time_limit is None or known.seconds < time_limit)
    )


@dataclass
class _Work:
    """The computation of one game."""

    rules: Rules
    folder: Path
    known: Entry | None
    limit: float | None
    threads: int
    nodes: int = 0
    started: float = field(default_factory=time.monotonic)

    @cached_property
    def timer(self) -> Timer:
        """The time limit of the game; small ones have none."""
        is_small = self.rules.size <= SMALL and not self.rules.bulls_only
        return Timer(None if is_small else self.limit)

    def entry(self) -> tuple[Entry, int | None]:
        """Return the entry, and the least total within the least last turn if that is sooner.

        Raises `OutOfTimeError` if the time does not suffice for any strategy, or for all first
        guesses of the least total.
        """
        worst = None if self.known is None else self.known.worst
        worst_total = None
        is_searched = self.rules.size <= SEARCHED
        lower, strategy = self._least_total() if is_searched else self._bounded(0)
        if worst is None and is_searched:
            worst = self._solved("worst").value
        if worst is not None and worst < len(strategy.distribution):
            worst_total = self._solved("average", worst).total
        found = Entry.of(
            self.rules,
            strategy,
            lower,
            worst=worst,
            nodes=self.nodes,
            seconds=round(time.monotonic() - self.started, 2),
        )
        return found, worst_total

    def _solved(self, objective: str, max_turns: int | None = None, share: float = 1) -> Solution:
        from bullscows.search.solver import solve

        solution = solve(
            Question.of(self.rules, (), objective, max_turns),
            table=ResponseTable.of(self.rules, self.timer),
            threads=self.threads,
            timer=self.timer.part(share),
        )
        self.nodes += solution.counters["nodes"]
        if solution.interrupted:
            raise KeyboardInterrupt
        return solution

    def _least_total(self) -> tuple[int, Strategy]:
        """Return a lower bound on the total, and the best strategy known."""
        if self.known is not None and self.known.status == "proved":
            return self.known.total, self.known.strategy
        try:
            solution = self._solved("average", share=_SHARE)
        except OutOfTimeError:
            return self._bounded(0)
        if solution.distribution is not None and solution.search is not None:
            first_guesses = self._first_guesses(solution, solution.search)
            return solution.cost.lower, Strategy(solution.distribution, first_guesses)
        return self._bounded(solution.cost.lower)

    def _bounded(self, lower: int) -> tuple[int, Strategy]:
        """Return the best bound, and the best of the strategies that are known or soon made."""
        from bullscows.search.position_search import COMPILING_SECONDS
        from bullscows.shipping.large_games import lower_bound, quick_lower_bound, sampled
        from bullscows.shipping.named_trees import BuildOptions, strategy_tree

        bounds = [lower, checkpoint_bound(self.folder, self.rules)]
        strategies = []
        if self.known is not None:
            bounds.append(self.known.lower)
            strategies.append(self.known.strategy)
        for spec in [one for one in CATALOGUE.values() if one.rules == str(self.rules)]:
            path = self.folder / f"{spec.name}.json"
            if not path.exists():
                continue
            shipped = read_tree(path)
            bounds.append(shipped.record.lower or 0)
            strategies.append(self._strategy(shipped.record.distribution, shipped.tree.root.guess))
        try:
            bounds.append(lower_bound(self.rules, self.timer))
            is_beaten = bool(strategies)
            if is_beaten:
                self.timer.check(COMPILING_SECONDS)
            strategies.append(self._strategy(*sampled(self.rules, self.timer)))
            if not is_beaten and self.rules.size <= SEARCHED:
                # A beam reports progress often enough to be ended in time.
                options = BuildOptions(self.threads, progress=lambda _: self.timer.check())
                tree = strategy_tree(self.rules, BEAM, options)
                strategies.append(self._strategy(tree.distribution, tree.root.guess))
        except OutOfTimeError:
            if not strategies:
                raise
            bounds.append(quick_lower_bound(self.rules))
        return max(bounds), min(strategies, key=lambda one: total_turns(one.distribution))

    def _strategy(self, distribution: Sequence[int], first: CodeIndex) -> Strategy:
        return Strategy(tuple(distribution), (self.rules.text(first),))

    def _first_guesses(self, solution: Solution, search: Search) -> tuple[str, ...]:
        """Return the first guess, then one of each other class that attains the total too."""
        from bullscows.search.executor import tighten
        from bullscows.search.subproblems import tree_of

        total = solution.cost.lower
        tied = [] if solution.guess is None else [solution.guess]
        tree = tree_of(search, ())
        before = search.counters()["nodes"]
        others = representatives(self.rules, ()).tolist() if self.rules.size > 2 else []
        for guess in others:
            if guess not in tied:
                option = tree.option(tree.root, guess)
                bounds = tighten(search, tree, option=option, budget=total, timer=self.timer)
                if bounds.lower <= total and not bounds.exact:
                    self.timer.check()
                tied += [guess] if bounds.upper is not None and bounds.upper <= total else []
        if search.interrupted:
            raise KeyboardInterrupt
        self.nodes += search.counters()["nodes"] - before
        return tuple(map(self.rules.text, tied))
