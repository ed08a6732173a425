"""Time limits cover everything: tables, compilation, the search, and the strategy at the end."""

import json
import os
import subprocess
import sys
import time
from itertools import count

import numpy as np
import pytest

from bullscows.analysis.adversary import Adversary
from bullscows.analysis.analyst import Analyst, analyse
from bullscows.cli import options as opt
from bullscows.game.objective import INFINITE, ObjectiveError
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.game.timer import LAST_MOMENT, UNLIMITED, OutOfTimeError, Timer
from bullscows.kernels import entry
from bullscows.kernels.caps import class_caps
from bullscows.library import solve
from bullscows.search.pareto import pareto_front
from bullscows.search.position import Position
from bullscows.search.position_search import Search
from bullscows.search.shipped_strategies import unsearched_bound
from bullscows.search.solution import Solution
from tests.support.known import known_total

pytestmark = pytest.mark.large

GIGABYTE = 1 << 30


def ticking(step: float = 1.0):
    """A clock that a look advances."""
    ticks = count()
    return lambda: next(ticks) * step


class Stopped:
    """A clock that stands still until it is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_timer_counts_down() -> None:
    clock = Stopped()
    timer = Timer(4.0, clock=clock)
    clock.now = 1.0
    assert (timer.share(), timer.share(0.5), timer.is_over) == (3.0, 1.5, False)
    assert timer.extended().share() == 3.0
    timer.check(2.9)
    clock.now = 9.0
    assert (timer.share(), timer.is_over) == (0.0, True)
    assert timer.extended().share() == LAST_MOMENT
    with pytest.raises(OutOfTimeError):
        timer.check()


def test_a_table_that_would_take_too_long_is_hardly_begun() -> None:
    looks = ticking()
    with pytest.raises(OutOfTimeError):
        ResponseTable.of("p4c10n", Timer(100.0, clock=looks))
    assert looks() < 20
    rules = Rules.parse("p4c10n")
    with pytest.raises(OutOfTimeError):
        ResponseTable.of_candidates(
            rules, np.arange(5000, dtype=np.int32), Timer(100.0, clock=ticking())
        )
    assert ResponseTable.of("p4c10n", Timer(1e6, clock=ticking())).rows == 5040


def test_caps_by_answer_end_with_the_time() -> None:
    table = ResponseTable.of("p3c6n")
    with pytest.raises(OutOfTimeError):
        class_caps(table.responses, table.size, table.answers, 0, Timer(5.0, clock=ticking()))


@pytest.mark.parametrize(
    ("history", "first", "upper", "guess"),
    [
        ("", None, 178537, "00112"),
        ("", "00112", 178537, "00112"),
        ("00112:0.1", None, 40484, None),
        ("55443:0.1", None, 40484, None),
        ("", "01234", None, "01234"),
        ("01234:0.1", None, None, None),
    ],
)
def test_a_shipped_tree_bounds_a_game_for_which_there_is_no_time(history, first, upper, guess):
    found = solve("p5c8r", history=history, first=first, time_limit=0.0)
    if not history:  # the table of a position may be fast enough to begin a search
        assert found.search is None
    assert (found.cost.upper, found.optimal, found.distribution) == (upper, False, None)
    assert found.source == (None if upper is None else "best-mastermind-5x8")
    assert found.cost.lower > 4 * found.secrets
    assert guess is None or found.guess_text == guess
    assert (found.source or "no strategy found yet") in str(found)


def test_the_last_turn_of_a_shipped_tree_bounds_the_worst_case() -> None:
    found = solve("p5c8r", "worst", time_limit=0.0)
    assert (found.bounds, found.source) == ((5, 7), "best-mastermind-5x8")


def test_a_tree_of_any_guesses_is_none_of_candidates_only() -> None:
    found = solve("p4c10n", candidates_only=True, time_limit=0.0)
    assert found.source == "possibles-bulls-cows"


@pytest.mark.parametrize("name", ["p3c6n", "p3c6r", "p2c4r", "p3c5z", "p3c6rb"])
def test_bounds_without_a_search_hold(name: str) -> None:
    for history in ("", f"{Rules.parse(name).text(1)}:1.0"):
        question = Question.of(name, history)
        bound = unsearched_bound(question, question.weights())
        assert 0 < bound <= solve(name, history=history).cost.lower
    capped = Question.of(name, "", "average", 1)
    assert unsearched_bound(capped, capped.weights()) == INFINITE


def test_small_games_are_searched_however_little_time_there_is() -> None:
    found = solve("p4c6r", time_limit=0.0)
    assert found.search is not None
    assert (found.cost.upper, found.source) == (known_total("p4c6r"), "avg-mastermind")
    assert found.cost.lower >= 4986
    assert not found.optimal


def test_with_a_limit_the_proof_and_the_guess_stay_the_search_s() -> None:
    free = solve("p3c6n")
    limited = solve("p3c6n", time_limit=600.0)
    assert (limited.cost, limited.guess) == (free.cost, free.guess)
    assert limited.source is None
    assert limited.distribution == free.distribution


def test_nothing_is_compiled_for_which_there_is_no_time(monkeypatch) -> None:
    monkeypatch.setattr(type(entry.search), "is_compiled", False)
    found = solve("p3c10n", time_limit=5.0)
    assert (found.search, found.source) == (None, "avg-bulls-cows-3-digits")
    assert analyse("p3c10n", "012:0.1", seconds=5.0).status == "heuristic"
    assert solve("p3c6n", time_limit=600.0).optimal


def test_a_tie_break_without_time_leaves_the_value_proved(monkeypatch) -> None:
    solution = solve("p3c6n")
    assert solution.search is not None
    with pytest.raises(OutOfTimeError):
        solution.search.guess(solution.position, solution.cost.upper, Timer(0.0))

    def late(*_: object) -> None:
        raise OutOfTimeError

    monkeypatch.setattr(type(solution.search), "guess", late)
    proved = solve("p3c4r", time_limit=600.0)
    assert (proved.optimal, proved.guess, proved.source) == (True, None, None)


def test_a_strategy_grows_within_a_limit() -> None:
    solution = solve("p3c6n")
    assert not solution.grow(Timer(0.0))
    assert (solution.distribution, solution.total) == (None, 436)
    again = solve("p3c6n")
    assert again.grow(UNLIMITED)
    assert again.distribution == (1, 5, 38, 69, 7)


def test_the_cost_of_a_position_of_the_strategy_is_searched_within_the_limit() -> None:
    question = Question.of("p5c7n")
    table = ResponseTable.of("p5c7n")
    search = Search(table, question.weights())
    with pytest.raises(OutOfTimeError):
        search.guess(Position.after(table, ()), timer=Timer(1.5, clock=ticking()))
    assert search.counters()["nodes"] < 1000, "the whole search takes 2375"


def test_a_known_strategy_is_an_upper_bound_if_none_can_be_grown(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(Solution, "grow", lambda *_: False)
    found = solve("p3c6r", checkpoint=tmp_path / "proof.json", time_limit=600.0)
    assert (found.value, found.source) == (known_total("p3c6r"), "avg-mastermind-3x6")


def test_a_front_asks_for_the_last_turn_before_it_computes() -> None:
    """No table of this game can be made."""
    with pytest.raises(ObjectiveError, match="max_turns"):
        pareto_front("p8c16r")


def test_an_adversary_stops_at_the_first_answer_that_is_not_proved() -> None:
    asked = []

    class Noting(Adversary):
        def last_turn(self, question: Question, seconds: float | None) -> int | None:
            asked.append(question)
            return super().last_turn(question, seconds)

    reply = Noting(Analyst()).reply(Question.of("p4c10n"), 0, 5.0)
    assert (reply.method, len(asked)) == ("largest-part", 1)


def test_limits_of_commands_count_from_their_start() -> None:
    opt.start(time.monotonic() - 2)
    assert 0.0 <= (opt.timer(3.0).share() or 0.0) <= 1.0
    assert (opt.timer(1.0).share(), opt.timer(None).share()) == (0.0, None)
    assert opt.seconds() >= 2


MEASURED = """
import atexit, pathlib, re, runpy, sys
def peak():
    status = pathlib.Path("/proc/self/status").read_text()
    print(re.search(r"VmHWM: *\t* *(\\d+) kB", status)[1], file=sys.stderr)
atexit.register(peak)
runpy.run_module("bullscows", run_name="__main__")
"""
"""A command that ends with its peak memory in kB on standard error.

The system's own figure for a child includes the process that started it.
"""


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="the peak memory is read from /proc")
@pytest.mark.parametrize(
    "words",
    [
        ("solve", "p5c8r", "--time-limit", "3"),
        ("solve", "p8c8n", "--time-limit", "2"),
        ("adversary", "p5c8r", "--guess", "00112", "--time-limit", "1"),
    ],
)
def test_commands_take_little_more_than_their_limit(words: tuple[str, ...]) -> None:
    """Processor time: the tables alone would take three to six seconds, and more than 1 GB."""
    command = [sys.executable, "-c", MEASURED, *words, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        record = json.loads(process.stdout.read())
        peak_kilobytes = int(process.stderr.read())
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 3
    assert used.ru_utime + used.ru_stime < float(words[-1]) + 1.5
    assert peak_kilobytes * 1024 < GIGABYTE
    assert "seconds" not in record or 0 < record["seconds"] < 60
