"""Compute the files of the duel's levels: ``python -m benchmarks.levels [RULES...]``.

Without games it writes the file of each game that has a tree and at most `LARGEST` codes, which
takes a minute.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bullscows.game.rules import Rules
from bullscows.tree.storage import default_folder
from bullscows_web.duel.levels import LARGEST, computed
from bullscows_web.trees.level_files import write_levels
from bullscows_web.trees.library import Library


def games(folder: Path) -> list[Rules]:
    """Return the games that have levels."""
    rules = (game.rules for game in Library.open(folder).games)
    return sorted((one for one in rules if one.size <= LARGEST), key=str)


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*", type=Rules.parse)
    folder = default_folder()
    for rules in parser.parse_args().rules or games(folder):
        write_levels(folder, rules, computed(rules))
        print(rules, flush=True)


if __name__ == "__main__":
    main()
