"""The about page: its examples are calculated, and agree with the trees."""

import re
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from PIL import Image
from pydantic import ValidationError
from starlette.testclient import TestClient

from bullscows.game.rules import Rules, respond
from bullscows.tree.codec import encode_number
from bullscows_web.home.crawlers import PAGES
from bullscows_web.home.pages import first_stored
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from bullscows_web.trees.library import Library
from tests import ROOT
from tests.support.pages import get, one, open_pages, text
from tests.support.searching import IdleExecutor


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
    pages = set(open_pages())
    found = set[str]()
    left = {"/"}
    while left:
        page = left.pop()
        found.add(page)
        links = {str(link["href"]) for link in get(client, page).select("a[href]")}
        left |= (links & pages) - found
    forms = {f"/{mode}/size" for mode in ("analyse", "guess", "duel", "match")}
    assert pages - found == {*forms, "/offline"}, "no page links there: see /more"


@pytest.mark.parametrize(
    ("path", "current"),
    [
        *(("/", "/"), ("/play", "/play"), ("/guess", "/guess"), ("/guess/p3c5n/k3f9", "/guess")),
        *(("/guess/p3c5n/2026-11-21", "/daily"), ("/trees", "/trees"), ("/more", "/more")),
    ],
)
def test_one_place_is_the_current_one(client: TestClient, path: str, current: str):
    page = get(client, path)
    assert one(page, ".site-head .site-nav [aria-current]")["href"] == current


BASE = "http://testserver"
UNLISTED = {"/status", "/analyse/size", "/guess/size", "/duel/size", "/match/size", "/offline"}
"""A page that changes by the minute, the target of a form, and the offline page."""


def test_crawlers_may_read_all_but_games(client: TestClient):
    rules = RobotFileParser()
    rules.parse(client.get("/robots.txt").text.splitlines())
    for path in ("/", "/trees/small-bulls-cows", "/ru/about", "/guess", "/ru/duel"):
        assert rules.can_fetch("any", path), path
    for path in ("/play/small-bulls-cows/0", "/ru/play/small-bulls-cows/0/0.1", "/api/v1/trees"):
        assert not rules.can_fetch("any", path), path
    assert rules.site_maps() == [f"{BASE}/sitemap.xml"]


def test_browsers_find_an_icon_by_its_usual_name(client: TestClient):
    response = client.get("/favicon.ico")
    with Image.open(BytesIO(response.content)) as icon:
        assert icon.format == "ICO"
    assert response.headers["content-type"].startswith("image/")
    assert "max-age" in response.headers["cache-control"]


def test_every_page_of_the_sitemap_is_there_in_both_languages(client: TestClient):
    response = client.get("/sitemap.xml")
    assert response.headers["content-type"].startswith("application/xml")
    urls = ElementTree.fromstring(response.text)
    assert len(urls) > 30
    for place, *links in urls:
        alternates = {link.attrib["hreflang"]: link.attrib["href"] for link in links}
        assert place.text
        assert place.text in alternates.values()
        assert alternates["ru"].removeprefix(f"{BASE}/ru") == alternates["en"].removeprefix(BASE)
        page = client.get(
            place.text.removeprefix(BASE) + ("?lang=en" if place.text[-1] == "/" else "")
        )
        assert page.status_code == 200, place.text


def test_every_page_stands_in_the_sitemap():
    assert set(open_pages()) - set(PAGES) == UNLISTED, (
        "add a new page to PAGES of bullscows_web.home.crawlers, or here if it is not for search"
    )


def test_security_txt_names_the_contact_if_one_is_set(small_trees: Path):
    settings = Settings(
        trees_dir=small_trees, security_contact="mailto:a@b.example", allowed_hosts=("*",)
    )
    with TestClient(create_app(settings, IdleExecutor())) as client:
        lines = dict(
            line.split(": ") for line in client.get("/.well-known/security.txt").text.splitlines()
        )
    assert lines["Contact"] == "mailto:a@b.example"
    assert datetime.fromisoformat(lines["Expires"]) > datetime.now(UTC)


def test_no_contact_is_made_up(client: TestClient):
    assert client.get("/.well-known/security.txt").status_code == 404


@pytest.mark.parametrize("contact", ["me", "mailto:a\nEvil: b", "http://insecure.example"])
def test_contact_is_an_address(contact: str):
    with pytest.raises(ValidationError):
        Settings(security_contact=contact)


KEPT = {
    "The games that you finished, with their numbers of turns.": ("games", "duels"),
    "The puzzles that you opened, with your guesses, your notes": ("puzzles", "notes"),
    "The days on which you solved the daily puzzle": ("days", "begun", "sent", "counted"),
    "The game that you are playing, and your preferences.": ("choices", "start", "marking"),
    "the first questions about the answers, and the panels": ("asked", "closedAids"),
}
"""What the privacy page says of each key of the browser's storage."""


def test_privacy_page_names_all_that_scripts_store(client: TestClient):
    scripts = [path.read_text("utf-8") for path in (ROOT / "static" / "scripts").glob("*.js")]
    keys = set(re.findall(r"localStorage\.(\w+)(?! *\()\b", "".join(scripts)))
    assert keys - {key for named in KEPT.values() for key in named} == set()
    page = text(one(get(client, "/privacy"), "article"))
    assert [line for line in KEPT if line not in page] == []
