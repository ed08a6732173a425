"""The searches of the analysis keep within a budget of memory: a game fits, goes, or is refused."""

import pytest

from bullscows.analysis import games
from bullscows.analysis.analyst import MEMORY
from bullscows.analysis.memory import MEGABYTE, TooLittleMemoryError
from bullscows.game.objective import Objective, combine
from bullscows.game.question import Question
from bullscows.game.responses import ResponseTable, table_bytes
from bullscows.game.rules import Rules
from bullscows.kernels.arrays.workspace import search_bytes
from bullscows.search.position import Position
from bullscows.search.search import Search, table_bits_of

AVERAGE = Objective.parse("average")
GAMES = {text: Rules.parse(text) for text in ("p3c6n", "p3c7n", "p3c8n", "p4c7n")}


def arrays_of(search: Search) -> int:
    """Return the bytes of a search's arrays but the response table."""
    parts = (search.problem, search._workspaces[0])
    held = [getattr(part, name) for part in parts for name in part.names() if name != "responses"]
    return sum(getattr(one, "nbytes", 0) for one in (*held, *search._stored))


@pytest.mark.parametrize(
    "text", ["p1c4r", "p3c4n", "p4c6r", "p4c10n", "p6c4r", "p5c6r", "p6c6n", "p4c9r"]
)
def test_size_of_a_search_is_known_before_it_is_made(text: str):
    rules = Rules.parse(text)
    table = ResponseTable.of(rules)
    weights = combine(AVERAGE, games.HORIZON, table.size, table.answers, capped=False)
    for bits in (12, 18):
        taken = arrays_of(Search(table, weights, table_bits=bits))
        assert taken <= search_bytes(rules, games.HORIZON, bits) <= taken + 2 * MEGABYTE
    assert table.responses.nbytes == table_bytes(rules, rules.size)


def needed(rules: Rules, bits: int, searches: int = games.AT_ONCE) -> int:
    return table_bytes(rules, rules.size) + searches * search_bytes(rules, games.HORIZON, bits)


def asked(rules: Rules, objective: str = "average", max_turns: int | None = None) -> Question:
    return Question.of(rules, (), objective, max_turns)


def warm_games(monkeypatch: pytest.MonkeyPatch, room: int) -> games.WarmGames:
    monkeypatch.setattr(games, "resident", lambda: None)
    return games.WarmGames(room + games.UNMEASURED + games.RESERVE)


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
            assert warm.bytes + search_bytes(rules, games.HORIZON, 18) <= room
            assert list(warm._games)[-1].rules == rules


@pytest.mark.parametrize("bits", [18, 17, 16])
def test_table_is_as_large_as_there_is_room(monkeypatch: pytest.MonkeyPatch, bits: int):
    rules = GAMES["p3c6n"]
    assert table_bits_of(rules.size) == 18
    warm = warm_games(monkeypatch, needed(rules, bits))
    assert len(warm.search(asked(rules))._shared[0]) == 1 << bits
    assert warm.table(asked(rules))[1] <= bits


def test_game_that_does_not_fit_is_refused_and_the_others_stay(monkeypatch: pytest.MonkeyPatch):
    small = GAMES["p3c6n"]
    large = Rules.parse("p4c9r")
    monkeypatch.setattr(games, "LITTLE", 0)
    warm = warm_games(monkeypatch, needed(large, games.LEAST_BITS) - 1)
    kept = warm.search(asked(small))
    for ask in (lambda: warm.search(asked(large)), lambda: warm.table(asked(large))):
        with pytest.raises(TooLittleMemoryError, match="p4c9r"):
            ask()
    assert warm.search(asked(small)) is kept


def test_what_all_else_took_is_forgotten_where_only_little_games_would_go(monkeypatch):
    small, large = (needed(GAMES[text], games.LEAST_BITS) for text in ("p3c6n", "p4c7n"))
    warm = games.WarmGames(large + games.RESERVE + 100 * MEGABYTE)
    used = [100 * MEGABYTE + large - small, 500 * MEGABYTE, 100 * MEGABYTE]
    monkeypatch.setattr(games, "resident", lambda: used.pop(0))
    for text in ("p3c6n", "p4c7n"):
        warm.search(asked(GAMES[text]))
    assert [scope.rules for scope in warm._games] == [GAMES["p4c7n"]]
    assert not used


def test_position_of_a_game_that_does_not_fit_has_the_value_it_has_there(monkeypatch):
    question = Question.of("p4c9r", "0123:1.1 4567:0.2 8018:0.1")
    least = games.Scope.of(question)[-1]
    room = least.bytes + games.AT_ONCE * least.search_bytes(games.LEAST_BITS)
    assert room < needed(question.rules, games.LEAST_BITS)
    alone = warm_games(monkeypatch, room).search(question)
    whole = warm_games(monkeypatch, needed(question.rules, 22)).search(question)
    assert (alone.table.rows, whole.table.rows) == (len(question.candidates), 9**4)
    values = [
        search.value(Position.after(search.table, question.history)) for search in (alone, whole)
    ]
    assert values[0] == values[1]
    assert values[0].exact


def test_positions_of_a_large_game_take_rows_of_their_own(monkeypatch: pytest.MonkeyPatch):
    warm = warm_games(monkeypatch, 400 * MEGABYTE)
    question = Question.of("p5c8r", "00112:1.1 23345:0.3 61207:2.0")
    search = warm.search(question)
    assert search.table.rows == len(question.candidates)
    assert search.table.responses.nbytes == games.Scope.of(question)[0].bytes
    assert warm.search(question) is search
    assert warm.search(question.then(0, 0)) is not search


@pytest.mark.parametrize("text", ["p4c10n", "p4c6r", "p4c10r", "p5c6r"])
def test_whole_games_fit_into_the_memory_of_a_server(text):
    """The two classic games, and the largest of which the whole table is made."""
    assert needed(Rules.parse(text), games.LEAST_BITS) <= MEMORY - games.UNMEASURED - games.RESERVE
