"""The pictures of trees: the icicle, and distributions drawn over each other."""

from collections import defaultdict

import pytest
from hypothesis import given
from starlette.testclient import TestClient

from bullscows.tree.nodes import Node
from bullscows.tree.strategy_tree import StrategyTree
from bullscows_web.trees.icicle import LEVELS, NARROWEST, WIDTHS, Block, Icicle
from bullscows_web.trees.library import Library
from bullscows_web.trees.pages import GamesPage
from bullscows_web.web.pictures.charts import LengthsChart
from tests.support.pages import get, one
from tests.support.strategies import random_trees


def below(tree: StrategyTree, block: Block) -> Node:
    """Walk the tree along the address of a block."""
    node = tree.root
    for answer in filter(None, block.answers.split("-")):
        node = tree.nodes[node.children[tree.rules.parse_answer(answer)]]
    return node


@given(random_trees())
def test_blocks_are_as_wide_as_their_codes_are_many(tree: StrategyTree):
    blocks = Icicle(tree, tree.root, "", tree.rules.text).blocks
    size = tree.root.size
    for block in blocks:
        assert block.width == pytest.approx(block.remaining / size)
        node = below(tree, block)
        if block.guess:
            assert (block.remaining, block.guess) == (node.size, tree.rules.text(node.guess))
            assert node.turn == block.level + tree.root.turn
            turns = tree.distribution_at(node)
            mean = sum(turn * count for turn, count in enumerate(turns, start=1)) / sum(turns)
            assert block.shade == round(2 * mean)


@given(random_trees())
def test_blocks_stand_below_the_position_before_and_side_by_side(tree: StrategyTree):
    blocks = Icicle(tree, tree.root, "", tree.rules.text).blocks
    levels = defaultdict(list)
    for block in blocks:
        levels[block.level].append(block)
    assert max(levels) < LEVELS
    for number, level in levels.items():
        ends = [0.0, *(block.x + block.width for block in level)]
        assert all(block.x >= end - 1e-9 for block, end in zip(level, ends, strict=False))
        assert ends[-1] <= 1 + 1e-9
        for block in level if number else ():
            above = [
                each
                for each in levels[number - 1]
                if each.x - 1e-9 <= block.x and block.x + block.width <= each.x + each.width + 1e-9
            ]
            assert len(above) == 1


def test_narrow_positions_are_drawn_together(shipped_library: Library):
    tree = shipped_library.tree("avg-bulls-cows").tree
    blocks = Icicle(tree, tree.root, "", tree.rules.text).blocks
    assert [sum(block.level == level for block in blocks) for level in range(LEVELS)] == [
        1, 13, 74, 126,
    ]  # fmt: skip
    assert all(block.width >= NARROWEST for block in blocks if block.guess)
    drawn = sum(block.remaining for block in blocks if block.level == 1)
    assert drawn == 5040 - tree.root.is_candidate_guess


@pytest.mark.parametrize(
    ("share", "first"), [(1.0, 1), (0.25, 2), (0.09, 6), (0.05, 0), (NARROWEST, 0)]
)
def test_label_is_shown_where_it_fits_whole(share: float, first: int):
    block = Block(1, 0.0, share, "0.1", 1440, 10, "1456", "0.1")
    assert block.fit(pegs=False) == first
    if first:
        assert WIDTHS[first - 1] * share > 10 * 4, "the guess alone takes that much"


@pytest.mark.parametrize("path", ["/trees/small-bulls-cows", "/trees/small-mastermind/0.1"])
@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_every_block_leads_to_its_node(client: TestClient, prefix: str, path: str):
    picture = one(get(client, prefix + path), "svg.icicle")
    links = [str(link["href"]) for link in picture.select("a")]
    assert len(links) == len(picture.select("rect")) > 3
    for link in set(links):
        assert client.get(link).status_code == 200
    assert picture["role"] == "group"
    assert picture["aria-label"]


def test_only_blocks_with_words_are_stops_of_the_keyboard(client: TestClient):
    for link in get(client, "/trees/small-bulls-cows").select("svg.icicle a"):
        assert bool(link.get("aria-label")) != (link.get("tabindex") == "-1")


def test_no_two_stops_are_called_alike(shipped_client: TestClient):
    links = get(shipped_client, "/trees/avg-bulls-cows").select("svg.icicle a[aria-label]")
    assert len({str(link["aria-label"]) for link in links}) == len(links) > 5


def test_lengths_are_shares_on_one_scale() -> None:
    """The highest share, four of eight at turn 2, stands at the top; all lines end together."""
    chart = LengthsChart.of({"good": (1, 4, 3), "fair": (1, 3, 3, 1)})
    lines = [[place.split(",") for place in line.path.split(" ")] for line in chart.lines.values()]
    assert list(chart.lines) == ["good", "fair"]
    assert {len(line) for line in lines} == {4}
    assert lines[0][1][1] == "16.0"
    assert lines[0][3][1] == "188.0"


def test_letter_of_a_line_stands_where_the_other_line_is_farthest() -> None:
    chart = LengthsChart.of({"early": (6, 1, 1), "late": (1, 1, 6)})
    early, late = (line.label[0] for line in chart.lines.values())
    assert (early, late) == (chart.turns[0], chart.turns[0])
    (lone,) = LengthsChart.of({"lone": (1, 2)}).lines.values()
    assert lone.label[0] in (36.0, 348.0)


def test_trees_of_a_game_are_drawn_over_each_other(shipped_client: TestClient):
    page = get(shipped_client, "/trees")
    library: Library = shipped_client.app.state.library  # type: ignore[attr-defined]
    drawn = page.select(".lengths")
    games = GamesPage(library.games).featured
    assert len(drawn) == len(games) > 1
    for figure, game in zip(drawn, games, strict=True):
        assert len(figure.select("polyline")) == len(game.entries)
        rows = figure.select("tbody tr")
        for row, entry in zip(rows, game.entries, strict=True):
            cells = [cell.text for cell in row.select("td")]
            counts = [f"{count:,}" for count in entry.record.distribution]
            assert [cell for cell in cells if cell] == counts


def test_lone_tree_is_compared_with_nothing(client: TestClient):
    assert not get(client, "/trees").select(".lengths")
