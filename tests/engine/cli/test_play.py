"""Games in the terminal, in which either side guesses."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner, Result

from bullscows.cli import play
from bullscows.cli.main import commands
from bullscows.game.rules import Rules
from bullscows.tree.files import TreeRecord, write_tree
from tests.engine.tree.test_codec import first_splitting

pytestmark = pytest.mark.large

RULES = Rules.parse("p2c4n")
RECORD = TreeRecord.of(first_splitting(RULES), objective="x", max_turns=None, proof="heuristic")


def run(*words: str, stdin: str = "") -> Result:
    return CliRunner().invoke(commands, ["play", *words], input=stdin)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    write_tree(tmp_path / "small.json", RECORD)
    return tmp_path


@pytest.mark.parametrize("form", ["{}.{}", "{}{}", "{} {}", "{},{}", "{}b{}c", "{} b {} c"])
@pytest.mark.parametrize("before", ["", "u\n0.0\nu\n"])
def test_every_secret_is_found_at_its_turn(shelf: Path, form: str, before: str) -> None:
    tree = first_splitting(RULES)
    for secret in range(RULES.size):
        answers = (RULES.answers[RULES.respond(one.guess, secret)] for one in tree.play(secret))
        typed = before + "".join(form.format(*answer) + "\n" for answer in answers)
        done = run("p2c4n", "--trees", str(shelf), stdin=typed)
        turns = len(tree.play(secret))
        found = f"It is {RULES.text(secret)}: turn {turns}.", f"Found at turn {turns}."
        assert done.stdout.endswith(tuple(f"{line}\n" for line in found))


def test_impossible_and_unreadable_answers_are_explained() -> None:
    text = run("p3c6n", stdin="2.1\nx\n0.3\n1.2\n0.0\n0.0\n").stdout
    assert "impossible answer 2.1" in text
    assert "invalid answer 'x'; answer bulls.cows" in text
    assert "no code gives" in text
    assert "invalid answer 'x'; answer the number of bulls" in run("p3c6rb", stdin="x\n4\n").stdout


def test_the_end_of_the_input_ends_the_line_of_the_prompt() -> None:
    assert run("p2c5n").stdout.endswith("> \n")


@pytest.mark.parametrize(
    ("game", "typed", "found"), [("p2c5n", "0.0\n0.1\n2.0\n", 3), ("p2c3rb", "0\n1\n2\n", 3)]
)
def test_a_game_without_a_tree_is_searched(shelf: Path, game: str, typed: str, found: int) -> None:
    done = run(game, "--trees", str(shelf), stdin=typed)
    assert done.stdout.endswith(f"Found at turn {found}.\n"), done.stdout


def guessing(game: str, secret: str, *typed: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Guess a secret that the computer draws; return what is printed."""
    drawn = SimpleNamespace(randrange=lambda _: Rules.parse(game).parse_code(secret))
    monkeypatch.setattr(play, "SystemRandom", lambda: drawn)
    return run(game, "--guess", stdin="".join(f"{line}\n" for line in typed)).stdout


@pytest.mark.parametrize(
    ("game", "typed", "shown"),
    [
        (
            "p3c6n",
            ["0 1 2", "012", "524"],
            "2. >    0 bulls, 1 cow\n3. > 524 is the code, found ",
        ),
        ("p3c6rb", ["000", "524"], "1. >    0 bulls\n2. > 524 is the code, found at turn 2.\n"),
        ("p3c6n", ["5 5 2", "524"], "symbols may not repeat in p3c6n\n1. > 524 is the code, found"),
        ("p3c6n", ["52"], "a code of p3c6n has 3 symbols"),
        ("p3c6n", [""], "a code of p3c6n has 3 symbols"),
        ("p3c6n", ["52x"], "invalid symbol 'x'"),
        ("p3c6n", [], "1. > \nThe code was 524.\n"),
        ("p3c6n", ["012", "q"], "2. > The code was 524.\n"),
    ],
)
def test_the_player_guesses_until_the_code_is_found(game, typed, shown, monkeypatch):
    assert shown in guessing(game, "524", *typed, monkeypatch=monkeypatch)


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


def test_the_best_mean_is_told_at_the_end(shelf: Path) -> None:
    guesses = "".join(f"{code}\n" for code in range(4))
    done = run("p1c4r", "--guess", stdin=guesses)
    assert done.stdout.endswith("\nThe best strategy takes 2.50 turns on average.\n")
    done = run("p1c4r", "--guess", "--trees", str(shelf), stdin=guesses)  # without an atlas
    assert re.search(r"\d is the code, found at turn [1-4]\.\n$", done.stdout)
