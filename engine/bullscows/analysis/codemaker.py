"""The codemaker as an adversary: no secret, only honest answers, and the longest game there is.

A codemaker without a fixed secret gives any answer that some candidate would give.  How long such
a game lasts if both do their best is the *remoteness* of the position (Conway; Steinhaus; Francis,
Variations): the number of guesses that the best strategy needs at worst.  That is what the search
finds for the objective ``worst``, so this codemaker is exact wherever the search comes to its end.
Of answers after which games last equally long it gives the one that leaves most candidates, of
these the lowest.

Where the search does not end in time, does not fit into the memory or is not installed, the answer
is the one that leaves most candidates, and the reply says so.

Against a tree no search is needed: the longest game is its longest path.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bullscows.analysis.analyst import Analyst, checked
from bullscows.analysis.memory import TooLittleMemoryError
from bullscows.analysis.timer import Timer
from bullscows.game.candidates import split
from bullscows.game.history import Turn
from bullscows.game.objective import Objective
from bullscows.game.question import Question
from bullscows.game.rules import AnswerIndex, CodeIndex
from bullscows.tree.nodes import Node
from bullscows.tree.strategy_tree import StrategyTree

Manner = Literal["remoteness", "largest-part"]
"""How an answer was chosen: for the longest game, proved; or for the most candidates left."""

WORST = Objective.parse("worst")


@dataclass(frozen=True)
class Reply:
    """What the codemaker answers to a guess."""

    answer: AnswerIndex
    """The answer."""
    remaining: int
    """How many candidates it leaves; of the win, the one that was guessed."""
    last_turn: int | None
    """The turn at which the game ends if both do their best from then on; None: not proved."""
    manner: Manner
    """How it was chosen."""


@dataclass(frozen=True)
class Codemaker:
    """Answers any guess in any position.

    >>> maker = Codemaker(Analyst())
    >>> reply = maker.reply(Question.of("p2c3n"), 0, 1.0)
    >>> reply.remaining, reply.manner
    (3, 'largest-part')
    """

    analyst: Analyst
    """Searches; before it has loaded the search, all answers are those of the largest part."""

    def last_turn(self, question: Question, seconds: float | None) -> int | None:
        """Return the turn until which a game can be kept up; None if it can't be proved in time.

        Parameters
        ----------
        question
            The position; what it minimises does not matter.
        seconds
            What the search may take; None: until it is proved.

        Raises
        ------
        InconsistentError
            If no code fits all answers.
        """
        asked = checked(Question(question.history, WORST))
        try:
            levels = self.analyst.analysis(asked, seconds).levels
        except TooLittleMemoryError:
            return None
        return levels.get("worst")

    def reply(self, question: Question, guess: CodeIndex, seconds: float | None) -> Reply:
        """Return the answer to a guess that keeps the game up longest.

        Parameters
        ----------
        question
            The position; what it minimises does not matter.
        guess
            Any code of the game.
        seconds
            What the searches may take together; None: until they end.

        Raises
        ------
        InconsistentError
            If no code fits all answers.
        """
        asked = checked(Question(question.history, WORST))
        replies = list(self._replies(asked, guess, seconds))
        if any(reply.last_turn is None for reply in replies):
            fullest = max(replies, key=lambda reply: (reply.remaining, -reply.answer))
            return Reply(fullest.answer, fullest.remaining, fullest.last_turn, "largest-part")
        return max(replies, key=lambda reply: (reply.last_turn, reply.remaining, -reply.answer))

    def _replies(
        self, question: Question, guess: CodeIndex, seconds: float | None
    ) -> Iterator[Reply]:
        """Yield each possible answer; the time is shared out among those that are left."""
        parts = split(question.rules, question.candidates, guess).parts
        timer = Timer(seconds)
        for place, (answer, size) in enumerate(parts):
            if answer == question.rules.win:
                yield Reply(answer, size, question.turn, "remoteness")
                continue
            share = timer.share(1 / (len(parts) - place))
            last = self.last_turn(question.then(guess, answer), share)
            yield Reply(answer, size, last, "remoteness")


def largest_part(question: Question, guess: CodeIndex) -> Reply:
    """Return the answer to a guess that leaves most candidates, of equals the lowest; no search.

    The win is given only where no other answer is possible.

    Raises
    ------
    InconsistentError
        If no code fits all answers.
    """
    return Codemaker(Analyst()).reply(question, guess, 0.0)


# -- against a tree --------------------------------------------------------------------------------


def tree_reply(tree: StrategyTree, node: Node) -> AnswerIndex:
    """Return the answer to a node's guess after which the tree plays on longest.

    Of equals it is the one that leaves most candidates, of these the lowest; the win only where no
    other answer is possible.
    """
    if not node.children:
        return tree.rules.win
    return max(
        node.children,
        key=lambda answer: (*_length(tree, node.children[answer]), -answer),
    )


def longest_game(tree: StrategyTree) -> list[tuple[Node, Turn]]:
    """Return a longest game that a tree plays: its nodes, each with its guess and the answer.

    >>> tree = StrategyTree.grow(Question.of("p2c3n").rules, lambda left, _: left[0])
    >>> [tree.rules.text(guess) for _, (guess, _) in longest_game(tree)]
    ['01', '12', '20']
    """
    node, game = tree.root, []
    while True:
        answer = tree_reply(tree, node)
        game.append((node, (node.guess, answer)))
        if answer == tree.rules.win:
            return game
        node = tree.nodes[node.children[answer]]


def _length(tree: StrategyTree, number: int) -> tuple[int, int]:
    """Return the last turn below a node, and how many candidates it has."""
    node = tree.nodes[number]
    return len(tree.turns(node)), node.size
