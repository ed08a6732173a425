"""The chances of a duel, counted again by playing all pairs of codes."""

import random
from collections import Counter

import pytest

from bullscows.game.history import History, candidates
from bullscows.game.rules import Rules
from bullscows.tree.lookup import find_image
from bullscows_web.duel.chances import (
    MOST_LEFT,
    MOST_OF_COURSE,
    chances,
    course,
    good_player,
)
from bullscows_web.duel.state import Duel, Terms
from bullscows_web.trees.library import Library
from tests.app.duel.test_state import CIPHER, RULES, truly_answered

pytestmark = pytest.mark.large


def begin(library: Library, *, visitor_begins: bool = True) -> Duel:
    terms = Terms(RULES, 17, "0" * 32, "easy", visitor_begins)
    return Duel.parse(library, CIPHER, RULES, terms.token(CIPHER))


@pytest.mark.parametrize("visitor_begins", [True, False])
def test_chances_are_those_of_all_pairs_of_codes(library: Library, visitor_begins: bool):
    """The visitor plays on as the tree does; every pair of codes that fits is played to its end."""
    drawn = random.Random(5)
    duel = begin(library, visitor_begins=visitor_begins)
    looked = 0
    while duel.mover is not None:
        image = find_image(library.tree("small-bulls-cows").tree, duel.mine)
        known = chances(library, duel)
        assert known is not None
        assert (not known.played) == (image is not None or bool(duel.found_by_visitor))
        if image is not None and not duel.found_by_visitor and not duel.found_by_computer:
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
            duel = truly_answered(duel, 42)
    assert looked > 2


def turns_of_tree(library: Library, duel: Duel) -> list[int]:
    tree = library.tree("small-bulls-cows").tree
    image = find_image(tree, duel.mine)
    assert image is not None
    return [len(tree.play(secret)) for secret in image.node.candidates]


def turns_of_computer(duel: Duel) -> list[int]:
    """At which turn the computer finds each code that fits, by playing on."""
    shown = [duel.terms.relabelling.show(each) for each in range(RULES.size)]
    strategy = duel.strategy
    turns = []
    for code in candidates(RULES, duel.theirs).tolist():
        hidden = shown.index(code)
        answers = duel.answers
        while (guess := strategy.walk(answers).guess) != hidden:
            answers = (*answers, RULES.respond(guess, hidden))
        turns.append(len(answers) + 1)
    return turns


def test_course_has_chances_before_each_guess_and_at_the_end(library: Library):
    duel = begin(library)
    for guess in (0, 3, 9, 17):
        if duel.is_over or duel.question is None:
            break
        duel = truly_answered(duel.guessed(guess), 42)
        assert len(course(library, duel)) == len(duel.guesses) + 1
        for each in course(library, duel):
            assert each is not None
            assert each.won + each.drawn + each.lost == pytest.approx(1)
    assert len(duel.guesses) > 1
    found = begin(library).guessed(17)
    missed = found.answered(next(answer for answer in found.possible if answer != RULES.win))
    for ended, sure in ((missed, (1, 0, 0)), (found.answered(RULES.win), (0, 1, 0))):
        known = course(library, ended)[-1]
        assert known is not None
        assert (known.won, known.drawn, known.lost) == sure


def test_player_off_the_trees_finds_every_code():
    history = History.parse(Rules.parse("p5c8r"), "00123:0.2")
    lengths = good_player(history)
    assert sum(lengths) == len(candidates(history.rules, history))
    assert lengths[:2] == (0, 1)


def left_open(library: Library, guesses: str) -> Duel:
    """A duel of five places and eight colours, far off its tree."""
    rules = Rules.parse("p5c8r")
    terms = Terms(rules, rules.parse_code("76543"), "0" * 32, "champion", True)
    duel = Duel.parse(library, CIPHER, rules, terms.token(CIPHER))
    for guess in guesses.split():
        duel = truly_answered(duel.guessed(rules.parse_code(guess)), rules.parse_code("60606"))
    return duel


def test_too_many_codes_are_left_out(shipped_library: Library):
    """Off the trees, chances appear once few enough candidates are left."""
    duel = left_open(shipped_library, "00000 11111 22222")
    assert chances(shipped_library, duel) is None
    assert course(shipped_library, duel)[1:] == [None] * 3
    for late in ("00000 11111 22222 34567 35467", "01234 56701 01234 01234 01234"):
        known = course(shipped_library, left_open(shipped_library, late))
        assert known[-1] is not None
        assert None in known
        played = [each.played for each in known if each is not None]
        assert 0 < sum(played) <= MOST_OF_COURSE
        assert max(played) <= MOST_LEFT
