"""Analysis from shipped trees, for all positions equivalent to one of their nodes."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal

from bullscows.analysis.certain import costs
from bullscows.analysis.findings import Analysis
from bullscows.analysis.openings import Aim
from bullscows.game.cost import Bounds
from bullscows.game.objective import Objective
from bullscows.game.question import Question
from bullscows.tree.files import POSSIBLES_ONLY
from bullscows.tree.images import NodeImage, find_image
from bullscows_web.trees.library import Entry, Library

Reason = Literal["time", "loading", "no-search", "large-game", "memory"]
"""Why a guess is not proved: time limit; search loading; search not installed; game too large;
memory limit."""


@dataclass(frozen=True)
class SourcedAnalysis:
    """An analysis with its source, and the reason if it is not proved."""

    analysis: Analysis
    """The analysis."""
    reason: Reason | None = None
    """Why the guess is not proved; None if it is optimal."""
    tree: str | None = None
    """Name of the tree that the analysis comes from, if any."""


def on_tree(library: Library, question: Question) -> SourcedAnalysis | None:
    """Return the analysis of a proved tree with an equivalent position, if there is one.

    That a tree is optimal says so of each of its branches where the criteria are sums over the
    secrets: a better branch would make a better tree.  It is optimal by its first criteria alone
    as well, within the same turns; and within more or none, if no tree at all takes fewer turns.
    """
    for entry in library:
        if entry.rules == question.rules and _answers(entry, question):
            found = _image(entry, question)
            if found is not None:
                image, levels = found
                last_turn = len(entry.turns(image.node))
                return SourcedAnalysis(
                    Analysis.proved(question, image.guess, levels, last_turn), tree=entry.name
                )
    return None


def on_best_tree(library: Library, question: Question, known: Analysis) -> SourcedAnalysis | None:
    """Return the analysis of a best known tree, if it improves on `known`.

    No more is claimed than that: its turns are an upper bound.  At its root the record has the
    lower one; elsewhere one candidate is found now, and no other before the next turn.
    """
    if question.objective.criteria != ("average",) or question.candidates_only:
        return None
    for entry in library:
        record = entry.record
        if entry.rules != question.rules or record.proof == "exact" or record.lower is None:
            continue
        if question.max_turns is not None and record.depth > question.max_turns:
            continue
        found = _image(entry, question)
        if found is None or _upper(known) <= found[1]["total"]:
            continue
        count = len(question.candidates)
        lower = record.lower if count == entry.rules.size else count * (question.turn + 1) - 1
        bounds = Bounds(lower, found[1]["total"]).tightened(known.bounds or Bounds())
        return SourcedAnalysis(Analysis(question, found[0].guess, bounds=bounds), tree=entry.name)
    return None


def _upper(known: Analysis) -> float:
    upper = None if known.bounds is None else known.bounds.upper
    return inf if upper is None else upper


def _answers(entry: Entry, question: Question) -> bool:
    """Whether the tree is proved to be optimal in the way that is asked for."""
    record, asked = entry.record, question.objective.criteria
    is_restricted = record.objective == POSSIBLES_ONLY
    if record.proof != "exact" or "worst" in asked or is_restricted != question.candidates_only:
        return False
    if asked == ("average",) and (record.is_least or is_restricted):
        return question.max_turns is None or record.depth <= question.max_turns
    if is_restricted:
        return False
    aim = Aim(Objective.parse(record.objective), record.max_turns)
    return aim.covers(Aim(question.objective, question.max_turns))


def _image(entry: Entry, question: Question) -> tuple[NodeImage, dict[str, int]] | None:
    """Return the node that holds a position under some names, and what each criterion costs."""
    found = find_image(entry.tree, question.history)
    return None if found is None else (found, costs(question, entry.turns(found.node)))
