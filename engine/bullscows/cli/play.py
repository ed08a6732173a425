"""``bullscows play``: the computer guesses, or with ``--guess`` the player."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import SystemRandom
from typing import Annotated, TypeAlias

import typer

from bullscows.cli import options as opt
from bullscows.errors import counted
from bullscows.game.history import History, candidates, split
from bullscows.game.notation import read_answer
from bullscows.game.question import Question
from bullscows.game.rules import SYMBOLS, AnswerError, CodeError, CodeIndex, Rules
from bullscows.tree.files import TreeFile, read_record, read_tree
from bullscows.tree.storage import default_folder, tree_files
from bullscows.tree.strategy_tree import StrategyTree

Guesser: TypeAlias = Callable[[History], CodeIndex]
"""Returns the next guess of a strategy; it is asked only if at least two candidates are left."""

Ask: TypeAlias = Callable[[str], str]
"""Shows a prompt and returns the reply; raises `EOFError` at the end of the input."""

Say: TypeAlias = Callable[[str], None]
"""Shows a line."""

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
    if is_player:
        secret = SystemRandom().randrange(rules.size)
        turns = guess_game(rules, secret, input, typer.echo)
        for line in [] if turns is None else _best_known(rules, folder or default_folder()):
            typer.echo(line)
        return
    tree = _best_tree(rules, folder or default_folder()) if isinstance(found, Rules) else found
    guesser = searching(rules) if tree is None else following(tree.tree)
    answer_game(rules, guesser, input, typer.echo)


def following(tree: StrategyTree) -> Guesser:
    """Return the guesses of a tree."""
    return lambda history: tree.walk([answer for _, answer in history]).guess


def searching(rules: Rules) -> Guesser:
    """Return the guesses that a search finds, or a one-step rule if the position is too large."""
    from bullscows.analysis.analyst import Analyst

    analyst = Analyst.loaded()
    return lambda history: analyst.analysis(Question.of(rules, history), SECONDS).guess


def _best_tree(rules: Rules, folder: Path) -> TreeFile | None:
    """Return the tree of a game with the smallest mean, if there is one."""
    known = [(path, read_record(path)) for path in tree_files(folder)]
    totals = [(record.total, path) for path, record in known if record.rules == str(rules)]
    return read_tree(min(totals)[1]) if totals else None


def answer_game(rules: Rules, guesser: Guesser, ask: Ask, say: Say) -> int | None:
    """Guess the player's code; return the number of turns, or None if the player quits."""
    say(f"Think of a code of {rules}: {_code_words(rules)}.")
    say("Bulls are right symbols in the right place" + _cows_words(rules))
    say(f"{_help(rules).capitalize()}. u undoes an answer, q quits.")
    history = History(rules)
    while True:
        turn = len(history) + 1
        left = candidates(rules, history)
        if len(left) == 1:
            say(f"It is {rules.text(int(left[0]))}: turn {turn}.")
            return turn
        guess = guesser(history)
        reply = _reply(ask, f"{turn}. {rules.text(guess)}   ({len(left)} candidates)   > ")
        if reply is None:
            return None
        if reply in ("u", "undo"):
            history = history.without(turn - 1)
            continue
        try:
            answer = read_answer(rules, reply)
        except AnswerError as error:
            say(f"{str(error).partition(': write')[0]}; {_help(rules)}")
            continue
        possible = [each for each, _ in split(rules, left, guess).parts]
        if answer not in possible:
            texts = " ".join(rules.answer_texts[each] for each in possible)
            say(f"no code gives {rules.answer_texts[answer]} here: possible are {texts}")
            say("If none of them fits, an earlier answer is wrong: u takes it back.")
        elif answer == rules.win:
            say(f"Found at turn {turn}.")
            return turn
        else:
            history = history.after(guess, answer)


def guess_game(rules: Rules, secret: CodeIndex, ask: Ask, say: Say) -> int | None:
    """Let the player guess a code; return the number of turns, or None if the player quits."""
    say(f"I have a code of {rules}: {_code_words(rules)}.")
    say("Bulls are right symbols in the right place" + _cows_words(rules))
    say("Type your guess; q quits.")
    turn = 1
    while True:
        reply = _reply(ask, f"{turn}. > ")
        if reply is None:
            say(f"The code was {rules.text(secret)}.")
            return None
        try:
            guess = rules.parse_code("".join(reply.split()))
        except CodeError as error:
            say(str(error))
            continue
        if guess == secret:
            say(f"{rules.text(secret)} is the code, found at turn {turn}.")
            return turn
        bulls, cows = rules.answers[rules.respond(guess, secret)]
        answer = counted(bulls, "bull")
        say(f"   {answer}" if rules.bulls_only else f"   {answer}, {counted(cows, 'cow')}")
        turn += 1


def _reply(ask: Ask, prompt: str) -> str | None:
    """Return the reply in small letters; None if the player quits or the input ends."""
    try:
        reply = ask(prompt).strip().lower()
    except EOFError:
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
