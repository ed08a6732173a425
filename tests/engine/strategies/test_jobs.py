"""Jobs of the paper's file: lines, states, and values that no interruption changes."""

import os
from pathlib import Path

import pytest

from bullscows.game.objective import INFINITE, Bounds
from bullscows.strategies.jobs import JobsFileError, read_jobs, run_jobs, write_state
from tests.support.known import known_total

pytestmark = pytest.mark.large

PAPER = """\
solve 0123(0,1)+0145(0,1) 7 4 8 #
solve 0123(0,1)+0134(0,1) 7 4 28 #
solve 0123(0,2)+1234(0,1)+4532(0,1) 7 5 3 #
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "jobs.txt"


def states(file: Path) -> list[str]:
    return [job.state for job in read_jobs(file)]


def test_the_papers_file_is_read(file: Path) -> None:
    file.write_text(PAPER, encoding="utf-8-sig")  # begins with a byte order mark
    jobs = read_jobs(file)
    assert [job.beta for job in jobs] == [8, 28, 3]
    assert [job.question.mde for job in jobs] == [4, 4, None]
    assert str(jobs[0].question) == "p4c10n last 7 mde=4 0123:0.1 0145:0.1"
    assert str(jobs[2].question) == "p4c10n last 7 0123:0.2 1234:0.1 4532:0.1"


def test_the_papers_file_is_solved(file: Path) -> None:
    file.write_text(PAPER)
    run_jobs(file, threads=2)
    assert file.read_text() == (
        PAPER.replace("solve", "done >=8", 1)
        .replace("solve", "done >=28", 1)
        .replace("solve", "done >=3", 1)
    )
    assert os.listdir(file.parent) == ["jobs.txt"], "checkpoints are removed with their jobs"


@pytest.mark.parametrize("threads", [1, 2])
def test_hybrids_cost_what_the_paper_says(file: Path, threads: int) -> None:
    # The paper, 5.1.2 and 5.2.2: crush3, exact and avg3 after 0012 1.1.
    game = "rules=p4c6r objective"
    lines = [f"2 - {game}=last", f"- - {game}=last", f"2 - {game}=average"]
    file.write_text("".join(f"solve 0012(1,1) 5 {line}\n" for line in lines))
    run_jobs(file, threads=threads)
    assert states(file) == ["done 128", "done 121", "done 1034"]


def test_only_states_change(file: Path) -> None:
    """Comments, blanks, the order and the ends of lines stay, and what is done is not redone."""
    lines = [
        "# mine",
        "",
        "  solve   0123(0,2)  6 - - rules=p4c6n   # why",
        "done 7 0123(0,3) 6 - - rules=p4c6n",
        "failed 0123(1,3) 6 - - rules=p4c6n",
        "solve 012(1,0) 2 - - rules=p3c6n",
    ]
    file.write_bytes("\r\n".join(lines).encode())
    run_jobs(file)
    found = file.read_bytes().decode().split("\r\n")
    assert [found[place] for place in (0, 1, 3, 4)] == [lines[place] for place in (0, 1, 3, 4)]
    assert found[2].startswith("done ")
    assert found[2].endswith(" 0123(0,2)  6 - - rules=p4c6n   # why")
    assert found[5] == "done impossible 012(1,0) 2 - - rules=p3c6n"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("slove 0123(0,1) 7 4 8", "it begins with solve"),
        ("done", "it begins with solve"),
        ("solve 0123(0,1) 7 4", "turns, depthCount, mde and beta"),
        ("solve 0123[0,1] 7 4 8", "no turn such as"),
        ("solve 0123(3,1) 7 4 8", "impossible answer 3.1"),
        ("solve 0122(0,1) 7 4 8", "may not repeat"),
        ("solve 0123(4,0)+0124(0,0) 7 4 8", "no code of p4c10n fits"),
        ("solve 0123(0,1) 7 4 -8", "no number from 0 on"),
        ("solve 0123(0,1) seven 4 8", "seven"),
        ("solve 0123(0,1) - 4 8", "needs a last allowed turn"),
        ("solve 0123(0,1) 7 4 8 depth=3", "rules=... and objective=..."),
        ("solve start 7 - - objective=worst", "worst is no sum"),
        ("solve 0123(0,1) 7 ٤ 8", "no number from 0 on"),
        ("solve 0123(0,1) 7 4 999999999999999999", "too large"),
        ("solve 0123(0,1) 7 4 8 # \x1b[31m", "control characters"),
        ("done 6 0123(0,1) 7 4", "turns, depthCount, mde and beta"),
    ],
)
def test_a_damaged_line_is_named_with_what_to_do(file: Path, text: str, what: str) -> None:
    content = f"# a comment\n{text}\n{PAPER}"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(JobsFileError, match=r"jobs\.txt, line 2: .*; correct the line") as caught:
        run_jobs(file)
    assert what in str(caught.value)
    assert file.read_text(encoding="utf-8") == content


@pytest.mark.parametrize(
    ("content", "what"), [(None, "No such file"), (b"\xff\xfe\x00", "is not text in UTF-8")]
)
def test_a_file_that_cannot_be_read_is_named(file: Path, content: bytes | None, what: str) -> None:
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(JobsFileError, match=what):
        run_jobs(file)


@pytest.mark.parametrize(
    ("bounds", "state"),
    [
        (Bounds(6, 6), "done 6"),
        (Bounds(9, 9), "done >=8"),
        (Bounds(8), "done >=8"),
        (Bounds(5, 9), "taken"),
        (Bounds(INFINITE), "done impossible"),
    ],
)
def test_state_says_value_or_bound(file: Path, bounds: Bounds, state: str) -> None:
    file.write_text(PAPER)
    first, *others = read_jobs(file)
    assert first.state_after(bounds) == state
    write_state(file, first, state)
    again, *rest = read_jobs(file)
    assert (again.state, again.is_open) == (state, state == "taken")
    assert again.is_same(first)
    assert rest == others


def test_a_time_limit_keeps_the_work(file: Path) -> None:
    """Each run goes on where the last one ended, a hybrid too."""
    line = "solve 0123(0,1)+0145(0,2) 7 4 - # a hybrid of about two seconds"
    file.write_text(f"{line}\nsolve start - - - rules=p4c10n objective=average\n")
    runs = 0
    while any(job.is_open for job in read_jobs(file)):
        run_jobs(file, time_limit=0.1 * 2**runs)  # a busy machine needs longer to read the table
        runs += 1
    assert states(file)[1] == f"done {known_total('p4c10n')}"
    again = file.with_name("again.txt")
    again.write_text(f"{line}\n")
    run_jobs(again, threads=2)
    assert states(again) == states(file)[:1]
    assert runs > 1


def test_a_job_that_no_search_can_answer_fails_alone(file: Path) -> None:
    file.write_text(
        "solve start - - - rules=p6c10r objective=average\n"
        "solve 0123(0,2) 6 - - rules=p4c6n objective=average\n"
    )
    run = run_jobs(file)
    assert [job.state.split()[0] for job in run.jobs] == ["failed", "done"]
    assert list(run.reasons) == ["p6c10r average -"]


def test_a_job_added_meanwhile_is_solved_too(file: Path) -> None:
    file.write_text("solve start - - - rules=p4c10n objective=average")
    added = "\nsolve 0123(0,2) 6 - - rules=p4c6n objective=average"

    def add(*_: object) -> None:
        if "p4c6n" not in file.read_text():
            file.write_text(file.read_text() + added)

    run_jobs(file, progress=add)
    assert [state.split()[0] for state in states(file)] == ["done", "done"]


def test_two_runs_of_a_file_do_not_meet(file: Path) -> None:
    file.write_text("solve start - - - rules=p4c10n objective=average")
    refused: list[str] = []

    def run_again(*_: object) -> None:
        with pytest.raises(JobsFileError, match="wait for its end, or stop it") as caught:
            run_jobs(file)
        refused.append(str(caught.value))

    run_jobs(file, progress=run_again)
    assert refused
    assert states(file) == [f"done {known_total('p4c10n')}"]
