"""Words that players never meet from the home page to the end of a game.

They belong to the reference pages. "I" is for the headline of the home page only.
"""

import re
from collections.abc import Iterator
from typing import cast

import pytest
from bs4 import BeautifulSoup
from fastapi import FastAPI
from starlette.testclient import TestClient

from bullscows.game.rules import Rules
from bullscows_web.duel.solo import encrypt_code
from bullscows_web.duel.state import Terms
from bullscows_web.guess.puzzle import Puzzle
from bullscows_web.learn.lessons import steps
from bullscows_web.trees.library import Library
from bullscows_web.trees.position import GamePosition

WORDS = {
    "": r"\b([Cc]andidates?|[Nn]odes?|[Aa]ims?|[Tt]rees?|I)\b",
    "/ru": r"(?i)\b(кандидат\w*|уз[её]?л([аоуые]\w*)?|дерев\w+|я|мне|меня|мо[йяёи])\b",
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
        rules = entry.rules
        last = entry.rules.size - 1
        yield from played(GamePosition.at_end(entry, last))
        yield from guessed(rules)
        yield from dueled(app, rules)


def played(end: GamePosition) -> Iterator[str]:
    """Yield a game in which the computer guesses, and wrong answers."""
    start, _, answers = end.path.rpartition("/")
    second = f"/play/{start}/{answers.partition('-')[0]}"
    yield from (f"/play/{end.path}", second, f"{second}/none")
    yield from (f"/play/{start}?analysis={each}" for each in ("open", "all"))
    yield f"{second}/none?secret={end.entry.rules.text(0)}"


def guessed(rules: Rules) -> Iterator[str]:
    """Yield puzzles with hints, with mistakes, found and given up."""
    guesses = "-".join(map(rules.text, (0, rules.size // 2)))
    start = f"/guess/{rules}/{SEED}"
    yield from (start, f"{start}?hints=on", f"{start}/{guesses}", f"{start}/{guesses}?hints=on")
    yield f"{start}/{guesses}?hints=on&check=on&guess={rules.text(1)}"
    yield f"{start}/{guesses}?limit=9&guess=01"
    yield f"{start}/{guesses}/reveal"
    yield f"{start}/{guesses}-{rules.text(Puzzle(rules, SEED, None).secret)}"
    yield f"/guess/{rules}/2026-11-21/reveal"


def dueled(app: FastAPI, rules: Rules) -> Iterator[str]:
    """Yield duels, games with a friend's code and with the changing code."""
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
    for part in page.select("script, style, nav, .site-foot, template, .home h1"):
        part.decompose()
    for link in page.select("a[href]"):
        if re.match(f"(/ru)?{REFERENCE}", str(link["href"])):
            link.decompose()
    labels = [tag[name] for name in ("title", "aria-label") for tag in page.select(f"[{name}]")]
    return " ".join((page.get_text(" "), *map(str, labels)))


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_players_meet_no_words_of_the_reference_pages(
    shipped_client: TestClient, shipped_library: Library, prefix: str
):
    found = set[str]()
    app = cast(FastAPI, shipped_client.app)
    for path in places(app, shipped_library):
        response = shipped_client.get(prefix + path)
        assert response.status_code in (200, 422), path
        text = " ".join(spoken(response.text).split())
        for match in re.finditer(WORDS[prefix], text):
            found.add(f"{path[:28]}: {text[max(match.start() - 60, 0) : match.end() + 40]}")
    assert not found, "\n".join(sorted(found))
