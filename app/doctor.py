"""What is wrong with answers that no code fits, and which single change would mend them.

Nobody chooses a contradiction; one of the answers was a slip.  A code that disagrees with exactly
one answer is a witness that this answer alone may be wrong, and says what it should have been.  So
one pass over all codes finds every single repair, and how many codes stand behind each.

A mended answer leads to another node, whose guesses the player has not been asked as a rule.  A
repair therefore leads to the position right after the mended turn, and on over the guesses that
were asked and answered all the same.  The number of codes counts the whole mended history, because
that is the evidence for this repair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Literal

from app.position import ContradictionError, Position
from engine.rules import Answer, AnswerIndex, CodeIndex
from engine.tree import Path

Slip = Literal["swapped", "off-by-one", "other"]
"""How the answer may have gone wrong: bulls and cows changed places; one of them is one too many
or too few; anything else."""

LIKELIHOOD: dict[Slip, int] = {"swapped": 4, "off-by-one": 2, "other": 1}
"""How many times likelier one slip of a kind is taken to be than one of kind `other`.

A repair's plausibility is this times the number of codes behind it, as Bayes' rule has it for
codes that are equally likely.  `python -m benchmarks.doctor` measures what the weights are worth.
"""


@dataclass(frozen=True)
class Repair:
    """One answer that, if changed, makes the history consistent."""

    turn: int
    """The turn of the answer that may be wrong."""
    guess: str
    """What was asked then, as it was shown."""
    given: Answer
    """What was answered."""
    instead: Answer
    """What should have been answered."""
    slip: Slip
    """How one comes from the other."""
    remaining: int
    """How many codes fit the whole history so mended."""
    position: Position
    """The game right after the mended turn."""
    onward: Position
    """The same, past the guesses that come next and have been answered already."""

    @property
    def plausibility(self) -> int:
        """How much speaks for this repair, to be compared within one history only."""
        return LIKELIHOOD[self.slip] * self.remaining


@dataclass(frozen=True)
class Check:
    """One turn, held against the secret."""

    turn: int
    """The turn, 1 for the first."""
    guess: str
    """What was asked, as it was shown."""
    given: Answer
    """What was answered."""
    correct: Answer
    """What the secret answers."""

    @property
    def is_correct(self) -> bool:
        """Whether the answer was right."""
        return self.given == self.correct


def resume(position: Position, known: Mapping[CodeIndex, AnswerIndex]) -> Position:
    """Return where a game stands after the guesses whose answers are known, as far as they come.

    Raises
    ------
    ContradictionError
        If no code gives all these answers.
    """
    while not position.is_finished and position.node.guess in known:
        position = position.after(known[position.node.guess])
    return position


def repairs(error: ContradictionError) -> list[Repair]:
    """Return every single answer that may be wrong, the refused one too, most plausible first.

    An empty list means that at least two answers are wrong.
    """
    position = error.position
    history = (*_path(position), (position.node.guess, error.answer))
    return _ranked(position, history, _witnesses(position, history))


def suspects(position: Position, right: AnswerIndex | None = None) -> list[Repair]:
    """Return the earlier answers that may be wrong if the right answer is not among the choices.

    These are the repairs under which the guess on the board gets the answer `right`, or any that
    is not offered now.  An empty list means that at least two answers are wrong, or that no such
    answer is `unoffered`.
    """
    if position.is_finished:
        return []
    rules, guess = position.entry.rules, position.node.guess
    offered = rules.partition(guess, position.node.candidates)
    told = {right} if right is not None else set(range(len(rules.answers))).difference(offered)
    history = _path(position)
    return _ranked(position, history, _witnesses(position, history, guess, told))


def unoffered(position: Position) -> list[Answer]:
    """Return the answers that the guess on the board can get, but from no remaining candidate.

    One of them is the right answer if an earlier one was wrong.
    """
    if position.is_finished:
        return []
    rules, node = position.entry.rules, position.node
    offered = rules.partition(node.guess, node.candidates)
    possible = rules.partition(node.guess, range(rules.size))
    return [rules.answers[answer] for answer in possible if answer not in offered]


def explain(position: Position, secret: str) -> list[Check]:
    """Hold every answer of a game against the secret; raise `CodeError` if that is no code."""
    code = position.hide(secret)
    rules = position.entry.rules
    return [
        Check(turn, position.show(guess), rules.answers[given], rules.answers[correct])
        for turn, (guess, given) in enumerate(_path(position), start=1)
        for correct in [rules.respond(guess, code)]
    ]


def _path(position: Position) -> Path:
    path = position.entry.tree.path(position.node)
    if position.is_finished:
        return (*path, (position.node.guess, position.entry.rules.win))
    return path


def _witnesses(
    position: Position,
    history: Path,
    asked: CodeIndex | None = None,
    told: Set[AnswerIndex] = frozenset(),
) -> Counter[tuple[int, AnswerIndex]]:
    """Count the codes that disagree with exactly one turn, by turn and by what they answer there.

    With `asked`, only codes count whose answer to that guess is among those `told`.
    """
    rules = position.entry.rules
    agreeing = list(range(rules.size))
    disagreeing: dict[tuple[int, AnswerIndex], list[int]] = {}
    for turn, (guess, given) in enumerate(history, start=1):
        disagreeing = {
            mend: kept
            for mend, codes in disagreeing.items()
            if (kept := rules.partition(guess, codes).get(given))
        }
        parts = rules.partition(guess, agreeing)
        agreeing = parts.pop(given, [])
        disagreeing |= {(turn, instead): codes for instead, codes in parts.items()}
    if asked is not None:
        disagreeing = {
            mend: [code for code in codes if rules.respond(asked, code) in told]
            for mend, codes in disagreeing.items()
        }
    return Counter({mend: len(codes) for mend, codes in disagreeing.items() if codes})


def _ranked(
    position: Position, history: Path, witnesses: Counter[tuple[int, AnswerIndex]]
) -> list[Repair]:
    found = [
        _repair(position, history, turn, instead, count)
        for (turn, instead), count in witnesses.items()
    ]
    return sorted(found, key=lambda repair: (-repair.plausibility, repair.turn, repair.instead))


def _repair(
    position: Position, history: Path, turn: int, instead: AnswerIndex, count: int
) -> Repair:
    guess, given = history[turn - 1]
    answers = position.entry.rules.answers
    mended = position.before(turn).after(instead)
    return Repair(
        turn=turn,
        guess=position.show(guess),
        given=answers[given],
        instead=answers[instead],
        slip=slip(answers[given], answers[instead]),
        remaining=count,
        position=mended,
        onward=resume(mended, dict(history)),
    )


def slip(given: Answer, instead: Answer) -> Slip:
    """Return how one answer may have been taken for the other."""
    if (given.cows, given.bulls) == instead:
        return "swapped"
    if abs(given.bulls - instead.bulls) + abs(given.cows - instead.cows) == 1:
        return "off-by-one"
    return "other"
