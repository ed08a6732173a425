"""The best guess that a puzzle advises without a search."""

from math import log2

import pytest

from bullscows.game.history import History, split
from bullscows.game.rules import CodeIndex, Rules
from bullscows_web.guess.game import Guessing
from bullscows_web.guess.puzzle import Puzzle, advice
from bullscows_web.trees.library import Library
from bullscows_web.trees.relabelling import Relabelling


def with_secret(library: Library, rules: str, secret: CodeIndex) -> Guessing:
    """A game whose secret is this one."""
    for number in range(10_000):
        puzzle = Puzzle.parse(library, rules, f"s{number}")
        if puzzle.secret == secret:
            return Guessing(puzzle)
    pytest.fail("no seed has this secret")


@pytest.mark.parametrize(("rules", "code"), [("p4c10n", "4271"), ("p4c6r", "3350")])
def test_tree_advises_what_it_would_guess_itself_under_any_relabelling(
    shipped_library: Library, rules: str, code: str
):
    """On the tree the cost to come is that of the tree, which no guess betters."""
    game = with_secret(shipped_library, rules, Rules.parse(rules).parse_code(code))
    entry = game.puzzle.entry
    relabelling = Relabelling.parse(game.rules, "k3")
    while not game.is_found:
        found = advice(game.puzzle, game.history)
        assert found is not None
        assert found.to_go is not None
        node = entry.tree.walk([answer for _, answer in game.history])
        assert node.size == game.remaining
        played = [len(entry.tree.play(code)) - node.turn + 1 for code in node.candidates]
        assert found.to_go == pytest.approx(sum(played) / len(played))
        game = (
            game.after(found.guess) if game.guesses else game.after(relabelling.show(found.guess))
        )


def information(game: Guessing, guess: CodeIndex) -> float:
    """The mean bits of the answer, and 2 / N for a candidate: the measure of Larmouth's rule."""
    sizes = [size for _, size in split(game.rules, game.candidates, guess).parts]
    bits = log2(game.remaining) - sum(size * log2(size) for size in sizes) / game.remaining
    return bits + 2 / game.remaining * (guess in game.candidates)


def test_off_the_tree_the_most_informative_guess_is_advised(shipped_library: Library):
    game = Guessing.parse(shipped_library, "p4c6r", "k3f9", "0011-1100")
    found = advice(game.puzzle, game.history)
    assert found is not None
    assert found.to_go is None
    most = max(information(game, code) for code in range(game.rules.size))
    assert information(game, found.guess) == pytest.approx(most)


def test_large_game_is_advised_only_on_its_tree(shipped_library: Library):
    game = Guessing.parse(shipped_library, "p5c10n", "k3f9", "01234-56789")
    assert advice(game.puzzle, History(game.rules)) is not None
    assert advice(game.puzzle, game.history) is None
