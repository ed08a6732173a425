"""``bullscows solve``: prove the best cost of a game or a position, or of many in a batch."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

import typer

from bullscows.cli import options as opt
from bullscows.errors import EngineError, counted
from bullscows.game.history import MAX_CODES, InconsistentError, Played
from bullscows.game.notation import read_history
from bullscows.game.number import NumberGame
from bullscows.game.objective import distribution_text
from bullscows.game.question import Question
from bullscows.game.responses import GameTooLargeError
from bullscows.game.rules import NUMBERS, CodeError, CodeIndex, Rules
from bullscows.game.timer import Timer

if TYPE_CHECKING:
    from bullscows.analysis.findings import Evaluation
    from bullscows.search.solution import Solution


EVALUATIONS_LATER = 0.5
"""The share of the time for the best guess if other guesses are evaluated afterwards."""


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
    exit code is 1 if a bound in the file is wrong.

    With --batch each line of standard input is a JSON object, for example {"rules": "p4c10n",
    "history": "0123:0.1"}. Keys that a line omits default to the command-line options.

    The game number:16 has the numbers 0 to 15 as codes and the answers smaller, equal and
    greater. Its history is written "7:> 11:<".
    """
    given = locals()
    request = Request(**{each.name: given[each.name] for each in fields(Request)})
    if checkpoint is None and (known is not None or recheck is not None):
        raise opt.UsageError("--known and --recheck need --checkpoint FILE")
    for name, value in (("--checkpoint", checkpoint), ("--cluster", cluster)):
        if is_batch and value is not None:
            raise opt.UsageError(f"{name} cannot be combined with --batch: use it for one position")
    if is_batch:
        raise typer.Exit(_batch(request))
    if not rules:
        raise opt.UsageError("RULES is missing: write a game, for example bullscows solve p4c10n")
    with opt.terminable() if checkpoint else nullcontext():
        return _rechecked(request, recheck) if recheck else _solved(request)


@dataclass(frozen=True)
class Request:
    """The options of the command, or the keys of a line of a batch, and the question they state."""

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
    checkpoint: Path | None
    known: str | None
    cluster: str | None

    @cached_property
    def question(self) -> Question:
        """The position; only this command accepts number games."""
        guess = self.guess
        game: Rules | NumberGame
        if self.is_number_game:
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
            first=None if guess is None else game.parse_code(guess),
            candidates_only=self.candidates_only,
            secrets=None if self.secrets is None else _read_secrets(self.secrets, game),
        )

    @property
    def is_number_game(self) -> bool:
        """Whether the game is one such as ``number:16``."""
        return self.rules.startswith(NUMBERS)

    def evaluated(self) -> list[CodeIndex]:
        """Return the guesses to evaluate."""
        if not self.evaluate:
            return []
        for name in ("candidates_only", "secrets"):
            if getattr(self, name):
                option = name.replace("_", "-")
                raise opt.UsageError(
                    f"--evaluate cannot be combined with --{option}: leave one of them out"
                )
        if self.is_number_game:
            raise opt.UsageError(f"--evaluate does not support {self.rules}: use --guess instead")
        game = Rules.parse(self.rules)
        return [game.parse_code(word.strip()) for word in self.evaluate.split(",")]


def _read_secrets(path: Path, game: Rules | NumberGame) -> list[CodeIndex]:
    """Read a file with a code on each line, and comments that begin with #."""
    if isinstance(game, NumberGame):
        raise opt.UsageError(f"--secrets does not support {game}")
    codes = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        text = line.partition("#")[0].strip()
        if text:
            try:
                codes.append(game.parse_code(text))
            except CodeError as error:
                raise opt.UsageError(f"{path}, line {number}: {error}") from None
    if not codes:
        raise opt.UsageError(f"{path} has no codes: write one on each line")
    return codes


def _solved(request: Request) -> opt.Outcome:
    """Search, and evaluate the given guesses."""
    guesses = request.evaluated()
    share = EVALUATIONS_LATER if guesses else 1.0
    solution = _search(request, share)
    solution.grow(Timer(opt.left(request.time_limit)).extended())
    record = solution_record(solution)
    lines = solution_lines(solution, record)
    code = _code(solution)
    if guesses and solution.feasible is not False and not solution.interrupted:
        from bullscows.analysis.findings import evaluation_record

        found = _evaluations(solution, request, guesses)
        record["evaluations"] = [evaluation_record(one) for one in found]
        lines += map(str, found)
        if any(one.status != "optimal" for one in found):
            code = code or opt.UNPROVED
    return opt.Outcome(record, lines, code)


def _code(solution: Solution) -> int:
    if solution.feasible is False:
        return opt.CLAIM_FAILS
    is_over = solution.question.found is not None
    if solution.optimal and (solution.guess is not None or is_over):
        return opt.DONE
    return opt.INTERRUPTED if solution.interrupted else opt.UNPROVED


def _search(request: Request, share: float) -> Solution:
    """Search for a share of the time that is left."""
    from bullscows.search.solver import solve

    question = request.question
    label = f"{question.game} {question.objective}"
    try:
        with (
            opt.connected(request.cluster) as workers,
            opt.progress_shown(label, partial(opt.search_line, question.text)) as show,
        ):
            return solve(
                question,
                threads=request.threads,
                progress=show,
                time_limit=Timer(opt.left(request.time_limit)).share(share),
                checkpoint=request.checkpoint,
                known=None if request.known is None else opt.named_tree(request.known, None),
                cluster=workers,
            )
    except GameTooLargeError as error:
        if request.is_number_game or question.rules.size > MAX_CODES:
            raise
        from bullscows.analysis.findings import by_rule

        found = by_rule(question)
        raise opt.UsageError(
            f"{error}; unproved, the one-step rule {found.rule} guesses {found.guess_text}"
        ) from None


def _rechecked(request: Request, count: int) -> opt.Outcome:
    """Search random positions of the checkpoint again."""
    from bullscows.search.solver import recheck

    assert request.checkpoint is not None
    results = list(
        recheck(
            request.question,
            checkpoint=request.checkpoint,
            count=count,
            threads=request.threads,
        )
    )
    wrong = [one for one in results if not one.is_confirmed]
    record = {"checked": len(results), "wrong": [asdict(one) for one in wrong]}
    lines = [
        f"{counted(len(results), 'position')} searched again, {len(wrong)} wrong",
        *map(str, wrong),
    ]
    return opt.Outcome(record, lines, opt.CLAIM_FAILS if wrong else opt.DONE)


def _evaluations(
    solution: Solution, request: Request, guesses: Sequence[CodeIndex]
) -> list[Evaluation]:
    """Evaluate guesses relative to the best guess of the position."""
    from bullscows.analysis.analyst import Analyst, checked
    from bullscows.game.result import Analysis

    question = checked(replace(request.question, first=None))
    analyst = Analyst.loaded()
    if solution.optimal and request.guess is None and solution.guess is not None:
        best = Analysis.proved(question, solution.guess, solution.levels)
    else:
        best = analyst.analysis(question, Timer(opt.left(request.time_limit)).share(0.5))
    return analyst.evaluations(best, guesses, opt.left(request.time_limit))


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
        "max_turns": question.objective.turns_allowed(question.max_turns),
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


MAX_SECONDS = 1e9

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


def _batch(defaults: Request) -> int:
    """Answer each line of standard input before reading the next; return the exit code.

    The code is 130 if Ctrl-C ended the batch, after the bounds of the current search are printed;
    otherwise 1 if a line got an error or has no strategy, 3 if a time limit ended a search, or 0.
    """
    codes = {opt.DONE}
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        outcome = _answered(line, defaults)
        opt.print_json(outcome.record)
        codes.add(outcome.code)
        if outcome.code == opt.INTERRUPTED:
            break
    return next(
        code for code in (opt.INTERRUPTED, opt.CLAIM_FAILS, opt.UNPROVED, opt.DONE) if code in codes
    )


def _answered(line: bytes, defaults: Request) -> opt.Outcome:
    opt.start()
    try:
        return _solved(_request(line, defaults))
    except InconsistentError as error:
        return opt.contradiction(error)
    except EngineError as error:
        reason = str(error)
    except MemoryError as error:
        reason = f"not enough memory: {error}"
    return opt.Outcome({"error": reason}, [], opt.CLAIM_FAILS)


def _request(line: bytes, defaults: Request) -> Request:
    """Read a line; missing keys have the values of `defaults`."""
    try:
        stated = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise opt.UsageError(f"invalid JSON: {error}") from None
    if not isinstance(stated, dict):
        raise opt.UsageError('not a JSON object: write, for example, {"rules": "p4c10n"}')
    request = replace(defaults, **{name: _value(name, stated[name]) for name in stated})
    if not request.rules:
        raise opt.UsageError('rules is missing: write, for example, "rules": "p4c10n"')
    return request


def _value(name: str, value: Any) -> Any:
    """Check the type of a key's value, and the range of a time limit, which may be NaN."""
    if name not in IN_LINES:
        raise opt.UsageError(f"unknown key {name!r}: the keys are {', '.join(IN_LINES)}")
    stated = get_type_hints(Request)[name]
    kinds = get_args(stated) or (stated,)
    is_valid = type(value) in kinds or (float in kinds and type(value) is int)
    if not is_valid or (name == "time_limit" and not 0 <= (value or 0) <= MAX_SECONDS):
        raise opt.UsageError(f"{name} cannot be {json.dumps(value)[:40]}")
    return value
