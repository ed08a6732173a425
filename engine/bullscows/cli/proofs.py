"""``bullscows prove`` and ``check``: proofs that anyone can check without a search."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from bullscows.cli import options as opt
from bullscows.errors import counted
from bullscows.game.question import Question
from bullscows.game.rules import Rules, RulesError
from bullscows.tree.proof_checker import ProofError
from bullscows.tree.proof_checker import check as check_proof
from bullscows.tree.proof_files import read_claim
from bullscows.tree.storage import (
    RecordError,
    check_folder,
    default_folder,
    errors_name,
    proof_path,
    write_whole,
)


@opt.command
def prove(
    target: Annotated[
        str, typer.Argument(metavar="RULES|TREE", help="A game, or the name or file of a tree.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The proof file to write.")
    ],
    objective: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[,NAME]",
            help="Objective of a game, strongest first; a tree has its own.",
            show_default="average",
        ),
    ] = None,
    max_turns: opt.MaxTurns = None,
    threads: opt.Threads = 1,
    folder: opt.Folder = None,
) -> opt.Outcome:
    """Write a proof that no strategy does better, which `check` accepts without a search.

    The proof is about the fewest turns over all codes of a game, or another objective, or about the
    objective of a tree. With worst it shows how many codes at least are found at the last turn of
    the best worst case, so that no strategy ends before.
    FILE.partial has the lemmas proved so far: if the command is stopped, run it again to continue.
    """
    from bullscows.search.proof_writer import Writer

    check_folder(output.absolute().parent)
    if output.is_dir():
        raise opt.UsageError(f"--output: {output} is a folder: name a file in it")
    question = _question(target, objective, max_turns, folder)
    label = f"proving {question.rules}, {question.objective}"
    partial = output.with_name(f"{output.name}.partial")
    try:
        with errors_name(partial), opt.progress_shown(label, _lemmas) as show:
            proof = Writer(question, threads).write(show, partial)
    except ProofError as error:  # the game is too large
        raise opt.UsageError(str(error)) from None
    write_whole(output, proof.content)
    partial.unlink()
    record = {
        "rules": str(question.rules),
        "objective": str(question.objective),
        "claim": proof.claim,
        "lemmas": proof.lemmas,
        "bytes": len(proof.content),
        "seconds": round(opt.seconds(), 3),
    }
    lemmas = counted(proof.lemmas, "lemma")
    line = (
        f"{question.rules}, {question.objective}: no strategy costs less than {proof.claim}; "
        f"{lemmas}, {len(proof.content)} bytes in {output}"
    )
    return opt.Outcome(record, [line])


@opt.command
def check(
    file: Annotated[
        str, typer.Argument(metavar="FILE|RULES", help="A proof file, or a game that has one.")
    ],
    folder: opt.Folder = None,
) -> opt.Outcome:
    """Check a proof that no strategy does better, without a search.

    The exit code is 1 if the file does not prove its claim.
    """
    path = Path(file)
    game = None
    with suppress(RulesError):
        game = str(Rules.parse(file))
        path = proof_path(game, folder or default_folder())
    if not path.is_file():
        raise opt.UsageError(_no_proof(file, game))
    try:
        with opt.progress_shown(f"checking {path.name}", _lemmas) as show:
            found = check_proof(path, show)
        question = read_claim(path, game).question
    except (ProofError, RecordError) as error:
        failed = {"ok": False, "file": str(path), "error": str(error)}
        return opt.Outcome(failed, [f"{path}: not proved: {error}"], opt.CLAIM_FAILS)
    record = {
        "ok": True,
        "file": str(path),
        "rules": found.rules,
        "objective": str(question.objective),
        "max_turns": question.max_turns,
        "weights": found.weights,
        "claim": found.claim,
        "lemmas": found.lemmas,
        "seconds": round(opt.seconds(), 3),
    }
    return opt.Outcome(record, [f"{path}: proved: {found}"])


def _no_proof(file: str, game: str | None) -> str:
    """Return why there is no proof file to check."""
    if game is not None:
        return f"no proof of {game} is shipped: write one with bullscows prove {game} -o FILE"
    if Path(file).is_dir():
        return f"{file} is a folder: name a game, or a proof file"
    return f"no such file: {file}: name a game, or a proof file"


def _question(
    target: str, objective: str | None, max_turns: int | None, folder: Path | None
) -> Question:
    """Return the question about a game, or that of a tree."""
    from bullscows.search.solver import solve

    found = opt.game_or_tree(target, folder)
    if isinstance(found, Rules):
        if objective == "worst" and max_turns is None:
            worst = solve(Question.of(found, (), objective))
            if worst.interrupted:
                raise KeyboardInterrupt
            objective = f"from:{worst.value}"
        return Question.of(found, (), objective or "average", max_turns)
    if objective is not None or max_turns is not None:
        raise opt.UsageError(
            f"--objective and --max-turns need a game, and {found.name} is a tree with its own"
        )
    record = found.record
    return Question.of(record.rules, (), record.objective, record.max_turns)


def _lemmas(report: tuple[int, int]) -> str:
    """Return the progress of a proof."""
    return f"{report[0]} lemmas, {report[1]} in all"
