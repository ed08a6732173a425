"""The rule of the second lesson, and whether guesses follow it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.rules import Rules
from bullscows.strategies.rules.least_frequent import Reading, rarest_symbols
from bullscows_web.learn.lessons import EIGHT, SIX
from bullscows_web.learn.rule import Verdict, judge

RULES = Rules.parse("p3c10n")
CODES = st.integers(0, RULES.size - 1)


def judged(codes: list[int], guess: int) -> Verdict:
    return judge(RULES, np.array(sorted(codes), dtype=np.int32), guess)


@pytest.mark.parametrize(
    ("codes", "guess", "reason", "most"),
    [
        (EIGHT, "012", "rarest", 5),
        (EIGHT[3:], "345", "rarest", 2),
        (EIGHT, "798", "frequent", 7),
        (EIGHT[3:], "018", "absent", 5),
        (SIX, "243", "apart", 1),
        (("123", "231", "312"), "132", "order", 3),
        (EIGHT[:2], "198", "few", 1),
        (EIGHT[:2], "298", "few", 2),
    ],
)
def test_guesses_of_the_paper_and_others(
    codes: tuple[str, ...], guess: str, reason: str, most: int
):
    verdict = judged([RULES.parse_code(code) for code in codes], RULES.parse_code(guess))
    assert (verdict.reason, verdict.most) == (reason, most)
    is_right = reason in ("rarest", "apart") or (reason == "few" and guess in codes)
    assert verdict.follows == is_right


@given(st.sets(CODES, min_size=3, max_size=20).map(sorted), CODES)
def test_guess_follows_if_no_other_digits_occur_less(codes: list[int], guess: int):
    texts = [RULES.text(code) for code in codes]
    counts = {digit: sum(digit in text for text in texts) for digit in "0123456789"}
    least = sorted(count for count in counts.values() if count)[:3]
    verdict = judged(codes, guess)
    assert verdict.counts == counts
    if verdict.reason != "apart":
        is_rarest = sorted(counts[digit] for digit in RULES.text(guess)) == least
        assert is_rarest == (verdict.reason in ("rarest", "order"))
    example = rarest_symbols(RULES, tuple(codes), Reading())
    assert judged(codes, example).reason in ("rarest", "order", "apart")
