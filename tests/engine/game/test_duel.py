"""The duel, counted: every pair of secrets, and weights that say the same."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.duel import OPPOSITE, Lengths, Tie, padded, reply_weights, score

LENGTHS = st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any).map(tuple)
TIES = st.sampled_from(sorted(OPPOSITE))


def played(mine: Lengths, theirs: Lengths, tie: Tie) -> list[int]:
    """Play all duels one by one; return how many are won, drawn and lost."""
    ends = [0, 0, 0]
    for at, count in enumerate(mine):
        for other, others in enumerate(theirs):
            even = {"won": 0, "draw": 1, "lost": 2}[tie]
            ends[0 if at < other else 2 if at > other else even] += count * others
    return ends


@given(LENGTHS, LENGTHS, TIES)
def test_score_counts_every_pair_of_secrets(mine: Lengths, theirs: Lengths, tie: Tie) -> None:
    found = score(mine, theirs, tie)
    assert [found.won, found.drawn, found.lost] == played(mine, theirs, tie)


@given(LENGTHS, LENGTHS, TIES)
def test_what_one_wins_the_other_loses(mine: Lengths, theirs: Lengths, tie: Tie) -> None:
    assert score(mine, theirs, tie).net == -score(theirs, mine, OPPOSITE[tie]).net


@given(LENGTHS, LENGTHS, TIES)
def test_weights_add_up_to_losses_minus_wins(mine: Lengths, theirs: Lengths, tie: Tie) -> None:
    weights = reply_weights(theirs, tie)
    lengths = padded(mine, len(weights))[: len(weights)]
    if sum(lengths) < sum(mine):
        return  # lengths of more than twice the maximum have no weight
    cost = sum(count * weight for count, weight in zip(lengths, weights, strict=True))
    net = Fraction(sum(mine) * sum(theirs) - cost, sum(mine) * sum(theirs))
    assert net == score(mine, theirs, tie).net


@given(LENGTHS, TIES)
def test_weights_never_decrease_and_are_never_negative(theirs: Lengths, tie: Tie) -> None:
    weights = reply_weights(theirs, tie)
    assert weights[0] >= 0
    assert all(before <= after for before, after in pairwise(weights))
    assert len(weights) == 2 * len(theirs)


def test_tie_of_another_name_is_refused() -> None:
    with pytest.raises(ValueError, match="'draw', 'won', 'lost'"):
        reply_weights((1, 2), "even")  # type: ignore[arg-type]
