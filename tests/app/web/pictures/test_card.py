"""The cards of links: what they show, what pages say of them, and what they keep to themselves."""

import re
from io import BytesIO
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image
from starlette.testclient import TestClient

from bullscows.game.history import History
from bullscows_web.guess.game import Guessing
from bullscows_web.language.catalogues import languages
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from bullscows_web.trees.library import Library
from bullscows_web.web.caching import FOREVER
from bullscows_web.web.pictures.card import HEIGHT, WIDTH, draw
from tests.support.pages import get, one
from tests.support.searching import BusyExecutor

CARD = "/pictures/cards/p3c5n.png"


def card_of(client: TestClient, path: str) -> str:
    """Return the address that a page gives its card."""
    return str(one(get(client, path), "meta[property='og:image']")["content"])


def stated(address: str) -> dict[str, str]:
    return {name: text for name, [text] in parse_qs(urlsplit(address).query).items() if name != "v"}


@pytest.mark.parametrize("game", ["p4c10n", "p4c6r", "p5c10n", "p1c10n", "p8c2r", "p8c10n"])
def test_card_has_the_size_that_services_ask_for(game: str):
    with Image.open(BytesIO(draw(History.of(game), 0, languages()[0]))) as image:
        assert (image.format, image.size) == ("PNG", (1200, 630))
        assert len(image.getcolors(WIDTH * HEIGHT) or []) > 3


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/play/small-bulls-cows/0", {"guess": "012"}),
        ("/trees/small-bulls-cows/0.2", {"h": "012:0.2"}),
        ("/guess/p3c5n/k3", {}),
        ("/analyse/p3c5n?h=012:0.2&guess=340", {"h": "012:0.2", "guess": "340"}),
        ("/analyse/p3c5n?h=012:3.0", {"guess": "012"}),
    ],
)
def test_pages_name_the_card_of_their_position(
    client: TestClient, prefix: str, path: str, expected: dict[str, str]
):
    page = get(client, prefix + path)
    address = card_of(client, prefix + path)
    assert address.startswith("http://testserver/pictures/cards/p3c5n.png")
    assert expected.items() <= stated(address).items()
    assert client.get(address).status_code == 200
    names = {str(meta.get("property") or meta.get("name")) for meta in page.select("meta")}
    assert {"og:title", "og:description", "og:image", "twitter:card"} <= names
    assert str(one(page, "meta[property='og:title']")["content"]).strip()


@pytest.mark.parametrize("path", ["/", "/about", "/trees", "/statistics", "/guess"])
def test_pages_about_no_position_show_the_game(client: TestClient, path: str):
    assert "/pictures/cards/p4c10n.png?guess=0123" in card_of(client, path)


def test_card_of_a_puzzle_never_gives_the_code_away(client: TestClient, library: Library):
    secret = Guessing.parse(library, "p3c5n", "k3").puzzle.secret
    text = Guessing.parse(library, "p3c5n", "k3").rules.text(secret)
    wrong = next(code for code in ("012", "340") if code != text)
    for path in (f"/guess/p3c5n/k3/{wrong}-{text}", f"/guess/p3c5n/k3/{wrong}/reveal"):
        page = get(client, path)
        assert stated(card_of(client, path)) == {}
        for meta in page.select("meta[property]"):
            assert text not in re.sub(r"v=\w+", "", str(meta["content"])), "but a digest may"


def test_lone_candidate_is_not_lit(client: TestClient, library: Library):
    """A lit cell would reveal the code."""
    game = Guessing.parse(library, "p3c5n", "k3")
    for code in range(game.rules.size):
        if game.remaining > 1 and code != game.puzzle.secret:
            game = game.after(code)
    assert (game.remaining, game.is_over) == (1, False)
    assert stated(card_of(client, f"/guess/{game.path}")) == {}


def test_finished_game_reveals_no_code(client: TestClient):
    path = "/play/small-bulls-cows/0/3.0"
    assert stated(card_of(client, path)) == {"guess": "012"}
    page = get(client, "/play/small-bulls-cows/0/3.0")
    assert "012" not in str(one(page, "meta[property='og:title']")["content"])


def test_card_is_kept_under_the_address_that_pages_give_it(client: TestClient):
    address = card_of(client, "/play/small-bulls-cows/0")
    response = client.get(address)
    assert response.headers["cache-control"] == FOREVER
    assert response.headers["content-type"] == "image/png"
    known = client.get(address, headers={"If-None-Match": response.headers["etag"]})
    assert known.status_code == 304
    assert "immutable" not in client.get(CARD).headers["cache-control"]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        *(("/pictures/cards/nonsense.png", 422), ("/pictures/cards/p8c16r.png", 422)),
        *((f"{CARD}?guess=999", 422), (f"{CARD}?h=012", 422), (f"{CARD}?h=012:9.9", 422)),
        *((f"{CARD}?h={'-'.join(['012:0.0'] * 21)}", 422), (f"{CARD}?h={'x' * 500}", 422)),
        *((f"{CARD}?h=012:0.0-012:3.0", 200), ("/pictures/cards/", 404)),
    ],
)
def test_bad_addresses_are_refused(client: TestClient, address: str, status: int):
    response = client.get(address)
    assert response.status_code == status
    if status != 200:
        assert response.headers["cache-control"] == "no-store"


def test_card_is_drawn_by_a_search_process(small_trees: Path):
    app = create_app(Settings(trees_dir=small_trees), BusyExecutor(small_trees))
    with TestClient(app) as client:
        assert client.get(CARD).status_code == 503
