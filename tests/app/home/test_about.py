"""The about page: its examples are calculated, and agree with the trees."""

import pytest
from starlette.testclient import TestClient

from bullscows.game.rules import Rules, respond
from bullscows.tree.codec import encode_number
from bullscows_web.home.pages import first_stored
from bullscows_web.trees.library import Library
from tests.support.pages import get, one, open_pages, text


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_contents_lead_to_the_parts_of_the_page(shipped_client: TestClient, prefix: str):
    page = get(shipped_client, f"{prefix}/about")
    anchors = [str(link["href"]) for link in page.select(".contents a")]
    assert anchors == [f"#{heading['id']}" for heading in page.select("article > h2")]
    assert len(anchors) == 8


def test_game_is_one_of_the_tree_and_ends_with_the_secret(shipped_client: TestClient):
    page = get(shipped_client, "/about")
    rows = [[text(cell) for cell in row.select("td")] for row in page.select(".path tbody tr")]
    rules = Rules.parse("p4c10n")
    secret = rules.code(rules.parse_code("4271"))
    remaining = [int(row[2].replace(",", "")) for row in rows]
    assert remaining == sorted(remaining, reverse=True)
    for row in rows:
        guess = rules.code(rules.parse_code(row[0].replace(" ", "")[:4]))
        bulls, cows = respond(guess, secret)
        assert f"{bulls} bull" in row[1]
        assert f"{cows} cow" in row[1]
    assert rows[-1][0].startswith("4 2 7 1")


def test_decoded_characters_are_those_of_the_string(shipped_library: Library):
    entry = shipped_library.tree("avg-bulls-cows")
    found = list(first_stored(entry, 40))
    string = "".join(characters for characters, *_ in found).replace("\\x7f", "\x7f")
    assert string == entry.record.string[:80]
    for characters, (high, low), node, answers in found:
        assert node.guess == high * 92 + low
        assert encode_number(node.guess, 2) == characters.replace("\\x7f", "\x7f")
        assert entry.tree.walk(map(entry.rules.parse_answer, answers.split())) == node
    assert (found[0][0], found[0][3]) == ("##", "")


def test_table_lists_exactly_the_proved_trees_of_the_two_games(
    shipped_client: TestClient, shipped_library: Library
):
    page = get(shipped_client, "/about")
    listed = {str(link["href"]).split("/")[-1] for link in page.select(".data th.name a")}
    assert listed == {
        entry.name
        for entry in shipped_library
        if entry.record.is_optimal and str(entry.rules) in ("p4c10n", "p4c6r")
    }


def test_every_page_is_found_by_links(client: TestClient):
    """But the form's of any size, and the one that stands for others without a connection."""
    pages, found, left = set(open_pages()), set[str](), {"/"}
    while left:
        page = left.pop()
        found.add(page)
        links = {str(link["href"]) for link in get(client, page).select("a[href]")}
        left |= (links & pages) - found
    assert pages - found == {
        "/analyse/size",
        "/guess/size",
        "/duel/size",
        "/match/size",
        "/offline",
    }, "no page links there: see /more"


@pytest.mark.parametrize(
    ("path", "current"),
    [
        *(("/", "/"), ("/play", "/play"), ("/guess", "/guess"), ("/guess/p3c5n/k3f9", "/guess")),
        *(("/guess/p3c5n/2026-11-21", "/daily"), ("/trees", "/more"), ("/more", "/more")),
    ],
)
def test_one_place_is_the_current_one(client: TestClient, path: str, current: str):
    page = get(client, path)
    assert one(page, ".site-head .site-nav [aria-current]")["href"] == current
