"""``bullscows solve``: prove the best cost of a game or a position, or of many in a batch."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

import typer

from bullscows.cli import options as opt
from bullscows.cli.trees import tree_line, tree_row
from bullscows.errors import EngineError, counted
from bullscows.game.arguments import MAX_SECONDS
from bullscows.game.history import MAX_CODES, InconsistentError, Played
from bullscows.game.notation import read_history
from bullscows.game.number_game import NumberGame
from bullscows.game.objective import distribution_text
from bullscows.game.question import Question
from bullscows.game.response_table import GameTooLargeError
from bullscows.game.rules import NUMBERS, CodeError, CodeIndex, Rules
from bullscows.tree.files import TreeRecord, write_tree
from bullscows.tree.storage import RecordError

if TYPE_CHECKING:
    from bullscows.analysis.evaluation import Evaluation
    from bullscows.search.solution import Solution


EVALUATIONS_LATER = 0.5
"""The share of the time for the best guess if other guesses are evaluated afterwards."""


@dataclass(frozen=True)
class Asked:
    """The values of the options, or of a line of a batch."""

    rules: str
    objective: str
    max_turns: int | None
    guess: str | None
    evaluate: str
    candidates_only: bool
    history: str
    time_limit: float | None
    secrets: Path | None
    threads: int
    cluster: str | None
    checkpoint: Path | None
    known: str | None

    def question(self) -> Question:
        """Return the question; only this command accepts number games."""
        game: Rules | NumberGame
        if self.rules.startswith(NUMBERS):
            game = NumberGame.parse(self.rules)
            turns: Played = game.turns(self.history)
        else:
            game = Rules.parse(self.rules)
            turns = read_history(game, self.history)
        return Question.of(
            game.table() if isinstance(game, NumberGame) else game,
            turns,
            self.objective,
            self.max_turns,
            first=None if self.guess is None else game.parse_code(self.guess),
            candidates_only=self.candidates_only,
            secrets=None if self.secrets is None else _read_secrets(self.secrets, game),
        )


@opt.command
def solve(
    rules: opt.RulesText = "",
    objective: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="average, last, movers, worst, from:K, several with commas, or weights:w1,w2,...",
        ),
    ] = "average",
    max_turns: opt.MaxTurns = None,
    guess: opt.NextGuess = None,
    evaluate: Annotated[
        str,
        typer.Option(
            metavar="CODES", help="Evaluate these guesses as well, for example 0987,1456."
        ),
    ] = "",
    candidates_only: Annotated[
        bool, typer.Option("--candidates-only", help="Guess candidates only.")
    ] = False,
    history: opt.Turns = "",
    secrets: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The codes that may be the secret, one on each line; # begins a comment.",
            show_default=False,
        ),
    ] = None,
    threads: opt.Threads = 1,
    cluster: opt.ClusterAddress = None,
    time_limit: opt.TimeLimit = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Continue from the proven bounds in this file, and save to it.",
            show_default=False,
        ),
    ] = None,
    known: Annotated[
        str | None,
        typer.Option(
            metavar="TREE",
            help="With --checkpoint: a tree, as an upper bound.",
            show_default=False,
        ),
    ] = None,
    recheck: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="With --checkpoint: only search N random positions again."
        ),
    ] = None,
    grow: Annotated[
        Path | None,
        typer.Option(
            metavar="TREE_FILE",
            help="With --checkpoint: only write the best tree that it knows.",
            show_default=False,
        ),
    ] = None,
    is_batch: Annotated[
        bool, typer.Option("--batch", help="Read positions and write results as JSON lines.")
    ] = False,
) -> opt.Outcome:
    """Prove the best cost of a game or a position.

    The exit code is 1 if no strategy exists or no code fits the history, and 3 if the time limit
    ends the search before the proof.

    Total, mean and distribution count turns from the first turn of the game. If a time limit or
    Ctrl-C ends the search, the bounds proved so far are printed, or those of a shipped tree. With
    --evaluate half of the time is left for the evaluations.

    A checkpoint is saved at least every five minutes and when the search ends, also by Ctrl-C or
    SIGTERM (exit code 130). The same command continues from it, on any machine. With --recheck the
    exit code is 1 if a bound in the file is wrong. With --grow a tree whose total is the upper
    bound, or less, is written: the file has its guesses at large positions, small ones are solved.

    With --batch each line of standard input is a JSON object whose keys are arguments and options,
    for example {"rules": "p4c10n"}. Keys that a line omits default to the command-line options.

    The game number:16 has the numbers 0 to 15 as codes and the answers smaller, equal and
    greater. Its history is written "7:> 11:<".
    """
    given = locals()
    if checkpoint is None and any(given[name] is not None for name in ("known", "recheck", "grow")):
        raise opt.UsageError("--known, --recheck and --grow need --checkpoint FILE")
    if checkpoint is not None and grow is not None and grow.resolve() == checkpoint.resolve():
        raise opt.UsageError("--grow would overwrite the checkpoint: name another file")
    for name in ("known", "recheck", "cluster", "time_limit", "evaluate"):
        if grow is not None and given[name]:
            raise opt.UsageError(f"--grow cannot be combined with --{name.replace('_', '-')}")
    for name, value in (("--checkpoint", checkpoint), ("--cluster", cluster)):
        if is_batch and value is not None:
            raise opt.UsageError(f"{name} cannot be combined with --batch: use it for one position")
    asked = Asked(**{each.name: given[each.name] for each in fields(Asked)})
    if is_batch:
        raise typer.Exit(_batch(asked))
    if not rules:
        raise opt.UsageError("RULES is missing: write a game, for example bullscows solve p4c10n")
    with opt.terminable() if checkpoint else nullcontext():
        if checkpoint is not None and grow is not None:
            return _grown(asked.question(), checkpoint, grow, threads)
        if checkpoint is not None and recheck is not None:
            return _rechecked(asked.question(), checkpoint, recheck, threads)
        return _solved(asked)


def _evaluated(evaluate: str, question: Question) -> list[CodeIndex]:
    """Return the guesses to evaluate."""
    if not evaluate:
        return []
    for name in ("candidates_only", "secrets"):
        if getattr(question, name):
            option = name.replace("_", "-")
            raise opt.UsageError(
                f"--evaluate cannot be combined with --{option}: leave one of them out"
            )
    if not isinstance(question.history.game, Rules):
        raise opt.UsageError(f"--evaluate does not support {question.game}: use --guess instead")
    return [question.rules.parse_code(word.strip()) for word in evaluate.split(",")]


def _read_secrets(path: Path, game: Rules | NumberGame) -> list[CodeIndex]:
    """Read a file with a code on each line, and comments that begin with #."""
    if isinstance(game, NumberGame):
        raise opt.UsageError(f"--secrets does not support {game}")
    codes = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise opt.UsageError(f"{path} is not text in UTF-8: write one code on each line") from None
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if text:
            try:
                codes.append(game.parse_code(text))
            except CodeError as error:
                raise opt.UsageError(f"{path}, line {number}: {error}") from None
    if not codes:
        raise opt.UsageError(f"{path} has no codes: write one on each line")
    return codes


def _solved(asked: Asked) -> opt.Outcome:
    """Search, and evaluate the given guesses."""
    from bullscows.search.solver import solve

    question = asked.question()
    guesses = _evaluated(asked.evaluate, question)
    line = partial(opt.search_line, question.text)
    try:
        with (
            opt.connected(asked.cluster) as workers,
            opt.progress_shown(f"{question.game} {question.objective}", line) as show,
        ):
            solution = solve(
                question,
                threads=asked.threads,
                progress=show,
                timer=opt.timer(asked.time_limit).part(EVALUATIONS_LATER if guesses else 1),
                checkpoint=asked.checkpoint,
                known=None if asked.known is None else opt.named_tree(asked.known, None),
                cluster=workers,
            )
    except GameTooLargeError as error:
        if question.rules.size > MAX_CODES:
            raise
        from bullscows.analysis.without_search import by_rule

        found = by_rule(question)
        raise opt.UsageError(
            f"{error}; unproved, the one-step rule {found.rule} guesses {found.guess_text}"
        ) from None
    solution.grow(opt.timer(asked.time_limit).extended())
    record = solution_record(solution)
    lines = solution_lines(solution, record)
    code = _code(solution)
    if guesses and solution.feasible is not False and not solution.interrupted:
        from bullscows.analysis.evaluation import evaluation_record

        evaluations = _evaluations(solution, guesses, asked.time_limit)
        record["evaluations"] = [evaluation_record(one) for one in evaluations]
        lines += map(str, evaluations)
        if any(one.status != "optimal" for one in evaluations):
            code = code or opt.UNPROVED
    return opt.Outcome(record, lines, code)


def _code(solution: Solution) -> int:
    if solution.feasible is False:
        return opt.CLAIM_FAILS
    is_over = solution.question.found is not None
    if solution.optimal and (solution.guess is not None or is_over):
        return opt.DONE
    return opt.INTERRUPTED if solution.interrupted else opt.UNPROVED


def _rechecked(question: Question, checkpoint: Path, count: int, threads: int) -> opt.Outcome:
    """Search random positions of the checkpoint again."""
    from bullscows.search.from_checkpoint import recheck

    results = []
    with opt.progress_shown(f"searching {checkpoint.name} again") as show:
        for result in recheck(question, checkpoint=checkpoint, count=count, threads=threads):
            results.append(result)
            if show is not None:
                show(counted(len(results), "position"))
    wrong = [one for one in results if not one.is_confirmed]
    record = {"checked": len(results), "wrong": [asdict(one) for one in wrong]}
    lines = [
        f"{counted(len(results), 'position')} searched again, {len(wrong)} wrong",
        *map(str, wrong),
    ]
    return opt.Outcome(record, lines, opt.CLAIM_FAILS if wrong else opt.DONE)


def _grown(question: Question, checkpoint: Path, file: Path, threads: int) -> opt.Outcome:
    """Write the best tree that the checkpoint knows."""
    from bullscows.search.checkpoint import total_bound
    from bullscows.search.from_checkpoint import best_tree

    with opt.progress_shown(f"growing {file.stem}") as show:
        tree = best_tree(question, checkpoint=checkpoint, threads=threads, progress=show)
    lower = None
    with suppress(RecordError):  # a checkpoint with a cap, or of candidates only, bounds no total
        lower = total_bound(checkpoint, question.rules)
    if lower == tree.total:  # only the file of a proved tree says so
        lower = None
    record = TreeRecord.of(tree, objective="checkpoint", lower=lower)
    write_tree(file, record)
    row = tree_row(file.stem, record)
    return opt.Outcome(row, [tree_line(row)])


def _evaluations(
    solution: Solution, guesses: Sequence[CodeIndex], time_limit: float | None
) -> list[Evaluation]:
    """Evaluate guesses relative to the best guess of the position."""
    from bullscows.analysis.analyst import Analyst, checked
    from bullscows.game.result import Analysis

    asked = solution.question
    question = checked(replace(asked, first=None))
    analyst = Analyst.loaded()
    if solution.optimal and asked.first is None and solution.guess is not None:
        best = Analysis.proved(question, solution.guess, solution.levels)
    else:
        best = analyst.analysis(question, opt.timer(time_limit).share(0.5))
    return analyst.evaluations(best, guesses, opt.timer(time_limit).share())


def solution_record(solution: Solution) -> dict[str, Any]:
    """Return the result of a search as JSON-ready values.

    ``value`` is the cost by the strongest criterion, ``levels`` has the cost by each.  Turns are
    counted from the first turn of the game: ``total`` is their sum over the secrets, ``mean`` that
    sum divided by the secrets, and ``distribution`` the secrets found at turn 1, 2, ...  All of
    these are null without a proof.  ``lower`` and ``upper`` are the proven bounds of ``value``.
    """
    question = solution.question
    distribution = solution.distribution
    return {
        "rules": question.game,
        "objective": str(question.objective),
        "max_turns": question.turns_allowed,
        "candidates_only": question.candidates_only,
        "value": solution.value,
        "levels": solution.levels or None,
        "guess": solution.guess_text,
        "source": solution.source,
        "secrets": solution.secrets,
        "total": solution.total,
        "mean": None if solution.mean is None else round(solution.mean, 6),
        "distribution": distribution and list(distribution),
        "depth": distribution and len(distribution),
        "optimal": solution.optimal,
        "feasible": solution.feasible,
        "lower": None if solution.feasible is False else solution.bounds.lower,
        "upper": solution.bounds.upper,
        "nodes": solution.counters["nodes"],
        "seconds": round(opt.seconds(), 3),
        "statistics": solution.counters,
    }


def solution_lines(solution: Solution, record: dict[str, Any]) -> list[str]:
    """Return a solution and its record as sentences."""
    nodes = record["nodes"]
    seconds = f"{record['seconds']} s"
    effort = f"{counted(nodes, 'node')}, {seconds}" if nodes else seconds
    if solution.optimal and not nodes:
        effort = "no search needed"
    lines = [f"{solution.claim} ({effort})"]
    if record["distribution"] is not None and record["guess"] is not None:
        found = distribution_text(record["distribution"])
        lines.append(
            f"guess {record['guess']}; {counted(record['secrets'], 'secret')}, "
            f"total {counted(record['total'], 'turn')}, "
            f"mean {record['mean']:.3f}, found at turn 1/2/...: {found}"
        )
    return lines


IN_LINES = (
    "rules",
    "objective",
    "max_turns",
    "guess",
    "evaluate",
    "candidates_only",
    "history",
    "time_limit",
)
"""The keys of a line."""


def _batch(defaults: Asked) -> int:
    """Answer each line of standard input before reading the next; return the exit code.

    The code is 130 if Ctrl-C ended the batch, after the bounds of the current search are printed;
    otherwise 1 if a line got an error or has no strategy, 3 if a time limit ended a search, or 0.
    """
    codes = {opt.DONE}
    for line in filter(bytes.strip, sys.stdin.buffer):
        opt.start()
        try:
            outcome = _solved(_stated(line, defaults))
        except InconsistentError as error:
            outcome = opt.contradiction(error)
        except EngineError as error:
            outcome = opt.Outcome({"error": str(error)}, [], opt.CLAIM_FAILS)
        except MemoryError as error:
            outcome = opt.Outcome({"error": f"not enough memory: {error}"}, [], opt.CLAIM_FAILS)
        opt.print_json(outcome.record)
        codes.add(outcome.code)
        if outcome.code == opt.INTERRUPTED:
            break
    order = (opt.INTERRUPTED, opt.CLAIM_FAILS, opt.UNPROVED, opt.DONE)
    return next(code for code in order if code in codes)


def _stated(line: bytes, defaults: Asked) -> Asked:
    """Return what a line asks, or raise `UsageError`."""
    try:
        stated = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise opt.UsageError(f"invalid JSON: {error}") from None
    if not isinstance(stated, dict):
        raise opt.UsageError('not a JSON object: write, for example, {"rules": "p4c10n"}')
    hints = get_type_hints(Asked)
    for name, value in stated.items():
        if name not in IN_LINES:
            raise opt.UsageError(f"unknown key {name!r}: the keys are {', '.join(IN_LINES)}")
        kinds = get_args(hints[name]) or (hints[name],)
        is_valid = type(value) in kinds or (float in kinds and type(value) is int)
        if not is_valid or (name == "time_limit" and not 0 <= (value or 0) <= MAX_SECONDS):
            raise opt.UsageError(f"{name} cannot be {json.dumps(value)[:40]}")
    asked = replace(defaults, **stated)
    if not asked.rules:
        raise opt.UsageError('rules is missing: write, for example, "rules": "p4c10n"')
    return asked
