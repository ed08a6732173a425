"""Objectives: names, weights, exact scaling and its limits."""

import pytest

from bullscows.game.objective import (
    Bounds,
    Objective,
    ObjectiveError,
    Weights,
    cheapest,
    combine,
)


@pytest.mark.parametrize(
    "text", ["average", "average,last", "worst,average", "average,from:6", "weights:0,0,3"]
)
def test_parse_and_str_are_inverse(text):
    assert str(Objective.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "best", "average,average", "average,", "last,worst", "movers,worst"),
        *("average,weights:1", "from:0", "from:x", "from:2,from:2"),
        *("weights:", "weights:1,x", "weights:2,1", "weights:-1,0"),
    ],
)
def test_other_objectives_are_refused(text):
    with pytest.raises(ObjectiveError):
        Objective.parse(text)


def test_weights_cap_the_turns():
    objective = Objective.parse("weights:1,2,3")
    assert (objective.turns_allowed(None), objective.turns_allowed(2)) == (3, 2)
    with pytest.raises(ObjectiveError):
        objective.turns_allowed(0)


@pytest.mark.parametrize(
    ("text", "weights"),
    [("average", (1, 2, 3, 4)), ("from:3", (0, 0, 1, 1)), ("from:9", (0, 0, 0, 0))],
)
def test_each_criterion_weighs_the_turns(text, weights):
    assert combine(Objective.parse(text), 4, 100, 14, capped=False).values == weights


def test_movers_count_turn_by_turn_downwards():
    weights = combine(Objective.parse("movers"), 3, 10, 4, capped=True)
    assert [level.weights for level in weights.levels] == [(0, 0, 1), (0, 1, 1)]


def test_stronger_level_outweighs_the_weaker():
    weights = combine(Objective.parse("last,average"), 7, 5040, 14, capped=True)
    last, average = weights.levels
    assert last.scale > 5040 * 7 - cheapest(5040, average.weights, 13)


@pytest.mark.parametrize("text", ["average,last", "last,average", "movers"])
def test_split_takes_the_sum_apart(text):
    weights = combine(Objective.parse(text), 7, 5040, 14, capped=True)
    turns = (1, 7, 62, 718, 2403, 1757, 92)
    cost = sum(weight * count for weight, count in zip(weights.values, turns, strict=True))
    assert list(weights.split(cost, 5040, 14, 1).values()) == [
        sum(weight * count for weight, count in zip(level.weights, turns, strict=True))
        for level in weights.levels
    ]


@pytest.mark.parametrize("text", ["average,last", "last,average", "average"])
def test_bounds_of_all_levels_bound_the_strongest(text):
    weights = combine(Objective.parse(text), 7, 5040, 14, capped=True)
    strongest = weights.levels[0]
    turns = (0, 0, 1, 9, 60, 25, 5)
    cost, own = (
        sum(weight * count for weight, count in zip(values, turns, strict=True))
        for values in (weights.values, strongest.weights)
    )
    shape = sum(turns), 14, 3
    assert weights.first_level(Bounds(cost, cost), *shape) == Bounds(own, own)
    wider = Bounds(cost - strongest.scale, cost + strongest.scale)
    assert weights.first_level(wider, *shape) == Bounds(own - 1, own + 1)
    least = cheapest(sum(turns), strongest.weights, 13, 3)
    assert weights.first_level(Bounds(0), *shape) == Bounds(least)


def test_overflow_and_no_last_turn_are_refused():
    for text, turns, size, capped in (("movers", 14, 10_000, True), ("last", 4, 100, False)):
        with pytest.raises(ObjectiveError):
            combine(Objective.parse(text), turns, size, 14, capped=capped)


@pytest.mark.parametrize("values", [(), (1, 0), (-1, 2)])
def test_weights_never_decrease(values):
    with pytest.raises(ObjectiveError):
        Weights.of(values)
