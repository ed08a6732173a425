"""Positions after one guess, proved by search in advance: ``trees/openings/RULES.json``.

Renaming symbols and reordering positions changes no value (paper, 2.2, lemma 1), so one guess of
each class of first guesses stands for all: what is known after ``0123`` is known after ``9876``.
A best guess by several criteria, strongest first, is also best by the first of them alone.

`bullscows.shipping.openings` makes the files and proves them again; neither the files nor this
module need numba.  Reading is strict and writing atomic, and a digest reveals damage.  Only a
search can show that a file is right: ``bullscows openings --check``.  Format:
docs/reference/format.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from bullscows.analysis.evaluation import Evaluation
from bullscows.analysis.without_search import certain, costs
from bullscows.game.canonical import canonical_form
from bullscows.game.history import History, Split, split
from bullscows.game.objective import Bounds
from bullscows.game.question import Question
from bullscows.game.result import IMPOSSIBLE, Analysis, Finding, Infeasible
from bullscows.game.rules import CodeIndex, Rules, Turn
from bullscows.game.symmetry import representatives
from bullscows.tree import storage
from bullscows.tree.storage import RecordError

AIMS = ("average", "worst,average", "last,average", "movers")
"""The objectives that the pages offer; the last two need a last turn."""

FORMAT = "bulls-cows-openings/1"

FOLDER = "openings"
"""The folder within that of the trees."""


@dataclass(frozen=True)
class Opening:
    """The best guess after one guess and its answer."""

    guess: CodeIndex
    costs: tuple[int, ...]
    """The least cost of each level of the objective, strongest first, from the first turn."""


Table = Mapping[Turn, Opening | None]
"""Openings by the first guess and its answer; None: no strategy keeps within the turns."""


def level_names(question: Question) -> tuple[str, ...]:
    """Return the names of the costs that make up the objective, strongest first.

    Raises `ObjectiveError` if the objective does not fit into 64-bit integers.
    """
    return tuple(costs(question, (0,)))


@dataclass(frozen=True)
class Openings:
    """The proved openings of a game."""

    rules: Rules
    tables: Mapping[Question, Table]
    """By the question of the whole game, after guesses of which no two are equivalent."""

    def analysis(self, question: Question) -> Finding | None:
        """Return what is proved of a position or of one equivalent to it, or None."""
        if question.rules != self.rules or len(question.history) > 1 or question.candidates_only:
            return None
        if not question.history:
            best = self._cheapest
            if best is None or question != best.question:
                return None
            return Analysis.proved(question, best.guess, best.levels, best.last_turn)
        for aim, table in self.tables.items():
            found = self._found(aim, table, question) if aim.covers(question) else None
            if found is not None:
                return found
        return None

    def evaluation(self, question: Question, split: Split) -> Evaluation | None:
        """Return the mean cost of a first guess, if each position after it is known."""
        if question.history or question.objective.criteria != ("average",):
            return None
        parts = [answer for answer, _ in split.parts if answer != self.rules.win]
        positions = (question.then(split.guess, answer) for answer in parts)
        found = [known for one in positions if (known := certain(one) or self.analysis(one))]
        if any(known.feasible is False for known in found):
            return Evaluation(question, split, bounds=IMPOSSIBLE)
        if len(found) < len(parts):
            return None
        total = sum(known.levels["total"] for known in found) + split.is_candidate
        last_turns = [known.last_turn for known in found if known.last_turn is not None]
        last = max(last_turns, default=1) if len(last_turns) == len(found) else None
        bounds = Bounds(total, total)
        return Evaluation(question, split, levels={"total": total}, bounds=bounds, last_turn=last)

    @cached_property
    def _cheapest(self) -> Evaluation | None:
        """The first guess of the least mean cost, if each class of first guesses is known."""
        question = Question.of(self.rules)
        classes = map(int, representatives(self.rules, ()))
        splits = [split(self.rules, question.candidates, guess) for guess in classes]
        evaluations = [found for one in splits if (found := self.evaluation(question, one))]
        if len(evaluations) < len(splits):
            return None
        return min(evaluations, key=lambda found: (found.levels["total"], found.guess))

    def __len__(self) -> int:
        return sum(map(len, self.tables.values()))

    def _found(self, aim: Question, table: Table, question: Question) -> Finding | None:
        form = canonical_form(question.history)
        turn = self._turns.get(form.history)
        if turn is None or turn not in table:
            return None
        opening = table[turn]
        if opening is None:
            return Infeasible(question)
        own = canonical_form(History(self.rules, (turn,)))
        best = form.named_back(own.image(opening.guess))
        known = dict(zip(level_names(aim), opening.costs, strict=True))
        levels = {name: known[name] for name in level_names(question)}
        return Analysis.proved(question, best, levels, known.get("worst"))

    @cached_property
    def _turns(self) -> dict[History, Turn]:
        """The turns whose positions are known, by their canonical forms."""
        turns = {turn for table in self.tables.values() for turn in table}
        return {canonical_form(History(self.rules, (turn,))).history: turn for turn in turns}


_FIELDS: storage.Fields = {
    **dict.fromkeys(("format", "rules", "engine_version", storage.DIGEST), str),
    "aims": list,
}
_AIM_FIELDS: storage.Fields = {"objective": str, "max_turns": (int, type(None)), "positions": dict}
_TOO_FEW = "-"
_code = lru_cache(maxsize=1 << 10)(Rules.parse_code)
_OPENING = re.compile("[0-9a-f]+(?: (?:0|[1-9][0-9]{0,17}))+")


def openings_path(rules: Rules, trees: Path) -> Path:
    """Return the file of a game's openings in a folder of trees."""
    return trees / FOLDER / f"{rules}.json"


def write_openings(path: Path, openings: Openings) -> None:
    """Write a file atomically, or raise `OSError` and leave an older one."""
    rules = openings.rules
    aims = []
    for aim, table in openings.tables.items():
        texts = {str(History(rules, (turn,))): _text(rules, one) for turn, one in table.items()}
        stated = {"objective": str(aim.objective), "max_turns": aim.max_turns, "positions": texts}
        aims.append(stated)
    head = {"format": FORMAT, "rules": str(rules), "engine_version": storage.ENGINE_VERSION}
    storage.write_whole(path, storage.dump_record({**head, "aims": aims}, indent=1))


def _text(rules: Rules, opening: Opening | None) -> str:
    if opening is None:
        return _TOO_FEW
    return " ".join([rules.text(opening.guess), *map(str, opening.costs)])


def read_openings(path: Path, game: Rules | str) -> Openings:
    """Read the file of a game's openings and compare its digest.

    Raises `RecordError` with the reason if the content is wrong, `OSError` if it can't be read.
    """
    try:
        return _parse(storage.load_record(path), Rules.of(game))
    except ValueError as error:  # a text or a number that is none of the game
        raise RecordError(f"{path.name}: {error}") from error


def _parse(value: Any, rules: Rules) -> Openings:
    storage.check_record(
        value, _FIELDS, FORMAT, f"make the file again with `bullscows openings {rules}`"
    )
    if value["rules"] != str(rules):
        raise RecordError(f"it holds positions of {value['rules'][:40]}, not of {rules}")
    tables: dict[Question, Table] = {}
    for stated in value["aims"]:
        storage.check_fields(stated, _AIM_FIELDS)
        aim = Question.of(rules, (), stated["objective"], stated["max_turns"])
        if aim in tables:
            raise RecordError(f"{aim.aim} occurs twice")
        levels = len(level_names(aim))
        tables[aim] = {
            _turn(rules, text): _opening(rules, text, one, levels)
            for text, one in stated["positions"].items()
        }
    return Openings(rules, tables)


@lru_cache(maxsize=1 << 10)
def _turn(rules: Rules, text: str) -> Turn:
    history = History.parse(rules, text)
    if len(history) != 1 or str(history) != text:
        raise RecordError(f"position {text[:40]!r} is not one turn")
    return history[0]


def _opening(rules: Rules, position: str, stated: Any, levels: int) -> Opening | None:
    """Read ``1456 7453``: the guess, and its cost by each of the levels."""
    if stated == _TOO_FEW:
        return None
    if not isinstance(stated, str) or _OPENING.fullmatch(stated) is None:
        raise RecordError(f"position {position!r} states {str(stated)[:40]!r}: no guess with costs")
    guess, *costs = stated.split(" ")
    if len(costs) != levels:
        raise RecordError(f"position {position!r} has {len(costs)} costs, not {levels}")
    return Opening(_code(rules, guess), tuple(map(int, costs)))
