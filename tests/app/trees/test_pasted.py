"""The page that checks and browses a pasted tree."""

import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from bullscows.tree.export import to_text
from bullscows.tree.files import read_tree

GOOD = read_tree("avg-mastermind-3x6")
STRING = GOOD.record.string


def check(client: TestClient, text: str, rules: str = "p3c6r", answers: str = "") -> str:
    sent = {"rules": rules, "text": text, "answers": answers}
    return unescape(client.post("/paste", data=sent).text)


def test_string_leads_to_an_address_that_shows_and_browses_its_tree(client: TestClient) -> None:
    given = {"rules": "p3c6r", "text": f"{STRING[:9]}\r\n{STRING[9:]}"}
    sent = client.post("/paste", data=given, follow_redirects=False)
    assert sent.status_code == 303
    page = client.get(sent.headers["location"]).text
    assert "finds all 216 codes" in page
    assert 'data-guess="012"' in page
    assert 'name="answers" value="0.1"' in page
    below = client.get(f"{sent.headers['location']}&answers=0.1").text
    assert re.findall('data-guess="([^"]+)"', below) == [GOOD.tree.ask("0.1")]
    assert client.get(f"{sent.headers['location']}&answers=3.0-0.0").status_code == 200


def test_exported_text_is_the_same_tree(client: TestClient) -> None:
    text = "".join(to_text(GOOD.tree))
    sent = client.post("/paste", data={"text": text}, follow_redirects=False)
    again = {"rules": "p3c6r", "text": STRING}
    other = client.post("/paste", data=again, follow_redirects=False)
    assert sent.headers["location"] == other.headers["location"]


def test_tree_too_long_for_an_address_is_posted_again(client: TestClient) -> None:
    long = read_tree("best-mastermind-5x8")
    page = check(client, long.record.string.replace("\x7f", "\\x7f"), "p5c8r")
    assert '<form method="post"' in page
    (text,) = re.findall('name="text" value="([^"]*)"', page)
    assert f'data-guess="{long.tree.ask("0.0")}"' in check(client, text, "p5c8r", "0.0")


@pytest.mark.parametrize(
    ("text", "rules", "fault"),
    [
        (STRING[:4] + "\\" + STRING[5:], "p3c6r", "Character 5 is not a base-92 digit"),
        (STRING[:-1], "p3c6r", f"after character {len(STRING) - 1}"),
        (STRING + "##", "p3c6r", f"complete before character {len(STRING) + 1}"),
        ("~~", "p3c6r", "number at character 1 is no code"),
        ("##", "p1c1n", "complete before character 1"),
        (STRING, "p9c9", "There is no such game"),
        ("##", "p8c16r", "at most 50,000 codes"),
        ("# Strategy tree of p2c3n:\n-> 01\nnonsense", "", "Line 3 cannot be read"),
        ("# Strategy tree of p2c3n:\n-> 09", "", "Line 2 cannot be read"),
        ("# Strategy tree of p2c3n:\n-> 01", "", "The text has no guess after “01 0.1”"),
    ],
)
def test_fault_is_shown_with_its_place(
    client: TestClient, text: str, rules: str, fault: str
) -> None:
    page = check(client, text, rules)
    assert fault in page
    assert 'aria-invalid="true"' in page


def test_form_is_linked_from_the_trees(client: TestClient) -> None:
    assert 'href="/paste"' in client.get("/trees").text
    assert client.get("/ru/paste").status_code == 200
