"""Words of the reference pages, which players never meet from the home page to the end of a game."""

import re
from collections.abc import Iterator

import pytest
from bs4 import BeautifulSoup
from fastapi import FastAPI
from starlette.testclient import TestClient

from bullscows.game.rules import Rules
from bullscows_web.duel.terms import Terms, encrypt_code
from bullscows_web.learn.lessons import steps
from bullscows_web.trees.library import Library
from bullscows_web.trees.position import GamePosition

WORDS = {
    "": r"\b(candidates?|nodes?|aims?|trees?)\b",
    "/ru": r"\b(кандидат\w*|уз[её]?л(|[аоуые]\w*)|дерев\w+|цел[ьияюе]\w*)\b",
}
"""The words in each language."""
REFERENCE = "/(trees|statistics|results|compare|about|analyse)\\b"
"""Pages whose links may have their names."""
SEED = "k3f9"


def places(app: FastAPI, library: Library) -> Iterator[str]:
    """Yield pages from the home page to the ends of games."""
    yield from ("/", "/play", "/guess", "/duel", "/daily")
    for step in steps():
        yield step.start
    for path in ("1/5/012", "1/5/415", "2/3/345", "2/4/012", "2/5/678", "2/5/459"):
        yield f"/learn/{path}"
    for name in ("avg-bulls-cows", "avg-mastermind"):
        entry = library.tree(name)
        rules, last = entry.rules, entry.rules.size - 1
        yield from played(GamePosition.at_end(entry, last))
        yield from guessed(rules)
        yield from dueled(app, rules)


def played(end: GamePosition) -> Iterator[str]:
    start = end.path.rpartition("/")[0]
    answers = end.path.rpartition("/")[2].split("-")
    yield f"/play/{end.path}"
    yield f"/play/{start}/{answers[0]}"
    yield from (f"/play/{start}?analysis={each}" for each in ("open", "all"))
    yield f"/play/{start}/{answers[0]}/none"
    yield f"/play/{start}/{answers[0]}/none?secret={end.entry.rules.text(0)}"


def guessed(rules: Rules) -> Iterator[str]:
    guesses = "-".join(map(rules.text, (0, rules.size // 2)))
    start = f"/guess/{rules}/{SEED}"
    yield from (start, f"{start}?hints=on", f"{start}/{guesses}", f"{start}/{guesses}?hints=on")
    yield f"{start}/{guesses}?hints=on&check=on&guess={rules.text(1)}"
    yield f"{start}/{guesses}?limit=9&guess=01"
    yield f"{start}/{guesses}/reveal"
    yield f"{start}/{guesses}-{secret(rules)}"
    yield f"/guess/{rules}/2026-11-21/reveal"


def secret(rules: Rules) -> str:
    from bullscows_web.guess.puzzle import Puzzle

    return rules.text(Puzzle(rules, SEED, None).secret)


def dueled(app: FastAPI, rules: Rules) -> Iterator[str]:
    yield from (f"/duel/{rules}", f"/duel/adversary/{rules}", f"/duel/friend/{rules}")
    code = rules.text(rules.size - 1)
    answer = rules.answers[rules.respond(0, rules.size - 1)]
    yield f"/duel/adversary/{rules}/{rules.text(0)}:{answer}"
    friend = f"/duel/friend/{rules}/{encrypt_code(app.state.cipher, rules, rules.size - 1)}"
    yield from (friend, f"{friend}/link", f"{friend}/{rules.text(0)}", f"{friend}/{code}")
    for level in ("easy", "champion"):
        terms = Terms(rules, rules.size - 1, 32 * "0", level, visitor_begins=True)
        start = f"/duel/{rules}/{terms.token(app.state.cipher)}"
        yield from (start, f"{start}/{rules.text(0)}", f"{start}/{rules.text(0)}/none")
        yield f"{start}/{code}-{rules.answers[-1]}"


def spoken(html: str) -> str:
    """Return what a visitor sees or hears of a page, without the frame and names of references."""
    page = BeautifulSoup(html, "html.parser")
    for part in page.select("script, style, nav, .site-foot, template"):
        part.decompose()
    for link in page.select("a[href]"):
        if re.match(f"(/ru)?{REFERENCE}", str(link["href"])):
            link.decompose()
    labels = [str(tag[name]) for name in ("title", "aria-label", "placeholder") for tag in page.select(f"[{name}]")]
    return " ".join((page.get_text(" "), *labels))


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_players_meet_no_words_of_the_reference_pages(
    shipped_client: TestClient, shipped_library: Library, prefix: str
):
    found = set()
    app = shipped_client.app
    for path in dict.fromkeys(places(app, shipped_library)):
        response = shipped_client.get(prefix + path)
        assert response.status_code in (200, 422), path
        text = " ".join(spoken(response.text).split())
        for match in re.finditer(WORDS[prefix], text, re.IGNORECASE):
            found.add(f"{path[:28]}: {text[max(match.start() - 60, 0) : match.end() + 40]}")
    assert not found, "\n".join(sorted(found))
