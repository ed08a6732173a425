"""``bullscows duel``: two players guess each other's code, and fewer turns win."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bullscows.cli.options import Folder, RulesText, Threads, named_tree, progress_shown
from bullscows.cli.outcome import Outcome, UsageError, command
from bullscows.game.cost import distribution_text
from bullscows.game.duel import OPPOSITE, Score, Tie, score
from bullscows.game.rules import Rules
from bullscows.tree.storage import default_folder

if TYPE_CHECKING:
    from bullscows.strategies.duel import Reply

_LENGTHS = re.compile(r"\d{1,9}(/\d{1,9}){0,30}")

duel_commands = typer.Typer(
    no_args_is_help=True,
    help="Two players guess each other's code, and fewer turns win.",
)

Begins = Annotated[
    bool | None,
    typer.Option(
        "--begins/--follows",
        help="The first player wins games of equal turns, the second loses them.",
        show_default="equal turns are a draw",
    ),
]


@duel_commands.command()
@command
def reply(
    opponent: Annotated[
        str,
        typer.Argument(
            metavar="TREE|LENGTHS", help="A shipped tree, a tree file, or games by length: 1/4/7."
        ),
    ],
    rules: Annotated[
        str | None, typer.Option(help="The game to reply in; needed with LENGTHS.")
    ] = None,
    begins: Begins = None,
    threads: Threads = 1,
    folder: Folder = None,
) -> Outcome:
    """Prove the best reply to a tree or a distribution of turns: the most wins minus losses.

    LENGTHS are the numbers of games that the opponent ends at turn 1, 2, ..., also of another game.
    """
    from bullscows.strategies.duel import best_reply

    if _LENGTHS.fullmatch(opponent):
        name, theirs = "games by length", tuple(map(int, opponent.split("/")))
        if not rules or not any(theirs):
            raise UsageError("LENGTHS need --rules and a game, for example 1/4/7 --rules p2c4n")
    else:
        found = named_tree(opponent, folder)
        name, theirs, rules = found.name, found.tree.distribution, rules or str(found.tree.rules)
    game = Rules.parse(rules)
    best = best_reply(game, theirs, _tie(begins), threads=threads)
    value = {"rules": str(game), "tree": name, "reply": _record(best)}
    return Outcome(value, [f"best reply to {name}, turns {distribution_text(theirs)}", _line(best)])


@duel_commands.command()
@command
def table(
    rules: RulesText = "p4c10n",
    begins: Begins = None,
    folder: Folder = None,
) -> Outcome:
    """Compare all trees and one-step strategies of a game in exact duels, best first."""
    from bullscows.report.beyond import players as players_of

    tie, game = _tie(begins), str(Rules.parse(rules))
    players = players_of(game, folder or default_folder())
    rows = {
        name: {other: score(mine, theirs, tie) for other, theirs in players.items()}
        for name, mine in players.items()
    }
    order = sorted(rows, key=lambda name: -sum(score.net for score in rows[name].values()))
    value = {
        "rules": game,
        "tie": tie,
        "players": [
            {
                "name": name,
                "distribution": list(players[name]),
                "against": {other: _score_record(rows[name][other]) for other in order},
            }
            for name in order
        ],
    }
    return Outcome(value, [_standing(place, order, rows) for place in range(len(order))])


@duel_commands.command()
@command
def champion(rules: RulesText, begins: Begins = None, threads: Threads = 1) -> Outcome:
    """Prove the champion: the strategy that is a best reply to itself, so that none beats it.

    With --begins or --follows, prove one of two strategies, each a best reply to the other.
    """
    from bullscows.strategies.duel import champions, is_only_reply

    tie, game = _tie(begins), str(Rules.parse(rules))
    with progress_shown(f"{game} duel") as show:
        found = champions(game, "draw" if tie == "draw" else "won", threads=threads, progress=show)
        best, other = found.begins, found.follows
        if tie == "lost":
            best, other = other, best
        mine, theirs = best.tree.distribution, other.tree.distribution
        only = is_only_reply(game, mine, theirs, tie, threads=threads)
    value = {
        "rules": game,
        "tie": tie,
        "champion": _record(best),
        "opponent": {"tie": OPPOSITE[tie], "distribution": list(theirs)},
        "gains": [float(gain) for gain in found.gains],
        "only": only,
    }
    alone = "the only one" if only else "not the only one"
    alone += ", but for turns that are worth the same"
    return Outcome(
        value, [_line(best), f"a best reply to turns {distribution_text(theirs)}; {alone}"]
    )


def _tie(begins: bool | None) -> Tie:
    if begins is None:
        return "draw"
    return "won" if begins else "lost"


def _record(found: Reply) -> dict[str, Any]:
    lengths = found.tree.distribution
    return {"distribution": list(lengths), "total": found.tree.total, **_score_record(found.score)}


def _score_record(found: Score) -> dict[str, Any]:
    return {**asdict(found), "net": float(found.net)}


def _line(found: Reply) -> str:
    shares = found.score
    return (
        f"turns {distribution_text(found.tree.distribution)}, {found.tree.total} in all: "
        f"wins {shares.won}, draws {shares.drawn}, losses {shares.lost} of "
        f"{shares.won + shares.drawn + shares.lost}; net {float(shares.net):+.6f}"
    )


def _standing(place: int, order: list[str], rows: dict[str, dict[str, Score]]) -> str:
    """Return a line of the table: net wins in a thousand against each player, by place."""
    nets = (f"{1000 * float(rows[order[place]][other].net):+7.1f}" for other in order)
    return f"{place + 1:3} {order[place]:32}{' '.join(nets)}"
