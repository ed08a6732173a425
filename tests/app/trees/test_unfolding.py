"""Trees unfolded to a depth: as many nodes as there are, and never more than a page holds."""

import pytest
from bs4 import Tag
from starlette.testclient import TestClient

from bullscows_web.trees.library import Library
from bullscows_web.trees.pages import MAX_SHOWN
from bullscows_web.trees.position import GamePosition
from tests.support.pages import HTMX, get, one, text

ROOT = "/trees/small-bulls-cows"


def shown(page: Tag) -> list[str]:
    """The addresses of all nodes that the page shows below its own."""
    return [str(link["href"]) for link in page.select(".branches [data-answer]")]


def below(position: GamePosition, depth: int) -> list[str]:
    """The same from the tree, in the same order."""
    paths = []
    for choice in position.choices:
        if not choice.position.is_finished:
            paths.append(f"/trees/{choice.position.parts[0]}/{choice.position.parts[2]}")
            if depth > 1:
                paths += below(choice.position, depth - 1)
    return paths


@pytest.mark.parametrize("depth", range(1, 7))
def test_page_shows_the_tree_to_its_depth(client: TestClient, library: Library, depth: int):
    position = GamePosition.parse(library, "small-bulls-cows", "0", "")
    page = get(client, f"{ROOT}?depth={depth}")
    assert shown(page) == below(position, depth)
    assert len(page.select("details[open]")) == len(
        [path for path in below(position, depth - 1) if not is_leaf(library, path)]
        if depth > 1
        else []
    )


def is_leaf(library: Library, path: str) -> bool:
    name, answers = path.split("/")[2:]
    return GamePosition.parse(library, name, "0", answers).remaining == 1


def test_depths_count_their_nodes(client: TestClient, library: Library):
    tree = library.tree("small-bulls-cows").tree
    links = get(client, ROOT).select(".depths a")
    sums = [
        sum(node.turn in range(2, last + 1) for node in tree.nodes)
        for last in range(2, len(links) + 2)
    ]
    assert [link["title"] for link in links] == [f"{count} nodes" for count in sums]
    assert sums[-1] == len(tree) - 1


def test_what_is_folded_still_comes_on_demand(client: TestClient):
    page = get(client, f"{ROOT}?depth=2")
    folded = page.select("details[hx-get]")
    assert folded
    assert not page.select("details[open][hx-get]")
    part = get(client, str(folded[0]["hx-get"]), headers=HTMX)
    assert part.select(".branches [data-answer]")


def test_large_view_stops_where_the_page_is_full(shipped_client: TestClient):
    page = get(shipped_client, "/trees/avg-bulls-cows?depth=99")
    assert len(shown(page)) <= MAX_SHOWN
    assert text(one(page, ".depths [aria-current]")).endswith("3")
    assert "shows no deeper levels" in text(one(page, ".stage"))


@pytest.mark.parametrize("depth", ["0", "-1", "100", "x", ""])
def test_bad_depth_gets_a_clear_page(client: TestClient, depth: str):
    assert text(one(get(client, f"{ROOT}?depth={depth}", 422), "h1"))
