"""The codemaker as an adversary, against plain recursion over all games."""

from functools import cache

import pytest

from bullscows.analysis.adversary import Adversary, longest_game, tree_reply
from bullscows.analysis.analyst import Analyst
from bullscows.game.history import InconsistentError
from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows.tree.files import read_tree

pytestmark = pytest.mark.large


@pytest.fixture(scope="module")
def maker() -> Adversary:
    analyst = Analyst(1 << 40)
    analyst.load(())
    return Adversary(analyst)


def naive_remoteness(rules: Rules, left: tuple[int, ...]) -> int:
    """How many guesses are needed at worst, with every guess and answer tried."""

    @cache
    def needed(left: tuple[int, ...]) -> int:
        if len(left) == 1:
            return 1
        worst = []
        for guess in range(rules.size):
            parts = rules.partition(guess, left)
            parts.pop(rules.win, None)
            if len(left) not in map(len, parts.values()):
                worst.append(1 + max(needed(tuple(part)) for part in parts.values()))
        return min(worst)

    return needed(left)


@pytest.mark.parametrize("text", ["p1c4r", "p2c3n", "p2c4r", "p3c4n", "p3c3r", "p2c4z"])
def test_games_last_as_long_as_plain_recursion_says(maker: Adversary, text: str) -> None:
    rules = Rules.parse(text)
    game = Question.of(rules)
    everything = tuple(range(rules.size))
    assert maker.last_turn(game, None) == naive_remoteness(rules, everything)
    for guess in range(rules.size):
        parts = rules.partition(guess, everything)
        parts.pop(rules.win, None)
        ranked = [
            (1 + naive_remoteness(rules, tuple(part)), len(part), -answer)
            for answer, part in parts.items()
        ]
        last, size, answer = max(ranked)
        reply = maker.reply(game, guess, None)
        assert (reply.last_turn, reply.remaining, reply.answer) == (last, size, -answer)
        assert reply.method == "remoteness"


def test_best_play_on_both_sides_ends_when_it_must(maker: Adversary) -> None:
    question = Question.of("p3c6r", (), "worst")
    last = None
    while last != question.rules.win:
        guess = maker.analyst.analysis(question, None).guess
        reply = maker.reply(question, guess, None)
        last = reply.answer
        turn = question.turn
        question = question.then(guess, reply.answer)
    assert turn == maker.last_turn(Question.of("p3c6r"), None)


def test_without_time_or_search_it_leaves_most_and_says_so(maker: Adversary) -> None:
    question = Question.of("p4c9n")
    for lazy in (Adversary(Analyst()), maker):
        reply = lazy.reply(question, 0, 0.0)
        sizes = {a: len(p) for a, p in question.rules.partition(0, range(3024)).items()}
        assert reply.method == "largest-part"
        assert reply.remaining == sizes[reply.answer] == max(sizes.values())
    assert Adversary(Analyst()).last_turn(question, 1.0) is None


def test_what_is_found_is_over(maker: Adversary) -> None:
    question = Question.of("p3c6n", "012:3.0")
    reply = maker.reply(question, 0, None)
    assert (reply.answer, reply.remaining, reply.last_turn) == (question.rules.win, 1, 2)
    with pytest.raises(InconsistentError):
        maker.reply(Question.of("p3c6n", "012:3.0 012:0.0"), 0, None)


@pytest.mark.parametrize("name", ["avg-mastermind-3x5", "possibles-mastermind"])
def test_longest_game_of_a_tree_is_its_longest_path(name: str) -> None:
    tree = read_tree(name).tree
    game = longest_game(tree)
    assert len(game) == tree.depth
    assert game[-1][1][1] == tree.rules.win
    left = set(range(tree.rules.size))
    for node, (guess, answer) in game:
        assert left == set(node.candidates)
        left = {code for code in left if tree.rules.respond(guess, code) == answer}
        lengths = [len(tree.distribution_at(tree.nodes[child])) for child in node.children.values()]
        if lengths:
            child = tree.nodes[node.children[tree_reply(tree, node)]]
            assert len(tree.distribution_at(child)) == max(lengths)
    assert len(left) == 1
