"""Analyses without a search: of trivial positions, from shipped trees and shipped openings.

Finding one takes less than a millisecond if the candidates of the position are counted.

Openings are proved values of the positions after one guess, read at start.  A damaged file is
logged and skipped; the positions of its game are then searched.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bullscows.analysis.evaluation import Evaluation
from bullscows.analysis.openings import FOLDER, Openings, read_openings
from bullscows.analysis.without_search import certain, costs, postponed, without_idle_turns
from bullscows.game.history import splits
from bullscows.game.objective import Bounds
from bullscows.game.question import Question
from bullscows.game.result import Analysis, Finding
from bullscows.game.rules import CodeIndex, Rules
from bullscows.tree.files import POSSIBLES_ONLY
from bullscows.tree.lookup import NodeImage, find_image
from bullscows.tree.storage import RecordError
from bullscows_web.trees.library import Entry, Library
from bullscows_web.web.metrics import Source


def on_tree(library: Library, question: Question) -> Analysis | None:
    """Return the analysis of a proved tree with an equivalent position, if there is one.

    That a tree is optimal says so of each of its branches where the criteria are sums over the
    secrets: a better branch would make a better tree.  It is optimal by its first criteria alone
    as well, within the same turns; and within more or none, if no tree at all takes fewer turns.
    """
    for entry in library.of(question.rules):
        if _answers(entry, question):
            found = _image(entry, question)
            if found is not None:
                image, levels = found
                last_turn = len(entry.tree.distribution_at(image.node))
                return Analysis.proved(question, image.guess, levels, last_turn, entry.name)
    return None


def on_best_tree(library: Library, question: Question, known: Analysis) -> Analysis | None:
    """Return the analysis of a best known tree, if it improves on `known`.

    No more is claimed than that: its turns are an upper bound.  At its root the record has the
    lower one; elsewhere one candidate is found now, and no other before the next turn.
    """
    is_of_game = not question.candidates_only and question.secrets is None
    if question.objective.criteria != ("average",) or not is_of_game:
        return None
    for entry in library.of(question.rules):
        record = entry.record
        if record.proof == "exact" or record.lower is None:
            continue
        if question.max_turns is not None and record.depth > question.max_turns:
            continue
        found = _image(entry, question)
        if found is None:
            continue
        image, levels = found
        bounds = known.bounds or Bounds()
        if bounds.upper is not None and bounds.upper <= levels["total"]:
            continue
        count = len(question.candidates)
        lower = record.lower if count == entry.rules.size else count * (question.turn + 1) - 1
        tighter = Bounds(lower, levels["total"]).tightened(bounds)
        return Analysis(question, guess=image.guess, bounds=tighter, source=entry.name)
    return None


def _answers(entry: Entry, question: Question) -> bool:
    """Whether the tree is proved to be optimal in the way that is asked for."""
    record = entry.record
    asked = question.objective.criteria
    is_restricted = record.objective == POSSIBLES_ONLY
    if record.proof != "exact" or "worst" in asked or is_restricted != question.candidates_only:
        return False
    if asked == ("average",) and (record.is_least or is_restricted):
        return question.max_turns is None or record.depth <= question.max_turns
    if is_restricted:
        return False
    return Question.of(entry.rules, (), record.objective, record.max_turns).covers(question)


def _image(entry: Entry, question: Question) -> tuple[NodeImage, dict[str, int]] | None:
    """Return the node that holds a position under some names, and what each criterion costs."""
    found = find_image(entry.tree, question.history)
    return (
        None if found is None else (found, costs(question, entry.tree.distribution_at(found.node)))
    )


logger = logging.getLogger(__name__)


def shipped_openings(trees: Path) -> dict[Rules, Openings]:
    """Read all files of openings in the folder of the trees."""
    games: dict[Rules, Openings] = {}
    for path in sorted((trees / FOLDER).glob("*.json")):
        try:
            openings = read_openings(path, path.stem)
        except (RecordError, OSError) as error:
            logger.error("refused file of positions %s: %s", path, error)
        else:
            games[openings.rules] = openings
    if games:
        positions = sum(map(len, games.values()))
        logger.info("added %d positions after one guess from %s", positions, trees / FOLDER)
    return games


@dataclass(frozen=True)
class Known:
    """Positions whose analysis needs no search: trivial ones, and those of shipped files."""

    library: Library
    openings: Mapping[Rules, Openings]
    """Openings by game."""

    @classmethod
    def open(cls, trees: Path) -> Known:
        """Read the files of a folder of trees."""
        return cls(Library.open(trees), shipped_openings(trees))

    def find(self, question: Question) -> tuple[Finding, Source] | None:
        """Return what is known of a position and its source; None if it needs a search."""
        if (analysis := certain(question)) is not None:
            return analysis, "certain"
        if question.secrets is not None:
            return None
        if (analysis := on_tree(self.library, question)) is not None:
            return analysis, "tree"
        # Trees can have guesses without information too, so these turns are removed only now.
        if (earlier := without_idle_turns(question)) is not None:
            found = self.find(earlier)
            return None if found is None else (postponed(found[0], question), found[1])
        openings = self.openings.get(question.rules)
        if openings is not None and (analysis := openings.analysis(question)) is not None:
            return analysis, "opening"
        return None

    def evaluations(self, question: Question, guesses: Sequence[CodeIndex]) -> list[Evaluation]:
        """Return evaluations of the first guesses after which every position is known."""
        openings = self.openings.get(question.rules)
        if openings is None or question.history:
            return []
        parted = splits(question.rules, question.candidates, guesses)
        evaluations = [openings.evaluation(question, one) for one in parted]
        return [one for one in evaluations if one is not None]
