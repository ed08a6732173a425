"""Tables that no document has: distributions, the duel, the nonadaptive game and other games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from decimal import ROUND_HALF_UP, Decimal

from bullscows.game.duel import Score, Tie, score
from bullscows.game.objective import total_turns
from bullscows.shipping.named_trees import players, strategy_tree
from bullscows.shipping.totals import published as published_totals
from bullscows.strategies.duel import Champions, best_reply, champions
from bullscows.strategies.nonadaptive import nonadaptive_set
from bullscows.tree.files import POSSIBLES_ONLY
from bullscows.tree.storage import default_folder
from research.tables import (
    BULLS_COWS,
    MASTERMIND,
    Figure,
    Row,
    lengths_figure,
    published,
    section,
    solved,
)

_SMALL = "p3c10n"

_SEARCHED = {
    BULLS_COWS: ("fso", "avg35", "avg45"),
    MASTERMIND: ("avg3", "kwb-1", "kwb-5"),
    _SMALL: (POSSIBLES_ONLY,),
}
"""Strategies listed in addition to one-step rules and shipped trees."""


@section("lengths", "Lengths of games", "our own")
def lengths_of_all(_threads: int) -> Iterator[Row]:
    """Secrets found at turn 1, 2, ... by strategies, each game's by turns in all."""
    for rules, searched in _SEARCHED.items():
        lengths = players(rules, default_folder())
        lengths.update((name, strategy_tree(rules, name).distribution) for name in searched)
        for name, found in sorted(
            lengths.items(), key=lambda item: (total_turns(item[1]), item[0])
        ):
            yield Row(f"{rules} {name}", "", lengths_figure(found))


@section("duel", "The duel", "Francis, Results (Tanaka)")
def unbeatable(threads: int) -> Iterator[Row]:
    """Strategies that are best replies to themselves, or to each other if ties count."""
    theirs = published()["strategies"][BULLS_COWS]["Head-to-Head (Tanaka)"]
    reply = best_reply(BULLS_COWS, theirs["turns"], threads=threads)
    found = {rules: champions(rules, threads=threads) for rules in _SEARCHED}
    for rules, best in found.items():
        yield from _champions(rules, "draw", best)
    lengths = found[BULLS_COWS].begins.tree.distribution
    gain = _in_a_thousand(reply.score)
    why = f"no best reply to itself: another strategy beats it by {gain} duels in a thousand"
    yield Row(
        f"{BULLS_COWS} best head to head, turns in all",
        theirs["total"],
        total_turns(lengths),
        why=why if reply.score.net > 0 else "",
    )
    duel = _in_a_thousand(score(lengths, theirs["turns"]))
    yield Row(f"{BULLS_COWS} champion against Tanaka's, net wins in a thousand duels", "", duel)
    for rules in _SEARCHED:
        yield from _champions(rules, "won", champions(rules, "won", threads=threads))


def _champions(rules: str, tie: Tie, found: Champions) -> Iterator[Row]:
    best = found.begins
    other = found.follows
    shares: Figure = asdict(best.score)
    if tie == "draw":
        yield Row(f"{rules} champion", "", lengths_figure(best.tree.distribution))
        yield Row(f"{rules} champion against itself", "", shares)
    else:
        yield Row(f"{rules} champion who begins", "", lengths_figure(best.tree.distribution))
        yield Row(f"{rules} champion who follows", "", lengths_figure(other.tree.distribution))
        yield Row(f"{rules} who begins against who follows", "", shares)
    gain = float(found.gains[-1])
    yield Row(f"{rules} what the best replies to these gain, equal turns {tie}", "", f"{gain:g}")


def _in_a_thousand(found: Score) -> str:
    return f"{1000 * float(found.net):.2f}"


# -- the nonadaptive game --------------------------------------------------------------------------

DIGITS = ("p2c10n", *(f"p3c{symbols}n" for symbols in range(4, 11)), "p4c5n", "p4c6n", "p4c7n")
"""Games without repeats that end in seconds."""

COLOURS = (
    *(f"p2c{symbols}r" for symbols in range(2, 11)),
    *(f"p3c{symbols}r" for symbols in range(2, 9)),
    *(f"p4c{symbols}r" for symbols in range(2, 7)),
    *(f"p2c{symbols}rb" for symbols in range(2, 7)),
    *(f"p3c{symbols}rb" for symbols in range(2, 6)),
    *(f"p{places}c2rb" for places in (1, *range(4, 8))),
    *(f"p2c{symbols}nb" for symbols in range(2, 9)),
    *(f"p3c{symbols}nb" for symbols in range(4, 7)),
)
"""Mastermind games, and games of bulls only, that end in seconds."""


@section("nonadaptive-digits", "The nonadaptive game without repeats", "our own")
def digits(_threads: int) -> Iterator[Row]:
    """Fewest guesses for numbers without repeats."""
    return _rows(DIGITS)


@section(
    "nonadaptive-colours",
    "The nonadaptive game with repeats, or of bulls only",
    "Goddard 2003, as cited by Jäger and Drewes 2018, who proved those of bulls only with repeats; "
    "Drewes and Jäger 2022 without; OEIS A303735 of two symbols",
)
def colours(_threads: int) -> Iterator[Row]:
    """Fewest guesses for Mastermind, and for games of bulls only."""
    return _rows(COLOURS)


def _rows(games: tuple[str, ...]) -> Iterator[Row]:
    known = published()["nonadaptive"]["sizes"]
    for game in games:
        found = nonadaptive_set(game)
        if found.interrupted:
            raise KeyboardInterrupt
        # both bounds where the search came to no end
        size = len(found.guesses)
        ours = size if found.proved else f"{found.lower} to {size}"
        why = "" if found.proved else "not proved"
        label = f"{game}, guesses"
        yield Row(label, known.get(game, ""), ours, why, unexplained=not found.proved)
        yield Row(f"{game}, a set", "", " ".join(found.texts))


# -- other games -----------------------------------------------------------------------------------


@section("games", "Other games", "named with each")
def other_games(threads: int) -> Iterator[Row]:
    """Values of games that the paper does not treat, with who published each first."""
    for one in published_totals():
        if one.value:
            levels = solved(one.rules, one.objective, max_turns=one.last_turn, threads=threads)
            values = tuple(levels.levels.values())
            ours = values[0] if len(values) == 1 else " ".join(map(str, values))
            known = int(one.value) if one.value.isdecimal() else one.value
            words = (_WORDS[name].format(one.last_turn) for name in one.objective.split(","))
            label = f"{one.by} {one.year}, {one.rules} {' then '.join(words)}"
            if one.last_turn is not None and not one.objective.endswith("last"):
                label += f" within {one.last_turn}"
            yield Row(label, known, ours)


@section(
    "goddard-means",
    "Mastermind: means of small games",
    "Goddard 2004, as cited by Pokutta, Mastermind - Five Questions Do Suffice",
    quick=True,
)
def goddard_means(threads: int) -> Iterator[Row]:
    """Mean turns of the best strategies of 16 small games."""
    for rules, mean in published()["means"]["games"].items():
        solution = solved(rules, "average", threads=threads)
        found = Decimal(solution.cost.lower) / solution.secrets
        yield Row(
            f"{rules}, mean turns", mean, str(found.quantize(Decimal("0.001"), ROUND_HALF_UP))
        )


_WORDS = {
    "average": "fewest turns",
    "worst": "best worst case",
    "last": "fewest {}-movers",
    "movers": "fewest {}-movers, and so on",
}
