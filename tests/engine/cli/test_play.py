"""Games in the terminal, in which either side guesses."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bullscows.cli.main import commands
from bullscows.cli.play import answer_game, following, guess_game, searching
from bullscows.game.rules import Rules
from bullscows.tree.files import write_tree
from bullscows.tree.strategy_tree import StrategyTree
from tests.engine.tree.test_codec import first_splitting
from tests.engine.tree.test_files import RECORD

pytestmark = pytest.mark.large

RULES = Rules.parse("p3c6n")
TREE = first_splitting(RULES)


class Player:
    """Types replies in turn, then ends the input; keeps what is shown."""

    def __init__(self, *replies: str) -> None:
        self._replies = iter(replies)
        self.shown: list[str] = []

    def ask(self, prompt: str) -> str:
        self.shown.append(prompt)
        for reply in self._replies:
            return reply
        raise EOFError

    def say(self, line: str) -> None:
        self.shown.append(line)

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


def answering(*replies: str, tree: StrategyTree = TREE) -> tuple[int | None, str]:
    player = Player(*replies)
    turns = answer_game(tree.rules, following(tree), player.ask, player.say)
    return turns, player.text


def guessing(*replies: str, rules: Rules = RULES, secret: str = "524") -> tuple[int | None, str]:
    player = Player(*replies)
    return guess_game(rules, rules.parse_code(secret), player.ask, player.say), player.text


def replies_for(secret: int) -> Iterator[tuple[int, int]]:
    for node in TREE.play(secret):
        yield RULES.answers[RULES.respond(node.guess, secret)]


@pytest.mark.parametrize(
    "form", ["{}.{}", "{}{}", "{} {}", "{},{}", "{}b{}c", "{}B{}C", "{} b {} c"]
)
@pytest.mark.parametrize("before", [[], ["u", "0.0", "u"]])
def test_every_secret_is_found_at_its_turn(form: str, before: list[str]) -> None:
    for secret in range(RULES.size):
        replies = [form.format(*answer) for answer in replies_for(secret)]
        assert answering(*before, *replies)[0] == len(TREE.play(secret))
    assert answering(*before)[0] is answering(*before, "q")[0] is None


def test_impossible_and_unreadable_answers_are_explained() -> None:
    _, text = answering("2.1", "x", "0.3", "1.2", "0.0", "0.0")
    assert "impossible answer 2.1" in text
    assert "invalid answer 'x'; answer bulls.cows" in text
    assert "no code gives" in text
    _, bulls = answering("x", "4", tree=first_splitting(Rules.parse("p3c4rb")))
    assert "invalid answer 'x'; answer the number of bulls" in bulls


@pytest.mark.parametrize("game", ["p2c4n", "p2c3rb"])
def test_a_game_without_a_tree_is_searched(game: str) -> None:
    rules = Rules.parse(game)
    for secret in range(rules.size):
        shown: list[str] = []

        def ask(prompt: str, secret: int = secret) -> str:
            guess = rules.parse_code(prompt.split()[1])
            return rules.answer_texts[rules.respond(guess, secret)]

        turns = answer_game(rules, searching(rules), ask, shown.append)
        assert shown[-1] in (
            f"It is {rules.text(secret)}: turn {turns}.",
            f"Found at turn {turns}.",
        )


def test_the_player_guesses_until_the_code_is_found() -> None:
    turns, text = guessing("0 1 2", "012", "524")
    assert turns == 3
    assert text.count("   0 bulls, 1 cow\n") == 2
    assert text.endswith("3. > \n524 is the code, found at turn 3.")
    turns, bulls = guessing("000", "112", rules=Rules.parse("p3c6rb"), secret="112")
    assert turns == 2
    assert "   0 bulls\n" in bulls


def test_what_is_no_guess_takes_no_turn() -> None:
    turns, text = guessing("5 5 2", "52", "", "52x", "524")
    assert turns == 1
    assert "symbols may not repeat in p3c6n" in text
    assert text.count("a code of p3c6n has 3 symbols") == 2
    assert "invalid symbol 'x'" in text


@pytest.mark.parametrize("replies", [[], ["012", "q"]])
def test_a_player_who_gives_up_is_told_the_code(replies: list[str]) -> None:
    turns, text = guessing(*replies)
    assert turns is None
    assert text.endswith("The code was 524.")


def run(*words: str, stdin: str = "") -> Result:
    return CliRunner().invoke(commands, ["play", *words], input=stdin)


@pytest.mark.parametrize(
    ("game", "shown"),
    [
        ((), "p4c10n: 4 different digits 0 to 9.\n"),
        (("bulls-cows",), "p4c10n: 4 different digits 0 to 9.\n"),
        (("p4c10z",), "p4c10z: 4 different digits 0 to 9, the first not 0.\n"),
        (("mastermind",), "p4c6r: 4 digits 0 to 5, which may repeat.\n"),
        (("super-mastermind",), "p5c8r: 5 digits 0 to 7, which may repeat.\n"),
        (("P4C6R",), "p4c6r: "),
        (("crush-mastermind",), "p4c6r: "),
        (("p2c12n",), "p2c12n: 2 different symbols 0 to b.\n"),
    ],
)
def test_games_are_named_by_rules_aliases_and_trees(game: tuple[str, ...], shown: str) -> None:
    done = run(*game, stdin="q\n")
    assert done.exit_code == 0
    assert f"Think of a code of {shown}" in done.stdout
    assert re.search(r"^1\. \w+ ", done.stdout, re.MULTILINE)
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert f"I have a code of {shown}" in run(*game, "--guess", stdin="q\n").stdout


def test_of_the_trees_of_a_game_the_one_with_the_least_mean_guesses() -> None:
    assert "1. 0012 " in run("mastermind", stdin="q\n").stdout
    assert "1. 0123 " in run("larmouth-rule-mastermind", stdin="q\n").stdout


def test_the_best_mean_is_told_at_the_end(tmp_path: Path) -> None:
    guesses = "".join(f"{code}\n" for code in range(4))
    done = run("p1c4r", "--guess", stdin=guesses)
    assert done.stdout.endswith("\nThe best strategy takes 2.50 turns on average.\n")
    write_tree(tmp_path / "small.json", RECORD)  # in a folder without an atlas
    done = run("p1c4r", "--guess", "--trees", str(tmp_path), stdin=guesses)
    assert re.search(r"\n.+ \d is the code, found at turn [1-4]\.\n$", done.stdout)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("mastermnd", "mastermind"), ("Bulls-Cow", "bulls-cows"), ("crush-mastermnd", "crush-master")],
)
def test_a_misspelt_game_names_the_closest(name: str, meant: str) -> None:
    done = run(name)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"did you mean {meant}" in done.stderr
