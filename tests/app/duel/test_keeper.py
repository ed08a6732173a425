"""The keeper that dodges: true answers that keep the game up, the same when loaded again."""

import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.server.settings import Settings
from engine.analysis.codemaker import largest_part
from engine.game.candidates import candidates
from engine.game.history import History
from engine.game.question import Question
from engine.game.rules import Rules
from tests.support.pages import get, one, text

RULES = Rules.parse("p3c5n")


def ask(client: TestClient, path: str, guess: str) -> str:
    response = client.get(path, params={"guess": guess})
    assert response.status_code == 303
    return str(response.headers["location"])


def played(client: TestClient) -> tuple[str, History]:
    """Guess the first code that fits till the end; return the last path and the turns."""
    path, history = "/duel/dodge/p3c5n", History(RULES)
    for _ in range(20):
        left = candidates(RULES, history)
        path = ask(client, path, RULES.text(int(left[0])))
        told = path.split("/")[-1].replace("-", " ")
        history = History.parse(RULES, told)
        if history[-1][1] == RULES.win:
            return path, history
    raise AssertionError("the keeper runs out of codes")


@pytest.mark.parametrize("server", ["guessing", "proving"])
def test_answers_are_true_and_end_when_one_code_is_left(
    request: pytest.FixtureRequest, server: str
) -> None:
    client = request.getfixturevalue(server)
    path, history = played(client)
    assert len(candidates(RULES, history)) == 1
    assert len(candidates(RULES, History(RULES, history[:-1]))) == 1
    page = get(client, path)
    assert page.select("tr[data-guess]")
    assert "at most" in text(page)
    assert client.get(path).text == client.get(path).text
    assert client.get(f"{path}?guess=034").headers["location"] == path


def test_search_keeps_the_game_up_as_long_as_can_be(proving: TestClient) -> None:
    """Against every second guess the answer leaves a game of the greatest remoteness."""
    from engine.analysis.analyst import Analyst
    from engine.analysis.codemaker import Codemaker

    analyst = Analyst()
    analyst.load(())
    maker = Codemaker(analyst)
    start = History.of(RULES, [(0, RULES.parse_answer("0.2"))])
    for guess in range(1, RULES.size, 7):
        path = ask(proving, f"/duel/dodge/p3c5n/{start.texts[0]}", RULES.text(guess))
        best = maker.reply(Question.of(RULES, start), guess, None)
        assert path.split(":")[-1] == str(RULES.answers[best.answer])


def test_without_search_the_largest_part_is_left(guessing: TestClient) -> None:
    reply = largest_part(Question.of(RULES), 0)
    assert ask(guessing, "/duel/dodge/p3c5n", "012").endswith(str(RULES.answers[reply.answer]))
    assert reply.manner == "largest-part"


def test_busy_server_answers_all_the_same(small_trees, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(Settings(trees=small_trees, searches_waiting=1))
    with TestClient(app, follow_redirects=False) as client:
        monkeypatch.setattr(app.state.analysis, "_in_hand", 1)
        assert ask(client, "/duel/dodge/p3c5n", "012")


def test_guess_may_be_taken_back(guessing: TestClient) -> None:
    path = ask(guessing, "/duel/dodge/p3c5n", "012")
    page = get(guessing, path)
    assert one(page, "td.undo a")["href"] == "/duel/dodge/p3c5n"
