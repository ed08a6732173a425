"""Costs of guesses: against an unpruned search for all guesses, and against the best guess."""

import sys
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from bullscows.analysis import timed_search
from bullscows.analysis.analyst import Analyst, checked, is_searched
from bullscows.analysis.evaluation import Evaluation
from bullscows.analysis.without_search import by_rule, postponed, without_idle_turns
from bullscows.game.history import candidates, split
from bullscows.game.objective import Bounds
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.result import Analysis, TooFewTurnsError
from bullscows.game.rules import Rules
from tests.support.examples import examples
from tests.support.naive import naive_value
from tests.support.searching import searcher_of

pytestmark = pytest.mark.large

PLENTY = 600.0
"""Seconds that no search here needs."""
TINY = ("p1c4r", "p2c3r", "p2c4n", "p3c3r", "p3c4n", "p2c5r")
LATEST = 12
"""Turns that are enough for every position here."""
STEP = 10_000
"""More than any of the weaker criteria costs."""
WEIGHTS = {
    "average": lambda turn, _: (turn,),
    "last": lambda turn, last: (int(turn == last),),
    "last,average": lambda turn, last: (int(turn == last), turn),
    "average,last": lambda turn, last: (turn, int(turn == last)),
    "weights:1,2,4,8,9,30": lambda turn, _: ([1, 2, 4, 8, 9, 30][turn - 1],),
}
"""Cost of finding a candidate at a turn, by criterion; the second argument is the cap."""


@pytest.fixture(scope="module")
def analyst(proving: Any) -> Any:
    """The analyst of the server: what it has searched for one test is known in the others."""
    return searcher_of(proving).analyst


@st.composite
def positions(draw: st.DrawFn, most: int = 9) -> tuple[Rules, tuple[tuple[int, int], ...]]:
    """Draw a position of a small game that a code fits, with few candidates."""
    rules = Rules.parse(draw(st.sampled_from(TINY)))
    codes = st.integers(0, rules.size - 1)
    secret = draw(codes)
    guesses = draw(st.lists(codes, min_size=1, max_size=3))
    history = [(guess, rules.respond(guess, secret)) for guess in guesses]
    while len(candidates(rules, tuple(history))) > most:
        guess = draw(codes)
        history.append((guess, rules.respond(guess, secret)))
        if len(history) > 5:
            return Rules.parse("p1c4r"), ()
    return rules, tuple(history)


def as_one(levels: Sequence[int]) -> int:
    """Costs of criteria, strongest first, as one number."""
    return sum(cost * STEP**place for place, cost in enumerate(reversed(levels)))


def priced(analyst: Analyst, question: Question, seconds: float = PLENTY) -> list[Evaluation]:
    """The prices of all guesses of the game."""
    best = analyst.analysis(question, seconds)
    return analyst.evaluations(best, range(question.rules.size), seconds)


def naive_price(
    rules: Rules, left: Sequence[int], guess: int, turn: int, costs: Sequence[int]
) -> int | None:
    """The cost of the guess and the least cost of each part, by plain recursion."""
    table = ResponseTable.of(rules)
    rows = table.responses[:, : table.size].tolist()
    if turn > len(costs):
        return None
    total = 0
    for answer, part in rules.partition(guess, list(left)).items():
        is_won = answer == rules.win
        later = None if is_won else naive_value(rows, rules.win, costs, tuple(part), turn + 1)
        cost = costs[turn - 1] if is_won else later
        if cost is None:
            return None
        total += cost
    return total


@examples(40)
@given(positions(), st.sampled_from(sorted(WEIGHTS)), st.none() | st.integers(2, 7))
def test_every_guess_is_evaluated_as_by_unpruned_search(analyst, case, objective, max_turns):
    rules, history = case
    cap = min(max_turns or 6, 6) if objective.startswith("weights") else max_turns
    if "last" in objective and cap is None:
        cap = 7
    question = checked(Question.of(rules, history, objective, cap))
    left = question.candidates.tolist()
    levels = [WEIGHTS[objective](turn, cap) for turn in range(1, (cap or LATEST) + 1)]
    costs = [as_one(level) for level in levels]
    codes = range(rules.size)
    expected = [naive_price(rules, left, guess, question.turn, costs) for guess in codes]
    try:
        prices = priced(analyst, question)
    except TooFewTurnsError:
        assert set(expected) == {None}
        return
    assert {price.status for price in prices} == {"optimal"}
    assert [price.guess for price in prices] == list(range(rules.size))
    for price, cost in zip(prices, expected, strict=True):
        assert (as_one([*price.levels.values()]) if price.levels else None) == cost
        assert price.feasible == (cost is not None)
        assert (price.loss is None) == (cost is None)
        assert price.loss is None or price.loss.exact
    best = analyst.analysis(question, PLENTY)
    assert as_one([*best.levels.values()]) == min(cost for cost in expected if cost is not None)
    own = prices[best.guess]
    assert (own.levels, own.loss) == (best.levels, (0, 0))


@examples(30)
@given(positions(most=7), st.sampled_from(["worst", "worst,average"]))
def test_last_turn_of_every_guess_is_that_of_unpruned_search(analyst, case, objective):
    rules, history = case
    question = checked(Question.of(rules, history, objective))
    left = question.candidates.tolist()
    for price in priced(analyst, question):
        tried = (
            (cap, naive_price(rules, left, price.guess, question.turn, range(1, cap + 1)))
            for cap in range(question.turn, LATEST)
        )
        worst, average = next((cap, cost) for cap, cost in tried if cost is not None)
        levels = {"worst": ("worst", worst), "average": ("total", average)}
        assert price.levels == dict(levels[name] for name in objective.split(","))
        assert price.last_turn == worst


@examples(60)
@given(positions(), st.sampled_from(["average", "average,last"]), st.integers(1, 12))
def test_no_guess_costs_less_than_those_that_are_ranked(analyst, case, objective, number):
    """Their prices are the least of all, in order; guesses that symmetry makes equal cost alike."""
    rules, history = case
    question = checked(Question.of(rules, history, objective, LATEST if "," in objective else None))
    best = analyst.analysis(question, PLENTY)
    ranked = analyst.best_guesses(best, number)
    event(f"{len(ranked)} of {number}")
    left = question.candidates.tolist()
    if len(left) < 3:
        assert ranked == ()
        return
    assert 1 <= len(ranked) <= number
    assert analyst.best_guesses(best, number) == ranked
    assert len(set(ranked)) == len(ranked)
    costs = [tuple(price.levels.values()) for price in priced(analyst, question)]
    listed = [costs[guess] for guess in ranked]
    assert listed == sorted(listed)
    assert listed[0] == tuple(best.levels.values())
    telling = {cost for guess, cost in enumerate(costs) if rules.splits(guess, left)}
    if len(ranked) == number:
        assert {cost for cost in telling if cost < listed[-1]} <= set(listed)
    else:
        assert telling == set(listed)


@pytest.mark.parametrize(
    ("text", "objective"),
    [
        ("210:1.1 132:0.2", "last"),
        ("210:1.1 132:0.2", "last,average"),
        ("123:0.2 213:1.1", "movers"),
    ],
)
def test_guesses_are_ranked_where_another_costs_many_times_as_much(analyst, text, objective):
    """The least cost may be 0, and then no multiple of it is what the others cost."""
    question = Question.of("p3c4n", text, objective, 5)
    prices = priced(analyst, question)
    left = question.candidates.tolist()
    listed = [
        tuple(prices[guess].levels.values())
        for guess in analyst.best_guesses(analyst.analysis(question, PLENTY), len(prices))
    ]
    telling = [price for price in prices if question.rules.splits(price.guess, left)]
    costs = {tuple(price.levels.values()) for price in telling if price.feasible}
    assert listed == sorted(listed)
    assert set(listed) == costs
    assert max(costs)[0] > len(left) * min(costs)[0]


def test_last_turn_that_there_was_no_time_for_is_found_later(monkeypatch: pytest.MonkeyPatch):
    question = Question.of("p3c6n", "012:0.2")
    analyst = Analyst(sys.maxsize)
    guess = [question.rules.parse_code("340")]
    analyst.load(())
    best = analyst.analysis(question, PLENTY)
    with monkeypatch.context() as patch:
        patch.setattr(timed_search, "last_turn", lambda *_: None)
        (price,) = analyst.evaluations(best, guess, PLENTY)
    assert (price.status, price.last_turn, price.is_whole) == ("optimal", None, False)
    (later,) = analyst.evaluations(best, guess, PLENTY)
    assert (later.levels, later.is_whole) == (price.levels, True)
    (known,) = Analyst().evaluations(best, guess, PLENTY, [price])
    assert known.levels == price.levels, "what is known stays without a search"


def test_evaluations_of_a_large_game_are_those_of_its_codes(analyst):
    """Its table has rows for the candidates only, and numbers of its own."""
    rules = Rules.parse("p5c9n")
    secret = rules.parse_code("35107")
    guesses = [rules.parse_code(text) for text in ("01234", "56782", "13057")]
    turns = tuple((guess, rules.respond(guess, secret)) for guess in guesses)
    question = checked(Question.of(rules, turns))
    assert rules.size > 10_000
    assert is_searched(question)
    best = analyst.analysis(question, PLENTY)
    guesses = [best.guess, *by_rule_guesses(question), question.rules.parse_code("01234")]
    prices = analyst.evaluations(best, guesses, PLENTY)
    assert prices[0].loss == (0, 0)
    for price in prices:
        after = [
            question.then(price.guess, answer)
            for answer, _ in price.split.parts
            if answer != question.rules.win
        ]
        values = [analyst.analysis(one, PLENTY).value for one in after]
        assert price.value == sum(values) + question.turn * price.split.is_candidate


def encloses(bounds: Bounds | None, value: int) -> bool:
    """Whether a value keeps within what is known of it."""
    lower, upper = bounds or Bounds()
    return lower <= value and (upper is None or value <= upper)


def by_rule_guesses(question: Question) -> list[int]:
    """A few guesses of other kinds: that of a rule, the first and last candidates."""
    return [by_rule(question).guess, int(question.candidates[0]), int(question.candidates[-1])]


def test_without_time_bounds_hold_and_later_they_tighten(analyst):
    rules = Rules.parse("p4c8n")
    question = checked(Question.of(rules, "0123:0.1"))
    fresh = Analyst(memory=10**11)
    fresh.load(())
    guesses = [rules.parse_code(text) for text in ("1456", "4567", "0145")]
    exact = analyst.evaluations(analyst.analysis(question, PLENTY), guesses, PLENTY)
    before = None
    for seconds in (0.0, 0.1, PLENTY):
        best = fresh.analysis(question, seconds)
        prices = fresh.evaluations(best, guesses, seconds)
        for price, true in zip(prices, exact, strict=True):
            assert true.value is not None
            assert true.loss is not None
            assert encloses(price.bounds, true.value)
            assert encloses(price.loss, true.loss.lower)
            assert (price.status == "optimal") == bool(price.levels)
        for price, earlier in zip(prices, before or prices, strict=True):
            known = price.bounds or Bounds()
            assert known.tightened(earlier.bounds or Bounds()) == known
        before = prices
    assert [price.levels for price in prices] == [price.levels for price in exact]


def test_known_evaluations_are_not_searched():
    """A guess equivalent to the best one, and one that splits nothing: a proof takes an hour."""
    fresh = Analyst.loaded()
    question = checked(Question.of("p5c9n", "01234:0.1"))
    rules = question.rules
    proved = Analysis.proved(question, rules.parse_code("15678"), {"total": 20_000}, 9)
    guesses = [rules.parse_code(text) for text in ("25678", "01234")]
    alike, idle = fresh.evaluations(proved, guesses, 0.0)
    count = len(question.candidates)
    assert (alike.value, alike.last_turn, alike.loss) == (20_000, 9, (0, 0))
    assert (idle.value, idle.last_turn, idle.loss) == (20_000 + count, 10, (count, count))


def test_evaluation_that_the_memory_is_too_small_for_says_so():
    question = checked(Question.of("p3c6n", "012:0.1"))
    small = Analyst(1)
    small.load(())
    proved = Analysis.proved(question, question.rules.parse_code("134"), {"total": 140})
    guesses = [question.rules.parse_code(text) for text in ("134", "012", "345")]
    best, idle, other = small.evaluations(proved, guesses, PLENTY)
    assert (best.value, idle.value) == (140, 140 + len(question.candidates))
    assert (other.status, other.is_refused, other.is_settled) == ("heuristic", True, True)
    (other,) = Analyst().evaluations(proved, guesses[2:], PLENTY)
    assert (other.is_refused, other.is_settled) == (False, False)


def test_grade_follows_from_the_turns_above_the_best():
    """16 codes: a tenth of a turn for each is between one and two turns in all."""
    grades: dict[tuple[int, int], str | None]
    grades = {(0, 0): "best", (1, 1): "good", (2, 2): "doubtful", (6, 6): "doubtful"}
    grades |= {(7, 7): "blunder", (7, 30): "blunder", (1, 2): None, (0, 1): None}
    found = split(Rules.parse("p2c4r"), Question.of("p2c4r").candidates, 0)
    for (lower, upper), grade in grades.items():
        more: Any = {"bounds": Bounds(100 + lower, 100 + upper), "best": Bounds(100, 100)}
        assert Evaluation(Question.of("p2c4r"), found, **more).grade == grade
        worst = Question.of("p2c4r", objective="worst")
        assert Evaluation(worst, found, **more).grade is None, "a grade is of turns on average"


REPEATED = "012:0.1 012:0.1 345:1.0"


@pytest.mark.parametrize("objective", ["average", "worst,average", "worst"])
@pytest.mark.parametrize("max_turns", [None, 9])
def test_what_is_known_without_them_and_put_off_is_what_a_search_finds(
    analyst, objective, max_turns
):
    question = Question.of("p3c8n", REPEATED, objective, max_turns)
    earlier = without_idle_turns(question)
    assert earlier is not None
    assert str(earlier.history) == "012:0.1 345:1.0"
    assert earlier.max_turns == (None if max_turns is None else max_turns - 1)
    found = postponed(analyst.analysis(earlier, None), question)
    whole = analyst.analysis(question, None)
    assert found.status == whole.status == "optimal"
    assert (found.levels, found.bounds) == (whole.levels, whole.bounds)
    assert found.last_turn == whole.last_turn == whole.levels.get("worst")
    assert found.question == question


@pytest.mark.parametrize(
    ("turns", "objective", "max_turns"),
    [
        ("012:0.1 345:1.0", "average", None),
        ("012:0.1", "average", None),
        (REPEATED, "last", 6),
        (REPEATED, "average", 1),
    ],
)
def test_positions_without_such_turns_or_whose_costs_go_by_the_turn_are_as_they_are(
    turns, objective, max_turns
):
    assert without_idle_turns(Question.of("p3c8n", turns, objective, max_turns)) is None
    implied = without_idle_turns(Question.of("p3c8n", "012:3.0 345:0.0"))
    assert implied is not None
    assert str(implied.history) == "012:3.0"
