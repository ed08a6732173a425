"""One-step rules: their words, their published figures, and slow twins."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.history import History, candidates
from bullscows.game.response_table import all_codes
from bullscows.game.rules import Rules
from bullscows.shipping.named_trees import strategy_tree
from bullscows.strategies.one_step import (
    HEURISTICS,
    RULES,
    Splits,
    _turns_expected,
    sizes_between,
)
from bullscows.strategies.random_candidate import RandomCandidate
from bullscows.tree.strategy_tree import StrategyTree
from tests.support.strategies import small_rules

pytestmark = pytest.mark.large


@cache
def tree_of(text: str, name: str) -> StrategyTree:
    return strategy_tree(text, name)


def made_up(*guesses: tuple[Sequence[int], bool]) -> Splits:
    """Return splits with the given part sizes and candidacy, whatever the game."""
    width = max(len(sizes) for sizes, _ in guesses)
    rows = [[*sizes, *[0] * (width - len(sizes))] for sizes, _ in guesses]
    return Splits(
        np.arange(len(guesses), dtype=np.int32),
        np.array(rows),
        np.array([is_candidate for _, is_candidate in guesses]),
    )


def best(name: str, splits: Splits) -> list[int]:
    """Return the places of the guesses that a rule likes best."""
    found: list[int] = RULES[name].best(splits).tolist()
    return found


def test_larmouth_bonus_is_worth_one_pair():
    splits = made_up(([2, 1, 1], True), ([1, 1, 1, 1], False), ([2, 1, 1], False))
    assert best("larmouth", splits) == [0, 1]
    assert best("entropy", splits) == [1]


def test_larmouth_takes_equal_sums_of_different_sizes_for_equal():
    # 4 log 4 = 4 * (2 log 2), and 6 log 6 + 1 log 1 = 3 log 3 * 2 + 2 log 2 * 3.
    pairs = made_up(([4, 1, 1, 1, 1], False), ([2] * 4, False))
    triples = made_up(([6, 1, 1, 1, 1, 1, 1], False), ([3, 3, 2, 2, 2], False))
    assert best("larmouth", pairs) == best("larmouth", triples) == [0, 1]


PUBLISHED = [
    # Knuth 1976, by turns.
    ("p4c6r", "minimax", (1, 6, 62, 533, 694)),
    # Kooi 2005.
    ("p4c6r", "parts", (1, 12, 72, 635, 569, 7)),
    ("p4c6r", "expected", (1, 10, 54, 645, 583, 3)),
    ("p4c6r", "entropy", (1, 4, 71, 612, 596, 12)),
]

# Larmouth's rule leaves ties open.  Francis takes the first of equals, but in an order of
# guesses that he does not give: 1, 7, 70, 642, 2410, 1806, 103, 1.
OURS = [
    ("p4c10n", "crush", (1, 2, 41, 498, 2259, 2058, 181)),
    ("p4c10n", "larmouth", (1, 7, 71, 712, 2314, 1786, 147, 2)),
    ("p4c10n", "possible-larmouth", (1, 13, 109, 647, 2075, 1906, 284, 5)),
    ("p4c6r", "crush", (1, 6, 54, 572, 663)),
    ("p4c6r", "larmouth", (1, 6, 86, 600, 570, 33)),
]


@pytest.mark.parametrize(("rules", "name", "turns"), PUBLISHED + OURS)
def test_tree_has_known_turns(rules: str, name: str, turns: tuple[int, ...]):
    assert tree_of(rules, name).distribution == turns


def test_landy_expects_x_more_turns_where_x_to_the_x_is_the_size():
    # 4 candidates of which each takes 2 more turns, and 4 of which each takes one, are apart by 4.
    assert best("landy", made_up(([4, 1, 1], False), ([2, 2, 2], False))) == [1]
    # The code found by the guess itself takes no more turns: one less for a candidate.
    assert best("landy", made_up(([2, 2, 2], False), ([2, 2, 2], True))) == [1]
    assert best("landy", made_up(([27], False), ([26, 1], False), ([27], False))) == [1]
    for n, x in ((1, 1), (4, 2), (27, 3), (256, 4)):
        assert _turns_expected(256)[n] == pytest.approx(n * x)


def test_first_of_all_does_not_prefer_candidates():
    rules = Rules.parse("p3c5r")
    for name in ("minimax", "entropy"):
        for node in tree_of("p3c5r", f"{name}-any").nodes:
            if node.size > 1:
                members = np.array(node.candidates, dtype=np.int32)
                splits = Splits.of(rules, members, np.arange(rules.size, dtype=np.int32))
                assert node.guess == best(name, splits)[0]
    asked = [node for node in tree_of("p3c5r", "minimax-any").nodes if not node.is_candidate_guess]
    assert asked
    assert tree_of("p3c5r", "minimax-any").total > tree_of("p3c5r", "minimax").total
    assert all(node.is_candidate_guess for node in tree_of("p3c5r", "possible-parts").nodes)
    first = tree_of("p3c5r", "first-candidate").nodes
    assert all(node.guess == node.candidates[0] for node in first)


def naive_score(name: str, sizes: list[int], *, is_candidate: bool):
    """Return what the rule minimises, over integers."""
    logarithm = prod(size**size for size in sizes)
    return {
        "crush": sorted(sizes, reverse=True),
        "minimax": max(sizes),
        "parts": -len(sizes),
        "expected": sum(size * size for size in sizes),
        "entropy": logarithm,
        "larmouth": logarithm if is_candidate else 4 * logarithm,
    }[name]


def naive_choice(rules: Rules, name: str, candidates: Sequence[int]) -> int:
    def key(guess: int):
        sizes = [len(part) for part in rules.partition(guess, candidates).values()]
        is_candidate = guess in candidates
        return naive_score(name, sizes, is_candidate=is_candidate), not is_candidate, guess

    return min(range(rules.size), key=key)


GAMES = ["p2c5r", "p3c4r", "p3c6n", "p4c5n"]
NAMES = ["crush", "entropy", "expected", "larmouth", "minimax", "parts"]


@st.composite
def positions(draw: st.DrawFn, most: int = 60) -> tuple[Rules, list[int]]:
    rules = Rules.parse(draw(st.sampled_from(GAMES)))
    codes = st.integers(0, rules.size - 1)
    return rules, sorted(draw(st.sets(codes, min_size=1, max_size=min(most, rules.size))))


@given(st.data())
def test_choice_is_the_first_best_of_all_guesses(data: st.DataObject):
    """Also where symmetry leaves guesses out."""
    rules = Rules.parse(data.draw(st.sampled_from(GAMES)))
    secret, *guesses = data.draw(st.lists(st.integers(0, rules.size - 1), min_size=1, max_size=3))
    candidates = tuple(range(rules.size))
    path = []
    for guess in guesses:
        answer = rules.respond(guess, secret)
        candidates = tuple(rules.partition(guess, candidates)[answer])
        path.append((guess, answer))
    name = data.draw(st.sampled_from(NAMES))
    chosen = HEURISTICS[name].choose(rules, candidates, tuple(path))
    assert chosen == naive_choice(rules, name, candidates)
    some = tuple(sorted(data.draw(st.sets(st.sampled_from(candidates), min_size=1, max_size=60))))
    far = ((0, 0),) * 3  # enough turns that symmetry is not used
    assert HEURISTICS[name].choose(rules, some, far) == naive_choice(rules, name, some)


def naive_sizes(rules: Rules, secrets: Sequence[int], guess: int) -> list[int]:
    expected = sorted(map(len, rules.partition(guess, secrets).values()), reverse=True)
    return expected + [0] * (len(rules.answers) - len(expected))


@given(small_rules(max_size=300), st.data())
def test_sizes_are_those_of_the_parts(rules: Rules, data: st.DataObject) -> None:
    codes = st.lists(st.integers(0, rules.size - 1), min_size=1, max_size=40, unique=True)
    secrets, guesses = (np.array(sorted(data.draw(codes)), dtype=np.int32) for _ in range(2))
    found = sizes_between(rules, secrets, guesses).tolist()
    assert found == [naive_sizes(rules, secrets.tolist(), guess) for guess in guesses.tolist()]


@pytest.mark.parametrize("game", ["p4c10n", "p5c7r"])
def test_sizes_are_right_where_all_answers_are_too_many_to_be_made_at_once(game: str) -> None:
    """In the second game the secrets are too many, too."""
    rules = Rules.parse(game)
    secrets = all_codes(rules)
    guesses = secrets[:: rules.size // 150]
    found = sizes_between(rules, secrets, guesses).tolist()
    for place in (0, 75, 149):
        assert found[place] == naive_sizes(rules, secrets.tolist(), int(guesses[place]))


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


@pytest.mark.parametrize(
    ("text", "history"),
    [
        *((text, "") for text in ("p1c4r", "p2c3n", "p2c5r", "p3c5n", "p3c5z", "p3c3r")),
        pytest.param("p7c2r", "", marks=pytest.mark.slow),  # 35 answers
        *(("p3c5n", text) for text in ("012:0.1", "012:0.2 034:0.1", "012:0.2 034:0.2 123:0.2")),
    ],
)
def test_random_candidates_agree_with_plain_recursion(text: str, history: str) -> None:
    played = History.of(text, history)
    left = tuple(candidates(played.rules, played).tolist())
    lengths = RandomCandidate(played.rules).lengths(left, played.turns)
    expected = naive_turns(played.rules, left, len(played) + 1)
    assert lengths.turns == tuple(expected.values())
    assert lengths.secrets == len(left)
    total = sum(turn * count for turn, count in expected.items())
    assert sum(lengths.by_answer.values()) == lengths.total == total


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
