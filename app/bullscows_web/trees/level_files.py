"""Files of the duel's levels: how soon an opponent who forgets finds the codes of a game.

``trees/levels/RULES.json`` has for each level how much it forgets and, for each position with more
than `LARGE` candidates, how many of them it finds at turn 1, 2, ...  Which guess it makes in a
position, and the turns of smaller positions, take milliseconds to compute; those of large ones take
seconds.  ``python -m bullscows_web.duel.levels`` writes the files; tests compute them again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from bullscows.game.duel import Lengths
from bullscows.game.rules import AnswerIndex, Rules
from bullscows.tree import storage
from bullscows.tree.storage import RecordError

logger = logging.getLogger(__name__)

FORMAT = "bulls-cows-levels/1"
FOLDER = "levels"
"""The folder within that of the trees."""
LARGE = 100
"""Positions with more candidates are in the file."""
_FIELDS: storage.Fields = {"format": str, "rules": str, "levels": dict, storage.DIGEST: str}
_LEVEL_FIELDS: storage.Fields = {"forgets": int, "lengths": dict}

Answers: TypeAlias = tuple[AnswerIndex, ...]


@dataclass(frozen=True)
class LevelRecord:
    """How one level plays a game."""

    forgets: int
    """How many of 256 answers it forgets."""
    lengths: Mapping[Answers, Lengths]
    """How many codes of each large position it finds at turn 1, 2, ..., by the answers so far."""


LevelRecords: TypeAlias = Mapping[str, LevelRecord]
"""The levels of a game by name, the weakest first."""


def write_levels(folder: Path, rules: Rules, levels: LevelRecords) -> None:
    """Write the file of a game into a folder of trees."""
    stated = {name: _stated(rules, level) for name, level in levels.items()}
    path = folder / FOLDER / f"{rules}.json"
    path.parent.mkdir(exist_ok=True)
    record = {"format": FORMAT, "rules": str(rules), "levels": stated}
    storage.write_whole(path, storage.dump_record(record))


def _stated(rules: Rules, level: LevelRecord) -> dict[str, Any]:
    lengths = {
        "-".join(str(rules.answers[answer]) for answer in answers): " ".join(map(str, found))
        for answers, found in level.lengths.items()
    }
    return {"forgets": level.forgets, "lengths": lengths}


def read_all_levels(folder: Path) -> dict[Rules, LevelRecords]:
    """Read all files of levels in a folder of trees; the log names those that are wrong."""
    found: dict[Rules, LevelRecords] = {}
    for path in sorted((folder / FOLDER).glob("*.json")):
        try:
            rules = Rules.parse(path.stem)
            found[rules] = read_levels(path, rules)
        except (ValueError, OSError) as error:
            logger.error("refused file of levels %s: %s", path, error)
    return found


def read_levels(path: Path, rules: Rules) -> LevelRecords:
    """Read the file of a game.

    Raises `RecordError` or another `ValueError` if the content is wrong, `OSError` if it cannot be
    read.
    """
    stated = storage.load_record(path)
    storage.check_record(stated, _FIELDS, FORMAT, "make it again with `make trees`")
    if stated["rules"] != str(rules):
        raise RecordError(f"it has the levels of {stated['rules'][:20]}, not of {rules}")
    return {name: _level(rules, level) for name, level in stated["levels"].items()}


def _level(rules: Rules, stated: Any) -> LevelRecord:
    storage.check_fields(stated, _LEVEL_FIELDS)
    lengths = {
        _answers(rules, answers): tuple(map(int, found.split()))
        for answers, found in stated["lengths"].items()
    }
    if sum(lengths.get((), ())) != rules.size:
        raise RecordError(f"a level does not find the {rules.size} codes of {rules}")
    return LevelRecord(stated["forgets"], lengths)


def _answers(rules: Rules, text: str) -> Answers:
    return tuple(map(rules.parse_answer, text.split("-") if text else ()))
