"""The start page: the strategies to choose from."""

from collections.abc import Iterator

import pytest
from bs4 import BeautifulSoup, Tag
from starlette.testclient import TestClient

from app.library import Library


def options(client: TestClient, path: str) -> Iterator[tuple[str, Tag]]:
    """The trees that can be chosen, with what is said of each."""
    page = BeautifulSoup(client.get(path).text, "html.parser")
    for label in page.select("label.option"):
        (choice,) = label.select("input")
        if choice["name"] == "tree":
            yield str(choice["value"]), label


@pytest.mark.parametrize(("prefix", "point"), [("", "."), ("/ru", ",")])
def test_every_strategy_is_explained_with_average_and_worst_case(
    shipped_client: TestClient, shipped_library: Library, prefix: str, point: str
):
    explained = set()
    for name, label in options(shipped_client, f"{prefix}/"):
        entry = shipped_library.tree(name)
        aim, average, worst = (tag.get_text() for tag in label.select("strong"))
        assert aim
        assert average == f"{entry.average:.3f}".replace(".", point)
        assert worst == str(entry.record.depth)
        assert len(label.select_one(".option-words small").get_text().split()) > 3  # type: ignore[union-attr]
        explained.add(name)
    assert {"avg-bulls-cows", "crush-bulls-cows", "avg-mastermind-5"} <= explained
    assert len(explained) == sum(
        entry.rules.symbols == (6 if entry.rules.repeats else 10) and entry.rules.positions == 4
        for entry in shipped_library
    )


def test_only_exact_trees_are_called_proved(shipped_client: TestClient, shipped_library: Library):
    for name, label in options(shipped_client, "/"):
        is_exact = shipped_library.tree(name).record.proof == "exact"
        assert ("Proved optimal" in label.get_text()) == is_exact
