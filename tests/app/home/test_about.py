"""The about page: its examples are calculated, and agree with the trees."""

import re

import pytest
from bs4 import BeautifulSoup
from starlette.testclient import TestClient

from bullscows.game.rules import Rules, respond
from bullscows.tree.codec import encode_number
from bullscows_web.home.pages import first_stored
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
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


def test_example_of_repeated_colours_is_right(shipped_client: TestClient):
    rules = Rules.parse("p4c6r")
    codes = (rules.code(rules.parse_code(code)) for code in ("0101", "0012"))
    assert str(respond(*codes)) == "1.2"
    assert "So: 1 black, 2 white." in text(one(get(shipped_client, "/about"), "article"))


def test_decoded_characters_are_those_of_the_string(shipped_library: Library):
    entry = shipped_library.tree("avg-bulls-cows")
    found = first_stored(entry, 40)
    assert (
        "".join(guess.characters for guess in found).replace("\\x7f", "\x7f")
        == (entry.record.string[:80])
    )
    for guess in found:
        assert guess.number == guess.values[0] * 92 + guess.values[1]
        assert encode_number(guess.number, 2) == guess.characters.replace("\\x7f", "\x7f")
        assert entry.rules.text(guess.number) == guess.code
        node = entry.tree.walk(map(entry.rules.parse_answer, guess.answers.split()))
        assert (node.guess, node.size) == (guess.number, guess.remaining)
    assert (found[0].characters, found[0].code, found[0].answers) == ("##", "0123", "")


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


def test_figures_in_the_text_are_those_of_the_trees(
    shipped_client: TestClient, shipped_library: Library
):
    words = text(one(get(shipped_client, "/about"), "article"))
    average, crush = (
        shipped_library.tree(f"{name}-bulls-cows").record for name in ("avg", "crush")
    )
    pegs, crushed = (shipped_library.tree(f"{name}-mastermind").record for name in ("avg", "crush"))
    assert f"{average.total:,} turns for 5,040 codes" in words
    assert f"{pegs.total:,} turns for 1,296 codes" in words
    assert (crush.depth, crush.distribution[-1]) == (7, 50)
    assert (crushed.depth, crushed.distribution[-1]) == (5, 539)


def test_commands_of_the_page_exist(shipped_client: TestClient):
    page = BeautifulSoup(shipped_client.get("/about").text, "html.parser")
    commands = [line for block in page.select("pre code") for line in block.text.splitlines()]
    assert [re.split(r"\s", command)[:2] for command in commands] == [
        ["bullscows", "verify"],
        ["bullscows", "solve"],
        ["bullscows", "build"],
        ["bullscows", "report"],
    ]


def test_page_works_without_trees(tmp_path):
    with TestClient(create_app(Settings(trees_dir=tmp_path))) as server:
        page = get(server, "/about")
    assert not page.select(".path, .data")
    assert len(page.select("article > h2")) == 8


each_language = pytest.mark.parametrize("prefix", ["", "/ru"])


@each_language
def test_every_place_is_alive(shipped_client: TestClient, prefix: str):
    page = get(shipped_client, f"{prefix}/more")
    links = {str(link["href"]) for link in page.select(".site-nav a, main a, .site-foot a")}
    assert len(links) > 10
    for link in links:
        assert shipped_client.get(link, follow_redirects=True).status_code == 200, link


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


@each_language
@pytest.mark.parametrize("name", ["play", "trees", "compare", "statistics", "results", "about"])
def test_more_says_what_each_page_is_for(client: TestClient, prefix: str, name: str):
    page = get(client, f"{prefix}/more")
    link = one(page, f"main a[href='{prefix}/{name}']")
    assert len(text(one(link, "span")).split()) > 3, "says what is there"


@pytest.mark.parametrize(
    ("path", "current"),
    [
        ("/", "/"),
        ("/play", "/play"),
        ("/guess", "/guess"),
        ("/guess/p3c5n/k3f9", "/guess"),
        ("/guess/p3c5n/2026-11-21", "/daily"),
        ("/trees", "/more"),
        ("/about", "/more"),
        ("/more", "/more"),
    ],
)
def test_one_place_is_the_current_one(client: TestClient, path: str, current: str):
    page = get(client, path)
    assert one(page, ".site-head .site-nav [aria-current]")["href"] == current
