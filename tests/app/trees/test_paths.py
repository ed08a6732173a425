"""A code searched for in a tree: the path to it, and what is said when it is no code."""

import pytest
from starlette.testclient import TestClient

from bullscows_web.trees.library import Library
from tests.support.pages import get, one, text

TREES = ["small-bulls-cows", "small-mastermind"]


@pytest.mark.parametrize("tree", TREES)
def test_every_code_is_found_along_its_path(client: TestClient, library: Library, tree: str):
    entry = library.tree(tree)
    for secret in range(0, entry.rules.size, 7):
        code = entry.rules.text(secret)
        page = get(client, f"/trees/{tree}?secret={code}")
        guesses = [entry.rules.text(node.guess) for node in entry.tree.play(secret)]
        crumbs = page.select(".crumbs li")[2:]
        shown = [text(one(crumb, ".code > .unseen")).replace(" ", "") for crumb in crumbs]
        assert shown == guesses
        assert one(page, "[data-secret]")["data-secret"] == code


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_every_turn_links_to_its_node(client: TestClient, prefix: str):
    page = get(client, f"{prefix}/trees/small-bulls-cows?secret=432")
    links = page.select(".crumbs li:nth-child(n+3) a")
    assert len(links) > 2
    assert [a["href"] for a in page.select(".path td a")] == [a["href"] for a in links]
    for link in links:
        guess = text(one(link, ".code > .unseen")).replace(" ", "")
        assert one(get(client, str(link["href"])), "[data-guess]")["data-guess"] == guess


def test_searching_below_a_node_searches_the_tree(client: TestClient):
    whole, below = (f"/trees/small-bulls-cows{node}?secret=432" for node in ("", "/0.1"))
    assert get(client, whole).main == get(client, below).main


def test_other_trees_of_the_game_tell_their_turn(
    shipped_client: TestClient, shipped_library: Library
):
    page = get(shipped_client, "/trees/avg-mastermind?secret=3350")
    links = [str(link["href"]) for link in page.select(".elsewhere a")]
    names = [link.removeprefix("/trees/").partition("?")[0] for link in links]
    assert "crush-mastermind" in names
    for name, row in zip(names, page.select(".elsewhere tbody tr"), strict=True):
        entry = shipped_library.tree(name)
        secret = entry.rules.parse_code("3350")
        assert text(one(row, "td")) == str(len(entry.tree.play(secret)))


@pytest.mark.parametrize("secret", ["01", "0011", "abc", "٠١٢", "<b>", "9" * 40])
@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_text_that_is_no_code_is_reported_next_to_the_field(
    client: TestClient, prefix: str, secret: str
):
    response = client.get(f"{prefix}/trees/small-bulls-cows", params={"secret": secret})
    assert response.status_code == 422
    page = get(client, str(response.request.url), 422)
    field = one(page, "#secret")
    assert (field["aria-invalid"], field["value"]) == ("true", secret)
    assert text(one(page, f"#{field['aria-describedby']}"))


def test_empty_search_shows_the_tree(client: TestClient):
    assert get(client, "/trees/small-bulls-cows?secret=").select("[data-guess]")
    get(client, "/trees/small-bulls-cows?secret=" + "1" * 41, 422)
    get(client, "/trees/none?secret=012", 404)


def test_language_switch_keeps_the_search(client: TestClient):
    page = get(client, "/trees/small-bulls-cows?secret=432")
    assert one(page, "#languages a")["href"] == "/ru/trees/small-bulls-cows?secret=432"
