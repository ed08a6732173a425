"""Analyses of any position: values against those published and against an unpruned search."""

import signal
import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.analysis.analyst import MAX_CAP, STEPS, Analyst, checked
from bullscows.analysis.without_search import by_rule, certain
from bullscows.game.history import candidates
from bullscows.game.objective import ObjectiveError
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.result import TooFewTurnsError
from bullscows.game.rules import Rules
from tests.support.examples import examples
from tests.support.known import known_total
from tests.support.naive import naive_value
from tests.support.searching import searcher_of
from tests.support.servers.processes import interruptible
from tests.support.strategies import histories

pytestmark = pytest.mark.large

PLENTY = 600.0
"""Seconds that no search here needs."""
TINY = ("p1c4r", "p2c3r", "p2c4n", "p3c3r", "p3c4n", "p2c5r")


@pytest.fixture(scope="module")
def analyst(proving):
    """The analyst of the server: what it has searched for one test is known in the others."""
    return searcher_of(proving).analyst


def asked(rules, history="", objective="average", max_turns=None, candidates_only=False):
    return checked(
        Question.of(rules, history, objective, max_turns, candidates_only=candidates_only)
    )


@pytest.mark.parametrize(
    ("rules", "objective", "max_turns", "levels"),
    [
        ("p4c6r", "average", 5, {"total": known_total("p4c6r", max_turns=5)}),
        ("p4c6r", "worst", None, {"worst": 5}),
        pytest.param(
            "p4c10n",
            "worst,average",
            None,
            {"worst": 7, "total": known_total("p4c10n", "worst,average")},
            marks=pytest.mark.slow,
        ),
    ],
)
def test_published_values_of_whole_games(analyst, rules, objective, max_turns, levels):
    analysis = analyst.analysis(asked(rules, "", objective, max_turns), PLENTY)
    assert (analysis.status, analysis.levels) == ("optimal", levels)


@examples(80)
@given(st.sampled_from(TINY), st.booleans(), st.data())
def test_values_agree_with_unpruned_search(analyst, text, candidates_only, data):
    rules = Rules.parse(text)
    secret = data.draw(st.integers(0, rules.size - 1))
    guesses = data.draw(st.lists(st.integers(0, rules.size - 1), max_size=3))
    history = tuple((guess, rules.respond(guess, secret)) for guess in guesses)
    max_turns = data.draw(st.none() | st.integers(1, 7))
    table = ResponseTable.of(rules)
    rows = table.responses[:, : table.size].tolist()
    turn = len(history) + 1
    left = tuple(candidates(rules, history).tolist())
    if len(left) > 9:
        return
    weights = range(1, (max_turns or 12) + 1)
    expected = naive_value(rows, table.win, weights, left, turn, candidates_only=candidates_only)
    question = asked(rules, history, "average", max_turns, candidates_only)
    try:
        analysis = analyst.analysis(question, PLENTY)
        found = analysis.value
        assert not candidates_only or analysis.guess in left
    except TooFewTurnsError:
        found = None
    assert found == expected


def test_guessing_candidates_only_is_another_question(analyst):
    """Both are requested alternately, so that a wrong cache key would confuse them."""
    for _ in range(2):
        for only, name in ((False, "average"), (True, "possibles-only")):
            found = analyst.analysis(asked("p4c6r", candidates_only=only), PLENTY)
            assert found.levels == {"total": known_total("p4c6r", name)}
            assert ("candidates only" in found.claim) == only
    with pytest.raises(TooFewTurnsError, match="strategy of candidates only"):
        analyst.analysis(asked("p4c6r", "", "average", 5, candidates_only=True), PLENTY)
    found = analyst.analysis(asked("p4c6r", "", "worst", candidates_only=True), PLENTY)
    assert found.levels == {"worst": 6}


@examples(40)
@given(histories(max_size=100), st.sampled_from(["average", "worst,average"]), st.randoms())
def test_order_of_the_history_changes_nothing(analyst, case, objective, random):
    rules, history = case
    if not len(candidates(rules, history)):
        return
    shuffled = list(history)
    random.shuffle(shuffled)
    found = [
        analyst.analysis(asked(rules, turns, objective), PLENTY) for turns in (history, shuffled)
    ]
    assert found[0] == replace(found[1], question=found[0].question)
    orders = [asked(rules, turns, objective) for turns in (history, shuffled)]
    assert len({Analyst().analysis(order, PLENTY).guess for order in orders}) == 1


@examples(40)
@given(histories(max_size=60), st.sampled_from(["average", "worst", "last,average", "movers"]))
def test_special_positions_are_certain_without_a_search(analyst, case, objective):
    rules, history = case
    if not len(candidates(rules, history)):
        return
    question = asked(rules, history, objective, 6)
    found = certain(question)
    if found is None:
        return
    if question.found is not None:  # a search has no guess then, so no cost of one
        assert (found.guess, rules.win) in history
        return
    proved = analyst.searched(question, PLENTY)
    assert found.levels == proved.levels


def test_without_time_the_bounds_hold(analyst):
    question = asked("p4c10n", "0123:0.1", "average", 8)
    analysis = analyst.analysis(question, 0.0)
    assert analysis.status != "optimal"
    assert analysis.guess == by_rule(question).guess
    assert analysis.value is None
    lower, upper = analysis.bounds
    assert lower <= 7935
    assert upper is None or upper >= 7935


@pytest.mark.parametrize("only", [False, True])
def test_game_that_is_too_large_to_search_gets_the_guess_of_a_rule(analyst, only):
    question = asked("p5c8r", "00000:0.0 11111:1.0", candidates_only=only)
    found = analyst.analysis(question, 0.0)
    assert (found.status, found.guess) == ("heuristic", by_rule(question).guess)
    assert found.guess in question.candidates or not only


def test_bounds_enclose_the_value_and_tighten(analyst):
    question = asked("p5c8n", "01234:0.3")
    first = analyst.analysis(question, 0.2)
    second = analyst.analysis(question, 0.1)
    for analysis in (first, second):
        assert analysis.status in ("bounded", "heuristic")
        lower, upper = analysis.bounds
        assert upper is None or lower < upper
    assert second.bounds == second.bounds.tightened(first.bounds)


@pytest.mark.parametrize("objective", ["average", "worst,average"])
def test_an_interrupt_is_raised_and_ends_no_later_analysis(analyst, objective):
    """Once a position whose search Ctrl-C had ended was left out as one that takes too long."""
    question = asked("p5c8n", "01234:0.3", objective)
    analyst.analysis(question, 0.1)  # so that the next one begins with the search
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    with interruptible():
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            analyst.analysis(question, None)
    assert analyst.analysis(question, 0.1).status in ("bounded", "heuristic")


def test_too_few_turns_are_proved_to_be(analyst):
    with pytest.raises(TooFewTurnsError, match="1296 candidates by turn 4"):
        analyst.analysis(asked("p4c6r", "", "average", 4), PLENTY)
    with pytest.raises(TooFewTurnsError):
        analyst.analysis(asked("p4c6r", "0011:0.1", "worst", 2), PLENTY)
    found = certain(asked("p4c6r", "0011:4.0", "average", 1))
    assert found is not None
    assert found.feasible is False


@pytest.mark.parametrize(
    ("objective", "max_turns"),
    [("last", None), ("average", MAX_CAP + 1), ("weights:" + "1," * MAX_CAP + "1", None)],
)
def test_bad_objectives_are_refused(objective, max_turns):
    with pytest.raises(ObjectiveError):
        asked("p4c6r", "", objective, max_turns)


def test_what_is_not_proved_unasked_is_left() -> None:
    """Otherwise an idle server would search without end for a position that was not requested."""
    fresh = Analyst(1 << 40)
    fresh.load(("p2c3r",))
    steps = list(fresh.solving(("p4c10n",), 0.0))
    assert STEPS <= len(steps) < 20 * STEPS
