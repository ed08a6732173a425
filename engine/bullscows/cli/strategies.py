"""Commands on strategies and guesses: strategy, classes, pareto, nonadaptive."""

from __future__ import annotations

import time
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bullscows.cli import options as opt
from bullscows.errors import counted
from bullscows.game.cycles import cycles_of, diagram
from bullscows.game.notation import read_history
from bullscows.game.objective import distribution_text
from bullscows.game.question import Question
from bullscows.game.result import costs_text
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules
from bullscows.game.symmetry import equivalence_classes
from bullscows.tree.files import TreeRecord, write_tree
from bullscows.tree.strategy_tree import StrategyTree

if TYPE_CHECKING:
    from bullscows.search.pareto import ParetoSearch, Point
    from bullscows.strategies.random_candidate import ExpectedLengths

# -- strategy --------------------------------------------------------------------------------------


@opt.command
def strategy(
    rules: opt.RulesText,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="A rule, a hybrid, possibles-only, random-candidate, kwb-5, ..."
        ),
    ],
    guess: opt.NextGuess = None,
    history: opt.Turns = "",
) -> opt.Outcome:
    """Play a strategy against every secret and count its turns, also by the next answer.

    Turns are counted from the start of the game, also after a history. random-candidate chooses
    its guesses at random, so its expected turns are computed as exact fractions.
    """
    from bullscows.shipping.named_trees import RANDOM_CANDIDATE, expected_lengths, strategy_tree

    game = Rules.parse(rules)
    played = read_history(game, history)
    asked = {"rules": str(game), "strategy": name, "guess": guess, "history": list(played.texts)}
    if name == RANDOM_CANDIDATE:
        record = _expected(game, expected_lengths(game, history=played, first=guess))
        shown = [f"{record['total_float']:.3f} turns expected"]
        shown += ["/".join(f"{count:.3f}" for count in record["distribution_float"])]
        by_answer = {answer: f"{total:.3f}" for answer, total in record["by_answer_float"].items()}
    else:
        record = _counted(strategy_tree(game, name, history=played, first=guess))
        shown = [f"total {record['total']}", distribution_text(record["distribution"])]
        by_answer = record["by_answer"]
    lines = [f"{name} on {game}: {shown[0]}, found at turn 1/2/...: {shown[1]}"]
    lines += [f"  after {answer}: {total}" for answer, total in by_answer.items()]
    return opt.Outcome(asked | record, lines)


def _counted(tree: StrategyTree) -> dict[str, Any]:
    root = tree.root
    totals = {answer: tree.nodes.totals.item(child) for answer, child in root.children.items()}
    if root.is_candidate_guess:
        totals[tree.rules.win] = root.turn
    return {
        "guess": tree.rules.text(root.guess),
        **_means(root.size, tree.total),
        "total": tree.total,
        "depth": tree.depth,
        "distribution": list(tree.distribution),
        "nodes": len(tree),
        "by_answer": _named(tree.rules, totals),
    }


def _expected(rules: Rules, lengths: ExpectedLengths) -> dict[str, Any]:
    """Return expected turns as fractions and as floats."""
    by_answer = _named(rules, lengths.by_answer)
    return {
        **_means(lengths.secrets, lengths.total),
        "depth": len(lengths.turns),
        "total": str(lengths.total),
        "total_float": float(lengths.total),
        "distribution": list(map(str, lengths.turns)),
        "distribution_float": list(map(float, lengths.turns)),
        "by_answer": {answer: str(total) for answer, total in by_answer.items()},
        "by_answer_float": {answer: float(total) for answer, total in by_answer.items()},
    }


def _means(secrets: int, total: Fraction | int) -> dict[str, Any]:
    return {"secrets": secrets, "mean": round(float(total / secrets), 6)}


def _named(rules: Rules, totals: Mapping[AnswerIndex, Any]) -> dict[str, Any]:
    return {str(rules.answers[answer]): totals[answer] for answer in sorted(totals)}


# -- classes ---------------------------------------------------------------------------------------


@opt.command
def classes(
    rules: opt.RulesText,
    history: Annotated[
        str,
        typer.Option(
            metavar="TURNS",
            help='Guesses so far, for example "0123 1245", or turns: "0123:0.1".',
        ),
    ] = "",
    cycles: Annotated[
        bool, typer.Option("--cycles", help="Show how each permutes the symbols of the one guess.")
    ] = False,
) -> opt.Outcome:
    """List the equivalence classes of guesses (Slovesnov, 2.3 and 2.4).

    With answers, guesses that got the same answer may be exchanged as well (2.6.3). The list omits
    the guesses so far, as the paper does.
    """
    game = Rules.parse(rules)
    guesses, answers = _read_guesses(game, history)
    if cycles and len(guesses) != 1:
        raise opt.UsageError(f"--cycles needs one guess in --history, not {len(guesses)}")
    found = equivalence_classes(game, guesses, answers=answers)
    rows = []
    lines = []
    for guess, size in zip(found.representatives.tolist(), found.sizes.tolist(), strict=True):
        if guess not in guesses:
            shown: dict[str, Any] = {}
            if cycles:
                followed = cycles_of(game, guesses[0], guess)
                places = [{"places": cycle.places, "open": cycle.is_open} for cycle in followed]
                shown = {"diagram": diagram(followed), "cycles": places}
            rows.append({"guess": game.text(guess), "size": size, **shown})
            lines.append(f"{game.text(guess)} {size} {shown.get('diagram', '')}".rstrip())
    known = {"rules": str(game), "history": history.split()}
    number = counted(len(rows), "class", "classes")
    title = f"{number} of equivalent guesses: a guess of each, and how many it has"
    return opt.Outcome({**known, "count": len(rows), "classes": rows}, [title, *lines])


def _read_guesses(game: Rules, text: str) -> tuple[tuple[CodeIndex, ...], list[AnswerIndex] | None]:
    """Read the guesses and, if given, their answers."""
    if ":" not in text:
        return tuple(game.numbers(text)), None
    history = Question.of(game, read_history(game, text)).consistent().history
    return history.guesses, [answer for _, answer in history]


# -- pareto ----------------------------------------------------------------------------------------


@opt.command
def pareto(
    rules: opt.RulesText,
    objective: Annotated[
        str, typer.Option(metavar="NAMES", help="Two criteria with a comma.")
    ] = "average,last",
    max_turns: opt.MaxTurns = None,
    trees: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write a tree file for each point to this folder."),
    ] = None,
) -> opt.Outcome:
    """Prove the Pareto front of two criteria: the costs that no strategy improves in both.

    The exit code is 1 if no strategy finds every secret in time.
    """
    from bullscows.search.pareto import ParetoSearch

    game = Rules.parse(rules)
    with opt.progress_shown(f"{game} {objective}") as show:
        search = ParetoSearch.of(game, objective, max_turns=max_turns, progress=show)
        points = search.front()
        if trees is not None:
            _write_trees(trees, search, points)
    asked = {"rules": str(game), "objective": objective, "max_turns": max_turns}
    record = asked | {"points": list(map(list, points))}
    if not points:
        line = "no strategy finds every secret in time: proven"
        return opt.Outcome(record, [line], opt.CLAIM_FAILS)
    names = ["total" if name == "average" else name for name in objective.split(",")]
    costs = (dict(zip(names, point, strict=True)) for point in points)
    return opt.Outcome(record, [costs_text(each, game.size) for each in costs])


def _write_trees(folder: Path, search: ParetoSearch, points: tuple[Point, ...]) -> None:
    """Write ``pareto-RULES-FIRST-SECOND.json`` for each point.

    Such a tree is the best in neither criterion, so its file claims nothing: what it is worth, the
    front says.
    """
    for point, tree in search.trees(points).items():
        name = f"pareto-{point.first}-{point.second}"
        record = TreeRecord.of(tree, objective=name)
        folder.mkdir(parents=True, exist_ok=True)
        write_tree(folder / f"pareto-{tree.rules}-{point.first}-{point.second}.json", record)


# -- nonadaptive -----------------------------------------------------------------------------------


@opt.command
def nonadaptive(
    rules: opt.RulesText,
    time_limit: Annotated[float, typer.Option(min=0, metavar="S", help="Limit in seconds.")] = 60,
) -> opt.Outcome:
    """Find the smallest set of guesses whose answers identify every code.

    All guesses are made before any answer; one more guess names the code. After the time limit or
    Ctrl-C the best set found is printed with the proven lower bound. The exit code is 3 if the
    set is not proved smallest.
    """
    from bullscows.strategies.nonadaptive import nonadaptive_set

    started = time.monotonic()
    with opt.progress_shown(f"{rules} nonadaptive") as show:
        found = nonadaptive_set(rules, timer=opt.timer(time_limit), progress=show)
    size = len(found.guesses)
    seconds = round(time.monotonic() - started, 3)
    record = {"rules": str(found.rules), "guesses": found.texts, "size": size}
    record |= {"lower": found.lower, "proved": found.proved}
    record |= {"searched": found.searched, "seconds": seconds}
    needed = f"at least {found.lower} are needed, so this is not proven smallest"
    proof = "proven smallest" if found.proved else needed
    verb = "identifies" if size == 1 else "identify"
    codes = "the only code" if found.rules.size == 1 else f"all {found.rules.size} codes"
    lines = [
        f"{found.rules}: {counted(size, 'guess', 'guesses')} {verb} {codes}; {proof}",
        *([" ".join(found.texts)] if size else []),
    ]
    if found.searched:
        lines.append(
            f"{counted(found.searched, 'set')} of all but two guesses searched, {seconds:.1f} s"
        )
    unproved = opt.INTERRUPTED if found.interrupted else opt.UNPROVED
    return opt.Outcome(record, lines, opt.DONE if found.proved else unproved)
