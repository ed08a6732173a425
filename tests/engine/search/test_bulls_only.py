"""Games of bulls only: another search."""

import re

import pytest

from bullscows.game.rules import Rules
from bullscows.library import solve
from bullscows.shipping.atlas import atlas_path, games, read_atlas
from bullscows.tree.storage import default_folder
from tests.support.exhaustive import NEVER, Exhaustive

pytestmark = pytest.mark.large

SHIPPED = read_atlas(atlas_path(default_folder())).games
GAMES = [
    f"{rules}b"
    for rules in games()
    if not rules.bulls_only and rules.size <= 130 and (rules.positions > 2 or rules.symbols <= 10)
]
"""Games that take the other search at most a minute or so."""
SMALL = [text for text in GAMES if Rules.parse(text).size <= 50]
SMALL += ["p3c4rb", "p6c2rb", "p4c3rb", "p4c5nb", "p4c5zb"]
LARGER = [text for text in GAMES if text not in SMALL]


@pytest.mark.parametrize(
    "text", [*SMALL, *(pytest.param(text, marks=pytest.mark.slow) for text in LARGER)]
)
def test_another_search_finds_the_same(text: str) -> None:
    """The least total and the worst case, in the atlas too."""
    places, symbols, kind = re.fullmatch(r"p(\d+)c(\d+)(..)", text).groups()  # type: ignore[union-attr]
    other = Exhaustive(int(places), int(symbols), kind)
    assert solve(text).total == other.least_total(Rules.parse(text).size)
    worst = solve(text, "worst,average")
    assert worst.distribution is not None
    depth = len(worst.distribution)
    assert (worst.total, NEVER) == (other.least_total(depth), other.least_total(depth - 1))
    entry = SHIPPED.get(text)
    assert entry is None or (entry.total, entry.worst) == (solve(text).total, depth)
