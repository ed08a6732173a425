"""Games of one side: the adversary, and a code for a friend."""

import logging
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bullscows.analysis.adversary import largest_part
from bullscows.game.history import History, candidates
from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows_web.duel.levels import MAX_TURNS
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from tests.support.pages import get, one, text
from tests.support.searching import BusyExecutor

pytestmark = pytest.mark.large

RULES = Rules.parse("p3c5n")


def ask(client: TestClient, path: str, guess: str) -> str:
    response = client.get(path, params={"guess": guess})
    assert response.status_code == 303
    return str(response.headers["location"])


def played(client: TestClient) -> tuple[str, History]:
    """Guess the first code that fits till the end; return the last path and the turns."""
    path = "/duel/adversary/p3c5n"
    history = History(RULES)
    for _ in range(20):
        left = candidates(RULES, history)
        path = ask(client, path, RULES.text(int(left[0])))
        text = path.split("/")[-1].replace("-", " ")
        history = History.parse(RULES, text)
        if history[-1][1] == RULES.win:
            return path, history
    raise AssertionError("the adversary runs out of codes")


@pytest.mark.parametrize("server", ["client", "proving"])
def test_answers_are_true_and_end_when_one_code_is_left(
    request: pytest.FixtureRequest, server: str
):
    client = request.getfixturevalue(server)
    path, history = played(client)
    assert len(candidates(RULES, history)) == 1
    assert len(candidates(RULES, History(RULES, history[:-1]))) == 1
    page = get(client, path)
    assert page.select("tr[data-guess]")
    assert "at most" in text(page)
    assert client.get(path).text == client.get(path).text
    assert client.get(f"{path}?guess=034").headers["location"] == path


def test_search_keeps_the_game_up_as_long_as_can_be(proving: TestClient):
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


def test_without_search_the_largest_part_is_left(client: TestClient):
    reply = largest_part(Question.of(RULES), 0)
    assert ask(client, "/duel/adversary/p3c5n", "012").endswith(str(RULES.answers[reply.answer]))
    assert reply.method == "largest-part"


def test_busy_server_answers_all_the_same(small_trees: Path):
    app = create_app(Settings(trees_dir=small_trees), BusyExecutor(small_trees))
    with TestClient(app, follow_redirects=False) as client:
        assert ask(client, "/duel/adversary/p3c5n", "012")


def test_end_leads_to_the_review(proving: TestClient):
    path, history = played(proving)
    page = get(proving, str(one(get(proving, path), ".to-review")["href"]))
    assert [row["data-guess"] for row in page.select(".review > li")] == [
        RULES.text(guess) for guess in history.guesses
    ]


def test_former_address_redirects_in_each_language_with_its_query(client: TestClient):
    for prefix in ("", "/ru"):
        moved = client.get(f"{prefix}/duel/dodge/p3c5n/012:0.2?guess=034", follow_redirects=False)
        target = f"{prefix}/duel/adversary/p3c5n/012:0.2?guess=034"
        assert (moved.status_code, moved.headers["location"]) == (301, target)
        assert client.get(target, follow_redirects=False).status_code == 303


def friend_link(client: TestClient, code: str = "412") -> str:
    """Write a code; return the path that the friend gets."""
    response = client.post("/duel/friend/p3c5n", data={"code": code})
    assert response.status_code == 303
    return str(one(get(client, response.headers["location"]), "#friend-link")["href"])


def test_code_stands_in_no_address_and_no_log(client: TestClient, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    response = client.post("/duel/friend/p3c5n", data={"code": "4 1 2"})
    page = client.get(response.headers["location"]).text
    assert "412" not in response.headers["location"].split("/")
    assert "412" not in caplog.text
    assert ">412<" not in page
    assert response.headers["cache-control"] == "no-store"


def test_friend_finds_the_code_and_is_offered_a_link_back(client: TestClient):
    path = friend_link(client)
    assert "012" not in path
    for guess, answer in (("012", "2.0"), ("413", "2.0")):
        path = client.get(path, params={"guess": guess}).headers["location"]
        row = get(client, path).select("tr[data-guess]")[-1]
        assert (row["data-guess"], row["data-answer"]) == (guess, answer)
    path = client.get(path, params={"guess": "412"}).headers["location"]
    page = get(client, path)
    assert one(page, "[data-secret]")["data-secret"] == "412"
    assert one(page, "a.button.primary")["href"] == "/duel/friend/p3c5n"
    assert client.get(f"{path}?guess=034").headers["location"] == path
    assert client.get(f"{path}-034").headers["location"] == path
    rows = get(client, str(one(page, ".to-review")["href"])).select(".review > li")
    assert [row["data-guess"] for row in rows] == ["012", "413", "412"]


def test_pegs_of_a_code_may_be_chosen(client: TestClient):
    response = client.post("/duel/friend/p2c4r", data={"peg1": "3", "peg2": "1"})
    path = response.headers["location"].removesuffix("/link")
    assert client.get(path, params={"guess": "31"}).headers["location"].endswith("/31")
    page = get(client, f"{path}/31")
    assert one(page, "[data-secret]")["data-secret"] == "31"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        *(({"code": "41"}, "you wrote 2"), ({"code": "411"}, "appears twice")),
        *(({"code": "419"}, "does not occur"), ({}, "goes here")),
        ({"code": "x" * 5000}, "does not occur"),
    ],
)
def test_text_that_is_no_code_is_reported(client: TestClient, data: dict[str, str], said: str):
    response = client.post("/duel/friend/p3c5n", data=data)
    assert response.status_code == 422
    assert said in response.text


def test_body_that_is_no_form_is_reported(client: TestClient):
    for body in (b"\xff\xfe=\x00", b"a=1&" * 50, b"code"):
        assert client.post("/duel/friend/p3c5n", content=body).status_code == 422


def test_state_of_another_game_or_cut_is_refused(client: TestClient):
    path = friend_link(client)
    token = path.split("/")[-1]
    refused = {f"/duel/friend/p2c4r/{token}": 422, f"/duel/p3c5n/{token}": 422}
    refused |= {path[:-2]: 422, f"{path}/link/x": 404}
    for url, status in refused.items():
        assert "412" not in text(get(client, url, status)).replace(token, "")


def test_code_is_revealed_when_no_guess_is_left(client: TestClient):
    path = f"{friend_link(client)}/{'-'.join(['012'] * MAX_TURNS)}"
    page = get(client, path)
    assert one(page, "[data-secret]")["data-secret"] == "412"
    assert "No guesses left" in text(page)
    assert not get(client, path.removesuffix("-012")).select("[data-secret]")
