"""A random candidate: expected lengths against plain recursion with fractions."""

from fractions import Fraction
from functools import cache

import pytest

from bullscows.game.history import History, candidates
from bullscows.game.rules import Rules
from bullscows.strategies.rules.random_candidate import RandomCandidate

SOME = [
    *("p1c4r", "p2c3n", "p2c5r", "p3c5n", "p3c5z", "p3c3r"),
    pytest.param("p7c2r", marks=pytest.mark.slow),
]


def naive_turns(rules: Rules, members: tuple[int, ...], turn: int = 1) -> dict[int, Fraction]:
    """Expected secrets found at each turn, with every candidate tried and nothing shared."""

    @cache
    def found(left: tuple[int, ...], turn: int) -> dict[int, Fraction]:
        sums: dict[int, Fraction] = {}
        for guess in left:
            for answer, part in rules.partition(guess, left).items():
                won = {turn: Fraction(1)}
                below = won if answer == rules.win else found(tuple(part), turn + 1)
                for at, count in below.items():
                    sums[at] = sums.get(at, Fraction()) + count / len(left)
        return sums

    expected = found(members, turn)
    return {at: expected.get(at, Fraction()) for at in range(1, max(expected) + 1)}


@pytest.mark.parametrize("text", SOME)
def test_whole_games_agree_with_plain_recursion(text: str) -> None:
    rules = Rules.parse(text)
    everything = tuple(range(rules.size))
    lengths = RandomCandidate(rules).lengths(everything)
    expected = naive_turns(rules, everything)
    assert lengths.turns == tuple(expected.values())
    assert lengths.secrets == rules.size
    assert sum(lengths.by_answer.values()) == lengths.total
    assert lengths.total == sum(turn * count for turn, count in expected.items())


@pytest.mark.parametrize(
    "history", ["012:0.1", "012:0.2", "012:0.2 034:0.1", "012:0.2 034:0.2 123:0.2"]
)
def test_positions_agree_with_plain_recursion(history: str) -> None:
    rules = Rules.parse("p3c5n")
    played = History.of(rules, history)
    left = tuple(candidates(rules, played).tolist())
    lengths = RandomCandidate(rules).lengths(left, played.turns)
    expected = naive_turns(rules, left, len(played) + 1)
    assert lengths.turns == tuple(expected.values())


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("p7c2r", 524.714195),  # 35 answers; as by the plain recursion above
        pytest.param("p4c6r", 6018.006246, marks=pytest.mark.slow),
        pytest.param("p4c10n", 27575.301330, marks=pytest.mark.slow),
    ],
)
def test_known_games(text: str, total: float) -> None:
    rules = Rules.parse(text)
    lengths = RandomCandidate(rules).lengths(tuple(range(rules.size)))
    assert float(lengths.total) == pytest.approx(total, abs=1e-6)
    assert lengths.secrets == rules.size
