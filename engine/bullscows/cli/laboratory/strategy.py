"""``bullscows strategy``: a named strategy against every secret, from the start or a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bullscows.cli.options import AsJson, NextGuess, RulesText, Turns, emit
from bullscows.game.cost import turns_in_all, turns_text
from bullscows.game.history import History
from bullscows.game.rules import AnswerIndex, Rules
from bullscows.tree.strategy_tree import StrategyTree

if TYPE_CHECKING:
    from bullscows.strategies.rules.random_candidate import ExpectedLengths


def strategy(
    rules: RulesText,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="A rule, a hybrid, possibles-only, random-candidate, kwb-5, ..."
        ),
    ],
    guess: NextGuess = None,
    history: Turns = "",
    as_json: AsJson = False,
) -> None:
    """Play a strategy against every secret and count its turns, also by the next answer.

    Turns are counted from the start of the game, also after a history.  Of random-candidate, which
    draws its guesses, the expected turns are computed, as exact fractions.
    """
    from bullscows.build.strategies import RANDOM_CANDIDATE, expected_lengths, strategy_tree

    game = Rules.parse(rules)
    played = History.of(game, history)
    value: dict[str, Any] = {
        "rules": str(game),
        "strategy": name,
        "guess": guess,
        "history": list(played.texts),
    }
    if name == RANDOM_CANDIDATE:
        lengths = expected_lengths(game, history=played, first=guess)
        value |= _expected(game, lengths)
        total = f"{value['total_float']:.3f} turns expected"
        turns = "/".join(f"{turn:.3f}" for turn in value["distribution_float"])
        by_answer = {answer: f"{number:.3f}" for answer, number in value["by_answer_float"].items()}
    else:
        tree = strategy_tree(game, name, history=played, first=guess)
        value |= _counted(tree)
        total, turns = f"total {tree.total}", turns_text(tree.distribution)
        by_answer = {answer: str(number) for answer, number in value["by_answer"].items()}
    lines = [f"{name} on {game}: {total}, turns {turns}"]
    lines += [f"  after {answer}: {number}" for answer, number in by_answer.items()]
    emit(value, lines, as_json)


def _counted(tree: StrategyTree) -> dict[str, Any]:
    secrets = tree.root.size
    return {
        "guess": tree.rules.text(tree.root.guess),
        "secrets": secrets,
        "total": tree.total,
        "mean": round(tree.total / secrets, 6),
        "depth": tree.depth,
        "distribution": list(tree.distribution),
        "nodes": len(tree),
        "by_answer": _named(tree.rules, totals_by_answer(tree)),
    }


def _expected(rules: Rules, lengths: ExpectedLengths) -> dict[str, Any]:
    """Return expected lengths: exactly, as texts of fractions, and as the nearest numbers."""
    by_answer = _named(rules, lengths.by_answer)
    return {
        "secrets": lengths.secrets,
        "total": str(lengths.total),
        "total_float": float(lengths.total),
        "mean": round(float(lengths.total / lengths.secrets), 6),
        "depth": len(lengths.turns),
        "distribution": [str(found) for found in lengths.turns],
        "distribution_float": [float(found) for found in lengths.turns],
        "by_answer": {answer: str(total) for answer, total in by_answer.items()},
        "by_answer_float": {answer: float(total) for answer, total in by_answer.items()},
    }


def totals_by_answer(tree: StrategyTree) -> dict[AnswerIndex, int]:
    """Return the turns over the secrets that give each answer to the first guess of a tree."""
    root = tree.root
    totals = {
        answer: turns_in_all(tree.distribution_at(tree.nodes[child]))
        for answer, child in root.children.items()
    }
    if root.is_candidate_guess:
        totals[tree.rules.win] = root.turn
    return totals


def _named(rules: Rules, totals: Mapping[AnswerIndex, Any]) -> dict[str, Any]:
    return {str(rules.answers[answer]): totals[answer] for answer in sorted(totals)}
