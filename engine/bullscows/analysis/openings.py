"""Positions after one guess, proved by search beforehand: ``trees/openings/RULES.json``.

Renaming symbols and reordering positions changes no value (paper, 2.2, lemma 1), so one guess of
each class of first guesses stands for all: what is known after ``0123`` is known after ``9876``.
A best guess by several criteria, strongest first, is best by the first of them alone as well.

Neither the files nor this module need numba; `bullscows.build.openings` makes the files and proves
them again.  The format: docs/reference/format.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from bullscows.analysis.analysis import Analysis, TooFewTurnsError
from bullscows.analysis.certain import certain, costs
from bullscows.analysis.price import IMPOSSIBLE, Price
from bullscows.game.candidates import Split, split
from bullscows.game.canonical import canonical_form
from bullscows.game.cost import Bounds
from bullscows.game.history import History, Turn
from bullscows.game.objective import Objective
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.symmetry import representatives

AIMS = ("average", "worst,average", "last,average", "movers")
"""What the pages offer to minimise; the last two need a last turn."""


@dataclass(frozen=True)
class Aim:
    """What is minimised, and by which turn each secret has to be found."""

    objective: Objective
    """The criteria."""
    max_turns: int | None
    """The last allowed turn, if there is one."""

    def covers(self, other: Aim) -> bool:
        """Whether what is best for this aim is best for another."""
        asked = other.objective.criteria
        return self.max_turns == other.max_turns and self.objective.criteria[: len(asked)] == asked

    def question(self, history: History) -> Question:
        """Return the question what is best for this aim after some turns."""
        return Question(history, self.objective, self.max_turns)

    def levels(self, rules: Rules) -> tuple[str, ...]:
        """Return the names of what is counted, strongest first.

        Raises
        ------
        ObjectiveError
            If the objective does not fit into 64-bit integers.
        """
        return tuple(costs(self.question(History(rules)), (0,)))

    def __str__(self) -> str:
        return f"{self.objective}" + (f" by turn {self.max_turns}" if self.max_turns else "")


@dataclass(frozen=True)
class Opening:
    """What is best after one guess and its answer."""

    guess: CodeIndex
    """What to ask next."""
    costs: tuple[int, ...]
    """The least cost of each level of the aim, strongest first, from the first turn on."""


Table = Mapping[Turn, Opening | None]
"""Positions by the first guess and its answer; None: no strategy keeps within the turns."""


@dataclass(frozen=True)
class Openings:
    """The positions after one guess of a game that have been proved."""

    rules: Rules
    """The game."""
    tables: Mapping[Aim, Table]
    """The positions of each aim, after guesses of which no two are equal by other names."""

    def analysis(self, question: Question) -> Analysis | None:
        """Return what is proved of a position under any names, or None.

        Raises
        ------
        TooFewTurnsError
            If it is proved that no strategy keeps within the turns.
        """
        if question.rules != self.rules or len(question.history) > 1 or question.candidates_only:
            return None
        if not question.history:
            best = self._cheapest
            if best is None or question != best.question:
                return None
            return Analysis.proved(question, best.guess, best.levels, best.last_turn)
        asked = Aim(question.objective, question.max_turns)
        for aim, table in self.tables.items():
            if aim.covers(asked):
                found = self._found(aim, table, question)
                if found is not None:
                    return found
        return None

    def price(self, question: Question, split: Split) -> Price | None:
        """Return what a first guess costs in turns on average, if each part after it is proved.

        A part counts as much as its value; the win, if the guess is a candidate, one turn.
        """
        if question.history or question.objective.criteria != ("average",):
            return None
        parts = [answer for answer, _ in split.parts if answer != self.rules.win]
        positions = (question.then(split.guess, answer) for answer in parts)
        try:
            found = [known for one in positions if (known := certain(one) or self.analysis(one))]
        except TooFewTurnsError:
            return Price(question, split, bounds=IMPOSSIBLE)
        if len(found) < len(parts):
            return None
        total = sum(known.levels["total"] for known in found) + split.is_candidate
        last_turns = [known.last_turn for known in found if known.last_turn is not None]
        last_turn = max(last_turns, default=1) if len(last_turns) == len(found) else None
        return Price(question, split, {"total": total}, Bounds(total, total), last_turn)

    @cached_property
    def _cheapest(self) -> Price | None:
        """The first guess that costs the fewest turns, if the price of each class is known."""
        question = Question.of(self.rules)
        classes = map(int, representatives(self.rules, ()))
        splits = [split(self.rules, question.candidates, guess) for guess in classes]
        prices = [price for one in splits if (price := self.price(question, one))]
        if len(prices) < len(splits):
            return None
        return min(prices, key=lambda price: (price.levels["total"], price.guess))

    def __len__(self) -> int:
        return sum(map(len, self.tables.values()))

    def _found(self, aim: Aim, table: Table, question: Question) -> Analysis | None:
        form = canonical_form(question.history)
        turn = self._turns.get(form.history)
        if turn is None or turn not in table:
            return None
        opening = table[turn]
        if opening is None:
            raise TooFewTurnsError(question)
        own = canonical_form(History(self.rules, (turn,)))
        best = form.named_back(own.image(opening.guess))
        known = dict(zip(aim.levels(self.rules), opening.costs, strict=True))
        asked = Aim(question.objective, question.max_turns).levels(self.rules)
        levels = {name: known[name] for name in asked}
        return Analysis.proved(question, best, levels, known.get("worst"))

    @cached_property
    def _turns(self) -> dict[History, Turn]:
        """The turns whose positions are known, by their canonical forms."""
        turns = {turn for table in self.tables.values() for turn in table}
        return {canonical_form(History(self.rules, (turn,))).history: turn for turn in turns}
