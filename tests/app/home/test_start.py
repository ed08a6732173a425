"""The start page, and the choice of strategies for "Computer guesses"."""

from collections.abc import Iterator
from datetime import date

import pytest
from bs4 import Tag
from fastapi import FastAPI
from starlette.testclient import TestClient

from bullscows_web.guess.puzzle import Puzzle, get_today
from bullscows_web.trees.library import Library
from tests.support.pages import get, one, text


def options(client: TestClient, path: str) -> Iterator[tuple[str, Tag]]:
    """The trees that can be chosen, with what is said of each."""
    for label in get(client, path).select("label.option"):
        (choice,) = label.select("input")
        if choice["name"] == "tree":
            yield str(choice["value"]), label


@pytest.mark.parametrize(("prefix", "point"), [("", "."), ("/ru", ",")])
def test_every_strategy_is_explained_with_average_and_worst_case(
    shipped_client: TestClient, shipped_library: Library, prefix: str, point: str
):
    explained = set()
    for name, label in options(shipped_client, f"{prefix}/play"):
        entry = shipped_library.tree(name)
        aim, average, worst = (tag.get_text() for tag in label.select("strong"))
        assert aim
        assert average == f"{entry.average:.3f}".replace(".", point)
        assert worst == str(entry.record.depth)
        assert len(text(one(label, ".option-words small")).split()) > 3
        explained.add(name)
    assert {"avg-bulls-cows", "crush-bulls-cows", "avg-mastermind-5"} <= explained
    assert len(explained) == sum(
        str(entry.rules) in ("p4c10n", "p4c6r") for entry in shipped_library
    )


def test_only_the_best_of_all_trees_are_called_optimal(
    shipped_client: TestClient, shipped_library: Library
):
    """The best of those that guess candidates only is proved, but others take fewer turns."""
    for name, label in options(shipped_client, "/play"):
        record = shipped_library.tree(name).record
        is_optimal = record.proof == "exact" and record.objective != "possibles-only"
        assert ("Proved optimal" in label.get_text()) == is_optimal


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize("day", [date(2026, 11, 21), date(2026, 11, 22)])
def test_puzzle_of_the_day_is_linked_with_what_the_tree_needs(
    shipped_app: FastAPI,
    shipped_client: TestClient,
    shipped_library: Library,
    prefix: str,
    day: date,
):
    shipped_app.dependency_overrides[get_today] = lambda: day
    try:
        card = one(get(shipped_client, f"{prefix}/"), ".day-card")
    finally:
        del shipped_app.dependency_overrides[get_today]
    puzzle = Puzzle.parse(shipped_library, "p4c10n", day.isoformat())
    assert card.select("a.primary")[0]["href"] == f"{prefix}/guess/p4c10n/{day}"
    needed = len(puzzle.entry.tree.play(puzzle.secret))
    assert card.select(".day-best strong")[0].text == str(needed)
    assert puzzle.rules.text(puzzle.secret) not in str(card), "what it is stays hidden"


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_one_form_tells_the_codes_of_either_game_and_starts_its_proved_strategy(
    shipped_client: TestClient, shipped_library: Library, prefix: str
):
    form = one(get(shipped_client, f"{prefix}/"), "form.start")
    games = form.select("[name=tree]")
    assert [game["data-rules"] for game in games] == ["p4c10n", "p4c6r"]
    rules = [text(rule) for rule in form.select(".code-rule")]
    assert rules == (
        ["4 разные цифры", "4 фишки, 6 цветов, повторы разрешены"]
        if prefix
        else ["4 different digits", "4 pegs, 6 colours, repeats allowed"]
    )
    for game, promise in zip(games, form.select(".promise"), strict=True):
        entry = shipped_library.tree(str(game["value"]))
        assert entry.record.is_optimal
        average = f"{entry.average:.2f}".replace(".", "," if prefix else ".")
        assert {average, f"{entry.record.depth}."} <= set(text(promise).split())
        values = {"tree": str(game["value"]), "shuffle": "on"}
        begun = shipped_client.get(str(form["action"]), params=values, follow_redirects=False)
        assert begun.headers["location"].startswith(f"{prefix}/play/{entry.name}/")
    assert one(form, ".segments a")["href"] == f"{prefix}/play"
