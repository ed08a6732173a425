"""Commands on opponents: adversary, codemaker, duel."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bullscows.cli import options as opt
from bullscows.errors import counted
from bullscows.game.duel import OPPOSITE, Score, Tie, score
from bullscows.game.notation import read_history
from bullscows.game.objective import distribution_text
from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows.game.timer import OutOfTimeError
from bullscows.tree.files import TreeFile
from bullscows.tree.storage import default_folder

if TYPE_CHECKING:
    from bullscows.strategies.codemaker import Equilibrium
    from bullscows.strategies.duel import Reply

# -- adversary -------------------------------------------------------------------------------------


@opt.command
def adversary(
    game: Annotated[
        str, typer.Argument(metavar="RULES|TREE", help="A game, or a tree that guesses.")
    ],
    guess: Annotated[str | None, typer.Option(metavar="CODE", help="Answer this guess.")] = None,
    history: opt.Turns = "",
    time_limit: opt.TimeLimit = None,
    folder: opt.Folder = None,
) -> opt.Outcome:
    """Answer without a fixed secret so that the game lasts as long as possible.

    With RULES, prove how many guesses a game can last from a position (its remoteness), and with
    --guess choose the answer that prolongs it most. With TREE, show a longest game of the tree. The
    exit code is 3 if the time limit ends the search before the proof.
    """
    found = opt.game_or_tree(game, folder)
    if isinstance(found, Rules):
        return _from_position(found, guess, history, time_limit)
    if guess is not None or history:
        raise opt.UsageError(
            f"--guess and --history need a game, and {found.name} is a tree, which chooses its own "
            "guesses"
        )
    return _longest_game(found)


def _from_position(
    rules: Rules, guess: str | None, history: str, time_limit: float | None
) -> opt.Outcome:
    from bullscows.analysis.adversary import Adversary
    from bullscows.analysis.analyst import Analyst

    question = Question.of(rules, read_history(rules, history))
    code = None if guess is None else rules.parse_code(guess)
    opponent = Adversary(Analyst.loaded())
    turn = question.turn
    timer = opt.timer(time_limit)
    last = opponent.last_turn(question, timer.share(1.0 if code is None else 0.5))
    record: dict[str, Any] = {
        "rules": str(rules),
        "history": list(question.history.texts),
        "candidates": len(question.candidates),
        **_worst_case(last, turn),
    }
    lines = [f"{rules}, turn {turn}: {_words(last, turn)}"]
    is_proved = last is not None
    if code is not None:
        reply = opponent.reply(question, code, timer.share())
        is_proved = is_proved and reply.method == "remoteness"
        answer = str(rules.answers[reply.answer])
        record["reply"] = {
            "guess": guess,
            "answer": answer,
            "remaining": reply.remaining,
            **_worst_case(reply.last_turn, turn + 1),
            "method": reply.method,
        }
        lines.append(
            f"{guess}: {answer}, {reply.remaining} left, {_words(reply.last_turn, turn + 1)}"
            + ("" if reply.method == "remoteness" else "; not proved: the answer that leaves most")
        )
    return opt.Outcome(record, lines, opt.DONE if is_proved else opt.UNPROVED)


def _worst_case(last: int | None, turn: int) -> dict[str, int | None]:
    """Return the last turn, and how many guesses remain if `turn` is the next."""
    return {"last_turn": last, "remoteness": None if last is None else last - turn + 1}


def _words(last: int | None, turn: int) -> str:
    if last is None:
        return "remoteness not proved in time"
    return f"remoteness {last - turn + 1}, the last guess at turn {last}"


def _longest_game(file: TreeFile) -> opt.Outcome:
    from bullscows.analysis.adversary import longest_game

    rules = file.tree.rules
    depth = file.tree.depth
    game = [
        {"guess": rules.text(guess), "answer": str(rules.answers[answer])}
        | {"candidates": node.size}
        for node, (guess, answer) in longest_game(file.tree)
    ]
    record = {"tree": file.name, "rules": str(rules), "depth": depth, "game": game}
    lines = [f"{file.name}: a longest game takes {counted(depth, 'turn')}"]
    lines += [f"  {turn['guess']} {turn['answer']} of {turn['candidates']}" for turn in game]
    return opt.Outcome(record, lines)


# -- codemaker -------------------------------------------------------------------------------------


@opt.command
def codemaker(
    game: Annotated[
        str,
        typer.Argument(metavar="RULES|FILE", help="A game, or a result of --json to be checked."),
    ],
    time_limit: opt.TimeLimit = None,
) -> opt.Outcome:
    """Prove the mean number of turns if the codemaker chooses the kind of code.

    Codes that symmetry makes equal are of one kind. The result is the value, the best mixture of
    kinds, and a best mixture of strategies. With FILE, both are checked. The exit code is 3
    if the time limit ends the search before the proof, 1 if a file is wrong.
    """
    from bullscows.strategies.codemaker import check, equilibrium, read

    if not Path(game).is_file():
        if Path(game).suffix or Path(game).is_dir():
            raise opt.UsageError(f"no such file: {game}: name a game, or a result of --json")
        rules = Rules.parse(game)
        with opt.progress_shown(f"{rules} codemaker") as show:
            found = equilibrium(rules, timer=opt.timer(time_limit), progress=show)
        record = found.record() | {"seconds": round(opt.seconds(), 3)}
        unproved = opt.INTERRUPTED if found.interrupted else opt.UNPROVED
        return opt.Outcome(record, _mixtures(found), opt.DONE if found.proved else unproved)
    try:
        found = read(json.loads(Path(game).read_bytes()))
        check(found, opt.timer(time_limit))
    except (ValueError, RecursionError) as error:  # of JSON, or a wrong result
        record = {"ok": False, "file": game, "error": str(error)}
        return opt.Outcome(record, [f"{game}: not proved: {error}"], opt.CLAIM_FAILS)
    except OutOfTimeError:
        record = {"ok": None, "file": game}
        return opt.Outcome(record, [f"{game}: not checked in time"], opt.UNPROVED)
    record = {"ok": True, "file": game} | found.record()
    return opt.Outcome(record, [f"{game}: checked", *_mixtures(found)])


def _mixtures(found: Equilibrium) -> list[str]:
    """Return the bounds of a game against the codemaker, and the mixtures that attain them."""
    from bullscows.strategies.codemaker import means_by_kind

    lower = f"{found.lower} = {float(found.lower):.6f} turns on average"
    if found.proved:
        title = f"{found.rules}: {lower}: proven"
    else:
        upper = "" if found.upper is None else f", at most {float(found.upper):.6f}"
        title = f"{found.rules}: at least {lower}{upper}"
    if len(found.kinds) == 1:
        return [title, "  all codes are of one kind, so this is the average over all codes"]
    lines = [title, "the codemaker chooses:"]
    for kind in found.kinds:
        codes = counted(kind.codes, "code")
        lines.append(f"  {found.rules.text(kind.code)} and its kind, {codes}: {kind.probability}")
    if found.trees:
        lines.append("the codebreaker chooses strategies; their mean turns by kind:")
    for tree, share in found.trees:
        means = " ".join(f"{float(mean):.4f}" for mean in means_by_kind(tree))
        lines.append(f"  {float(share):.4f} of the games: {means}")
    return lines


# -- duel ------------------------------------------------------------------------------------------


_LENGTHS = re.compile(r"\d{1,9}(/\d{1,9}){0,30}")
_LENGTHS_MEANT = re.compile(r"\d[\d\s,;.:/-]*")

duel_group = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
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


_TIES: dict[bool | None, Tie] = {None: "draw", True: "won", False: "lost"}


@duel_group.command()
@opt.command
def reply(
    opponent: Annotated[
        str,
        typer.Argument(
            metavar="TREE|LENGTHS",
            help="A tree, or numbers of games by length with slashes: 1/4/7.",
        ),
    ],
    rules: Annotated[
        str | None,
        typer.Option(metavar="RULES", help="The game to reply in; needed with LENGTHS."),
    ] = None,
    begins: Begins = None,
    threads: opt.Threads = 1,
    folder: opt.Folder = None,
) -> opt.Outcome:
    """Prove the best reply to a tree or a distribution of turns: the most wins minus losses.

    LENGTHS are the numbers of games that the opponent ends at turn 1, 2, ..., also of another game.
    """
    from bullscows.strategies.duel import best_reply

    if _LENGTHS.fullmatch(opponent):
        name = "games by length"
        theirs = tuple(map(int, opponent.split("/")))
        if not rules or not any(theirs):
            raise opt.UsageError("LENGTHS need --rules and a game, for example 1/4/7 --rules p2c4n")
    elif _LENGTHS_MEANT.fullmatch(opponent):
        raise opt.UsageError(
            f"invalid LENGTHS {opponent[:40]!r}: write up to 31 numbers of games with slashes "
            "between them, for example 1/4/7"
        )
    else:
        found = opt.named_tree(opponent, folder)
        name = found.name
        theirs = found.tree.distribution
        rules = rules or str(found.tree.rules)
    game = Rules.parse(rules)
    best = best_reply(game, theirs, _TIES[begins], threads=threads)
    value = {"rules": str(game), "tree": name, "reply": _record(best)}
    title = f"best reply to {name}, turns {distribution_text(theirs)}"
    return opt.Outcome(value, [title, _line(best)])


@duel_group.command()
@opt.command
def table(
    rules: opt.RulesText = "p4c10n", begins: Begins = None, folder: opt.Folder = None
) -> opt.Outcome:
    """Compare all trees and one-step strategies of a game in exact duels, best first."""
    from bullscows.shipping.named_trees import players as players_of

    tie = _TIES[begins]
    game = str(Rules.parse(rules))
    players = players_of(game, folder or default_folder())
    rows = {
        name: {other: score(mine, theirs, tie) for other, theirs in players.items()}
        for name, mine in players.items()
    }
    order = sorted(rows, key=lambda name: -sum(score.net for score in rows[name].values()))
    standings = [
        {
            "name": name,
            "distribution": list(players[name]),
            "against": {other: _score_record(rows[name][other]) for other in order},
        }
        for name in order
    ]
    value = {"rules": game, "tie": tie, "players": standings}
    heading = f"{game}: wins minus losses in 1000 games against the player of each place"
    lines = [_standing(place, order, rows) for place in range(len(order))]
    return opt.Outcome(value, [heading, *lines])


@duel_group.command()
@opt.command
def champion(rules: opt.RulesText, begins: Begins = None, threads: opt.Threads = 1) -> opt.Outcome:
    """Prove the champion: the strategy that is a best reply to itself, so that none beats it.

    With --begins or --follows, prove one of two strategies, each a best reply to the other.
    """
    from bullscows.strategies.duel import champions, is_only_reply

    tie = _TIES[begins]
    game = str(Rules.parse(rules))
    with opt.progress_shown(f"{game} duel") as show:
        found = champions(game, "draw" if tie == "draw" else "won", threads=threads, progress=show)
        best = found.begins
        other = found.follows
        if tie == "lost":
            best, other = other, best
        mine = best.tree.distribution
        theirs = other.tree.distribution
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
    opponent = f"a best reply to turns {distribution_text(theirs)}; {alone}"
    return opt.Outcome(value, [_line(best), opponent])


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
