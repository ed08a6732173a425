"""Positions after one guess, proved by search: which ones ship, how they are made and checked."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bullscows.analysis.analyst import Analyst, checked
from bullscows.analysis.openings import (
    AIMS,
    Opening,
    Openings,
    openings_path,
    read_openings,
    write_openings,
)
from bullscows.analysis.without_search import by_rule, certain
from bullscows.game.history import History, split
from bullscows.game.objective import Objective
from bullscows.game.question import Question
from bullscows.game.result import Finding, Infeasible
from bullscows.game.rules import Rules, Turn
from bullscows.game.symmetry import representatives
from bullscows.game.timer import ReportText
from bullscows.shipping.catalogue import CATALOGUE, TreeSpec
from bullscows.tree.storage import RecordError

SAVE_SECONDS = 2.0
"""So much work is lost at most when the process is killed."""

Tables = dict[Question, dict[Turn, Opening | None]]
"""The proved positions of a game after one guess."""


def games() -> list[Rules]:
    """Return the games with positions to prove: those of the trees whose proofs take no hours."""
    exact = (spec for spec in CATALOGUE.values() if spec.is_optimal and not spec.is_long)
    texts = dict.fromkeys(spec.rules for spec in exact)
    return [rules for rules in map(Rules.parse, texts) if aims(rules)]


def aims(rules: Rules) -> list[Question]:
    """Return the aims that pages offer for a game and that its trees leave open.

    Pages offer their own aims, with the caps of the game's trees that are limits or without a cap,
    and the aims of those trees. A proved tree answers all positions after its first guess; if all
    first guesses are equivalent, nothing else is needed. The smallest total is combined with the
    least last turn, so that the evaluation of a first guess includes its worst case.
    """
    specs = [one for one in CATALOGUE.values() if one.is_optimal and one.rules == str(rules)]
    trees = [aim for spec in specs for aim in _proved_aims(spec)]
    objectives = [Objective.parse(text) for text in AIMS]
    offered = [Question.of(rules, (), one) for one in objectives if not one.needs_cap]
    for turns in sorted({spec.max_turns for spec in specs if spec.max_turns and not spec.is_least}):
        offered += [Question.of(rules, (), one, turns) for one in objectives]
        offered += [aim for aim in trees if aim.max_turns == turns]
    answered = trees if len(representatives(rules, ())) == 1 else []
    return [
        Question.of(rules, (), "average,worst") if aim == Question.of(rules) else aim
        for aim in dict.fromkeys(offered)
        if not any(tree.covers(aim) for tree in answered)
        and not any(other != aim and other.covers(aim) for other in offered)
    ]


def questions(rules: Rules, aim: Question) -> Iterator[Question]:
    """Yield the positions after one guess of each class for which it takes a search."""
    everything = Question.of(rules).candidates
    for guess in representatives(rules, ()).tolist():
        for answer, _ in split(rules, everything, guess).parts:
            question = aim.at(History(rules, ((guess, answer),)))
            if answer != rules.win and certain(question) is None:
                yield question


def make(
    rules: Rules, trees: Path, *, seconds: float | None = None, progress: ReportText | None = None
) -> tuple[Openings, list[Question]]:
    """Prove a game's positions after one guess and write their file.

    Proved positions are saved during the work, so that an interrupted call continues.  Positions
    that take longer than `seconds` are left out, and returned as questions.

    Raises `OSError` if the folder can't be written to.
    """
    path = openings_path(rules, trees)
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_name(f".{path.name}.part")
    tables = _begun(rules, unfinished)
    proved = Openings(rules, tables)
    analyst = Analyst.loaded()
    saved = time.monotonic()
    left_out = []
    try:
        for aim in aims(rules):
            table = tables.setdefault(aim, {})
            for question in questions(rules, aim):
                turn = question.history[0]
                if turn in table:
                    continue
                if progress is not None:
                    progress(f"{aim.aim}, {question.history}, {len(proved)} proved")
                found = _searched(analyst, question, seconds)
                if found.status == "optimal":
                    table[turn] = _opening(found)
                else:
                    left_out.append(question)
                if time.monotonic() - saved > SAVE_SECONDS:
                    write_openings(unfinished, proved)
                    saved = time.monotonic()
            if not table:
                del tables[aim]
    except BaseException:
        write_openings(unfinished, proved)
        raise
    if proved:
        write_openings(path, proved)
    unfinished.unlink(missing_ok=True)
    return proved, left_out


def wrong_values(
    openings: Openings, some: Sequence[tuple[Question, Turn]], *, progress: ReportText | None = None
) -> Iterator[str]:
    """Search positions again, and yield a sentence on each whose stated values are wrong."""
    analyst = Analyst.loaded()
    for number, (aim, turn) in enumerate(some, start=1):
        question = aim.at(History(openings.rules, (turn,)))
        if progress is not None:
            progress(f"{number} of {len(some)} positions")
        stated = openings.tables[aim][turn]
        proved = _opening(_searched(analyst, question, None))
        if stated is None or proved is None:
            is_true = stated is proved
        else:
            (found,) = analyst.evaluations(by_rule(question), [stated.guess], None)
            is_true = stated.costs == proved.costs == tuple(found.levels.values())
        if not is_true:
            yield f"{question.history} for {aim.aim}: not what the search proves"


def _proved_aims(spec: TreeSpec) -> list[Question]:
    """Return what a tree is proved to be best for."""
    aim = Question.of(spec.rules, (), spec.objective, spec.max_turns)
    return [aim, Question.of(spec.rules)] if spec.is_least else [aim]


def _begun(rules: Rules, unfinished: Path) -> Tables:
    """Return what an earlier attempt proved; a damaged file of one counts for nothing."""
    try:
        found = read_openings(unfinished, rules)
    except (RecordError, FileNotFoundError):
        return {}
    return {aim: dict(table) for aim, table in found.tables.items()}


def _searched(analyst: Analyst, question: Question, seconds: float | None) -> Finding:
    question = checked(question)
    return certain(question) or analyst.searched(question, seconds)


def _opening(found: Finding) -> Opening | None:
    """Return what a file states of a proved position; None if no strategy ends in time."""
    if isinstance(found, Infeasible):
        return None
    return Opening(found.guess, tuple(found.levels.values()))
