"""The searches of the analysis keep within a budget of memory: a game fits, goes, or is refused."""

import asyncio
import gc
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

from bullscows.analysis import games
from bullscows.analysis.analyst import MEMORY, Analyst
from bullscows.analysis.findings import by_rule
from bullscows.analysis.games import (
    AT_ONCE,
    HORIZON,
    LEAST_BITS,
    RESERVE,
    UNMEASURED,
    Scope,
    WarmGames,
)
from bullscows.analysis.memory import MEGABYTE, TooLittleMemoryError, forget, resident
from bullscows.game.objective import Objective, combine
from bullscows.game.question import Question
from bullscows.game.responses import ResponseTable, table_bytes
from bullscows.game.rules import KNOWN_GAMES, Rules
from bullscows.kernels.arrays.workspace import search_bytes
from bullscows.search.position import Position
from bullscows.search.search import Search, table_bits_of
from bullscows_web.analyse.search.service import AnalysisService
from bullscows_web.api.positions import NOTES
from bullscows_web.trees.library import Library
from tests.support.processes import megabytes
from tests.support.serving import Server, running

AVERAGE = Objective.parse("average")
GAMES = {text: Rules.parse(text) for text in ("p3c6n", "p3c7n", "p3c8n", "p4c7n")}


def arrays_of(search: Search) -> int:
    """Return the bytes of a search's arrays but the response table."""
    problem, work = search.problem.arrays(), search._workspaces[0].arrays()
    del problem["responses"]
    return sum(array.nbytes for array in (*problem.values(), *work.values(), *search._stored))


@pytest.mark.parametrize(
    "text", ["p1c4r", "p3c4n", "p4c6r", "p4c10n", "p6c4r", "p5c6r", "p6c6n", "p4c9r"]
)
def test_size_of_a_search_is_known_before_it_is_made(text: str):
    rules = Rules.parse(text)
    table = ResponseTable.of(rules)
    weights = combine(AVERAGE, HORIZON, table.size, table.answers, capped=False)
    for bits in (12, 18):
        taken = arrays_of(Search(table, weights, table_bits=bits))
        assert taken <= search_bytes(rules, HORIZON, bits) <= taken + 2 * MEGABYTE
    assert table.responses.nbytes == table_bytes(rules, rules.size)


def needed(rules: Rules, bits: int, searches: int = AT_ONCE) -> int:
    return table_bytes(rules, rules.size) + searches * search_bytes(rules, HORIZON, bits)


def asked(rules: Rules, objective: str = "average", max_turns: int | None = None) -> Question:
    return Question.of(rules, (), objective, max_turns)


def warm_games(monkeypatch: pytest.MonkeyPatch, room: int) -> WarmGames:
    """Return an empty cache of games with `room` bytes of memory."""
    monkeypatch.setattr(games, "resident", lambda: None)
    return WarmGames(room + UNMEASURED + RESERVE)


def test_game_that_was_not_asked_about_for_longest_goes_whole(monkeypatch: pytest.MonkeyPatch):
    first, second, third, _ = GAMES.values()
    room = needed(first, 18, 1) + needed(second, 18, 1) + needed(third, 18)
    warm = warm_games(monkeypatch, room - 1)
    kept = warm.search(asked(first))
    warm.search(asked(second))
    assert warm.search(asked(first)) is kept
    warm.search(asked(third))
    assert [scope.rules for scope in warm._games] == [first, third]
    assert warm.search(asked(first)) is kept


def test_what_is_kept_and_a_second_search_fit(monkeypatch: pytest.MonkeyPatch):
    room = 3 * needed(GAMES["p4c7n"], 18)
    warm = warm_games(monkeypatch, room)
    for objective in ("average", "last", "average,last", "last,average", "movers"):
        for rules in GAMES.values():
            warm.search(asked(rules, objective, 6))
            assert warm.bytes + search_bytes(rules, HORIZON, 18) <= room
            assert list(warm._games)[-1].rules == rules


def test_objectives_of_one_game_make_room_for_each_other(monkeypatch: pytest.MonkeyPatch):
    rules = GAMES["p3c8n"]
    warm = warm_games(monkeypatch, needed(rules, 18, 3))
    searches = [warm.search(asked(rules, max_turns=turns)) for turns in (None, 7, 8)]
    assert warm.search(asked(rules, max_turns=8)) is searches[2]
    assert warm.search(asked(rules)) is not searches[0]
    assert [scope.rules for scope in warm._games] == [rules]


@pytest.mark.parametrize("bits", [18, 17, 16])
def test_table_is_as_large_as_there_is_room(monkeypatch: pytest.MonkeyPatch, bits: int):
    rules = GAMES["p3c6n"]
    assert table_bits_of(rules.size) == 18
    warm = warm_games(monkeypatch, needed(rules, bits))
    assert len(warm.search(asked(rules))._shared[0]) == 1 << bits
    assert warm.table(asked(rules))[1] <= bits


def test_game_that_does_not_fit_is_refused_and_the_others_stay(monkeypatch: pytest.MonkeyPatch):
    small, large = GAMES["p3c6n"], Rules.parse("p4c9r")
    monkeypatch.setattr(games, "LITTLE", 0)
    warm = warm_games(monkeypatch, needed(large, LEAST_BITS) - 1)
    kept = warm.search(asked(small))
    for ask in (lambda: warm.search(asked(large)), lambda: warm.table(asked(large))):
        with pytest.raises(TooLittleMemoryError, match="p4c9r"):
            ask()
    assert warm.search(asked(small)) is kept


def test_what_all_else_takes_is_measured_again_before_a_game_is_refused(
    monkeypatch: pytest.MonkeyPatch,
):
    first, second = GAMES["p3c6n"], GAMES["p4c7n"]
    warm = WarmGames(needed(second, LEAST_BITS) + RESERVE + 100 * MEGABYTE)
    used = [100 * MEGABYTE, 500 * MEGABYTE, 100 * MEGABYTE]
    monkeypatch.setattr(games, "resident", lambda: used.pop(0))
    warm.search(asked(first))
    warm.search(asked(second))
    assert [scope.rules for scope in warm._games] == [second]


def test_what_all_else_took_is_forgotten_where_only_little_games_would_go(
    monkeypatch: pytest.MonkeyPatch,
):
    first, second = GAMES["p3c6n"], GAMES["p4c7n"]
    small, large = needed(first, LEAST_BITS), needed(second, LEAST_BITS)
    warm = WarmGames(large + RESERVE + 100 * MEGABYTE)
    used = [100 * MEGABYTE + large - small, 500 * MEGABYTE, 100 * MEGABYTE]
    monkeypatch.setattr(games, "resident", lambda: used.pop(0))
    warm.search(asked(first))
    warm.search(asked(second))
    assert [scope.rules for scope in warm._games] == [second]
    assert not used


def test_position_of_a_game_that_does_not_fit_has_the_value_it_has_there(
    monkeypatch: pytest.MonkeyPatch,
):
    question = Question.of("p4c9r", "0123:1.1 4567:0.2 8018:0.1")
    least = Scope.of(question)[-1]
    room = least.bytes + AT_ONCE * least.search_bytes(LEAST_BITS)
    assert room < needed(question.rules, LEAST_BITS)
    alone = warm_games(monkeypatch, room).search(question)
    whole = warm_games(monkeypatch, needed(question.rules, 22)).search(question)
    assert (alone.table.rows, whole.table.rows) == (len(question.candidates), 9**4)
    values = [
        search.value(Position.after(search.table, question.history)) for search in (alone, whole)
    ]
    assert values[0] == values[1]
    assert values[0].exact


def test_what_is_kept_of_a_large_game_can_be_forgotten():
    tracemalloc.start()
    try:
        by_rule(Question.of("p6c8r"))
        kept, _ = tracemalloc.get_traced_memory()
        forget()
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept - left >= 4 * MEGABYTE
    assert kept <= 20 * MEGABYTE


def test_positions_of_a_large_game_take_rows_of_their_own(monkeypatch: pytest.MonkeyPatch):
    warm = warm_games(monkeypatch, 400 * MEGABYTE)
    question = Question.of("p5c8r", "00112:1.1 23345:0.3 61207:2.0")
    search = warm.search(question)
    assert search.table.rows == len(question.candidates)
    assert search.table.responses.nbytes == Scope.of(question)[0].bytes
    assert warm.search(question) is search
    assert warm.search(question.then(0, 0)) is not search


def test_freed_memory_goes_back_to_the_system(monkeypatch: pytest.MonkeyPatch):
    """The tables are larger than usual, because only many megabytes are measurable."""
    monkeypatch.setattr(games, "MOST_BITS", 24)
    gc.collect()  # what other tests left would be taken again, and hide what is taken here
    forget()
    before = resident()
    if before is None:
        pytest.skip("resident memory is unknown on this system")
    room = needed(Rules.parse("p4c10n"), 22) + 150 * MEGABYTE
    warm = WarmGames(before + room + RESERVE)
    for text in ("p4c10n", "p4c9r", "p5c6r", "p4c10n"):
        search = warm.search(asked(Rules.parse(text)))
        for array in (*search._shared, *search._workspaces[0].arrays().values()):
            array.fill(1)
        del search
        used = resident()
        assert used is not None
        assert used <= before + room + RESERVE
        assert used >= before + 50 * MEGABYTE


def test_no_table_is_larger_than_questions_fill():
    question = asked(Rules.parse("p4c10n"))
    search = WarmGames(1 << 40).search(question)
    assert search._shared[0].nbytes + search._shared[1].nbytes == 8 * MEGABYTE


def test_game_beyond_the_memory_is_answered_by_a_rule_that_says_so(library: Library):
    service = AnalysisService(seconds=60, waiting=1, memory=1)
    service.load().join()
    question = Question.of("p3c4n")
    sourced = asyncio.run(service.ask(lambda: service.analysis(library, question)))
    service.close()
    assert (sourced.analysis.status, sourced.reason) == ("heuristic", "memory")


# -- a real worker process ---------------------------------------------------------------------

BUDGET = MEMORY // MEGABYTE
WHOLE = (("p4c10n", "0123"), ("p4c6r", "0012"), ("p4c10r", "0012"), ("p5c6r", "00123"))
"""The two classic games, and the largest of which the whole table is made: all must fit."""
ROWS = (("p5c10n", "01234"),)
"""Games of which rows are made: 3,600 candidates take 109 MB, nearly the most that is searched."""
OBJECTIVES: tuple[dict[str, object], ...] = (
    {},
    {"objective": "worst,average"},
    {"objective": "last,average", "max_turns": 8},
)
LOAD_SECONDS = 120


def wait_for_search(server: Server) -> None:
    """Return when the search is loaded, and the games that it solves first are solved."""
    deadline = time.monotonic() + LOAD_SECONDS
    while time.monotonic() < deadline:
        status, found = server.request("POST", "/api/v1/guess", {"rules": "p4c10n", "turns": []})
        assert status == 200
        if found["note"] is None:
            return
        assert found["note"] in (NOTES["loading"], NOTES["time"])
        time.sleep(0.2)
    pytest.fail(f"the search is not loaded:\n{server.log.read_text()}")


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.skipif(resident() is None, reason="resident memory is unknown on this system")
def test_worker_keeps_within_its_budget(small_trees: Path, tmp_path: Path):
    # The kernels are compiled here: who compiles keeps the compiler's memory.
    Analyst(sys.maxsize).load()
    settings = {
        "BULLSCOWS_MEMORY_LIMIT_MB": str(BUDGET),
        "BULLSCOWS_SEARCH_TIMEOUT": "0.5",
        "BULLSCOWS_PRESOLVE": ",".join(KNOWN_GAMES),
    }
    with running(small_trees, tmp_path / "log", **settings) as server:
        wait_for_search(server)
        notes: dict[str, list[str | None]] = {rules: [] for rules, _ in (*WHOLE, *ROWS)}
        for rules, guess in (*WHOLE, *ROWS, *WHOLE):
            for objective in OBJECTIVES:
                for turns in ([], [{"guess": guess, "bulls": 1, "cows": 1}]):
                    question = {"rules": rules, "turns": turns, **objective}
                    status, found = server.request("POST", "/api/v1/guess", question)
                    assert status == 200
                    notes[rules].append(found["note"])
                    assert megabytes(server.process.pid, "VmHWM") <= BUDGET
    assert notes["p4c10n"][0] is None  # the search was asked: it has proved the known games
    for rules, _ in WHOLE:
        assert len(notes[rules]) == 12
    for rules in notes:
        assert NOTES["memory"] not in notes[rules], rules
        assert NOTES["large-game"] not in notes[rules][1::2], rules  # after a turn
