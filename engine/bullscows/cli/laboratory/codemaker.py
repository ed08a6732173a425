"""``bullscows adversary``: honest answers without a secret, for the longest game there is."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from bullscows.cli.options import UNPROVED, AsJson, Folder, TimeLimit, Turns, emit
from bullscows.game.question import Question
from bullscows.game.rules import Rules, RulesError
from bullscows.tree.files import read_tree
from bullscows.tree.storage import default_folder, tree_path

_RULES_MEANT = re.compile(r"p[0-9]|number:", re.IGNORECASE)
"""How a text begins that is meant to be rules, not a tree's name."""


def adversary(
    game: Annotated[
        str, typer.Argument(metavar="RULES|TREE", help="A game, or a tree that guesses.")
    ],
    guess: Annotated[str | None, typer.Option(help="Answer this guess.")] = None,
    history: Turns = "",
    time_limit: TimeLimit = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Answer without a fixed secret, so that the game lasts as long as it can.

    Of rules: how long it can last from a position on, and with --guess the answer that keeps it
    longest.  Of a tree: the longest game that it plays.  Remoteness is the number of guesses that
    the best strategy still needs at worst.
    """
    try:
        rules = Rules.parse(game)
    except RulesError:
        if _RULES_MEANT.match(game):
            raise
        if guess is not None or history:
            raise typer.BadParameter(
                f"{game[:40]!r} is no game, and a tree chooses its guesses itself: "
                "leave out --guess and --history"
            ) from None
        value, lines = _against(game, folder or default_folder())
    else:
        value, lines = _anywhere(rules, guess, history, time_limit)
    emit(value, lines, as_json)
    if not _is_proved(value):
        raise typer.Exit(UNPROVED)


def _anywhere(
    rules: Rules, guess: str | None, history: str, seconds: float | None
) -> tuple[dict[str, Any], list[str]]:
    from bullscows.analysis.adversary import Adversary
    from bullscows.analysis.analyst import Analyst

    question = Question.of(rules, history)
    code = None if guess is None else rules.parse_code(guess)
    analyst = Analyst(sys.maxsize)
    analyst.load(())
    maker = Adversary(analyst)
    last = maker.last_turn(question, seconds)
    value: dict[str, Any] = {
        "rules": str(rules),
        "history": list(question.history.texts),
        "candidates": len(question.candidates),
        "last_turn": last,
        "remoteness": _remoteness(last, question.turn),
    }
    lines = [f"{rules}, turn {question.turn}: {_words(last, question.turn)}"]
    if code is not None:
        reply = maker.reply(question, code, seconds)
        answer = str(rules.answers[reply.answer])
        after = reply.last_turn
        value["reply"] = {
            "guess": guess,
            "answer": answer,
            "remaining": reply.remaining,
            "last_turn": after,
            "remoteness": _remoteness(after, question.turn + 1),
            "method": reply.method,
        }
        how = "" if reply.method == "remoteness" else "; not proved: the answer that leaves most"
        lines.append(
            f"{guess}: {answer}, {reply.remaining} left, {_words(after, question.turn + 1)}{how}"
        )
    return value, lines


def _is_proved(value: dict[str, Any]) -> bool:
    """Return whether every turn in a result is proved."""
    method = value.get("reply", {}).get("method", "remoteness")
    return "tree" in value or (value["last_turn"] is not None and method == "remoteness")


def _remoteness(last: int | None, turn: int) -> int | None:
    """Return how many guesses are still needed at worst, `turn` being the next."""
    return None if last is None else last - turn + 1


def _words(last: int | None, turn: int) -> str:
    if last is None:
        return "remoteness not proved in time"
    return f"remoteness {_remoteness(last, turn)}, the last guess at turn {last}"


def _against(name: str, shelf: Path) -> tuple[dict[str, Any], list[str]]:
    from bullscows.analysis.adversary import longest_game

    file = read_tree(tree_path(name, shelf))
    rules = file.tree.rules
    game = [
        {
            "guess": rules.text(guess),
            "answer": str(rules.answers[answer]),
            "candidates": node.size,
        }
        for node, (guess, answer) in longest_game(file.tree)
    ]
    value = {"tree": file.name, "rules": str(rules), "depth": file.tree.depth, "game": game}
    lines = [f"{file.name}: a longest game takes {file.tree.depth} turns"]
    lines += [f"  {turn['guess']} {turn['answer']} of {turn['candidates']}" for turn in game]
    return value, lines
