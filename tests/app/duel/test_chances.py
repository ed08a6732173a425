"""The chances of a duel, counted again by playing all pairs of codes."""

import random
from collections import Counter

import pytest

from app.duel.chances import CELLS, _good_player, chances, course
from app.duel.duel import Duel
from app.duel.seal import Sealer
from app.duel.terms import Terms
from app.trees.library import Library
from engine.game.candidates import candidates
from engine.game.history import History
from engine.game.responses import responses_between
from engine.game.rules import Rules
from engine.tree.images import find_image

RULES = Rules.parse("p3c5n")
SEALER = Sealer(lambda: "a key that nobody guesses, of some length")


def begin(library: Library, *, visitor_begins: bool = True) -> Duel:
    terms = Terms(RULES, 17, "0" * 32, "first", visitor_begins)
    return Duel.parse(library, SEALER, RULES, terms.sealed(SEALER))


@pytest.mark.parametrize("visitor_begins", [True, False])
def test_chances_are_those_of_all_pairs_of_codes(library: Library, visitor_begins: bool) -> None:
    """The visitor plays on as the tree does; every pair of codes that fits is played to its end."""
    drawn, duel = random.Random(5), begin(library, visitor_begins=visitor_begins)
    looked = 0
    while duel.mover is not None:
        image = find_image(library.tree("small-bulls-cows").tree, duel.mine)
        known = chances(library, duel)
        assert known.on_tree == (image is not None or bool(duel.found_by_visitor))
        if image is not None and not duel.found_by_visitor and duel.node is not None:
            counted = Counter(
                (mine < theirs) - (mine > theirs)
                for mine in turns_of_tree(library, duel)
                for theirs in turns_of_computer(duel)
            )
            total = counted.total()
            assert known.won == pytest.approx(counted[1] / total)
            assert known.drawn == pytest.approx(counted[0] / total)
            assert known.lost == pytest.approx(counted[-1] / total)
            looked += 1
        if duel.mover == "visitor":
            guess = image.guess if image else drawn.choice(candidates(RULES, duel.mine).tolist())
            duel = duel.guessed(guess)
        else:
            question = duel.question
            assert question is not None
            duel = duel.answered(RULES.respond(question, 42))
    assert looked > 2


def turns_of_tree(library: Library, duel: Duel) -> list[int]:
    tree = library.tree("small-bulls-cows").tree
    image = find_image(tree, duel.mine)
    assert image is not None
    return [len(tree.play(secret)) for secret in image.node.candidates]


def turns_of_computer(duel: Duel) -> list[int]:
    """At which turn the computer finds each code that fits, by playing on."""
    found, hidden = [], duel.terms.relabelling.hide
    for code in candidates(RULES, duel.theirs).tolist():
        found.append(len(duel.tree.play(hidden(code))))
    return found


def test_chances_at_the_end_are_certain(library: Library) -> None:
    duel = begin(library).guessed(17)
    after = duel.answered(next(answer for answer in duel.possible if answer != RULES.win))
    assert [each.won for each in course(library, after)][-1] == 1
    drawn = chances(library, duel.answered(RULES.win))
    assert (drawn.won, drawn.drawn, drawn.lost) == (0, 1, 0)


def test_course_is_as_long_as_the_duel(library: Library) -> None:
    duel = begin(library)
    for guess in (0, 3, 9):
        question = duel.question
        if duel.is_over or question is None:
            break
        duel = duel.guessed(guess)
        duel = duel.answered(RULES.respond(question, 42))
        assert len(course(library, duel)) == len(duel.guesses) + 1
        for each in course(library, duel):
            assert each.won + each.drawn + each.lost == pytest.approx(1)
    assert len(duel.guesses) > 1


def test_player_off_the_trees_looks_at_few_answers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A click of a large game costs a fraction of a second; every code is found all the same."""
    looked: list[int] = []

    def counted(*asked: object) -> object:
        found = responses_between(*asked)  # type: ignore[arg-type]
        looked.append(found.size)
        return found

    monkeypatch.setattr("app.duel.chances.responses_between", counted)
    history = History.parse(Rules.parse("p5c8r"), "00123:0.2")
    lengths = _good_player(history)
    assert sum(lengths) == len(candidates(history.rules, history))
    assert lengths[0] == 0
    assert lengths[1] == 1
    assert max(looked) < 2 * CELLS
