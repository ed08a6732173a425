"""The command line: exit codes, JSON and sentences.

Tests that depend on a separate process start one; all others run here, without starting Python and
loading numba each time.
"""

import json
import os
import re
import resource
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bullscows import __version__
from bullscows.analysis.analyst import analyse
from bullscows.cli.main import commands
from bullscows.game import response_table
from bullscows.game.history import History, candidates
from bullscows.game.rules import Rules
from bullscows.search import position_search
from bullscows.shipping.catalogue import CATALOGUE
from bullscows.strategies import nonadaptive
from bullscows.strategies.nonadaptive import NonadaptiveSet
from bullscows.tree import files
from bullscows.tree.codec import decode
from bullscows.tree.files import read_tree
from bullscows.tree.storage import proof_path
from tests.engine.tree.test_codec import first_splitting
from tests.engine.tree.test_files import RECORD
from tests.support.servers.processes import run_bullscows

pytestmark = pytest.mark.large


def start(*words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return run_bullscows(*words, input=stdin, env=os.environ | environment)


def run(*words: str, typed: str = "") -> Result:
    """Run a command in this process; whatever it does not turn into a sentence is raised."""
    done = CliRunner().invoke(commands, words, input=typed)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def run_json(*words: str, code: int = 0) -> dict[str, Any]:
    done = run(*words, "--json")
    assert done.exit_code == code, done.stderr
    value = json.loads(done.stdout)
    assert isinstance(value, dict)
    return value


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    files.write_tree(tmp_path / "small.json", RECORD)
    return tmp_path


@pytest.mark.process
def test_serve_without_the_web_extra_names_it(tmp_path: Path) -> None:
    (tmp_path / "uvicorn.py").write_text("raise ModuleNotFoundError(name='uvicorn')\n")
    done = start("serve", "--port", "0", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert "pip install 'bullscows[web]'" in done.stderr
    assert start("--version").stdout == f"bullscows {__version__}\n"


def test_verify_states_all_figures(shelf: Path) -> None:
    row = run_json("verify", str(shelf / "small.json"))
    assert row["ok"]
    assert (row["name"], row["total"], row["sha256"]) == ("small", RECORD.total, RECORD.sha256)
    assert row["digest"] == RECORD.digest
    assert row["bytes"] == len(RECORD.string)
    assert row["secrets"] == sum(row["distribution"]) == 16
    assert row["trees"] == run_json("verify", "small", "--trees", str(shelf))["trees"]
    words = ("build", "larmouth-rule-mastermind", "--trees", str(shelf))
    built = run_json(*words)["trees"]
    built[0]["optimality"] = "optimality not checked"
    assert run_json("verify", "--trees", str(shelf))["trees"] == [*built, *row["trees"]]


def test_verify_fails_on_one_damaged_tree_among_others(shelf: Path) -> None:
    damaged = json.loads((shelf / "small.json").read_text())
    damaged["max_turns"] += 1
    (shelf / "worse.json").write_text(json.dumps(damaged))
    (shelf / "gone.json").symlink_to(shelf / "nowhere")
    value = run_json("verify", "--trees", str(shelf), code=1)
    assert not value["ok"]
    assert [row["ok"] for row in value["trees"]] == [False, True, False]
    assert "gone.json" in value["trees"][0]["error"]
    assert "digest" in value["trees"][2]["error"]


def test_trees_lists_those_of_a_folder_or_of_a_game(shelf: Path) -> None:
    value = run_json("trees", "--trees", str(shelf))
    (row,) = value["trees"]
    assert (row["name"], row["rules"], row["total"]) == ("small", RECORD.rules, RECORD.total)
    lines = run("trees", "mastermind").stdout.splitlines()
    assert "avg-mastermind                  p4c6r      1296  4.3403      6  least mean" in lines
    names = [line.split()[0] for line in lines]
    assert names == ["name", *(row["name"] for row in run_json("trees", "p4c6r")["trees"])]
    assert run("trees").stdout.count("\n") == len(CATALOGUE) + 1
    assert run("trees", "p8c9n").stdout.startswith("no trees of p8c9n in ")


REFUSED = {
    "--json": "no such option",
    "no-such-command": "no such command",
    "slove": "did you mean 'solve'",
    "servve": "did you mean 'serve'",
    "verify /": "/ is a folder: name a tree, or the file of one",
    "verify nope": "unknown tree 'nope'",
    "verify /dev/null": "null is no tree file (.json) and no exported text: if it is a base-92",
    "import /": "no such file: /: name one with a base-92 string or a text",
    "check nope": "no such file: nope: name a game, or a proof file",
    "check /": "/ is a folder: name a game, or a proof file",
    "check p7c7n": "no proof of p7c7n is shipped: write one with bullscows prove p7c7n -o FILE",
    "prove p2c3n -o /": "--output: / is a folder: name a file in it",
    "verify avg-mastermind.json": "no such file: avg-mastermind.json: did you mean avg-master",
    "export trees": "unknown tree 'trees'; `bullscows trees` lists them all",
    "export avg-mastermnd": "unknown tree 'avg-mastermnd': did you mean avg-mastermind, ",
    "export avg-mastermind --format dot --json": "--json cannot be combined with --format dot",
    "build": "TREE is missing",
    "build avg-mastermnd": "unknown tree 'avg-mastermnd': did you mean avg-mastermind, ",
    "trees --trees nowhere": "invalid value for '--trees': dir 'nowhere' does not exist",
    "atlas p1c2r --write --trees nowhere": "invalid value for '--trees': dir 'nowhere' does",
    "openings": "name the games, or use --all",
    "openings p2c5r --all": "name the games, or use --all",
    "openings p2c5r --sample 2": "--sample needs --check",
    "openings p8c16r --trees .": "p8c16r has ",
    "play mastermnd": "did you mean mastermind",
    "play Bulls-Cow": "did you mean bulls-cows",
    "play crush-mastermnd": "did you mean crush-master",
    "solve mastermid": "invalid rules 'mastermid': did you mean mastermind or super-",
    "solve p4c10n --objective soonest": "unknown objective 'soonest'",
    "solve p3c6n --objective movers": "needs a last allowed turn: give --max-turns",
    "solve p3c6n --max-turns 1000": "--max-turns must be an integer from 1 to 512",
    "solve p4c10n --max-turns x": "--max-turns",
    "solve p4c10n --history 0123=9.9": "invalid turn '0123=9.9'",
    "solve p4c10n --evaluate 0123,": "code",
    "solve p2c3n --secrets /": "cannot read or write /: Is a directory",
    "solve p2c3n --secrets nope": "cannot read or write nope: No such file or directory",
    "solve p6c10n": "GB",
    "solve p7c8r": "games of up to 2000000 codes are analysed",
    "solve number:16 --history 7:0.1": "invalid answer '0.1'",
    "solve --no-such-option": "no such option",
    "solve p4c6r --recheck 3": "need --checkpoint",
    "solve p4c6r --grow tree.json": "need --checkpoint",
    "solve p4c6r --checkpoint a.json --grow ./a.json": "would overwrite the checkpoint",
    "solve p4c6r --checkpoint a.json --grow b.json --time-limit 9": "combined with --time-limit",
    "solve p4c6r --checkpoint a.json --grow b.json --recheck 3": "combined with --recheck",
    "solve p4c6r --known avg-mastermind": "need --checkpoint",
    "solve p4c10n --threads 0": "--threads",
    "solve --batch --checkpoint a.json": "cannot be combined with --batch",
    "strategy p4c6r larmuth": "unknown strategy 'larmuth': did you mean larmouth",
    "strategy number:16 crush": "only `bullscows solve` takes it",
    "classes p4c99n": "symbols must be 1 to 16, not 99",
    "classes p4c10n --history 0012": "symbols may not repeat",
    "classes p8c16r": "the limit is ",
    "classes p4c6r --history 0123 --cycles": "cycles only where no symbol repeats",
    "adversary mastermnd": "unknown game or tree 'mastermnd': did you mean mastermind, ",
    "adversary avg-mastermind --guess 0011": "--guess and --history need a game",
    "nonadaptive p3c6n --time-limit -1": "--time-limit",
    "codemaker nope.json": "no such file: nope.json: name a game, or a result of --json",
    "codemaker p9c9r": "positions must be 1 to 8, not 9",
    "pareto p3c6n": "needs a last allowed turn: give --max-turns",
    "duel reply nope": "unknown tree",
    "duel reply 1/4/7": "need --rules",
    "duel reply 0/0 --rules p2c4n": "LENGTHS need --rules and a game",
    "duel reply 1,4,7 --rules p2c4n": "invalid LENGTHS '1,4,7': write up to 31 numbers of ",
    "duel reply 1/4/x --rules p2c4n": "no such file: 1/4/x",
    "duel champion p9": "invalid rules",
    "duel table p9": "invalid rules",
}
"""Commands, and what the sentence on each says."""


def test_secrets_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "secrets").write_bytes(b"\xff01")
    done = run("solve", "p2c3n", "--secrets", str(tmp_path / "secrets"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "is not text in UTF-8: write one code on each line" in done.stderr


@pytest.mark.parametrize("words", REFUSED)
def test_bad_input_is_named_in_a_sentence_with_exit_code_2(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*words.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert re.fullmatch(r"bullscows: .+\n", done.stderr)
    assert REFUSED[words].lower() in done.stderr.lower()
    assert len(done.stderr) < 250
    assert "max_turns" not in done.stderr


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("solve p3c6n --history 012:3.0", "(no search needed)\n"),
        ("solve p1c1r", "; 1 secret, total 1 turn, mean 1.000, "),
        ("solve p2c2n --max-turns 2", "p2c2n, average, at most 2 turns: "),
        ("classes p4c10n", "1 class of equivalent guesses: a guess of each, and how many it has"),
        ("nonadaptive p1c2r", "p1c2r: 1 guess identifies all 2 codes; proven smallest\n0\n"),
        ("nonadaptive p1c1r", "p1c1r: 0 guesses identify the only code; proven smallest\n"),
    ],
)
def test_numbers_agree_with_their_nouns_and_say_what_they_count(words: str, shown: str) -> None:
    assert shown in run(*words.split()).stdout


@pytest.mark.parametrize("words", ["solve p3c6n", "trees", "play", "serve --port 0"])
def test_a_missing_folder_in_the_environment_ends_every_command(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BULLSCOWS_TREES_DIR", "nowhere")
    done = run(*words.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "bullscows: BULLSCOWS_TREES_DIR: there is no folder nowhere\n"


@pytest.mark.parametrize("history", ["012 0 1, 134 1c", "012:1c 134:0b1c", "012=01; 134=0,1"])
def test_answers_of_a_history_are_read_in_any_notation(history: str) -> None:
    for words in (["solve", "p3c6n"], ["strategy", "p3c6n", "crush"], ["adversary", "p3c6n"]):
        expected = run_json(*words, "--history", "012:0.1 134:0.1")
        found = run_json(*words, "--history", history)
        for value in (expected, found):
            value.pop("seconds", None)
        assert found == expected


@pytest.mark.parametrize("form", ["base92", "json", "text", "html", "dot"])
def test_export_writes_each_format(shelf: Path, form: str) -> None:
    done = run("export", str(shelf / "small.json"), "--format", form)
    assert done.exit_code == 0
    assert done.stdout
    if form == "json":
        assert len(json.loads(done.stdout)["nodes"]) == RECORD.nodes
    if form == "base92":
        assert decode(Rules.parse(RECORD.rules), done.stdout) == first_splitting(Rules(2, 4, True))


@pytest.mark.parametrize(
    ("history", "count", "size"),
    [("0123", 19, 5039), ("0123:0.1 1234:0.1", 258, 5038)],  # else 499
)
def test_classes_are_the_papers(history: str, count: int, size: int) -> None:
    """Paper, 2.4.2; 2.6.3: guesses with the same answer may change places; cycles: Francis."""
    value = run_json("classes", "p4c10n", "--history", history)
    assert value["count"] == count
    assert sum(row["size"] for row in value["classes"]) == size
    done = run("classes", "p4c10n", "--history", "0123", "--cycles")
    assert "1245 720 (• • • ◦)(• ◦)" in done.stdout.splitlines()


def test_adversary_answers_for_the_longest_game() -> None:
    value = run_json("adversary", "p3c6n", "--history", "012:0.1", "--guess", "345")
    assert value["last_turn"] - value["remoteness"] == 1
    reply = value["reply"]
    assert reply["method"] == "remoteness"
    assert reply["last_turn"] == reply["remoteness"] + 2 >= value["last_turn"]
    game = run_json("adversary", "avg-mastermind-3x5")
    assert game["depth"] == len(game["game"]) == 5
    assert game["game"][-1]["answer"] == "3.0"
    assert "5 turns" in run("adversary", "avg-mastermind-3x5").stdout
    output = run("adversary", "p4c6r", "--time-limit", "0", "--guess", "0011").stdout
    assert "not proved" in output


def test_random_candidate_has_fractions_and_what_they_are_near_to() -> None:
    value = run_json("strategy", "p2c5r", "random-candidate")
    assert value["total"] == "1021/12"
    assert value["total_float"] == pytest.approx(1021 / 12)
    assert sum(map(Fraction, value["distribution"])) == value["secrets"] == 25
    assert sum(map(Fraction, value["by_answer"].values())) == Fraction(value["total"])
    assert value["distribution_float"] == [float(Fraction(text)) for text in value["distribution"]]
    assert "85.083 turns expected" in run("strategy", "p2c5r", "random-candidate").stdout


def test_nonadaptive_finds_the_fewest_guesses_or_bounds_when_time_is_up(monkeypatch):
    value = run_json("nonadaptive", "p3c6n")
    assert (value["size"], value["lower"], value["proved"]) == (4, 4, True)
    value = run_json("nonadaptive", "p3c8n", "--time-limit", "0", code=3)
    assert value["lower"] < value["size"]
    assert not value["proved"]
    found = NonadaptiveSet(Rules.parse("p2c3r"), (1, 2, 3), 2, interrupted=True)
    monkeypatch.setattr(nonadaptive, "nonadaptive_set", lambda *_, **__: found)
    assert run_json("nonadaptive", "p2c3r", code=130)["size"] == 3


def test_codemaker_prints_both_mixtures_and_checks_them_again(tmp_path: Path) -> None:
    value = run_json("codemaker", "p2c3r")
    assert (value["value"], value["optimal"]) == ("29/12", True)
    assert [kind["probability"] for kind in value["kinds"]] == ["1/2", "1/2"]
    output = run("codemaker", "p2c3r").stdout
    assert output.startswith("p2c3r: 29/12 = 2.416667 turns on average: proven\n")
    assert "\n  00 and its kind, 3 codes: 1/2\n" in output
    assert "0.2500 of the games: 2.6667 2.1667\n" in output
    assert "this is the average over all codes\n" in run("codemaker", "p3c6n").stdout
    file = tmp_path / "value.json"
    file.write_text(json.dumps(value))
    assert run("codemaker", str(file)).stdout == f"{file}: checked\n{output}"
    assert run_json("codemaker", str(file), "--time-limit", "0", code=3)["ok"] is None
    file.write_text(json.dumps(value | {"upper": "28/12"}))
    assert "to find codes like" in run_json("codemaker", str(file), code=1)["error"]
    file.write_text("[" * 100_000)
    assert run_json("codemaker", str(file), code=1)["ok"] is False
    assert run_json("codemaker", "p5c6r", "--time-limit", "0", code=3)["upper"] is None


def test_a_command_without_memory_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> NonadaptiveSet:
        raise MemoryError("Allocation failed")

    monkeypatch.setattr(nonadaptive, "nonadaptive_set", fail)
    done = run("nonadaptive", "p2c3r")
    assert done.exit_code == 2
    assert done.stderr.endswith("Allocation failed; try a smaller game, or free memory\n")


def test_solve_says_what_guesses_cost() -> None:
    value = run_json("solve", "p3c6n")
    assert (value["value"], value["total"], value["mean"]) == (436, 436, 3.633333)
    assert (value["lower"], value["upper"], value["optimal"]) == (436, 436, True)
    assert "total 436 (mean 3.633)" in run("solve", "p3c6n").stdout
    history = ("--history", "012:0.1 134:0.2")
    words = ("solve", "p3c6n", *history, "--evaluate", "215, 012")
    value = run_json(*words)
    best, useless = value["evaluations"]
    assert (best["guess"], useless["guess"]) == ("215", "012")
    assert best["value"] == run_json("solve", "p3c6n", *history, "--guess", "215")["value"]
    assert best["loss"] == (best["value"] - value["value"]) / value["secrets"]
    assert (useless["parts"], useless["loss"], useless["status"]) == (1, 1.0, "optimal")
    lines = run(*words).stdout.splitlines()
    assert lines[-1].startswith("012: 1 part, ")
    assert "loss 1, " in lines[-1]
    compared = run_json("solve", "p3c6n", *history, "--guess", "021", "--evaluate", "215")
    assert compared["evaluations"][0]["loss"] == best["loss"]


def test_pareto_writes_a_tree_file_for_each_point(tmp_path: Path) -> None:
    words = ("pareto", "p3c6n", "--max-turns", "5", "--trees", str(tmp_path / "t"))
    assert run(*words).stdout == "total 436 (mean 3.633), last 4\ntotal 437 (mean 3.642), last 3\n"
    assert run("pareto", "p4c6r").exit_code == 2
    assert run_json("pareto", "p4c6r", "--max-turns", "4", code=1)["points"] == []
    found = [files.read_tree(path) for path in sorted((tmp_path / "t").iterdir())]
    totals = [(file.record.total, file.record.distribution[4]) for file in found]
    assert totals == [(436, 4), (437, 3)]
    assert {file.record.proof for file in found} == {"heuristic"}


def test_positions_too_large_are_refused_with_the_guess_of_a_rule(monkeypatch):
    position = ("p6c8n", "--history", "012345:1.3")
    guess = analyse("p6c8n", "012345:1.3", seconds=0).guess_text
    monkeypatch.setattr(response_table, "MAX_TABLE_BYTES", 10**6)
    for words in (position, (*position, "--evaluate", "012345", "--time-limit", "60")):
        done = run("solve", *words)
        assert done.exit_code == 2
        assert done.stdout == ""
        assert re.fullmatch(
            r"bullscows: \d+ candidates of p6c8n are left: their rows .* would take .* GB; "
            rf"the limit is .* GB; unproved, the one-step rule larmouth guesses {guess}\n",
            done.stderr,
        )


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "p4c10n", "--objective", "movers", "--max-turns", "7"),
        ("solve", "p4c10n", "--history", "0123:0.1", "--guess", "4567"),
        ("solve", "p3c6n", "--evaluate", "345"),
        ("adversary", "p4c10n", "--guess", "0123"),
    ],
)
def test_what_a_limit_stops_before_it_is_proved_exits_with_3(words: tuple[str, ...]) -> None:
    stopped = run(*words, "--time-limit", "0")
    assert stopped.exit_code == 3
    value = run_json(*words, "--time-limit", "0", code=3)
    if "movers" in words:
        assert f"at least {value['lower']}" in stopped.stdout
        assert 0 <= value["lower"] <= 50, "the fewest codes at turn 7 are 50"
        assert value["upper"] is None or value["upper"] >= 50


CONTRADICTION = "012:3.0 134:3.0"


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "p3c6n", "--history", CONTRADICTION),
        ("strategy", "p3c6n", "crush", "--history", CONTRADICTION),
        ("adversary", "p3c6n", "--history", CONTRADICTION),
        ("classes", "p3c6n", "--history", CONTRADICTION),
        ("estimate", "p3c6n", "--history", CONTRADICTION),
    ],
)
def test_a_history_that_no_code_fits_names_the_answers_that_may_be_wrong(words):
    """The same answers as `POST /guess`, most plausible first, each with what would fit."""
    done = run(*words)
    assert (done.exit_code, done.stdout) == (1, "")
    reason, *lines = done.stderr.splitlines()
    assert "no code of p3c6n fits all 2 answers" in reason
    value = run_json(*words, code=1)
    rules = Rules.parse("p3c6n")
    found = value["corrections"]
    assert [(one["turn"], one["guess"], one["given"]) for one in found]
    for correction, line in zip(found, lines, strict=True):
        history = History.parse(rules, CONTRADICTION)
        answer = rules.parse_answer(correction["instead"])
        fitting = candidates(rules, history.corrected(correction["turn"], answer))
        assert len(fitting) == correction["remaining"] > 0
        assert f"turn {correction['turn']}" in line
        assert correction["instead"] in line


def test_two_wrong_answers_are_said_to_be_two() -> None:
    history = "012:3.0 345:3.0 035:0.0"
    done = run("solve", "p3c6n", "--history", history)
    assert done.exit_code == 1
    assert "at least two are wrong" in done.stderr
    assert run_json("solve", "p3c6n", "--history", history, code=1)["corrections"] == []


@pytest.mark.process
def test_one_step_rules_need_no_numba(tmp_path: Path) -> None:
    """A module that fails to load replaces numba: only a search imports numba."""
    (tmp_path / "numba.py").write_text("raise ImportError('blocked')\n")
    words = [
        ["strategy", "p3c6n", "larmouth"],
        ["build", "larmouth-rule-mastermind", "--trees", str(tmp_path)],
        ["solve", "p3c6n"],
    ]
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from typer.testing import CliRunner; "
        f"from bullscows.cli.main import commands as c; found = [CliRunner().invoke(c, w) for w in "
        f"{words}]; print([one.exit_code for one in found], found[2].stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[0, 0, 2] bullscows: blocked\n\n"


THREE_BY_FIVE = read_tree("avg-mastermind-3x5")


@pytest.mark.parametrize(("form", "rules"), [("text", []), ("base92", ["--rules", "p3c5r"])])
def test_an_export_comes_back_as_the_same_tree(form: str, rules: list[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(run("export", THREE_BY_FIVE.name, "--format", form).stdout, encoding="ascii")
    words = [str(file), *rules]
    assert run_json("verify", *words)["total"] == THREE_BY_FIVE.record.total
    assert run_json("import", *words, "--trees", str(tmp_path))["ok"]
    assert read_tree(tmp_path / "mine.json").tree == THREE_BY_FIVE.tree
    assert run("import", *words, "--trees", str(tmp_path)).exit_code == 2


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("#*$", 1, ""),
        ("# Strategy tree of p3c5r: x\n-> 012 1\nnonsense", 1, "line 3 is no PATH -> GUESS"),
        ("# Strategy tree of p3c5r: x\n-> 012 1", 1, "no line has the guess after 012 0.0"),
        ("# Strategy tree of p3c5r: x\n-> 019 1", 1, "invalid"),
    ],
)
def test_what_is_no_strategy_is_refused_with_its_place(text, code, reason, tmp_path):
    file = tmp_path / "mine"
    file.write_text(text, encoding="ascii")
    done = run("import", str(file), "--rules", "p3c5r", "--trees", str(tmp_path))
    assert (done.exit_code, list(tmp_path.iterdir())) == (code, [file])
    assert reason in done.stdout


def test_prove_writes_a_proof_that_check_accepts(tmp_path: Path) -> None:
    path = tmp_path / "p3c6n.proof.xz"
    value = run_json("prove", "p3c6n", "--output", str(path))
    assert value["claim"] == 436
    assert value["bytes"] == path.stat().st_size
    found = run_json("check", str(path))
    assert (found["ok"], found["claim"], found["lemmas"]) == (True, 436, value["lemmas"])
    assert f"{path}: proved: no strategy of p3c6n takes fewer than 436" in (
        run("check", str(path)).stdout.replace("\n", " ")
    )
    path.write_bytes(path.read_bytes()[:-9])
    refused = run_json("check", str(path), code=1)
    assert not refused["ok"]
    assert run("check", str(tmp_path / "missing")).exit_code == 2
    assert run("prove", "p3c6n", "--output", str(tmp_path / "none" / "x")).exit_code == 2


def test_prove_names_the_file_that_it_cannot_write(tmp_path: Path) -> None:
    run("prove", "p2c3n", "--output", str(tmp_path / "first"))  # has compiled what it needs
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        done = run("prove", "p2c3n", "--output", str(tmp_path / "second"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert done.exit_code == 2
    file = tmp_path / "second.partial"
    assert done.stderr == f"bullscows: cannot read or write {file}: File too large\n"


def test_prove_takes_any_objective_of_a_game(tmp_path: Path) -> None:
    path = tmp_path / "proof.xz"
    value = run_json("prove", "p4c6r", "--objective", "worst", "--output", str(path))
    assert (value["objective"], value["claim"]) == ("from:5", 528)
    found = run_json("check", str(path))
    assert (found["claim"], found["weights"][:5]) == (528, [0, 0, 0, 0, 1])
    words = ("--objective", "average,last", "--max-turns", "5", "--output", str(path))
    assert run_json("prove", "p3c6n", *words)["claim"] == 121 * 436 + 4
    assert run("prove", "avg-mastermind", *words).exit_code == 2


def test_prove_ends_when_the_search_for_the_claim_is_interrupted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(position_search, "run_together", lambda *_, **__: (0, True, True))
    file = tmp_path / "some.xz"
    for objective in ("worst", "average"):
        done = run("prove", "p3c6n", "--objective", objective, "-o", str(file))
        assert done.exit_code == 130
        assert not file.exists()


def test_verify_says_whether_optimality_was_checked() -> None:
    assert run_json("verify", "avg-mastermind")["optimality"] == "optimality not checked"
    checked = run_json("verify", "--proofs", "avg-mastermind")
    assert checked["optimality"] == (
        "no strategy takes fewer turns: proof checked; "
        "no strategy does better by average,last: proof checked"
    )
    line = run("verify", "--proofs", "crush-mastermind").stdout
    assert line.endswith(
        "ok; no strategy takes fewer than 5625 turns: proof checked; "
        "no strategy does better by movers: proof checked\n"
    )


def test_verify_refuses_a_false_proof(shelf: Path) -> None:
    assert run_json("verify", "--proofs", "small", "--trees", str(shelf))["ok"]
    path = proof_path("small", shelf)
    path.parent.mkdir()
    run("prove", "p2c4r", "--objective", "worst", "--output", str(path))
    checked = run_json("verify", "--proofs", "small", "--trees", str(shelf))
    assert checked["optimality"].startswith("no strategy ")
    path.write_bytes(path.read_bytes()[:-9])
    refused = run_json("verify", "--proofs", "small", "--trees", str(shelf), code=1)
    assert refused["error"].startswith("a proof about this tree is wrong: ")
