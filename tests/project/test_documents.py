"""Code blocks of the documents and the notebook run and print what they show; links lead on."""

import doctest
import io
import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from docs.generate.answers import DAY
from tests import ROOT
from tests.engine.cli.test_commands import run
from tests.support.fences import PAGES, SERVER, Fence, all_fences, fences, name
from tests.support.programs import program

HERE = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

CHECKED = {"sh", "console", "jsonc", "python", "pycon", "javascript"}
"""Languages that are run."""

SHOWN = {"text", "yaml", "promql", "ini"}
"""Languages that are only shown: output, usages, parts of files."""


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_is_run_or_only_shown(page: Path) -> None:
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
    curl = f"{program('curl')} -sS -w '\\n%{{http_code}}' "
    line = command.replace(SERVER, server).replace("curl ", curl, 1)
    done = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=600, check=True)
    body, _, status = done.stdout.rpartition("\n")
    today = datetime.now(UTC).date().isoformat()  # of the daily puzzle; pages show a fixed day
    return int(status), json.loads(body.replace(today, DAY))


def shown(text: str, answer: Any) -> tuple[int, Any, Any]:
    """Return the status and JSON of a block with comments, and an answer cut as the block says."""
    said = text.partition("\n")[0]
    for count, field in re.findall(r"the first (\d+) of (\w+)", said):
        answer[field] = answer[field][: int(count)]
    if only := re.search(r"only (.*)", said):
        answer = {field: answer[field] for field in only[1].split(", ")}
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("//"))
    return int(said.split()[1].strip(";")), json.loads("\n".join(lines)), answer


@pytest.mark.process
def test_curl_commands_get_the_answers_shown(real_server: str) -> None:
    found = [one for one in curls() if not re.search("/matches|/results", one[1])]  # need players
    assert len(found) > 10
    for fence, command in found:
        status, answer = asked(command, real_server)
        if fence.following is None or fence.following.language != "jsonc":
            assert status < 300, f"{fence}: {answer}"
            continue
        wanted, expected, answer = shown(fence.following.text, answer)
        assert (status, answer) == (wanted, expected), fence


def interpreter(language: str) -> list[str]:
    """Return the command that runs a program that it reads."""
    if language == "python":
        return [sys.executable]
    return [program("node"), "--input-type=module"]


@pytest.mark.process
@pytest.mark.parametrize("fence", all_fences("python", "javascript"), ids=str)
def test_program_prints_the_output_shown(fence: Fence, real_server: str) -> None:
    done = subprocess.run(
        interpreter(fence.language),
        input=fence.text.replace(SERVER, real_server),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == output(fence)


def output(fence: Fence) -> str:
    """Return the text block below a block, which shows what it prints."""
    below = fence.following
    return below.text if below is not None and below.language == "text" else ""


def shell_lines(fence: Fence) -> list[str]:
    """Return the commands that need no server, no network and no checkout."""
    others = ("curl ", "make ", "git ", "cd ", "pip ")
    return [one for one in fence.commands if not one.startswith(others)]


def printed(lines: list[str]) -> str:
    """Run commands, in this process if they are ours and need no shell; return what they print."""
    if all(line.startswith("bullscows ") and not set(line) & set("|<>$&;") for line in lines):
        done = [run(*shlex.split(line)[1:]) for line in lines]
        assert all(each.exit_code == 0 for each in done), [each.stderr for each in done]
        return "".join(each.stdout for each in done)
    script = "\n".join(["set -e", *lines])
    ended = subprocess.run(
        script, shell=True, capture_output=True, text=True, timeout=600, env=HERE
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.process
@pytest.mark.parametrize("fence", [one for one in all_fences("sh") if shell_lines(one)], ids=str)
def test_commands_print_the_output_shown(fence, tmp_path, monkeypatch):
    """Nodes and seconds of a search differ between runs; what takes long is no block of shell."""
    monkeypatch.chdir(tmp_path)
    said = printed(shell_lines(fence))
    assert said
    if output(fence):
        assert without_effort(said) == without_effort(output(fence))


@pytest.mark.parametrize("fence", all_fences("console"), ids=str)
def test_session_goes_as_shown(fence: Fence) -> None:
    """What is typed stands behind `> `, which ends a prompt."""
    command, _, session = fence.text.partition("\n")
    typed = re.findall(r"   > (.*\n)", session)
    said = run(*shlex.split(command)[2:], typed="".join(typed)).stdout
    assert said == re.sub(r"   > .*\n", "   > ", session)


def without_effort(text: str) -> str:
    return re.sub(r"\(\d+ nodes, [\d.]+ s\)", "(effort)", text)


WITH_EXAMPLES = [page for page in PAGES if any(one.language == "pycon" for one in fences(page))]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name)
def test_doctests_pass(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    found = doctest.testfile(str(page), module_relative=False)
    assert found.failed == 0
    assert found.attempted > 2


@pytest.mark.process
def test_site_is_built_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    words = [*command, "-f", str(ROOT / "mkdocs.yml"), "-d", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    made = {page.relative_to(tmp_path).as_posix() for page in tmp_path.rglob("*.html")}
    assert {re.sub(r"\.md$", ".html", name(page)) for page in PAGES} - {"README.html"} <= made
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "docs/game.webp" in index
    styles = re.findall(r'rel="stylesheet" href="([^"]+)"', index)
    assert len(styles) > 2
    assert [style for style in styles if not (tmp_path / style).is_file()] == []
    assert not re.findall(r'(?:src|rel="stylesheet" href)="https?://', index)


def test_readme_has_at_most_500_words() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 500


CELLS = [
    cell
    for cell in json.loads((ROOT / "docs/notebooks/papers.ipynb").read_text("utf-8"))["cells"]
    if cell["cell_type"] == "code"
]
WITHOUT_SEARCH = 4


@pytest.mark.parametrize(
    "count", [WITHOUT_SEARCH, pytest.param(len(CELLS), marks=pytest.mark.slow)]
)
def test_cells_print_what_they_show(count: int) -> None:
    scope: dict[str, Any] = {}
    for cell in CELLS[:count]:
        with redirect_stdout(io.StringIO()) as printed:
            exec("".join(cell["source"]), scope)
        shown = "".join(line for output in cell["outputs"] for line in output["text"])
        assert printed.getvalue() == shown
