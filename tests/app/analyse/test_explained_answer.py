"""The explained answer, against the rules of the game and known answers."""

from itertools import product

import pytest
from starlette.testclient import TestClient

from bullscows.game.rules import Rules
from bullscows_web.analyse.explained_answer import explained
from tests.support.pages import get, one, text


@pytest.mark.parametrize("name", ["p3c4r", "p3c5n", "p2c3r", "p3c3rb"])
def test_marks_count_the_answer_of_the_rules(name: str):
    rules = Rules.parse(name)
    codes = [rules.text(code) for code in range(rules.size)]
    for guess, secret in product(codes, codes):
        marks = explained(guess, secret, bulls_only=rules.bulls_only)
        kinds = [mark.kind for mark in marks]
        answer = rules.answers[rules.respond(rules.parse_code(guess), rules.parse_code(secret))]
        assert (kinds.count("bull"), kinds.count("cow")) == answer
        partners = [mark.partner for mark in marks if mark.partner]
        assert len(set(partners)) == len(partners), "each place of the secret is paired once"
        for mark in marks:
            assert not mark.partner or secret[mark.partner - 1] == mark.symbol
            assert (mark.kind == "none") == (mark.symbol not in secret)


def test_page_explains_each_place(client: TestClient):
    page = get(client, "/answer/p4c10n?secret=4271&guess=1234")
    section = one(page, ".explained")
    assert section["data-answer"] == "1.2"
    marks = section.select("[data-mark]")
    assert [mark["data-mark"] for mark in marks] == ["cow", "bull", "none", "cow"]
    assert "in place 1 of the guess and in place 4 of the secret" in text(marks[0])
    assert "1 bull, 2 cows" in text(section)


@pytest.mark.parametrize(
    ("path", "status", "marked"),
    [
        ("/answer", 200, []),
        ("/answer/p4c10n", 200, []),
        ("/answer/p4c10n?secret=1123&guess=4567", 422, ["secret"]),
        ("/answer/p4c10n?secret=12&guess=x", 422, ["secret", "guess"]),
        ("/answer?positions=9&symbols=6", 422, ["positions"]),
    ],
)
def test_text_that_is_no_code_is_marked(
    client: TestClient, path: str, status: int, marked: list[str]
):
    page = get(client, path, status)
    assert [field["name"] for field in page.select("[aria-invalid]")] == marked
    assert not page.select(".explained")


def test_size_leads_to_the_page_of_its_game(client: TestClient):
    moved = client.get("/ru/answer?positions=5&symbols=6&repeats=on")
    assert moved.headers["location"] == "/ru/answer/p5c6r"
