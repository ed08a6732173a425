"""Nodes found under other names: every image of every path, and nothing else."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.history import History, candidates
from bullscows.game.rules import Rules
from bullscows.game.symmetry import Transformation
from bullscows.tree.images import find_image, informative_turns
from tests.conftest import grow_greedily
from tests.support.strategies import small_rules

TREES = {text: grow_greedily(Rules.parse(text)) for text in ("p3c5n", "p2c4r", "p3c4r", "p3c5z")}


def shuffled(rules: Rules, random: Random) -> Transformation:
    pinned = range(rules.pinned)
    positions, symbols = (
        (*pinned, *random.sample(free, len(free)))
        for free in (range(rules.pinned, rules.positions), range(rules.pinned, rules.symbols))
    )
    return Transformation(positions, symbols)


@given(st.sampled_from(sorted(TREES)), st.randoms(use_true_random=False))
def test_each_image_of_a_path_leads_to_its_node(text: str, random: Random):
    tree = TREES[text]
    rules, names = tree.rules, shuffled(tree.rules, random)
    node = random.choice(tree.nodes)
    turns = [(names.apply_to_index(rules, guess), answer) for guess, answer in tree.path(node)]
    random.shuffle(turns)
    history = History(rules, tuple(turns))
    found = find_image(tree, history)
    assert found is not None
    left = [found.names.apply_to_index(rules, int(code)) for code in candidates(rules, history)]
    assert sorted(left) == list(found.node.candidates)
    assert found.names.apply_to_index(rules, found.guess) == found.node.guess


def test_a_history_that_is_no_image_is_not_found():
    tree = TREES["p2c4r"]
    other = "00" if len(set(tree.rules.code(tree.root.guess))) == 2 else "01"
    assert find_image(tree, History.parse(tree.rules, f"{other}:0.0")) is None


@given(small_rules(max_size=200), st.data())
def test_turns_that_tell_nothing_go_and_the_candidates_stay(rules: Rules, data: st.DataObject):
    code = st.integers(0, rules.size - 1)
    secret, guesses = data.draw(code), data.draw(st.lists(code, max_size=4))
    turns = tuple((guess, rules.respond(guess, secret)) for guess in (*guesses, *guesses[:1]))
    kept = informative_turns(History(rules, turns))
    left = len(candidates(rules, turns))
    assert len(candidates(rules, kept)) == left
    for number in range(len(kept)):
        assert len(candidates(rules, (*kept[:number], *kept[number + 1 :]))) > left
