"""Whole duels over HTTP: every level, either player first, and addresses of no duel."""

import random
import re
from hashlib import sha256
from itertools import cycle

import pytest
from starlette.testclient import TestClient

from bullscows.game.history import History, candidates
from bullscows.game.rules import Rules
from bullscows_web.duel.state import Terms
from tests.support.pages import get, one, text

pytestmark = pytest.mark.large

LEVELS = ("beginner", "easy", "medium", "hard", "expert", "champion")


def begin(client: TestClient, game: str, level: str = "", begins: str = "you") -> str:
    response = client.get(f"/duel/{game}/new?level={level}&begins={begins}")
    assert response.status_code == 303
    assert response.headers["cache-control"] == "no-store"
    return response.headers["location"]


def turns(page, side: str) -> list[tuple[str, str]]:
    rows = page.select(f"section[aria-labelledby={side}] tr[data-guess]")
    return [(row["data-guess"], row["data-answer"]) for row in rows]


def play(client: TestClient, path: str, mine: str, drawn: random.Random) -> tuple[str, str]:
    """Play a duel to its end by the links and the form; return its path and its result."""
    rules = Rules.parse(path.split("/")[-2] if path.count("/") == 3 else path.split("/")[2])
    for _ in range(60):
        page = get(client, path)
        if over := page.select(".duel-result"):
            return path, str(over[0]["data-result"])
        if page.select("form.fill"):
            history = History.of(rules, turns(page, "mine"))
            guess = drawn.choice(candidates(rules, history).tolist())
            response = client.get(path, params={"guess": rules.text(guess)})
            assert response.status_code == 303
            path = response.headers["location"]
        else:
            asked = str(one(page, "[data-guess]:not([data-answer])")["data-guess"])
            answer = rules.answers[rules.respond(rules.parse_code(asked), rules.parse_code(mine))]
            path = str(one(page, f"a[data-answer='{answer}']")["href"])
    raise AssertionError("a duel has an end")


@pytest.mark.parametrize(
    ("game", "mine", "level", "begins"),
    [
        *(("p3c5n", "412", *each) for each in zip(LEVELS, cycle(["you", "computer"]))),
        ("p2c4r", "33", LEVELS[0], "computer"),
    ],
)
def test_duel_is_played_to_its_end(
    client: TestClient, game: str, mine: str, level: str, begins: str
):
    start = begin(client, game, level, begins)
    first = get(client, start)
    assert not first.select("#opened, [data-secret]")
    promised = text(one(first, "#commitment"))
    path, result = play(client, start, mine, random.Random(11))
    page = get(client, path)
    assert result in {"won", "drawn", "lost"}
    code = str(one(page, "[data-secret]")["data-secret"])
    opened = re.search(r"'(\S+ \S+)'", text(one(page, "#opened")))
    assert opened is not None
    assert opened[1].startswith(f"{code} ")
    assert sha256(opened[1].encode()).hexdigest() == promised == text(one(page, "#commitment"))
    rules = Rules.parse(game)
    for guess, answer in turns(page, "mine"):
        true = rules.answers[rules.respond(rules.parse_code(guess), rules.parse_code(code))]
        assert answer == str(true)
    found = [(guess == code, guess) for guess, _ in turns(page, "mine")]
    assert any(right for right, _ in found) == (result != "lost")
    assert len(page.select(".duel-course tbody tr")) > 1


def test_each_level_says_how_it_fares(client: TestClient):
    page = get(client, "/duel/p3c5n")
    said = [text(label) for label in page.select(".duel-level")]
    assert len(said) == len(LEVELS)
    averages = [float(re.search(r"([0-9.]+) turns on average", each)[1]) for each in said]  # type: ignore[index]
    assert averages == sorted(averages, reverse=True)


def test_wrong_guess_is_reported_and_the_duel_kept(client: TestClient):
    path = begin(client, "p3c5n")
    page = get(client, f"{path}?guess=011", 422)
    assert "appears twice" in text(one(page, "#guess-error"))
    assert one(page, "#guess")["value"] == "011"


def test_none_of_these_fits_leads_to_earlier_answers(client: TestClient):
    path = begin(client, "p3c5n", "expert", "computer")
    path = str(one(get(client, path), "a[data-answer='1.1']")["href"])
    guessed = (client.get(path, params={"guess": guess}) for guess in ("034", "043"))
    pages = (get(client, response.headers["location"]) for response in guessed)
    page = next(page for page in pages if page.select(".doubt a"))  # one guess may be the secret
    none = str(one(page, ".doubt a")["href"])
    page = get(client, none)
    assert {text(one(link, "s")) for link in page.select("a.correction")} == {"1 bull, 1 cow11"}
    assert client.get(f"{none}?answer=0.3").status_code in {200, 303}


WRONG = (
    *("/duel/p9c9n", "/duel/p3c5n/new?level=grandmaster", "/duel/p3c5n/x", "/duel/p3c5n/{token}x"),
    *("/duel/p3c5n/{cut}", "/duel/p2c4r/{token}", "/duel/p3c5n/{token}/011"),
    *("/duel/p3c5n/{token}/012-7.7", "/duel/p3c5n/{token}/0.1", "/duel/friend/p3c5n/{token}"),
    *("/duel/adversary/p3c5n/012", "/duel/adversary/p3c5n/012:3.0-034:0.1"),
    "/duel/adversary/p3c5n/012:0.0-034:0.0",
)


@pytest.mark.parametrize("language", ["", "/ru"])
def test_address_of_no_duel_is_reported_and_reveals_nothing(client: TestClient, language: str):
    token = begin(client, "p3c5n").split("/")[3]
    for path in WRONG:
        url = language + path.format(token=token, cut=token[:-3])
        page = get(client, url, 404 if "p9c9n" in path else 422)
        assert text(one(page, "h1"))
        assert text(one(page, ".detail"))
        assert not page.select("[data-secret], #opened")
    document = client.get(f"/duel/p2c4r/{token}", headers={"accept": "application/json"}).json()
    assert document["type"].endswith("/sealed-for-another-game")


def test_moves_after_the_end_are_left_out(client: TestClient):
    path, _ = play(client, begin(client, "p3c5n"), "412", random.Random(2))
    assert client.get(f"{path}-034").headers["location"] == path
    assert client.get(f"{path}?guess=034").headers["location"] == path


def test_end_leads_to_the_review_of_both(proving: TestClient):
    path, _ = play(proving, begin(proving, "p3c5n"), "412", random.Random(4))
    end = get(proving, path)
    review = get(proving, str(one(end, ".to-review")["href"]))
    for side, shown in zip(("mine", "theirs"), review.select(".review"), strict=True):
        rows = turns(end, side)
        assert [row["data-guess"] for row in shown.select("li")] == [guess for guess, _ in rows]
    assert one(review, ".game-head a")["href"] == path


def test_tree_that_is_not_proved_to_win_duels_does_not_claim_it(client: TestClient):
    said = text(get(client, "/duel/p3c5n").select(".duel-level")[-1])
    assert "Nothing is proved" in said
    assert "perfectly" not in said


def test_answers_that_contradict_lead_to_the_corrections(client: TestClient):
    rules = Rules.parse("p3c5n")
    terms = Terms(rules, rules.parse_code("412"), "0" * 32, "expert", visitor_begins=True)
    token = terms.token(client.app.state.cipher)  # type: ignore[attr-defined]
    refused = f"/duel/p3c5n/{token}/{'-'.join(['012-0.1'] * 6)}"
    assert get(client, refused, 409).select("a.correction")


def test_duel_of_custom_rules_begins_with_the_levels_of_a_game_that_is_played(client: TestClient):
    response = client.get("/duel?positions=3&symbols=5")
    assert (response.status_code, response.headers["location"]) == (303, "/duel/p3c5n")
    page = get(client, "/duel?positions=6&symbols=6&repeats=on", 422)
    assert one(page, "#size .error").get_text() == "The computer does not play this size."
    assert one(page, "#size a")["href"] == "/guess/p6c6r"
