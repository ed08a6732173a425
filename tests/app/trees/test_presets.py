"""Classic games: each link leads to its game or its analysis."""

import pytest
from starlette.testclient import TestClient

from bullscows_web.trees.library import Library
from bullscows_web.trees.pages import CLASSICS, GamesPage
from tests.support.pages import get, text


def test_first_tree_of_the_game_plays(shipped_library: Library):
    for box in GamesPage(shipped_library.games).classics:
        if box.entry:
            assert box.entry.rules == box.rules
            assert box.entry is next(e for e in shipped_library if e.rules == box.rules)
        else:
            assert box.rules not in {entry.rules for entry in shipped_library}


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize("path", ["/play", "/guess"])
def test_every_box_leads_to_its_game(
    shipped_client: TestClient, shipped_library: Library, prefix: str, path: str
):
    links = get(shipped_client, prefix + path).select(".boxes a")
    shelf = GamesPage(shipped_library.games).classics
    assert len(links) == len(CLASSICS) == len(shelf)
    for box, link in zip(shelf, links, strict=True):
        href = str(link["href"])
        assert shipped_client.get(href, follow_redirects=True).status_code == 200
        way = "/guess/" if path == "/guess" else "/play" if box.entry else "/analyse/"
        assert href.startswith(prefix + way)
        assert (str(box.rules) in href) == (way != "/play")
    assert prefix or text(links[1]) == "Super Mastermind"
