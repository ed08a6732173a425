"""Objectives: an integer weight for each turn, given by names or numbers.

Every criterion of the literature is "minimise the sum over the secrets of ``w[turn at which the
secret is guessed]``" with weights that never decrease:

- ``average``: w[k] = k, the smallest total of turns, so the smallest mean;
- ``last``: 1 at the last allowed turn, else 0: the fewest secrets left for it;
- ``movers``: the fewest at the last allowed turn, then at the turn before, and so on down;
- ``from:K``: 1 from turn K on, else 0: the fewest secrets found at turn K or later;
- ``weights:w1,w2,...``: any; a secret may not be guessed later than the last weight;
- ``worst``: the smallest last turn, which is not a sum: it sets the cap on the turns instead.

Comma-separated names are lexicographic, strongest first: ``average,last``. Their weights are
combined into one vector: a level is scaled by more than all weaker levels together can vary, and
division takes the sum apart again. Sums beyond 64 bits raise `ObjectiveError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Literal, NamedTuple

from bullscows.errors import EngineError
from bullscows.game import arguments
from bullscows.game.arguments import ArgumentError, ArgumentTypeError


def mean_turns(counts: Sequence[int]) -> float:
    """Return the mean turn of codes that are found at turn 1, 2, ..."""
    return total_turns(counts) / sum(counts)


def total_turns(counts: Sequence[int]) -> int:
    """Return the total of games of which counts[k - 1] end at turn k.

    >>> total_turns((1, 4, 7))
    30
    """
    return sum(turn * count for turn, count in enumerate(counts, start=1))


def distribution_text(counts: Sequence[int]) -> str:
    """Return how many games end at turn 1, 2, ... in a word, as everywhere: ``1/4/7``."""
    return "/".join(map(str, counts))


def figure_text(figure: object) -> str:
    """Return a figure of a table: a number, a distribution, named figures, or None for none.

    >>> [figure_text(one) for one in (7, None, (1, 3, 2), {"total": 13, "distribution": (1, 3, 2)})]
    ['7', '-', '1/3/2', '13: 1/3/2']
    """
    if figure is None:
        return "-"
    if isinstance(figure, tuple | list):
        return distribution_text(figure)
    if isinstance(figure, Mapping):
        if "distribution" in figure:
            return f"{figure['total']}: {distribution_text(figure['distribution'])}"
        return ", ".join(f"{name} {figure_text(value)}" for name, value in figure.items())
    return str(figure)


def html_table(caption: str, rows: Iterable[tuple[object, object]]) -> str:
    """Return a table of names and values, as a notebook shows it."""
    lines = (
        f'<tr><th scope="row">{escape(str(name))}</th><td>{escape(str(value))}</td></tr>'
        for name, value in rows
    )
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"


class Bounds(NamedTuple):
    """Between what a least cost lies; the objective says what is counted.

    Examples
    --------
    >>> Bounds(17).tightened(Bounds(16, 19))
    Bounds(lower=17, upper=19)
    """

    lower: int = 0
    """No strategy costs less."""
    upper: int | None = None
    """The cost of some strategy, if one is known."""

    @property
    def exact(self) -> bool:
        """Whether the value is known: what it costs, or that there is no strategy."""
        return self.lower >= (INFINITE if self.upper is None else self.upper)

    def tightened(self, other: Bounds) -> Bounds:
        """Return what both prove together."""
        uppers = [upper for upper in (self.upper, other.upper) if upper is not None]
        return Bounds(max(self.lower, other.lower), min(uppers, default=None))


INFINITE = 1 << 58
"""The cost of an infeasible position; finite costs are below it, and the sum of one for each answer
of a guess stays below 2**63."""

NAMES = ("average", "last", "movers", "worst")

_FROM = re.compile(r"from:([1-9][0-9]{0,2})")


class ObjectiveError(EngineError, ValueError):
    """An objective that no search can minimise; `field` is the parameter to change."""

    def __init__(self, message: str, *, field: Literal["objective", "max_turns"] = "objective"):
        super().__init__(message)
        self.field = field
        """The name of the parameter to change."""


MAX_TURNS = 512
"""Turns that a search looks ahead at most: it recurses as deep, with arrays for each turn."""


@dataclass(frozen=True)
class Objective:
    """A list of criteria, strongest first: names of `NAMES`, ``from:K``, or one ``weights:...``.

    Examples
    --------
    >>> Objective.parse("average,last").criteria
    ('average', 'last')
    """

    criteria: tuple[str, ...]
    """The criteria, strongest first."""

    def __post_init__(self) -> None:
        allowed = "a tuple of the names of criteria"
        for name in arguments.instance("criteria", self.criteria, tuple, allowed):
            if not isinstance(name, str):
                raise ArgumentTypeError("criteria", self.criteria, allowed)

    @classmethod
    def of(cls, objective: Objective | str) -> Objective:
        """Return the objective that is given, as a value or as text for `parse`."""
        if isinstance(objective, str):
            return cls.parse(objective)
        return arguments.instance(
            "objective", objective, cls, "an Objective, or its text such as 'average,last'"
        )

    @classmethod
    def parse(cls, text: str) -> Objective:
        """Read ``average,last`` and the like; inverse of `str`.

        Raises
        ------
        ObjectiveError
            For an unknown, empty or repeated name, names next to ``weights:``, ``worst`` after a
            criterion of the last turn, or weights that are no integers, negative or decreasing.
        """
        if arguments.text("text", text, "average").startswith("weights:"):
            _parse_weights(text)
            return cls((text,))
        criteria = tuple(name.strip() for name in text.split(","))
        for name in criteria:
            if name not in NAMES and not _FROM.fullmatch(name):
                raise ObjectiveError(
                    f"unknown objective {name[:20]!r}: write one or more of {', '.join(NAMES)}, "
                    "from:K, strongest first and separated by commas, or weights:w1,w2,..."
                )
        if len(set(criteria)) < len(criteria):
            raise ObjectiveError(f"objective {text!r} names a criterion twice")
        stronger = criteria[: criteria.index("worst")] if "worst" in criteria else ()
        if "last" in stronger or "movers" in stronger:
            raise ObjectiveError(
                f"objective {text!r}: worst moves the last turn, so it must stand before "
                "what counts secrets at the last turn"
            )
        return cls(criteria)

    def __str__(self) -> str:
        return ",".join(self.criteria)

    @property
    def needs_cap(self) -> bool:
        """Whether a criterion speaks of the last allowed turn."""
        return "last" in self.criteria or "movers" in self.criteria

    def turns_allowed(self, max_turns: int | None) -> int | None:
        """Return the cap on the turns: `max_turns`, or the number of the weights if fewer.

        Raises
        ------
        ObjectiveError
            If there are none, or more than `MAX_TURNS`.
        """
        if max_turns is not None:
            try:
                arguments.integer("max_turns", max_turns, 1, MAX_TURNS)
            except ArgumentTypeError:
                raise
            except ArgumentError as error:
                raise ObjectiveError(str(error), field="max_turns") from None
        turns = max_turns
        if self.criteria[0].startswith("weights:"):
            given = len(_parse_weights(self.criteria[0]))
            turns = given if max_turns is None else min(given, max_turns)
        if turns is not None and turns > MAX_TURNS:
            raise ObjectiveError(
                f"a search looks ahead {MAX_TURNS} turns at most, not {turns}", field="max_turns"
            )
        return turns


@dataclass(frozen=True)
class Level:
    """One criterion of a sum: its weights, and what it is multiplied by."""

    name: str
    """``total`` for ``average``, whose cost is the total of all turns; ``last``, ``weights``, or
    ``turn K or later`` for ``from:K`` and the steps of ``movers``."""
    weights: tuple[int, ...]
    """The weight of turn 1, 2, ...; never decreasing."""
    scale: int
    """The factor of this level in the combined weights; the weakest has 1."""


@dataclass(frozen=True)
class Weights:
    """The weights that a search minimises, made of one level or more.

    Raises `ObjectiveError` if a weight is missing, negative or below the one before.
    """

    values: tuple[int, ...]
    """The weight of turn 1, 2, ...: never negative, never decreasing."""
    capped: bool
    """Whether no secret can be guessed after the last weight; otherwise later turns cost at least
    as much, and the search asks for more weights if it needs them."""
    levels: tuple[Level, ...] = ()
    """The criteria, strongest first."""

    def __post_init__(self) -> None:
        _check_weights(self.values)

    @classmethod
    def of(cls, values: Sequence[int]) -> Weights:
        """Return the weights of a game that ends after ``len(values)`` turns."""
        checked = tuple(values)
        return cls(checked, True, (Level("weights", checked, 1),))

    @property
    def turns(self) -> int:
        """The number of turns with a weight of their own."""
        return len(self.values)

    def cost(self, distribution: Sequence[int]) -> int | None:
        """Return the cost of a strategy from its distribution: secrets found at turn 1, 2, ...

        None if it takes more turns than have a weight.
        """
        if len(distribution) > self.turns:
            return None
        return sum(weight * count for weight, count in zip(self.values, distribution, strict=False))

    def split(self, cost: int, count: int, answers: int, turn: int) -> dict[str, int]:
        """Split the combined cost of `count` candidates from `turn` on into levels by name.

        The cost of a level exceeds its lower bound for these candidates by less than the range
        that the scaling allows for.
        """
        fan_out = max(answers - 1, 1)
        least = [cheapest(count, level.weights, fan_out, turn) for level in self.levels]
        cost -= sum(level.scale * low for level, low in zip(self.levels, least, strict=True))
        costs = {}
        for level, low in zip(self.levels, least, strict=True):
            above, cost = divmod(cost, level.scale)
            costs[level.name] = low + above
        return costs

    def first_level(self, bounds: Bounds, count: int, answers: int, turn: int) -> Bounds:
        """Return the bounds of the strongest level from bounds of the combined cost.

        The level's part of a cost is a quotient, which grows with the cost.
        """
        least = cheapest(count, self.levels[0].weights, max(answers - 1, 1), turn)

        def first(bound: int) -> int:
            return max(next(iter(self.split(bound, count, answers, turn).values())), least)

        return Bounds(first(bounds.lower), None if bounds.upper is None else first(bounds.upper))


def cheapest(count: int, weights: Sequence[int], fan_out: int, turn: int = 1) -> int:
    """Return the least cost of placing `count` secrets from `turn` on: 1, b, b*b, ... a turn.

    `weights` are those of turns 1, 2, ...; the last one holds for all later turns.
    """
    total, room = 0, 1
    while count > 0:
        placed = min(count, room)
        total += placed * weights[min(turn, len(weights)) - 1]
        count -= placed
        room *= max(fan_out, 1)
        turn += 1
    return total


def combine(
    objective: Objective, turns: int, secrets: int, answers: int, *, capped: bool
) -> Weights:
    """Turn an objective, whose ``worst`` has been replaced by a cap, into weights.

    The last turn with a weight is `turns`.  The weights are summed over at most `secrets`;
    `answers` counts the win.  `capped` says whether `turns` is a rule of the game, or only as far
    as the search cares to look.  Raises `ObjectiveError` if the objective speaks of the last turn
    and there is none, or the exact scaling does not fit.
    """
    if objective.needs_cap and not capped:
        raise ObjectiveError(
            f"objective {objective} needs a last allowed turn: give max_turns", field="max_turns"
        )
    vectors = [vector for name in objective.criteria for vector in _vectors(name, turns)]
    if not vectors:
        return Weights((0,) * turns, capped)
    return scaled(vectors, secrets, answers, capped=capped)


def scaled(
    vectors: Sequence[tuple[str, tuple[int, ...]]], secrets: int, answers: int, *, capped: bool
) -> Weights:
    """Combine named weight vectors, strongest first, into one by exact scaling.

    Proof that the combination is lexicographic: let every level's cost, over all trees of the
    same secrets, lie in a range of width r.  If scale[i] > sum of scale[j] * r[j] over the weaker
    levels j, then one unit of level i outweighs whatever the weaker levels do.  The width for all
    secrets from turn 1 bounds that of any fewer secrets from any later turn, for one secret more
    adds at least its weight's distance to the largest; so the order also holds in every subtree.
    """
    levels: list[Level] = []
    scale = 1
    for name, vector in reversed(vectors):
        levels.insert(0, Level(name, vector, scale))
        scale *= secrets * vector[-1] - cheapest(secrets, vector, answers - 1) + 1
    turns = len(vectors[0][1])
    values = tuple(sum(level.scale * level.weights[k] for level in levels) for k in range(turns))
    if values[-1] * secrets >= INFINITE:
        raise ObjectiveError(
            f"{len(levels)} lexicographic levels over {secrets} secrets need weights up to "
            f"{values[-1]}, and their sum does not fit 64-bit integers: name fewer criteria"
        )
    return Weights(values, capped, tuple(levels))


def _vectors(name: str, turns: int) -> list[tuple[str, tuple[int, ...]]]:
    if name == "average":
        return [("total", tuple(range(1, turns + 1)))]
    if name == "last":
        return [(name, _from_turn(turns, turns))]
    if name == "movers":
        first = min(turns, 2)
        return [(f"turn {k} or later", _from_turn(k, turns)) for k in range(turns, first - 1, -1)]
    if name.startswith("weights:"):
        return [("weights", _parse_weights(name)[:turns])]
    if (found := _FROM.fullmatch(name)) is not None:
        return [(f"turn {found[1]} or later", _from_turn(int(found[1]), turns))]
    raise ObjectiveError(f"{name} is no sum over secrets: a search makes a cap of it")


def level_name(objective: Objective, max_turns: int | None) -> str:
    """Return the name of the strongest level, as a `Level` has it, or ``worst``."""
    first = objective.criteria[0]
    return first if first == "worst" else _vectors(first, max_turns or 1)[0][0]


def _from_turn(first: int, turns: int) -> tuple[int, ...]:
    return (0,) * min(first - 1, turns) + (1,) * (turns - first + 1)


def _parse_weights(text: str) -> tuple[int, ...]:
    try:
        weights = tuple(int(word) for word in text.removeprefix("weights:").split(","))
    except ValueError:
        raise ObjectiveError(
            f"invalid {text[:40]!r}: write integers, for example weights:1,2,3"
        ) from None
    _check_weights(weights)
    return weights


def _check_weights(weights: Sequence[int]) -> None:
    if not weights:
        raise ObjectiveError("a game needs the weight of at least one turn")
    if weights[0] < 0:
        raise ObjectiveError(f"weights must not be negative, as {weights[0]} is")
    for before, after in pairwise(weights):
        if after < before:
            raise ObjectiveError(f"weights must not decrease, as {after} after {before} does")
    if weights[-1] >= INFINITE:
        raise ObjectiveError(f"weight {weights[-1]} is not below {INFINITE}")
