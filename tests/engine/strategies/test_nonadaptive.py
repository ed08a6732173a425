"""The nonadaptive game: sets that identify every code, and proofs that smaller sets do not."""

from itertools import combinations

import pytest

from bullscows.game.response_table import GameTooLargeError
from bullscows.game.rules import Rules
from bullscows.game.timer import Timer
from bullscows.strategies import nonadaptive as module
from bullscows.strategies.nonadaptive import nonadaptive_set

pytestmark = pytest.mark.large


def identifies_every_code(rules: Rules, guesses: tuple[int, ...]) -> bool:
    vectors = {
        tuple(rules.respond(guess, secret) for guess in guesses) for secret in range(rules.size)
    }
    return len(vectors) == rules.size


def fewest(rules: Rules) -> int:
    """Return the least size of a set by trying all sets."""
    return next(
        size
        for size in range(rules.size)
        if any(identifies_every_code(rules, s) for s in combinations(range(rules.size), size))
    )


@pytest.mark.parametrize(
    "text",
    ["p1c1r", "p1c4n", "p2c2n", "p2c2r", "p2c3n", "p2c3r", "p2c4r", "p2c5n", "p2c4z", "p3c2r",
     "p3c3n", "p3c4n", "p3c3r", "p3c4z", "p4c2r", "p2c4rb", "p3c2rb", "p2c5nb"],
)  # fmt: skip
def test_size_is_that_of_all_sets_tried(text: str) -> None:
    found = nonadaptive_set(text)
    assert found.proved
    assert len(found.guesses) == fewest(Rules.parse(text))
    assert identifies_every_code(found.rules, found.guesses)


@pytest.mark.parametrize("symbols", range(2, 8))
def test_two_pegs_take_what_goddard_proved(symbols: int) -> None:
    """Two thirds of the colours, rounded up."""
    found = nonadaptive_set(f"p2c{symbols}r")
    assert (len(found.guesses), found.proved) == (-(-2 * symbols // 3), True)


@pytest.mark.parametrize("symbols", range(2, 6))
def test_bulls_of_two_places_take_what_jaeger_and_drewes_proved(symbols: int) -> None:
    """Their ceil((4c - 1) / 3) counts the guess that names the code."""
    found = nonadaptive_set(f"p2c{symbols}rb")
    assert (len(found.guesses), found.proved) == (-(-(4 * symbols - 1) // 3) - 1, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "size"),
    [
        *(("p3c7n", 5), ("p3c6r", 5), ("p4c4r", 4), ("p3c8n", 6), ("p6c2rb", 5), ("p3c4rb", 6)),
        *(("p3c9n", 6), ("p3c10n", 7), ("p3c7r", 6), ("p4c5r", 5), ("p4c6n", 5), ("p4c6r", 6)),
    ],
)
def test_games_that_take_longer(text: str, size: int) -> None:
    found = nonadaptive_set(text)
    assert (len(found.guesses), found.proved) == (size, True)


def test_an_interrupt_keeps_both_bounds() -> None:
    def interrupt(_sentence: str) -> None:
        raise KeyboardInterrupt

    found = nonadaptive_set("p3c7n", progress=interrupt)
    assert found.interrupted
    assert identifies_every_code(found.rules, found.guesses)
    assert found.lower < 5
    stopped = nonadaptive_set("p3c7n", timer=Timer(0.0))
    assert stopped.lower <= 5 <= len(stopped.guesses)
    assert not stopped.proved
    with pytest.raises(GameTooLargeError, match="p5c10n has 30240 codes"):
        nonadaptive_set("p5c10n")


@pytest.mark.parametrize(
    ("text", "size"), [("p2c4n", 2), ("p3c4r", 3), ("p2c5r", 4), ("p3c6n", 4), ("p2c7r", 5)]
)
def test_the_search_that_excludes_smaller_sets_also_finds_the_smallest(
    monkeypatch, text: str, size: int
) -> None:
    """Without annealing and a greedy set."""
    monkeypatch.setattr(module._Search, "_annealed", lambda *_: None)
    monkeypatch.setattr(module._Search, "_greedy", lambda search: tuple(range(search.rules.size)))
    found = nonadaptive_set(text)
    assert (len(found.guesses), found.proved) == (size, True)
    assert identifies_every_code(found.rules, found.guesses)
