"""From names to strategies: each kind begins anywhere, and says why where it can't."""

import pytest

from bullscows.errors import EngineError
from bullscows.game.history import History, InconsistentError
from bullscows.library import solve
from bullscows.shipping.named_trees import RANDOM_CANDIDATE, expected_lengths, strategy_tree
from bullscows.tree.strategy_tree import StrategyError
from bullscows.tree.verifier import verify

pytestmark = pytest.mark.large

BY_POSITION = [
    *("crush", "minimax-any", "first-candidate", "larmouth-all", "kwb-3", "avg3", "beam-2-9")
]
"""Strategies that do the same in a position, whether they were asked before or not."""


@pytest.mark.parametrize("name", BY_POSITION)
def test_a_strategy_goes_on_from_a_position_as_it_would_have_come_there(name: str) -> None:
    whole = strategy_tree("p3c6r", name)
    root = whole.root
    assert verify(whole).ok
    for answer, child in root.children.items():
        history = History(whole.rules, ((root.guess, answer),))
        part = strategy_tree("p3c6r", name, history=history)
        assert part.distribution == whole.distribution_at(whole.nodes[child])
        assert part.root.candidates == whole.nodes[child].candidates


@pytest.mark.parametrize("name", [*BY_POSITION, "possibles-only"])
def test_the_next_guess_can_be_given(name: str) -> None:
    tree = strategy_tree("p3c6r", name, first="001")
    assert tree.ask() == "001"
    assert sum(tree.distribution) == 216
    own = strategy_tree("p3c6r", name)
    assert strategy_tree("p3c6r", name, first=own.ask()).total == own.total


def test_candidates_only_ends_least_often_at_its_last_turn() -> None:
    """Of trees with as few turns: that which a search for the turns alone names ends so oftener."""
    tree = strategy_tree("p5c4r", "possibles-only")
    turns = solve("p5c4r", candidates_only=True)
    both = solve("p5c4r", "average,last", max_turns=tree.depth, candidates_only=True)
    assert {"total": tree.total, "last": tree.distribution[-1]} == both.levels
    assert tree.total == turns.tree().total
    assert tree.distribution[-1] < turns.tree().distribution[-1]
    assert solve("p5c4r", max_turns=tree.depth - 1, candidates_only=True).value != tree.total


def test_what_a_strategy_cannot_play_it_says() -> None:
    for name, history, first, words in (
        ("crush", "001:0.0 000:3.0", None, "no code of p3c6r fits all 2 answers"),
        ("crush", "", "0001", "has 3 symbols"),
        ("possibles-only", "001:0.1", "234", "is no candidate"),
        ("crush", "001:0.0", "000", "splits nothing"),
    ):
        with pytest.raises(EngineError, match=words):
            strategy_tree("p3c6r", name, history=history, first=first)
    for history in ("001:0.1 " * 7, ""):
        with pytest.raises(StrategyError, match="by turn 5"):
            strategy_tree("p4c8r" if not history else "p3c6r", "avg3", history=history.strip())
    with pytest.raises(StrategyError, match="by turn 5"):
        strategy_tree("p4c6r", "avg3", first="0000")
    with pytest.raises(StrategyError, match=r"known are .*landy"):
        strategy_tree("p3c6r", "zzz")
    with pytest.raises(StrategyError, match=r"did you mean larmouth"):
        strategy_tree("p3c6r", "larmouth-two")
    with pytest.raises(StrategyError, match="no tree"):
        strategy_tree("p3c6r", RANDOM_CANDIDATE)


def test_expected_lengths_refuse_what_never_ends_and_what_no_code_fits() -> None:
    with pytest.raises(EngineError, match="30240 here: give some turns"):
        expected_lengths("p5c10n")
    with pytest.raises(InconsistentError):
        expected_lengths("p3c6r", history="001:0.0 000:3.0")
