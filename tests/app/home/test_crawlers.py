"""The files for programs: what they may look through, all pages, and whom to write to."""

from datetime import UTC, datetime
from pathlib import Path
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from pydantic import ValidationError
from starlette.testclient import TestClient

from bullscows_web.home.crawlers import PAGES
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from tests.support.pages import open_pages

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
    with TestClient(create_app(settings)) as client:
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
