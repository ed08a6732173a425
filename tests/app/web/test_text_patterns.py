"""Texts that the API refuses are explained in words, each where it is wrong."""

import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from bullscows.game.history import MAX_HISTORY, History
from bullscows.game.rules import Rules
from bullscows_web.web import text_patterns as forms
from bullscows_web.web.errors import MalformedError
from bullscows_web.web.histories import address_text, read_address
from bullscows_web.web.text_patterns import ANSWERS, SESSION


def patterns(value: object) -> Iterator[str]:
    """Every pattern of the API's description."""
    if isinstance(value, dict):
        if isinstance(value.get("pattern"), str):
            yield value["pattern"]
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from patterns(item)


def test_every_pattern_of_the_api_has_words(client: TestClient):
    found = set(patterns(client.get("/openapi.json").json()))
    assert len(found) >= 5
    for pattern in found:
        assert "is not" in str(forms.complaint(pattern, "?")), pattern


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        *(("", "''"), ("a", "'a'"), ("a~0~1.1~", "'a~0~1.1~'"), ("A~0", "'A'"), ("a~", "''")),
        *(("a~0\n", r"'0\n'"), ("a~0~0.1-0,1", "'0,1'"), ("a~0~", "'a~0~'")),
        *(("a~0~\ud800", r"'\ud800'"), ("a~0~" + "x" * 90, "'" + "x" * 40 + "'")),
    ],
)
def test_session_is_explained_at_its_first_wrong_part(text: str, wrong: str):
    assert not re.fullmatch(SESSION.pattern, text)
    assert SESSION.complaint(text).startswith(f"{wrong} is not ")


def test_error_of_too_many_answers_names_the_limit():
    text = "-".join(["0.1"] * 101)
    assert not re.fullmatch(ANSWERS.pattern, text)
    assert "at most 100" in ANSWERS.complaint(text)


RULES = Rules.parse("p4c10n")


@pytest.mark.parametrize("text", ["0123", "0123:0.1-4567", "0123 0.1"])
def test_turn_without_its_answer_is_refused(text: str):
    with pytest.raises(MalformedError, match="write guess:answer"):
        read_address(RULES, text)


def test_more_turns_than_a_position_has_are_refused():
    turns = ((RULES.parse_code("0123"), 1),) * (MAX_HISTORY + 1)
    with pytest.raises(MalformedError, match="at most 20"):
        address_text(History(RULES, turns))
    with pytest.raises(MalformedError, match="at most 20"):
        read_address(RULES, "-".join(["0123:0.1"] * (MAX_HISTORY + 1)))
