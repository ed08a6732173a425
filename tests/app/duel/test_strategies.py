"""How the computer plays: trees as they are, and a random player of whom only the path is made."""

from collections import Counter

import pytest

from bullscows.game.rules import Rules
from bullscows.tree.strategy_tree import StrategyTree
from bullscows_web.duel import strategies
from bullscows_web.duel.strategies import RANDOM, Drawn, GrownTrees, Tree
from bullscows_web.trees.library import Library

RULES = Rules.parse("p3c5n")


def test_tree_is_played_node_by_node(library: Library) -> None:
    tree = library.tree("small-bulls-cows").tree
    for secret in range(RULES.size):
        answers: tuple[int, ...] = ()
        for node in tree.play(secret):
            move = Tree(tree).move(answers)
            assert move.guess == node.guess
            assert move.possible == {RULES.respond(node.guess, code) for code in node.candidates}
            assert Tree(tree).lengths(answers) == tree.distribution_at(node)
            answers = (*answers, RULES.respond(node.guess, secret))


def test_random_player_is_the_one_of_its_whole_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Along each path it guesses as its tree does, and after an answer its lengths are the same."""
    player = Drawn(RULES, "any")
    whole = Tree(StrategyTree.grow(RULES, player.choose))
    grown = Counter[int]()
    real = StrategyTree.grow

    def counted(*asked, **named):
        tree = real(*asked, **named)
        grown[tree.root.size] += 1
        return tree

    monkeypatch.setattr(StrategyTree, "grow", counted)
    for secret in range(RULES.size):
        answers: tuple[int, ...] = ()
        while (move := player.move(answers)).guess != secret:
            assert move == whole.move(answers)
            if answers:
                assert player.lengths(answers) == whole.lengths(answers)
            answers = (*answers, RULES.respond(move.guess, secret))
    assert grown
    assert max(grown) < RULES.size


def test_random_player_of_one_draw_stands_for_the_others_at_the_start() -> None:
    draws = [Drawn(RULES, str(draw)) for draw in range(20)]
    assert len({player.lengths(()) for player in draws}) == 1
    assert len({player.move(()).guess for player in draws}) > 5


def test_trees_are_held_up_to_a_number_the_last_asked_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(strategies, "HELD", 2)
    trees, other = GrownTrees(), Rules.parse("p2c4r")
    first = trees.tree(RULES, RANDOM)
    assert trees.holds(RULES, RANDOM)
    trees.tree(other, RANDOM)
    assert trees.tree(RULES, RANDOM) is first
    trees.tree(other, "first-candidate")
    assert [trees.holds(RULES, RANDOM), trees.holds(other, RANDOM)] == [True, False]
    monkeypatch.setattr(trees, "tree", None)
    assert sum(trees.lengths(other, RANDOM)) == other.size
