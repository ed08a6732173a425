"""An adversary: a codemaker without a secret, who gives the honest answer that prolongs the game.

The number of guesses that the best strategy needs against it is the *remoteness* of the position
(Conway; Steinhaus; Francis, Variations): what the search finds for the objective ``worst``.  Of
answers after which games last equally long it gives the one that leaves most candidates, of these
the lowest.  If the search does not end in time, does not fit into the memory or is not installed,
the answer is the one that leaves most candidates, and the reply states that.

Against a tree no search is needed: the longest game is its longest path.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from bullscows.analysis.analyst import Analyst, checked
from bullscows.analysis.memory import TooLittleMemoryError
from bullscows.analysis.without_search import certain
from bullscows.game.history import split
from bullscows.game.objective import Objective
from bullscows.game.question import Question
from bullscows.game.rules import AnswerIndex, CodeIndex, Turn
from bullscows.game.timer import Timer
from bullscows.tree.nodes import Node
from bullscows.tree.strategy_tree import StrategyTree

Method = Literal["remoteness", "largest-part"]
"""How an answer was chosen: for the longest game, proved; or for the most candidates left."""

WORST = Objective.parse("worst")


@dataclass(frozen=True)
class Reply:
    """The adversary's answer to a guess."""

    answer: AnswerIndex
    remaining: int
    """The number of candidates that it leaves; 1 after the win."""
    last_turn: int | None
    """The turn at which the game ends under optimal play from then on; None: not proved."""
    method: Method


@dataclass(frozen=True)
class Adversary:
    """Answers any guess in any position.

    >>> adversary = Adversary(Analyst())
    >>> reply = adversary.reply(Question.of("p2c3n"), 0, 1.0)
    >>> reply.remaining, reply.method
    (3, 'largest-part')
    """

    analyst: Analyst
    """Searches; before it has loaded the search, each answer is that of the largest part."""

    def last_turn(self, question: Question, seconds: float | None) -> int | None:
        """Return the last turn of the longest game; None if it can't be proved in `seconds`.

        The question's objective does not matter.  Raises `InconsistentError` if no code fits.
        """
        asked = checked(Question(question.history, WORST))
        if not (self.analyst.can_search(asked) or certain(asked)):
            return None
        with suppress(TooLittleMemoryError):
            return self.analyst.analysis(asked, seconds).levels.get("worst")
        return None

    def reply(self, question: Question, guess: CodeIndex, seconds: float | None) -> Reply:
        """Return the answer to a guess after which the game lasts longest.

        Parameters and errors are those of `last_turn`; the time limit is for all answers.  The
        largest parts come first, because nothing is proved if one of them can't be.
        """
        position = checked(Question(question.history, WORST))
        parts = split(position.rules, position.candidates, guess).parts
        timer = Timer(seconds)
        replies = []
        largest_first = sorted(parts, key=lambda part: -part[1])
        for place, (answer, size) in enumerate(largest_first):
            last: int | None = position.turn
            if answer != position.rules.win:
                share = timer.share(1 / (len(parts) - place))
                last = self.last_turn(position.then(guess, answer), share)
            if last is None:
                return largest_part(question, guess)
            replies.append((last, size, -answer))
        last, size, answer = max(replies)
        return Reply(-answer, size, last, "remoteness")


def largest_part(question: Question, guess: CodeIndex) -> Reply:
    """Return the answer to a guess that leaves most candidates, the lowest of equals, unsearched.

    The win is given only if no other is possible.  Raises `InconsistentError` if no code fits.
    """
    left = checked(Question(question.history, WORST)).candidates
    parts = split(question.rules, left, guess).parts
    answer, size = max(parts, key=lambda part: (part[1], -part[0]))
    return Reply(answer, size, None, "largest-part")


# -- against a tree --------------------------------------------------------------------------------


def tree_reply(tree: StrategyTree, node: Node) -> AnswerIndex:
    """Return the answer to a node's guess after which the tree's longest game is longest.

    Of equals the one that leaves most, of these the lowest; the win only if no other is possible.
    """

    def length(answer: AnswerIndex) -> tuple[int, int, int]:
        child = tree.nodes[node.children[answer]]
        return len(tree.distribution_at(child)), child.size, -answer

    return max(node.children, key=length, default=tree.rules.win)


def longest_game(tree: StrategyTree) -> list[tuple[Node, Turn]]:
    """Return a longest game of a tree: its nodes, each with its guess and the answer.

    >>> tree = StrategyTree.grow(Question.of("p2c3n").rules, lambda left, _: left[0])
    >>> [tree.rules.text(guess) for _, (guess, _) in longest_game(tree)]
    ['01', '12', '20']
    """
    node = tree.root
    game = []
    while True:
        answer = tree_reply(tree, node)
        game.append((node, (node.guess, answer)))
        if answer == tree.rules.win:
            return game
        node = tree.nodes[node.children[answer]]
