"""Mean turns of the duel's levels: ``python -m benchmarks.levels [RULES ...]``.

Each level is a strategy tree, so all codes are counted, each once; nothing is estimated.
"""

from __future__ import annotations

import sys

from bullscows.game.rules import Rules
from bullscows.tree.storage import default_folder
from bullscows_web.duel.levels import levels
from bullscows_web.trees.library import Library


def main(games: list[str]) -> None:
    """Print a line for each level: mean turns, and the distribution."""
    library = Library.open(default_folder())
    for text in games:
        for level in levels(library, Rules.parse(text)):
            turns = "/".join(map(str, level.turns))
            print(f"{text} {level.name:8} {level.average:.2f} {turns}", end="")
            if (score := level.beginner) is not None:
                duels = score.won + score.drawn + score.lost
                print(f" {score.won / duels:.1%} won, {score.drawn / duels:.1%} drawn", end="")
            print()


if __name__ == "__main__":
    main(sys.argv[1:] or ["p4c10n", "p4c6r"])
