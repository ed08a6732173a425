"""``bullscows play``: a game at the terminal; the computer guesses, a person answers.

The loop talks through two functions, so that it can be played by a test as well as by a person.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from bullscows.cli.options import Folder, named_tree
from bullscows.game.rules import AnswerError
from bullscows.tree.nodes import Node
from bullscows.tree.strategy_tree import StrategyTree

HELP = "answer bulls.cows as in 1.2 (or 12), u takes back the last answer, q ends the game"


def play(
    tree: Annotated[str, typer.Argument(metavar="[TREE]")] = "avg-bulls-cows",
    folder: Folder = None,
) -> None:
    """Think of a code and let a tree guess it, at the terminal."""
    found = named_tree(tree, folder)
    play_game(found.tree, input, typer.echo)


def play_game(
    tree: StrategyTree, ask: Callable[[str], str], say: Callable[[str], None]
) -> int | None:
    """Play one game; return the number of turns, or None if the person ends it before.

    Parameters
    ----------
    tree
        What guesses.
    ask
        Shows a prompt and returns the reply; raises `EOFError` when there are no more.
    say
        Shows a line.
    """
    say(f"Think of a code of {tree.rules}. {HELP[0].upper()}{HELP[1:]}.")
    node = tree.root
    while True:
        if node.size == 1:
            say(f"It is {tree.rules.text(node.guess)}: turn {node.turn}.")
            return node.turn
        try:
            reply = ask(_prompt(tree, node)).strip().lower()
        except EOFError:
            return None
        if reply in ("q", "quit", "exit"):
            return None
        if reply in ("u", "undo"):
            node = tree.nodes[node.parent] if node.parent is not None else node
            continue
        following = _answer(tree, node, reply, say)
        if following is None:
            continue
        if following == node:
            say(f"Found at turn {node.turn}.")
            return node.turn
        node = following


def _prompt(tree: StrategyTree, node: Node) -> str:
    guess, left = tree.rules.text(node.guess), node.size
    return f"{node.turn}. {guess}   ({left} candidates)   > "


def _answer(tree: StrategyTree, node: Node, reply: str, say: Callable[[str], None]) -> Node | None:
    """Return the node after the reply; the same node when it wins, None when it can't be."""
    rules = tree.rules
    text = f"{reply[0]}.{reply[1]}" if len(reply) == 2 and reply.isdigit() else reply
    try:
        answer = rules.parse_answer(text)
    except AnswerError as error:
        say(f"{error}; {HELP}")
        return None
    if answer == rules.win and node.is_candidate_guess:
        return node
    if answer in node.children:
        return tree.nodes[node.children[answer]]
    possible = " ".join(str(rules.answers[a]) for a in node.children)
    say(
        f"no code gives {text} here after your other answers; possible are {possible}. "
        "If none of them fits, an earlier answer is wrong: u takes it back"
    )
    return None
