"""The levels: each plays as the named strategy does, and is shown with what it takes."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bullscows.game.cost import total_turns
from bullscows.game.rules import Rules
from bullscows.strategies.rules.one_step import HEURISTICS, heuristic_tree
from bullscows.strategies.rules.random_candidate import RandomCandidate
from bullscows.tree.strategy_tree import StrategyTree
from bullscows_web.duel.levels import (
    LARGEST_LARMOUTH,
    NAMES,
    champion,
    is_grown,
    is_level,
    levels,
    strategy,
)
from bullscows_web.duel.strategies import Drawn, GrownTrees, Tree
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from bullscows_web.trees.library import Library
from bullscows_web.trees.pages import GamesPage

NAMED = {"human": "goel-garg-human", "first": "first-candidate", "larmouth": "larmouth"}


@pytest.mark.parametrize("name", ["human", "first", "larmouth"])
@pytest.mark.parametrize("text", ["p3c5n", "p2c4r"])
def test_level_plays_as_the_named_strategy(library: Library, text: str, name: str) -> None:
    rules = Rules.parse(text)
    named = heuristic_tree(rules, HEURISTICS[NAMED[name]])
    assert strategy(library, rules, name, "") == Tree(named)  # type: ignore[arg-type]


def test_random_level_draws_each_candidate_alike(library: Library) -> None:
    """Over many draws it takes what is to be expected of the strategy, exactly."""
    rules = Rules.parse("p3c5n")
    draws = 400
    players = [Drawn(rules, str(draw)) for draw in range(draws)]
    total = sum(StrategyTree.grow(rules, player.choose).total for player in players)
    expected = RandomCandidate(rules).lengths(tuple(range(rules.size))).total
    assert total / draws == pytest.approx(float(expected), rel=0.01)
    assert strategy(library, rules, "random", "a") == strategy(library, rules, "random", "a")


def test_levels_are_listed_weakest_first_with_their_averages(library: Library) -> None:
    rules = Rules.parse("p3c5n")
    found = levels(library, rules)
    assert {level.name for level in found} == set(NAMES)
    averages = [level.average for level in found]
    assert averages == sorted(averages, reverse=True)
    for level in found:
        turns = strategy(library, rules, level.name, "").lengths(())
        assert level.average == total_turns(turns) / sum(turns)
        assert sum((level.against.won, level.against.drawn, level.against.lost)) == rules.size**2


def test_level_that_takes_too_long_is_left_out(shipped_library: Library) -> None:
    rules = Rules.parse("p5c10n")
    assert [level.name for level in levels(shipped_library, rules)] == ["champion"]
    assert not is_level(shipped_library, rules, "first")
    large = Rules.parse("p5c8n")
    assert large.size > LARGEST_LARMOUTH
    assert not is_level(shipped_library, large, "larmouth")
    assert not is_level(shipped_library, large, "nobody")


@pytest.mark.parametrize(
    ("text", "name", "is_proved"),
    [
        ("p4c10n", "duel-bulls-cows", True),
        ("p4c6r", "duel-mastermind", True),
        ("p3c10n", "duel-bulls-cows-3-digits", True),
        ("p4c9n", "avg-bulls-cows-9-symbols", False),
    ],
)
def test_champion_is_the_proved_one_where_it_ships(
    shipped_library: Library, text: str, name: str, is_proved: bool
) -> None:
    rules = Rules.parse(text)
    assert champion(shipped_library, rules).name == name
    strongest = levels(shipped_library, rules)[-1]
    assert (strongest.name, strongest.is_champion) == ("champion", is_proved)
    assert strongest.loses < 0.34


def test_shipped_tree_of_larmouths_rule_is_played(shipped_library: Library) -> None:
    played = strategy(shipped_library, Rules.parse("p4c10n"), "larmouth", "")
    assert played == Tree(shipped_library.tree("larmouth-rule-bulls-cows").tree)


def test_levels_of_the_first_games_are_grown_when_the_server_starts(
    small_trees: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bullscows_web.duel.levels.GROWN", GrownTrees())
    app = create_app(Settings(trees_dir=small_trees))
    with TestClient(app):
        app.state.preparation.join()
        featured = GamesPage(app.state.library.games).featured
        assert featured
        assert all(is_grown(app.state.library, game.rules) for game in featured)
