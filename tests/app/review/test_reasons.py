"""The symbols that are certain or excluded, against the codes that fit."""

import pytest

from bullscows_web.guess.game import Guessing
from bullscows_web.language.words import symbols
from bullscows_web.review.reasons import KnownSymbols
from bullscows_web.trees.library import Library


@pytest.mark.parametrize("rules", ["p3c5n", "p2c4r"])
def test_symbols_are_known_just_if_all_candidates_agree(library: Library, rules: str):
    seen = set()
    game = Guessing.parse(library, rules, "k3f9")
    for first in range(game.rules.size):
        candidates = game.after(first).candidates
        known = KnownSymbols.of(game.rules, candidates)
        codes = [game.rules.text(code) for code in candidates]
        for symbol in symbols(game.rules):
            has = {symbol in code for code in codes}
            assert (symbol in known.certain, symbol in known.excluded) == (
                has == {True},
                has == {False},
            )
            seen.add((symbol in known.certain, symbol in known.excluded))
    assert len(seen) == 3
