"""What stands in the fenced blocks of the documents is run, and does what stands there."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import ROOT
from tests.support.fences import PAGES, SERVER, Fence, all_fences, fences, name

HERE = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

CHECKED = {"sh", "jsonc", "python", "pycon"}
"""Run here, or in `tests/house/documents/test_doctests.py`."""

SHOWN = {"text", "nginx", "yaml", "promql", "ini"}
"""Pictures in letters, usages of commands (`test_made_pages`), parts of files that stand beside."""


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_is_of_a_kind_that_is_checked(page: Path) -> None:
    assert {one.language for one in fences(page)} <= CHECKED | SHOWN


def curls() -> list[tuple[Fence, str]]:
    return [
        (fence, command)
        for fence in all_fences("sh")
        for command in fence.commands
        if command.startswith("curl ")
    ]


def asked(command: str, server: str) -> tuple[int, Any]:
    """Run a curl command against another server; return status and JSON."""
    line = command.replace(SERVER, server).replace("curl ", "curl -sS -w '\\n%{http_code}' ", 1)
    done = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=90, check=True)
    body, _, status = done.stdout.rpartition("\n")
    return int(status), json.loads(body)


def shown(text: str, answer: Any) -> tuple[int, Any, Any]:
    """Return the status and JSON of a block with comments, and an answer cut as the block says."""
    said = text.partition("\n")[0]
    for count, field in re.findall(r"the first (\d+) of (\w+)", said):
        answer[field] = answer[field][: int(count)]
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("//"))
    return int(said.split()[1].strip(";")), json.loads("\n".join(lines)), answer


@pytest.mark.process
def test_curl_lines_get_what_stands_below_them(real_server: str) -> None:
    found = curls()
    assert len(found) > 10
    for fence, command in found:
        status, answer = asked(command, real_server)
        if fence.following is None or fence.following.language != "jsonc":
            assert status < 300, f"{fence}: {answer}"
            continue
        wanted, expected, answer = shown(fence.following.text, answer)
        assert (status, answer) == (wanted, expected), fence


def test_every_block_of_json_stands_below_a_curl_line() -> None:
    blocks = all_fences("jsonc")
    answers = {fence.following for fence, _ in curls()}
    assert {str(one) for one in blocks} == {str(one) for one in answers if one in blocks}


@pytest.mark.process
@pytest.mark.parametrize("fence", all_fences("python"), ids=str)
def test_python_runs(fence: Fence, real_server: str) -> None:
    """What it prints is what the comment on its last line says, if it prints."""
    ast.parse(fence.text)
    words = [sys.executable, "-c", fence.text.replace(SERVER, real_server)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=90, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    said = re.findall(r"^print\(.*\)  # (.*)$", fence.text, re.M)
    assert done.stdout.splitlines() == said


def others() -> list[str]:
    return [
        command
        for fence in all_fences("sh")
        for command in fence.commands
        if not command.startswith("curl ")
    ]


TARGETS = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))


@pytest.mark.parametrize("command", [one for one in others() if one.startswith("make ")])
def test_make_has_the_target(command: str) -> None:
    assert command.split()[1] in TARGETS


@pytest.mark.process
@pytest.mark.parametrize("command", [one for one in others() if not one.startswith("make ")])
def test_command_runs(command: str, tmp_path: Path) -> None:
    """Each in a folder of its own; those that take long stand in no block of shell."""
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, timeout=90, env=HERE, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_named_targets_of_make_exist() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert set(re.findall(r"`make (\w+)", text)) <= TARGETS


def test_named_modules_and_tests_exist() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    modules = set(re.findall(r"python -m (benchmarks[\w.]*)", text))
    assert modules
    for module in modules:
        place = ROOT / module.replace(".", "/")
        assert place.is_dir() or place.with_suffix(".py").is_file(), module
    for path in set(re.findall(r"pytest (?:-m \w+ )?(tests/[\w/.]+)", text)):
        assert (ROOT / path).exists(), path
