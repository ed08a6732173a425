"""How long the games of strategies are, and what the duel makes of them.

The lengths are of all trees that ship, of the rules that look one step ahead, and of a few
others.  Of the duel only Tanaka's strategy, whose lengths Francis prints, can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bullscows.build.strategies import strategy_tree
from bullscows.game.cost import turns_in_all, turns_text
from bullscows.game.duel import Lengths, Score, Tie, score
from bullscows.report.rows import BULLS_COWS, MASTERMIND, Row, Section, published
from bullscows.strategies.duel import Champions, best_reply, champions
from bullscows.strategies.rules.one_step import HEURISTICS
from bullscows.tree.files import POSSIBLES_ONLY, read_tree
from bullscows.tree.folder import default_folder
from bullscows.tree.records import load_record

_SMALL = "p3c10n"

_SEARCHED = {
    BULLS_COWS: ("fso", "avg35", "avg45"),
    MASTERMIND: ("avg3", "kwb-1", "kwb-5"),
    _SMALL: (POSSIBLES_ONLY,),
}
"""Strategies beside the rules that look one step ahead, and the shipped trees."""


def players(rules: str, folder: Path) -> dict[str, Lengths]:
    """Return the lengths of a folder's trees of a game, and of the one-step strategies."""
    paths = (path for path in sorted(folder.glob("*.json")) if _may_be_of(rules, path))
    lengths: dict[str, Lengths] = {
        file.name: file.tree.distribution
        for file in map(read_tree, paths)
        if file.record.objective not in HEURISTICS
    }
    lengths.update((name, strategy_tree(rules, name).distribution) for name in HEURISTICS)
    return lengths


def _may_be_of(rules: str, path: Path) -> bool:
    """Whether a file says that it is of a game, or nothing that makes sense, as its reader tells.

    To check the trees of all other games as well takes seconds.
    """
    stated = load_record(path)
    return not isinstance(stated, dict) or stated.get("rules", rules) == rules


def lengths_of_all(_jobs: int) -> Iterator[Row]:
    """Secrets found at turn 1, 2, ... by strategies, each game's by turns in all."""
    for rules, searched in _SEARCHED.items():
        lengths = players(rules, default_folder())
        lengths.update((name, strategy_tree(rules, name).distribution) for name in searched)
        for name, found in sorted(
            lengths.items(), key=lambda item: (turns_in_all(item[1]), item[0])
        ):
            yield Row(f"{rules} {name}", "", _described(found))


def unbeatable(jobs: int) -> Iterator[Row]:
    """The strategies that are best replies to themselves, or to each other where equal turns count.

    Tanaka's is held against the best reply to it.
    """
    theirs = published()["strategies"][BULLS_COWS]["Head-to-Head (Tanaka)"]
    reply = best_reply(BULLS_COWS, theirs["turns"], jobs=jobs)
    found = {rules: champions(rules, jobs=jobs) for rules in _SEARCHED}
    for rules, best in found.items():
        yield from _champions(rules, "draw", best)
    lengths = found[BULLS_COWS].begins.tree.distribution
    yield Row(
        f"{BULLS_COWS} best head to head, turns in all",
        str(theirs["total"]),
        str(turns_in_all(lengths)),
        why=reason_against(reply.score),
    )
    duel = _in_a_thousand(score(lengths, theirs["turns"]))
    yield Row(f"{BULLS_COWS} champion against Tanaka's, net wins in a thousand duels", "", duel)
    for rules in _SEARCHED:
        yield from _champions(rules, "won", champions(rules, "won", jobs=jobs))


def reason_against(found: Score) -> str:
    """Return why a strategy is not the best: what the best reply gains, if it gains anything."""
    if found.net <= 0:
        return ""
    gain = _in_a_thousand(found)
    return f"no best reply to itself: another strategy beats it by {gain} duels in a thousand"


def _champions(rules: str, tie: Tie, found: Champions) -> Iterator[Row]:
    best, other = found.begins, found.follows
    shares = f"won {best.score.won}, drawn {best.score.drawn}, lost {best.score.lost}"
    if tie == "draw":
        yield Row(f"{rules} champion", "", _described(best.tree.distribution))
        yield Row(f"{rules} champion against itself", "", shares)
    else:
        yield Row(f"{rules} champion who begins", "", _described(best.tree.distribution))
        yield Row(f"{rules} champion who follows", "", _described(other.tree.distribution))
        yield Row(f"{rules} who begins against who follows", "", shares)
    gain = float(found.gains[-1])
    yield Row(f"{rules} what the best replies to these gain, equal turns {tie}", "", f"{gain:g}")


def _described(lengths: Lengths) -> str:
    return f"{turns_in_all(lengths)}: {turns_text(lengths)}"


def _in_a_thousand(found: Score) -> str:
    return f"{1000 * float(found.net):.2f}"


SECTIONS = {
    "lengths": Section("Lengths of games", "our own", lengths_of_all),
    "duel": Section("The duel", "Francis, Results (Tanaka)", unbeatable),
}
