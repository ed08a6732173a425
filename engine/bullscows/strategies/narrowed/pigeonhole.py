"""How crowded the fullest hole must be: Chen's extended pigeonhole principle (section 4, lemma 1).

Pigeons in n holes leave one with at least an n-th of them.  If a hole has room for few only, fill
it first: the others share what remains.  For the parts into which a guess splits candidates the
rooms are the parts that the first guess leaves, since no later part can be larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from bullscows.game.rules import Rules


def fullest_hole(pigeons: int, volumes: Sequence[int]) -> int:
    """Return the least that the fullest hole can hold: the lemma for the best choice of small ones.

    With the k smallest holes filled, one of the other n - k holds at least
    ``ceil((pigeons - their volumes) / (n - k))``; the largest of these bounds is attained.

    >>> fullest_hole(1440, [1, 24, 6, 72, 180, 8, 216, 720, 480, 9, 264, 1260, 1440, 360])
    165

    Parameters
    ----------
    pigeons
        How many there are, at least 1.
    volumes
        How many each hole holds at most.

    Raises
    ------
    ValueError
        If there is no pigeon, or there is no room for all.
    """
    if not 1 <= pigeons <= sum(volumes):
        raise ValueError(
            f"{pigeons} pigeons: there must be 1 to {sum(volumes)}, what the holes hold"
        )
    filled = accumulate(sorted(volumes), initial=0)
    shares = zip(filled, range(len(volumes), 0, -1), strict=False)
    return max(-(-(pigeons - full) // others) for full, others in shares)


def least_worst_parts(game: Rules | str) -> tuple[int, ...]:
    """Return how many candidates the worst answers leave at least after guess 1, 2, ....

    The last number is above 1, and of the guess after it nothing is known.  Two candidates take two
    more guesses, so the game takes two turns more than there are numbers (lemmas 2 and 3).

    >>> least_worst_parts("p4c10n")
    (1440, 165, 15, 2)

    Raises
    ------
    ValueError
        If first guesses of the game leave parts of different sizes, as with repeats, or none that
        leaves two candidates.
    """
    rules = Rules.of(game)
    if rules.repeats or not rules.leading_zero:
        raise ValueError(f"the first guesses of {rules} are not all equal: no sizes hold for all")
    volumes = [len(part) for part in rules.partition(0, range(rules.size)).values()]
    parts = [max(volumes)]
    if parts[0] < 2:
        raise ValueError(f"the first guess of {rules} leaves no two candidates")
    while (fewer := fullest_hole(parts[-1], volumes)) > 1:
        parts.append(fewer)
    return tuple(parts)
