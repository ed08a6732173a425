"""Exports: each format holds the whole tree."""

import json

import pytest
from bs4 import BeautifulSoup
from hypothesis import given

from bullscows.game.rules import Rules
from bullscows.tree.codec import decode
from bullscows.tree.export import FORMATS, STYLE, node_record
from bullscows.tree.files import read_tree
from bullscows.tree.storage import default_folder
from bullscows.tree.strategy_tree import StrategyTree
from tests.support.examples import examples
from tests.support.strategies import random_trees


def lines_of_text(tree: StrategyTree) -> list[str]:
    """Return the lines of the nodes, without the header."""
    lines = "".join(FORMATS["text"](tree)).splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_text_starts_with_a_header_that_explains_its_columns() -> None:
    tree = read_tree(default_folder() / "avg-bulls-cows-3-of-6.json").tree
    lines = "".join(FORMATS["text"](tree)).splitlines()
    header = [line for line in lines if line.startswith("#")]
    assert lines[: len(header)] == header, "all before the first node"
    assert "p3c6n: 120 codes" in header[0]
    columns = header[1].removeprefix("# ").split()
    root = lines[len(header)]
    assert root == "-> 012 120 n 5 e 4 turns 436"
    assert [word for word in columns if word.islower()] == ["n", "e", "turns"]
    assert len(columns[1:]) == len(root.split()), "the path of the root is empty"
    names = [word for word in columns if word.isupper()]
    assert [line.partition(":")[0] for line in header[2:]] == [f"# {name}" for name in names]


@examples(20)
@given(random_trees(max_size=60))
def test_every_format_shows_every_node(tree: StrategyTree) -> None:
    text = {name: "".join(export(tree)) for name, export in FORMATS.items()}
    assert decode(tree.rules, text["base92"]) == tree
    assert len(lines_of_text(tree)) == len(tree)
    assert text["dot"].count("label=") == 2 * len(tree) - 1
    soup = BeautifulSoup(text["html"], "html.parser")
    assert len(soup.select("summary, p")) == len(tree)


@examples(20)
@given(random_trees(max_size=60))
def test_json_can_be_checked_node_by_node(tree: StrategyTree) -> None:
    nodes = json.loads("".join(FORMATS["json"](tree)))["nodes"]
    assert nodes[0]["total"] == tree.total
    for node in nodes:
        below = sum(nodes[child]["total"] for child in node["children"].values())
        assert node["total"] == below + node["turn"] * node["is_candidate"]


@examples(20)
@given(random_trees(max_size=60))
def test_level_and_estimate_of_a_node_follow_from_those_below(tree: StrategyTree) -> None:
    """The level is the last turn of a secret below, the estimate how many are guessed then."""
    nodes = json.loads("".join(FORMATS["json"](tree)))["nodes"]
    for node, line in zip(nodes, lines_of_text(tree), strict=True):
        below = [nodes[child] for child in node["children"].values()]
        ends = [(child["level"], child["estimate"]) for child in below]
        if node["is_candidate"]:
            ends.append((node["turn"], 1))
        level = max(turn for turn, _ in ends)
        estimate = sum(count for turn, count in ends if turn == level)
        assert (node["level"], node["estimate"]) == (level, estimate)
        assert line.endswith(f" n {level} e {estimate} turns {node['total']}")


@pytest.mark.parametrize(
    ("name", "answer", "level", "estimate", "total"),
    [
        ("crush-bulls-cows", "0.1", 7, 46, None),
        ("crush-bulls-cows", "0.2", 7, 4, None),
        ("crush-bulls-cows", "1.1", 6, 213, None),
        ("crush-bulls-cows", "2.1", 5, 28, None),
        ("avg-bulls-cows", "0.1", 7, None, 7935),
        ("avg-bulls-cows", "1.1", None, None, 3712),
    ],
)
def test_shipped_trees_have_the_papers_estimates(
    name: str, answer: str, level: int | None, estimate: int | None, total: int | None
) -> None:
    """Slovesnov 5.1.1 and 5.2.1, after 0123 and an answer."""
    tree = read_tree(default_folder() / f"{name}.json").tree
    node = node_record(tree, tree.walk([tree.rules.parse_answer(answer)]))
    assert level in (None, node["level"])
    assert estimate in (None, node["estimate"])
    assert total in (None, node["total"])


@examples(20)
@given(random_trees(max_size=40))
def test_a_line_of_text_can_be_replayed(tree: StrategyTree) -> None:
    rules: Rules = tree.rules
    for line, node in zip(lines_of_text(tree), tree.nodes, strict=True):
        path, _, rest = line.partition("-> ")
        answers = [rules.parse_answer(word) for word in path.split()[1::2]]
        assert tree.walk(answers) == node
        assert rest.split()[0].rstrip("?") == rules.text(node.guess)


def test_html_page_needs_nothing_else() -> None:
    for name in ("avg-bulls-cows", "avg-mastermind"):
        tree = read_tree(default_folder() / f"{name}.json").tree
        text = "".join(FORMATS["html"](tree))
        page = BeautifulSoup(text, "html.parser")
        assert page.select("link, script, img, [src], [href]") == []
        assert "url(" not in text
        assert page.select_one("meta[name=viewport]") is not None
        assert len(STYLE) < 1500
        words = page.select_one("header")
        assert words is not None
        assert f"{tree.total / tree.root.size:.4f}" in words.get_text()
