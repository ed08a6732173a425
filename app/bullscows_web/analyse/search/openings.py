"""Shipped openings: proved values of the positions after one guess, read at start.

A damaged file is logged and skipped; the positions of its game are then searched.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from bullscows.analysis.findings import Analysis, Evaluation
from bullscows.analysis.openings import FOLDER, Openings, read_openings
from bullscows.game.candidates import splits
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex, Rules
from bullscows.tree.storage import RecordError

logger = logging.getLogger(__name__)


class ShippedOpenings:
    """Openings of several games, by game."""

    def __init__(self, games: Mapping[Rules, Openings]) -> None:
        self._games = dict(games)

    @classmethod
    def open(cls, trees: Path) -> ShippedOpenings:
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
        return cls(games)

    def analysis(self, question: Question) -> Analysis | None:
        """Return the proved analysis of an equivalent position, or None.

        Raises `TooFewTurnsError` if it is proved that no strategy meets the limit on turns.
        """
        openings = self._games.get(question.rules)
        return None if openings is None else openings.analysis(question)

    def evaluations(self, question: Question, guesses: Sequence[CodeIndex]) -> list[Evaluation]:
        """Return evaluations of the first guesses after which every position is known."""
        openings = self._games.get(question.rules)
        if openings is None or question.history:
            return []
        parted = splits(question.rules, question.candidates, guesses)
        return [
            evaluation
            for one in parted
            if (evaluation := openings.evaluation(question, one)) is not None
        ]
