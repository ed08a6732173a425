"""``bullscows play``: the computer guesses, or with ``--guess`` the player."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import SystemRandom
from typing import Annotated

import typer

from bullscows.cli import options as opt
from bullscows.errors import counted
from bullscows.game.history import History, candidates, split
from bullscows.game.notation import read_answer
from bullscows.game.question import Question
from bullscows.game.rules import SYMBOLS, AnswerError, CodeError, CodeIndex, Rules
from bullscows.tree.files import TreeFile, read_record, read_tree
from bullscows.tree.storage import default_folder, tree_files

SECONDS = 1.0
"""Time limit of a search for the next guess in a game that has no tree."""


def play(
    game: Annotated[
        str,
        typer.Argument(
            metavar="RULES|TREE", help=f"{opt.RULES_HELP[:-1]}; or a tree that guesses."
        ),
    ] = "bulls-cows",
    is_player: Annotated[
        bool, typer.Option("--guess", help="You guess a code that the computer has chosen.")
    ] = False,
    folder: opt.Folder = None,
) -> None:
    """Play in the terminal: think of a code, and the computer guesses it.

    With RULES, the shipped tree with the smallest mean guesses; in a game without a tree, the guess
    that a search of a second finds. With --guess you guess a code of the computer.
    """
    found = opt.game_or_tree(game, folder)
    rules = found if isinstance(found, Rules) else found.tree.rules
    shelf = folder or default_folder()
    if is_player:
        if _guess_game(rules, SystemRandom().randrange(rules.size)):
            for line in _best_known(rules, shelf):
                typer.echo(line)
        return
    file = _best_tree(rules, shelf) if isinstance(found, Rules) else found
    if file is not None:
        tree = file.tree
        _answer_game(rules, lambda history: tree.walk([answer for _, answer in history]).guess)
        return
    from bullscows.analysis.analyst import Analyst

    analyst = Analyst.loaded()
    _answer_game(rules, lambda past: analyst.analysis(Question.of(rules, past), SECONDS).guess)


def _best_tree(rules: Rules, folder: Path) -> TreeFile | None:
    """Return the tree of a game with the smallest mean, if there is one."""
    known = [(path, read_record(path)) for path in tree_files(folder)]
    totals = [(record.total, path) for path, record in known if record.rules == str(rules)]
    return read_tree(min(totals)[1]) if totals else None


def _answer_game(rules: Rules, choose: Callable[[History], CodeIndex]) -> None:
    """Guess the player's code; `choose` is asked only if at least two candidates are left."""
    typer.echo(f"Think of a code of {rules}: {_code_words(rules)}.")
    typer.echo("Bulls are right symbols in the right place" + _cows_words(rules))
    typer.echo(f"{_help(rules).capitalize()}. u undoes an answer, q quits.")
    history = History(rules)
    while True:
        turn = len(history) + 1
        left = candidates(rules, history)
        if len(left) == 1:
            typer.echo(f"It is {rules.text(int(left[0]))}: turn {turn}.")
            return
        guess = choose(history)
        reply = _reply(f"{turn}. {rules.text(guess)}   ({len(left)} candidates)   > ")
        if reply is None:
            return
        if reply in ("u", "undo"):
            history = history.without(turn - 1)
            continue
        try:
            answer = read_answer(rules, reply)
        except AnswerError as error:
            typer.echo(f"{str(error).partition(': write')[0]}; {_help(rules)}")
            continue
        possible = [each for each, _ in split(rules, left, guess).parts]
        if answer not in possible:
            texts = " ".join(rules.answer_texts[each] for each in possible)
            typer.echo(f"no code gives {rules.answer_texts[answer]} here: possible are {texts}")
            typer.echo("If none of them fits, an earlier answer is wrong: u takes it back.")
        elif answer == rules.win:
            typer.echo(f"Found at turn {turn}.")
            return
        else:
            history = history.after(guess, answer)


def _guess_game(rules: Rules, secret: CodeIndex) -> bool:
    """Let the player guess a code; return whether the player found it."""
    typer.echo(f"I have a code of {rules}: {_code_words(rules)}.")
    typer.echo("Bulls are right symbols in the right place" + _cows_words(rules))
    typer.echo("Type your guess; q quits.")
    turn = 1
    while True:
        reply = _reply(f"{turn}. > ")
        if reply is None:
            typer.echo(f"The code was {rules.text(secret)}.")
            return False
        try:
            guess = rules.parse_code("".join(reply.split()))
        except CodeError as error:
            typer.echo(str(error))
            continue
        if guess == secret:
            typer.echo(f"{rules.text(secret)} is the code, found at turn {turn}.")
            return True
        bulls, cows = rules.answers[rules.respond(guess, secret)]
        answer = counted(bulls, "bull")
        typer.echo(f"   {answer}" if rules.bulls_only else f"   {answer}, {counted(cows, 'cow')}")
        turn += 1


def _reply(prompt: str) -> str | None:
    """Return the reply in small letters; None if the player quits or the input ends."""
    try:
        reply = input(prompt).strip().lower()
    except EOFError:
        typer.echo()  # the shell's prompt begins a line
        return None
    return None if reply in ("q", "quit", "exit") else reply


def _code_words(rules: Rules) -> str:
    """Say what a code is, for example ``4 different digits 0 to 9``."""
    kind = "digit" if rules.symbols <= 10 else "symbol"
    if rules.positions > 1 and not rules.repeats:
        kind = f"different {kind}"
    text = f"{counted(rules.positions, kind)} {SYMBOLS[0]} to {SYMBOLS[rules.symbols - 1]}"
    if rules.positions > 1 and rules.repeats:
        return f"{text}, which may repeat"
    return text if rules.leading_zero else f"{text}, the first not 0"


def _cows_words(rules: Rules) -> str:
    return "." if rules.bulls_only else ", cows in a wrong place."


def _help(rules: Rules) -> str:
    if rules.bulls_only:
        return "answer the number of bulls"
    return "answer bulls.cows, for example 1.2, 1 2 or 1b2c"


def _best_known(rules: Rules, folder: Path) -> list[str]:
    """Return a line about the mean of the best strategy, if the atlas has the game."""
    from bullscows.shipping.atlas import atlas_path, read_atlas

    try:
        entry = read_atlas(atlas_path(folder)).games.get(str(rules))
    except FileNotFoundError:  # another folder of trees
        entry = None
    if entry is None:
        return []
    if entry.status == "proved":
        return [f"The best strategy takes {entry.mean:.2f} turns on average."]
    least = entry.lower / entry.secrets
    return [
        f"The best known strategy takes {entry.mean:.2f} turns on average; none takes fewer than "
        f"{least:.2f}."
    ]
