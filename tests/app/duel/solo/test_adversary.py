"""The adversary: true answers that prolong the game, the same after a reload."""

import asyncio

import pytest
from starlette.testclient import TestClient

from bullscows.analysis.adversary import largest_part
from bullscows.game.history import History, candidates
from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows_web.duel.duel import MAX_TURNS
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from tests.support.pages import get, one, text

RULES = Rules.parse("p3c5n")


def ask(client: TestClient, path: str, guess: str) -> str:
    response = client.get(path, params={"guess": guess})
    assert response.status_code == 303
    return str(response.headers["location"])


def played(client: TestClient) -> tuple[str, History]:
    """Guess the first code that fits till the end; return the last path and the turns."""
    path, history = "/duel/adversary/p3c5n", History(RULES)
    for _ in range(20):
        left = candidates(RULES, history)
        path = ask(client, path, RULES.text(int(left[0])))
        text = path.split("/")[-1].replace("-", " ")
        history = History.parse(RULES, text)
        if history[-1][1] == RULES.win:
            return path, history
    raise AssertionError("the adversary runs out of codes")


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
    from bullscows.analysis.adversary import Adversary
    from bullscows.analysis.analyst import Analyst

    analyst = Analyst()
    analyst.load(())
    maker = Adversary(analyst)
    start = History.of(RULES, [(0, RULES.parse_answer("0.2"))])
    for guess in range(1, RULES.size, 7):
        path = ask(proving, f"/duel/adversary/p3c5n/{start.texts[0]}", RULES.text(guess))
        best = maker.reply(Question.of(RULES, start), guess, None)
        assert path.split(":")[-1] == str(RULES.answers[best.answer])


def test_without_search_the_largest_part_is_left(guessing: TestClient) -> None:
    reply = largest_part(Question.of(RULES), 0)
    assert ask(guessing, "/duel/adversary/p3c5n", "012").endswith(str(RULES.answers[reply.answer]))
    assert reply.method == "largest-part"


def test_busy_server_answers_all_the_same(small_trees, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(Settings(trees_dir=small_trees, search_queue_size=1))
    with TestClient(app, follow_redirects=False) as client:
        monkeypatch.setattr(app.state.analysis, "_in_hand", 1)
        assert ask(client, "/duel/adversary/p3c5n", "012")


def test_end_leads_to_the_review(proving: TestClient) -> None:
    path, history = played(proving)
    page = get(proving, str(one(get(proving, path), ".to-review")["href"]))
    assert [row["data-guess"] for row in page.select(".review > li")] == [
        RULES.text(guess) for guess in history.guesses
    ]


def test_guess_may_be_taken_back(guessing: TestClient) -> None:
    path = ask(guessing, "/duel/adversary/p3c5n", "012")
    page = get(guessing, path)
    assert one(page, "td.undo a")["href"] == "/duel/adversary/p3c5n"


def test_last_guess_is_not_called_the_number(guessing: TestClient) -> None:
    """Guesses that go on till none is left: there is no number that was not found."""
    page = get(guessing, "/duel/adversary/p3c5n/" + "-".join(["012:0.2"] * MAX_TURNS))
    assert "No guesses left" in text(page)
    assert "Your last guess: 0 1 2" in text(page)
    assert not page.select("[data-secret]")


@pytest.mark.parametrize("guess", [{}, {"guess": "034"}])
def test_work_is_done_off_the_event_loop(
    guessing: TestClient, monkeypatch: pytest.MonkeyPatch, guess: dict[str, str]
) -> None:
    at_work: list[bool] = []

    def counted(rules: Rules, history: History) -> object:
        at_work.append(has_loop())
        return candidates(rules, history)

    monkeypatch.setattr("bullscows_web.duel.solo.game.candidates", counted)
    guessing.get("/duel/adversary/p3c5n/012:0.2", params=guess)
    link = guessing.post("/duel/friend/p3c5n", data={"code": "412"}).headers["location"]
    guessing.get(f"{link.removesuffix('/link')}/012", params=guess)
    assert at_work
    assert not any(at_work)


def has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def test_former_address_redirects_in_each_language_with_its_query(guessing: TestClient) -> None:
    for prefix in ("", "/ru"):
        moved = guessing.get(f"{prefix}/duel/dodge/p3c5n/012:0.2?guess=034", follow_redirects=False)
        target = f"{prefix}/duel/adversary/p3c5n/012:0.2?guess=034"
        assert (moved.status_code, moved.headers["location"]) == (301, target)
        assert guessing.get(target, follow_redirects=False).status_code == 303
