"""The rules of matches and races, as a value."""

from dataclasses import replace

import pytest

from bullscows.game.rules import Rules
from bullscows_web.match.rules import (
    ABANDONED,
    MAX_TURNS,
    Kind,
    Match,
    Move,
    Player,
    hashed,
)

RULES = Rules.parse("p4c10n")
CODE = RULES.parse_code("0123")


def turns(*guesses: str, start: float = 0, pace: float = 1) -> tuple[Move, ...]:
    """Return guesses at 0123, one after the other."""
    codes = map(RULES.parse_code, guesses)
    return tuple(
        Move(code, RULES.respond(code, CODE), start + pace * number)
        for number, code in enumerate(codes)
    )


def played(*players: tuple[Move, ...], kind: Kind = "match", begins: int = 0, size: int = 2):
    seats = [Player(n, hashed(str(n)), "x", turns=made) for n, made in enumerate(players)]
    return Match("a" * 29, kind, RULES, size, begins, 0.0, 0.0, players=tuple(seats))


def resigned(match: Match, seat: int) -> Match:
    players = list(match.players)
    players[seat] = replace(players[seat], resigned=True)
    return replace(match, players=tuple(players))


MISS, HIT = "4567", "0123"


@pytest.mark.parametrize(
    ("creator", "guest", "begins", "reason", "winner", "to_move"),
    [
        ((), (), 0, None, None, 0),
        ((), (), 1, None, None, 1),
        ((MISS,), (), 0, None, None, 1),
        ((MISS,), (MISS,), 0, None, None, 0),
        ((HIT,), (), 0, None, None, 1),  # one last guess
        ((HIT,), (MISS,), 0, "found", 0, None),
        ((HIT,), (HIT,), 0, "draw", None, None),
        ((MISS,), (HIT,), 0, "found", 1, None),
        ((), (HIT,), 1, None, None, 0),
        ((MISS,), (HIT,), 1, "found", 1, None),
        ((MISS, HIT), (MISS, HIT), 1, "draw", None, None),
        ((MISS,) * MAX_TURNS, (MISS,) * MAX_TURNS, 0, "limit", None, None),
    ],
)
def test_match_ends_after_equal_turns(creator, guest, begins, reason, winner, to_move):
    match = played(turns(*creator), turns(*guest), begins=begins)
    assert (match.reason, match.winner, match.to_move) == (reason, winner, to_move)


@pytest.mark.parametrize(
    ("racers", "reason", "winner"),
    [
        ([turns(HIT), turns(MISS)], None, None),
        ([turns(HIT), turns(MISS, HIT)], "found", 0),
        ([turns(MISS, HIT, pace=9), turns(MISS, HIT, start=99, pace=8)], "found", 1),
        ([turns(MISS, HIT), turns(MISS, HIT, start=99)], "draw", None),
        ([turns(*[MISS] * MAX_TURNS), turns(*[MISS] * MAX_TURNS)], "limit", None),
    ],
)
def test_race_is_won_by_fewest_turns_then_by_time(racers, reason, winner):
    match = played(*racers, kind="race")
    assert (match.reason, match.winner) == (reason, winner)


def test_race_waits_for_all_seats_and_goes_on_without_those_who_resign():
    match = played(turns(HIT), turns(MISS), kind="race", size=3)
    assert resigned(match, 1).reason is None
    match = resigned(replace(match, size=2), 1)
    assert (match.reason, match.winner) == ("found", 0)
    nobody = resigned(resigned(played((), (), kind="race"), 0), 1)
    assert (nobody.reason, nobody.winner) == ("resigned", None)


def test_creator_who_watches_is_not_waited_for():
    match = played((), turns(HIT), kind="race")
    watching = replace(match.players[0], plays=False)
    match = replace(match, players=(watching, match.players[1]))
    assert (match.reason, match.winner, match.may_guess(0)) == ("found", 1, False)


def test_resigning_loses_and_before_the_guest_joins_cancels():
    match = resigned(played(turns(MISS), ()), 1)
    assert (match.reason, match.winner) == ("resigned", 0)
    alone = resigned(played(()), 0)
    assert (alone.reason, alone.winner) == ("resigned", None)


def test_match_that_was_won_is_not_abandoned_later():
    won = replace(played(turns(HIT), turns(MISS)), now=ABANDONED + 1)
    assert won.reason == "found"
