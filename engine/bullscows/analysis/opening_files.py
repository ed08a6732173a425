"""The files of proved positions after one guess: strict reading, atomic writing.

The digest guards each file against accidents.  That what it says is true, only a search can show:
``bullscows openings --check``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from bullscows.analysis.openings import Aim, Opening, Openings, Table
from bullscows.errors import EngineError
from bullscows.game.history import History, Turn
from bullscows.game.objective import Objective
from bullscows.game.rules import CodeIndex, Rules
from bullscows.tree.atomic import write_whole
from bullscows.tree.records import (
    DIGEST,
    ENGINE_VERSION,
    Fields,
    check_digest,
    check_fields,
    dump_record,
    load_record,
)

FORMAT = "bulls-cows-openings/1"

FOLDER = "openings"
"""The folder within that of the trees."""

_FIELDS: Fields = {"format": str, "rules": str, "engine_version": str, "aims": list, DIGEST: str}
_AIM_FIELDS: Fields = {"objective": str, "max_turns": (int, type(None)), "positions": dict}
_TOO_FEW = "-"
_OPENING = re.compile("[0-9a-f]+(?: (?:0|[1-9][0-9]{0,17}))+")


class OpeningFileError(EngineError, ValueError):
    """A file of positions that is not what it says, or no such file at all."""


def openings_path(rules: Rules, trees: Path) -> Path:
    """Return the file of a game's positions, beside a folder's trees."""
    return trees / FOLDER / f"{rules}.json"


def write_openings(path: Path, openings: Openings) -> None:
    """Write the file so that it is either wholly there or not there at all.

    Raises
    ------
    OSError
        If the folder can't be written to or the disk is full; an older file is then untouched.
    """
    stated = {
        "format": FORMAT,
        "rules": str(openings.rules),
        "engine_version": ENGINE_VERSION,
        "aims": [_stated(openings.rules, aim, table) for aim, table in openings.tables.items()],
    }
    write_whole(path, dump_record(stated, indent=1))


def read_openings(path: Path, game: Rules | str) -> Openings:
    """Read the file of a game's positions and compare its digest.

    Parameters
    ----------
    path
        The file.
    game
        The rules of the game, which its name says where it ships.

    Raises
    ------
    OpeningFileError
        If anything at all is wrong; the message names the file and what it is.
    OSError
        If the file can't be read.
    """
    try:
        return _parse(load_record(path), Rules.of(game))
    except ValueError as error:  # whatever it is that a text or a number can't be
        raise OpeningFileError(f"{path.name}: {error}") from error


def _stated(rules: Rules, aim: Aim, table: Table) -> dict[str, Any]:
    return {
        "objective": str(aim.objective),
        "max_turns": aim.max_turns,
        "positions": {
            str(History(rules, (turn,))): _TOO_FEW if opening is None else _text(rules, opening)
            for turn, opening in table.items()
        },
    }


def _text(rules: Rules, opening: Opening) -> str:
    return " ".join([rules.text(opening.guess), *map(str, opening.costs)])


def _parse(value: Any, rules: Rules) -> Openings:
    if isinstance(value, dict) and value.get("format") != FORMAT:
        raise OpeningFileError(f"format {str(value.get('format'))[:40]!r} is not {FORMAT!r}")
    check_fields(value, _FIELDS)
    check_digest(value, f"bullscows openings {rules}")
    if value["rules"] != str(rules):
        raise OpeningFileError(f"it holds positions of {value['rules'][:40]}, not of {rules}")
    tables: dict[Aim, Table] = {}
    for stated in value["aims"]:
        check_fields(stated, _AIM_FIELDS)
        aim = Aim(Objective.parse(stated["objective"]), stated["max_turns"])
        if aim in tables:
            raise OpeningFileError(f"{aim} occurs twice")
        tables[aim] = _table(rules, aim, stated["positions"])
    return Openings(rules, tables)


def _table(rules: Rules, aim: Aim, positions: Mapping[str, Any]) -> Table:
    levels = len(aim.levels(rules))
    return {
        _turn(rules, text): _opening(rules, text, stated, levels)
        for text, stated in positions.items()
    }


@lru_cache(maxsize=1 << 10)
def _turn(rules: Rules, text: str) -> Turn:
    history = History.parse(rules, text)
    if len(history) != 1 or str(history) != text:
        raise OpeningFileError(f"position {text[:40]!r} is not one turn")
    return history[0]


def _opening(rules: Rules, position: str, stated: Any, levels: int) -> Opening | None:
    """Read ``1456 7453``: the guess, and what it costs by each of so many levels."""
    if stated == _TOO_FEW:
        return None
    if not isinstance(stated, str) or _OPENING.fullmatch(stated) is None:
        raise OpeningFileError(f"position {position!r} says {str(stated)[:40]!r}: no guess, costs")
    guess, *costs = stated.split(" ")
    if len(costs) != levels:
        raise OpeningFileError(f"position {position!r} has {len(costs)} costs, not {levels}")
    return Opening(_code(rules, guess), tuple(map(int, costs)))


@lru_cache(maxsize=1 << 10)
def _code(rules: Rules, text: str) -> CodeIndex:
    return rules.parse_code(text)
