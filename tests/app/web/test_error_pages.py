"""Error pages: a sentence first, which part of the address is wrong, and where to go on."""

import re

import pytest
from starlette.testclient import TestClient

from tests.support.pages import HTMX, get, one, text

TREE = "/trees/small-bulls-cows"


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize(
    ("path", "status"),
    [("/none", 404), ("/trees/none", 404), (f"{TREE}/x", 422), (f"{TREE}/3.0", 409)],
)
def test_a_sentence_leads_and_the_number_comes_last(
    client: TestClient, prefix: str, path: str, status: int
):
    page = get(client, prefix + path, status)
    words = text(one(page, "main"))
    heading = text(one(page, "main h1"))
    assert words.startswith(heading)
    assert words.endswith(f"HTTP {status}")
    assert not re.search(r"\d", heading)
    title = text(one(page, "head > title"))
    assert title.startswith(heading.rstrip("."))
    assert str(status) not in title
    assert text(one(page, "#status")) == heading
    part = get(client, prefix + path, status, headers=HTMX)
    assert text(one(part, "title")) == title


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize(
    ("path", "way_on"),
    [
        (f"{TREE}/0.1-1.1-0.0", f"{TREE}/0.1-1.1"),
        (f"{TREE}/0.1-1.1-0.0-0.1", f"{TREE}/0.1-1.1"),
        (f"{TREE}/3.0", TREE),
        (f"{TREE}/3.0-0.1", TREE),
        ("/trees/small-mastermind/2.0-0.0", "/trees/small-mastermind"),
        (
            "/compare/small-bulls-cows/small-bulls-cows/0.1-1.1-0.0",
            "/compare/small-bulls-cows/small-bulls-cows/0.1-1.1",
        ),
        (
            "/compare/small-bulls-cows/small-bulls-cows/3.0-0.1",
            "/compare/small-bulls-cows/small-bulls-cows/3.0",
        ),
        ("/play/small-bulls-cows/0/3.0-0.1", "/play/small-bulls-cows/0/3.0"),
    ],
)
def test_answers_that_lead_nowhere_link_to_the_last_place_on_the_way(
    client: TestClient, prefix: str, path: str, way_on: str
):
    page = get(client, prefix + path, 409)
    assert one(page, "main .button.primary")["href"] == prefix + way_on
    assert client.get(prefix + way_on).status_code == 200
    assert not page.select("a.correction, .ledger"), "nobody has played this"


def test_unreachable_node_says_why(client: TestClient):
    said = text(one(get(client, f"{TREE}/0.1-1.1-0.0", 409), "main"))
    assert "No game of this tree has these answers." in said
    assert "At turn 3 small-bulls-cows guesses 304." in said
    assert "None of the 3 codes left gives “0.0”." in said


def test_node_behind_the_end_is_no_game_that_goes_on(client: TestClient):
    said = text(one(get(client, f"{TREE}/3.0", 409), "main"))
    assert "find the code 012 at turn 1" in said


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("depth=many", "“depth” must be a number written in digits."),
        ("depth=0", "“depth” must be a number, at least 1."),
        ("depth=100", "“depth” must be a number, at most 99."),
        ("secret=" + "1" * 41, "“secret” can have at most 40 characters."),
        ("depth=0&secret=" + "1" * 41, "“depth” must be a number, at least 1. “secret” can have"),
    ],
)
def test_wrong_part_of_a_query_is_named_with_what_is_wanted(
    client: TestClient, query: str, said: str
):
    assert said in text(one(get(client, f"{TREE}?{query}", 422), ".detail"))


@pytest.mark.parametrize("path", [f"{TREE}?secret=9", "/play/small-bulls-cows/0/0.1/none?secret=9"])
def test_a_code_that_is_none_has_one_status_everywhere(client: TestClient, path: str):
    page = get(client, path, 422)
    assert one(page, "#secret")["aria-invalid"] == "true"
