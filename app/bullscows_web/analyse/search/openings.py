"""The positions after one guess that this server knows: read at its start, never changed.

A file that is damaged in any way is refused with a line in the log; its game's positions are then
searched, as those of games without a file are.
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
    """The positions after one guess of several games.

    Parameters
    ----------
    games
        What is known of each.
    """

    def __init__(self, games: Mapping[Rules, Openings]) -> None:
        self._games = dict(games)

    @classmethod
    def open(cls, trees: Path) -> ShippedOpenings:
        """Read every file beside the trees of a folder; there may be none."""
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
        """Return what is proved of a position under any names, or None.

        Raises
        ------
        TooFewTurnsError
            If it is proved that no strategy keeps within the turns.
        """
        openings = self._games.get(question.rules)
        return None if openings is None else openings.analysis(question)

    def prices(self, question: Question, guesses: Sequence[CodeIndex]) -> list[Evaluation]:
        """Return what those first guesses cost after which each position is known."""
        openings = self._games.get(question.rules)
        if openings is None or question.history:
            return []
        parted = splits(question.rules, question.candidates, guesses)
        return [
            price for one in parted if (price := openings.evaluation(question, one)) is not None
        ]
