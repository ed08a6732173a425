"""The command line: exit codes, JSON and sentences.

Tests that depend on a separate process start one; all others run here, without starting Python and
loading numba each time.
"""

import json
import os
import re
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
from bullscows.cli.trees import play_game
from bullscows.game import responses
from bullscows.game.history import History, candidates
from bullscows.game.rules import Rules
from bullscows.strategies import nonadaptive
from bullscows.strategies.nonadaptive import NonadaptiveSet
from bullscows.tree import files
from bullscows.tree.codec import decode
from tests.engine.tree.test_codec import first_splitting
from tests.engine.tree.test_files import RECORD


def start(*words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "bullscows", *words],
        input=stdin,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def run(*words: str) -> Result:
    """Run a command in this process; whatever it does not turn into a sentence is raised."""
    done = CliRunner().invoke(commands, words)
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
def test_the_module_is_the_console_script() -> None:
    assert start("--version").stdout == f"bullscows {__version__}\n"
    assert "serve" in start("--help").stdout


@pytest.mark.process
def test_serve_without_the_web_extra_names_it(tmp_path: Path) -> None:
    (tmp_path / "uvicorn.py").write_text("raise ModuleNotFoundError(name='uvicorn')\n")
    done = start("serve", "--port", "0", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert "pip install 'bullscows[web]'" in done.stderr
    assert "serve" in start("--help", PYTHONPATH=str(tmp_path)).stdout


def test_export_as_json_is_the_format_of_that_name(shelf: Path) -> None:
    value = run_json("export", "small", "--trees", str(shelf))
    assert value["rules"] == RECORD.rules
    assert len(value["nodes"]) == RECORD.nodes


def test_verify_states_all_figures(shelf: Path) -> None:
    row = run_json("verify", str(shelf / "small.json"))
    assert row["ok"]
    assert (row["name"], row["total"], row["sha256"]) == ("small", RECORD.total, RECORD.sha256)
    assert row["digest"] == RECORD.digest
    assert row["bytes"] == len(RECORD.string)
    assert row["secrets"] == sum(row["distribution"]) == 16
    assert run_json("verify", "small", "--trees", str(shelf))["trees"] == [
        {key: value for key, value in row.items() if key != "trees"}
    ]


def test_verify_fails_on_one_damaged_tree_among_others(shelf: Path) -> None:
    damaged = json.loads((shelf / "small.json").read_text())
    damaged["max_turns"] += 1
    (shelf / "worse.json").write_text(json.dumps(damaged))
    value = run_json("verify", "--trees", str(shelf), code=1)
    assert not value["ok"]
    assert [row["ok"] for row in value["trees"]] == [True, False]
    assert "digest" in value["trees"][1]["error"]


@pytest.mark.parametrize("form", ["base92", "json", "text", "html", "dot"])
def test_export_writes_each_format(shelf: Path, form: str) -> None:
    done = run("export", str(shelf / "small.json"), "--format", form)
    assert done.exit_code == 0
    assert done.stdout
    if form == "base92":
        assert decode(Rules.parse(RECORD.rules), done.stdout) == first_splitting(Rules(2, 4, True))


@pytest.mark.parametrize(
    "words",
    [
        ("classes", "p4c99n"),
        ("classes", "p4c10n", "--history", "0012"),
        ("classes", "p4c10n", "--cycles"),
        ("classes", "p8c16r"),
        ("classes", "p4c6r", "--history", "0123", "--cycles"),
        ("export", "small", "--format", "pdf"),
        ("export", "small", "--format", "dot", "--json"),
        ("build", "no-such-tree"),
        ("build",),
        ("play", "no-such-tree"),
        ("strategy", "p4c10n", "no-such-rule"),
        ("strategy", "p5c10n", "random-candidate"),
        ("adversary", "p4c99r"),
        ("adversary", "avg-mastermind", "--guess", "0011"),
        ("solve", "p4c10n", "--objective", "soonest"),
        ("solve", "p4c10n", "--max-turns", "0"),
        ("solve", "p3c4n", "--max-turns", "100000000"),
        ("solve", "p4c10n", "--history", "0123=0.1"),
        ("solve", "p4c10n", "--guess", "0012"),
        ("solve", "p4c10n", "--evaluate", "0123,"),
        ("solve", "p6c10n"),
        ("solve", "number:16", "--guess", "16"),
        ("solve", "number:16", "--history", "7:0.1"),
        ("solve", "number:16", "--evaluate", "7"),
        ("strategy", "number:16", "crush"),
        ("nonadaptive", "p5c10n"),
        ("nonadaptive", "p3c6n", "--time-limit", "-1"),
        ("no-such-command",),
        ("--json",),
        ("strategy",),
        ("solve", "p4c10n", "p4c6r"),
        ("solve", "--no-such-option"),
        ("solve", "p4c10n", "--max-turns", "x"),
        ("solve", "p4c10n", "--threads", "0"),
        ("solve", "p4c10n", "--history"),
    ],
    ids=str,
)
def test_bad_input_is_a_sentence_and_exit_code_2(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert re.fullmatch(r"bullscows: .+\n", done.stderr)


@pytest.mark.process
def test_process_ends_with_a_sentence_and_exit_code_2() -> None:
    done = start("solve", "--max-turns", "x")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bullscows: invalid value for '--max-turns'")
    assert done.stderr.endswith("; see bullscows solve --help\n")


@pytest.mark.process
def test_process_writes_the_string_byte_for_byte(shelf: Path) -> None:
    """The codec's last digit is DEL, which no terminal shows."""
    done = start("export", str(shelf / "small.json"), "--format", "base92")
    assert decode(Rules.parse(RECORD.rules), done.stdout) == first_splitting(Rules(2, 4, True))


def test_classes_after_the_first_guess_are_the_papers() -> None:
    """Paper, 2.4.2: nineteen second guesses after 0123."""
    value = run_json("classes", "p4c10n", "--history", "0123")
    assert value["count"] == 19
    assert sum(row["size"] for row in value["classes"]) == 5039


def test_classes_after_equal_answers_are_fewer() -> None:
    """Paper, 2.6.3: guesses with the same answer may change places; otherwise 499 classes."""
    value = run_json("classes", "p4c10n", "--history", "0123:0.1 1234:0.1")
    assert value["count"] == 258
    assert sum(row["size"] for row in value["classes"]) == 5038


def test_classes_show_their_cycles() -> None:
    """Francis, Equivalences."""
    done = run("classes", "p4c10n", "--history", "0123", "--cycles")
    assert "1245 720 (• • • ◦)(• ◦)" in done.stdout.splitlines()
    rows = run_json("classes", "p4c10n", "--history", "0123", "--cycles")["classes"]
    assert rows[0]["diagram"] == "(•)(•)(•)(• ◦)"
    assert rows[0]["cycles"][-1] == {"places": [3], "open": True}


@pytest.mark.process
def test_play_finds_a_secret(shelf: Path) -> None:
    """The tree's first guess is 00, and the secret is 33."""
    done = start("play", str(shelf / "small.json"), stdin="0.0\n" * 2 + "2.0\n" * 3)
    assert done.returncode == 0
    assert "Think of a code" in done.stdout
    assert "33" in done.stdout or "Found" in done.stdout


def test_strategy_counts_the_turns_of_a_rule() -> None:
    value = run_json("strategy", "p3c6n", "possible-larmouth")
    assert sum(value["distribution"]) == value["secrets"] == 120
    assert value["total"] == sum(turn * n for turn, n in enumerate(value["distribution"], start=1))


def test_strategy_begins_at_the_given_position() -> None:
    value = run_json("strategy", "p3c6n", "crush", "--history", "012:0.1", "--guess", "134")
    assert (value["guess"], value["history"]) == ("134", ["012:0.1"])
    assert value["distribution"][0] == 0
    assert sum(value["distribution"]) == value["secrets"]
    assert sum(value["by_answer"].values()) == value["total"]
    whole = run_json("strategy", "p3c6n", "crush")
    assert list(whole["by_answer"])[-1] == "3.0"
    assert whole["by_answer"]["3.0"] == 1
    assert "after 3.0: 1" in run("strategy", "p3c6n", "crush").stdout


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


def test_games_have_names_and_results_have_their_rules() -> None:
    assert run_json("solve", "bulls-cows", "--history", "0123:3.0")["rules"] == "p4c10n"
    assert run_json("strategy", "Mastermind", "crush")["rules"] == "p4c6r"
    assert run_json("classes", "P5C8R")["rules"] == "p5c8r"
    assert run_json("duel", "table", "MASTERMIND")["rules"] == "p4c6r"


def test_solve_proves_the_game_of_one_place() -> None:
    """Chen, figure 1: height 5, path 54."""
    value = run_json("solve", "number:16", "--objective", "worst,average")
    assert (value["depth"], value["total"], value["distribution"]) == (5, 54, [1, 2, 4, 8, 1])
    after = run_json("solve", "number:16", "--history", "7:>", "--guess", "11")
    assert (after["secrets"], after["total"]) == (8, 29)
    assert after["distribution"] == [0, 1, 2, 4, 1]


def test_solve_never_calls_a_total_an_average() -> None:
    """Each of the 120 codes once: 436 turns, which is 3.633 a code."""
    value = run_json("solve", "p3c6n")
    assert (value["value"], value["total"], value["mean"]) == (436, 436, 3.633333)
    assert (value["lower"], value["upper"], value["optimal"]) == (436, 436, True)
    assert value["levels"] == {"total": 436}
    text = run("solve", "p3c6n").stdout
    assert "total 436 (mean 3.633)" in text
    assert "average 436" not in text


@pytest.mark.parametrize("objective", ["last", "worst,average"])
def test_solve_counts_turns_from_the_first_of_the_game_after_a_history(objective: str) -> None:
    history, cap = ("--history", "012:0.1"), ("--max-turns", "5")
    value = run_json("solve", "p3c6n", *history, *cap, "--objective", objective)
    counts = value["distribution"]
    assert counts[0] == 0, "the first turn was played"
    assert sum(counts) == value["secrets"] == 36
    assert value["total"] == sum(turn * n for turn, n in enumerate(counts, start=1))
    assert value["mean"] == pytest.approx(value["total"] / 36, abs=1e-6)
    assert value["depth"] == len(counts)
    known = {"average": value["total"], "last": counts[-1], "worst": len(counts)}
    assert value["value"] == known[objective.partition(",")[0]]
    if "average" in objective:
        assert (value["total"], counts) == (140, [0, 1, 7, 23, 5])


def test_nonadaptive_finds_the_fewest_guesses() -> None:
    value = run_json("nonadaptive", "p3c6n")
    assert (value["size"], value["lower"], value["proved"]) == (4, 4, True)
    assert len(value["guesses"]) == 4
    assert "proven smallest" in run("nonadaptive", "p3c6n").stdout


def test_nonadaptive_prints_bounds_when_time_is_up() -> None:
    value = run_json("nonadaptive", "p3c8n", "--time-limit", "0", code=3)
    assert value["lower"] < value["size"]
    assert not value["proved"]
    assert "are needed: proven" in run("nonadaptive", "p3c8n", "--time-limit", "0").stdout


def test_nonadaptive_interrupted_prints_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    found = NonadaptiveSet(Rules.parse("p2c3r"), (1, 2, 3), 2, interrupted=True)
    monkeypatch.setattr(nonadaptive, "nonadaptive_set", lambda *_, **__: found)
    assert run_json("nonadaptive", "p2c3r", code=130)["size"] == 3


def test_solve_says_that_four_turns_are_not_enough() -> None:
    value = run_json("solve", "p4c6r", "--max-turns", "4", code=1)
    assert value["feasible"] is False
    assert value["value"] is None
    assert "no strategy" in run("solve", "p4c6r", "--max-turns", "4").stdout


def test_solve_goes_on_from_a_history() -> None:
    history = ("--history", "012:0.1 134:0.2", "--guess", "215")
    value = run_json("solve", "p3c6n", *history, "--objective", "worst,average")
    assert value["guess"] == "215"
    assert list(value["levels"]) == ["worst", "total"]


def test_solve_says_what_guesses_cost() -> None:
    history = ("--history", "012:0.1 134:0.2")
    words = ("solve", "p3c6n", *history, "--evaluate", "215, 012")
    value = run_json(*words)
    best, useless = value["evaluations"]
    assert (best["guess"], useless["guess"]) == ("215", "012")
    assert best["value"] == run_json("solve", "p3c6n", *history, "--guess", "215")["value"]
    assert best["loss"] == (best["value"] - value["value"]) / value["secrets"]
    assert (useless["parts"], useless["loss"], useless["status"]) == (1, 1.0, "optimal")
    lines = run(*words).stdout.splitlines()
    assert lines[-1].startswith("012: 1 parts, ")
    assert "loss 1, " in lines[-1]
    compared = run_json("solve", "p3c6n", *history, "--guess", "021", "--evaluate", "215")
    assert compared["evaluations"][0]["loss"] == best["loss"]


def test_pareto_lists_what_no_strategy_betters() -> None:
    value = run_json("pareto", "p4c6r", "--max-turns", "5")
    assert value["points"] == [[5626, 540], [5627, 539]]
    assert run("pareto", "p4c6r").exit_code == 2
    assert run_json("pareto", "p4c6r", "--max-turns", "4", code=1)["points"] == []


def test_pareto_writes_a_tree_file_for_each_point(tmp_path: Path) -> None:
    words = ("pareto", "p3c6n", "--max-turns", "5", "--trees", str(tmp_path / "t"))
    assert run(*words).stdout == "436 4\n437 3\n"
    found = [files.read_tree(path) for path in sorted((tmp_path / "t").iterdir())]
    totals = [(file.record.total, file.record.distribution[4]) for file in found]
    assert totals == [(436, 4), (437, 3)]
    assert {file.record.proof for file in found} == {"heuristic"}


def test_positions_too_large_are_refused_with_the_guess_of_a_rule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = ("p6c8n", "--history", "012345:1.3")
    guess = analyse("p6c8n", "012345:1.3", seconds=0).guess_text
    monkeypatch.setattr(responses, "MAX_TABLE_BYTES", 10**6)
    for words in (position, (*position, "--evaluate", "012345", "--time-limit", "1")):
        done = run("solve", *words)
        assert done.exit_code == 2
        assert done.stdout == ""
        assert re.fullmatch(
            r"bullscows: \d+ candidates of p6c8n are left: their rows .* would take .* GB; "
            rf"the limit is .* GB; unproved, the one-step rule larmouth guesses {guess}\n",
            done.stderr,
        )


def test_games_beyond_all_tables_are_refused_with_their_size() -> None:
    assert "its response table would take 678.2 GB" in run("solve", "p7c7r").stderr
    assert run("solve", "p7c8r").stderr.endswith("the limit is 41000 codes\n")


def test_a_time_limit_gives_proven_bounds() -> None:
    words = ("solve", "p4c10n", "--objective", "movers", "--max-turns", "7", "--time-limit", "0")
    value = run_json(*words, code=3)
    assert not value["optimal"]
    assert 0 <= value["lower"] <= 50, "the fewest codes at turn 7 are 50"
    assert value["upper"] is None or value["upper"] >= 50
    stopped = run(*words)
    assert stopped.exit_code == 3
    assert f"at least {value['lower']}" in stopped.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "p4c10n", "--history", "0123:0.1", "--guess", "4567", "--time-limit", "0"),
        ("solve", "p3c6n", "--evaluate", "345", "--time-limit", "0"),
        ("adversary", "p4c10n", "--guess", "0123", "--time-limit", "0"),
    ],
)
def test_what_a_limit_stops_before_it_is_proved_exits_with_3(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.exit_code == 3
    assert done.stdout


CONTRADICTION = "012:3.0 134:3.0"


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "p3c6n", "--history", CONTRADICTION),
        ("strategy", "p3c6n", "crush", "--history", CONTRADICTION),
        ("adversary", "p3c6n", "--history", CONTRADICTION),
        ("classes", "p3c6n", "--history", CONTRADICTION),
        ("jobs", "add", "solve 012(3,0)+134(3,0) 7 4 - rules=p3c6n"),
        ("jobs", "estimate", f"p3c6n average 7 {CONTRADICTION}"),
    ],
)
def test_a_history_that_no_code_fits_names_the_answers_that_may_be_wrong(
    words: tuple[str, ...],
) -> None:
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


def test_a_game_of_numbers_says_only_that_no_number_fits() -> None:
    value = run_json("solve", "number:16", "--history", "7:< 9:>", code=1)
    assert list(value) == ["error"]


def test_build_writes_a_tree_that_verify_accepts(tmp_path: Path) -> None:
    built = run_json("build", "larmouth-rule-mastermind", "--trees", str(tmp_path))
    assert run_json("verify", "--trees", str(tmp_path))["trees"] == built["trees"]


def test_verify_goes_on_after_a_file_that_cannot_be_read(shelf: Path) -> None:
    (shelf / "gone.json").symlink_to(shelf / "nowhere")
    value = run_json("verify", "--trees", str(shelf), code=1)
    assert [row["ok"] for row in value["trees"]] == [False, True]
    assert "gone.json" in value["trees"][0]["error"]


@pytest.mark.parametrize("words", [("export", "nope"), ("play", "nope"), ("verify", "nope")])
def test_an_unknown_tree_is_answered_with_the_known_ones(
    shelf: Path, words: tuple[str, ...]
) -> None:
    done = run(*words, "--trees", str(shelf))
    assert done.exit_code == 2
    assert "unknown tree 'nope'; known are small" in done.stderr


@pytest.mark.process
def test_one_step_rules_need_no_numba(tmp_path: Path) -> None:
    """A module that fails to load replaces numba: only a search imports numba."""
    (tmp_path / "numba.py").write_text("raise ImportError('blocked')\n")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from bullscows.cli.main import main; "
        "sys.argv = ['bullscows', *sys.argv[1:]]; main()"
    )

    def blocked(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", program, *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    assert blocked("strategy", "p3c6n", "larmouth").returncode == 0
    assert blocked("build", "larmouth-rule-mastermind", "--trees", str(tmp_path)).returncode == 0
    missing = blocked("solve", "p3c6n")
    assert (missing.returncode, missing.stderr) == (2, "bullscows: blocked\n")


RULES = Rules.parse("p3c6n")
TREE = first_splitting(RULES)


def game(replies: list[str]) -> tuple[int | None, list[str]]:
    said: list[str] = []
    left = iter(replies)

    def ask(prompt: str) -> str:
        said.append(prompt)
        reply = next(left, None)
        if reply is None:
            raise EOFError
        return reply

    return play_game(TREE, ask, said.append), said


def replies_for(secret: int) -> list[str]:
    return [str(RULES.answers[RULES.respond(node.guess, secret)]) for node in TREE.play(secret)]


def test_every_secret_is_found_at_its_turn() -> None:
    for secret in range(RULES.size):
        turns, _ = game(replies_for(secret))
        assert turns == len(TREE.play(secret))


def test_two_digits_are_an_answer_too() -> None:
    turns, _ = game([reply.replace(".", "") for reply in replies_for(77)])
    assert turns == len(TREE.play(77))


def test_undo_takes_back_an_answer() -> None:
    turns, _ = game(["u", "0.0", "u", *replies_for(50)])
    assert turns == len(TREE.play(50))


def test_impossible_and_unreadable_answers_are_explained() -> None:
    _, said = game(["2.1", "x", "0.3", "1.2", "0.0", "0.0"])
    text = "\n".join(said)
    assert "impossible answer 2.1" in text
    assert "write bulls.cows" in text
    assert "no code gives" in text


def test_a_person_may_leave() -> None:
    assert game(["q"])[0] is None
    assert game([])[0] is None
