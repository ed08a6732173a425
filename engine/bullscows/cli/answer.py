"""What ``bullscows solve`` is asked, once or on each line of a batch, and what it says."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bullscows.cli.options import CLAIM_FAILS, DONE, INTERRUPTED, UNPROVED, named_tree
from bullscows.cli.progress import search_shown
from bullscows.errors import EngineError
from bullscows.game.candidates import MAX_CODES
from bullscows.game.cost import turns_text
from bullscows.game.history import Played
from bullscows.game.number import NumberGame
from bullscows.game.question import Question
from bullscows.game.responses import GameTooLargeError, ResponseTable
from bullscows.game.rules import NUMBERS, CodeIndex, Rules

if TYPE_CHECKING:
    from bullscows.analysis.findings import Evaluation
    from bullscows.search.solution import Solution


class AskedError(EngineError, ValueError):
    """What is asked for can't be told together."""


class PositionTooLargeError(EngineError, ValueError):
    """A position that is too large for the search; a one-step rule has a guess even there."""

    def __init__(self, error: GameTooLargeError, question: Question) -> None:
        from bullscows.analysis.findings import by_rule

        found = by_rule(question)
        super().__init__(
            f"{error}; unproved, the one-step rule {found.rule} guesses {found.guess_text}"
        )


@dataclass(frozen=True)
class Asked:
    """A position as it is written, and what to say of it; named like the options."""

    rules: str
    objective: str = "average"
    max_turns: int | None = None
    guess: str | None = None
    evaluate: str = ""
    candidates_only: bool = False
    history: str = ""
    threads: int = 1
    time_limit: float | None = None
    checkpoint: Path | None = None
    known: str | None = None


@dataclass(frozen=True)
class Answered:
    """What was found: as JSON-ready values, as sentences, and as an exit code."""

    record: dict[str, Any]
    lines: list[str]
    code: int


def answered(asked: Asked) -> Answered:
    """Search, and evaluate the given guesses; raise an `EngineError` if the input is invalid.

    The evaluations together get the time limit a second time.
    """
    game = _game(asked.rules)
    guesses = _evaluated(game, asked)
    solution = _search(game, asked)
    record = solution_record(game, solution)
    lines = solution_lines(solution, record)
    if guesses and solution.feasible is not False and not solution.interrupted:
        found = evaluations(solution, _question(asked), guesses, asked.time_limit)
        record["evaluations"] = [evaluation_record(one) for one in found]
        lines += map(str, found)
        if any(one.status != "optimal" for one in found):
            return Answered(record, lines, _code(solution) or UNPROVED)
    return Answered(record, lines, _code(solution))


def _code(solution: Solution) -> int:
    if solution.feasible is False:
        return CLAIM_FAILS
    if solution.optimal:
        return DONE
    return INTERRUPTED if solution.interrupted else UNPROVED


def _search(game: Rules | NumberGame, asked: Asked) -> Solution:
    try:
        return _solved(game, asked)
    except GameTooLargeError as error:
        if isinstance(game, NumberGame) or game.size > MAX_CODES:
            raise
        raise PositionTooLargeError(error, _question(asked)) from None


def _solved(game: Rules | NumberGame, asked: Asked) -> Solution:
    from bullscows.search.solver import solve

    table, played = _laid_out(game, asked.history)
    with search_shown(game, f"{asked.rules} {asked.objective}") as tell:
        return solve(
            table,
            asked.objective,
            history=played,
            first=None if asked.guess is None else game.parse_code(asked.guess),
            max_turns=asked.max_turns,
            threads=asked.threads,
            progress=tell,
            time_limit=asked.time_limit,
            candidates_only=asked.candidates_only,
            checkpoint=asked.checkpoint,
            known=None if asked.known is None else named_tree(asked.known, None),
        )


def rechecked(asked: Asked, count: int) -> Answered:
    """Search random positions of the checkpoint again; raise an `EngineError` of what can't be."""
    from bullscows.search.solver import recheck

    assert asked.checkpoint is not None
    game = _game(asked.rules)
    table, played = _laid_out(game, asked.history)
    found = recheck(
        table,
        asked.objective,
        checkpoint=asked.checkpoint,
        count=count,
        history=played,
        first=None if asked.guess is None else game.parse_code(asked.guess),
        max_turns=asked.max_turns,
        threads=asked.threads,
        candidates_only=asked.candidates_only,
    )
    results = list(found)
    wrong = [one for one in results if not one.is_confirmed]
    record = {"checked": len(results), "wrong": [asdict(one) for one in wrong]}
    lines = [f"{len(results)} positions searched again, {len(wrong)} wrong", *map(str, wrong)]
    return Answered(record, lines, CLAIM_FAILS if wrong else DONE)


def _question(asked: Asked) -> Question:
    return Question.of(
        asked.rules,
        asked.history,
        asked.objective,
        asked.max_turns,
        candidates_only=asked.candidates_only,
    )


def _game(text: str) -> Rules | NumberGame:
    """Return the game that is written so; only this command knows the games of numbers."""
    return NumberGame.parse(text) if text.startswith(NUMBERS) else Rules.parse(text)


def _laid_out(game: Rules | NumberGame, history: str) -> tuple[Rules | ResponseTable, Played]:
    """Return a game and a history as the search takes them."""
    if isinstance(game, Rules):
        return game, history
    return game.table(), game.turns(history)


def _evaluated(game: Rules | NumberGame, asked: Asked) -> list[CodeIndex]:
    """Return the guesses to evaluate."""
    if asked.evaluate and asked.candidates_only:
        raise AskedError("--evaluate does not go with --candidates-only: leave one of them out")
    if asked.evaluate and isinstance(game, NumberGame):
        raise AskedError(f"--evaluate does not go with {game}: use --guess for one guess at a time")
    return [game.parse_code(word.strip()) for word in asked.evaluate.split(",") if asked.evaluate]


def evaluations(
    solution: Solution, question: Question, guesses: Sequence[CodeIndex], seconds: float | None
) -> list[Evaluation]:
    """Evaluate guesses, compared with the solution unless it considered a single guess only."""
    from bullscows.analysis.analyst import Analyst, checked
    from bullscows.analysis.findings import Analysis

    checked(question)
    analyst = Analyst(sys.maxsize)
    analyst.load(())
    if solution.optimal and solution.first is None and solution.guess is not None:
        best = Analysis.proved(question, solution.guess, solution.levels)
    else:
        best = analyst.analysis(question, seconds)
    return analyst.evaluations(best, guesses, seconds)


def evaluation_record(found: Evaluation) -> dict[str, Any]:
    """Return an evaluation as JSON-ready values; costs are those of the strongest criterion.

    ``loss`` is the cost above the best guess; for a total of turns, divided by the candidates.
    The bounds ``lower``, ``upper``, ``loss_lower`` and ``loss_upper`` are null if unknown, and if
    no strategy that starts with this guess keeps within the allowed turns; then ``feasible`` is
    false.
    """
    least, most = found.loss or (None, None)
    bounds = None if found.feasible is False else found.bounds
    return {
        "guess": found.guess_text,
        "parts": found.split.number,
        "largest": found.split.largest,
        "is_candidate": found.split.is_candidate,
        "status": found.status,
        "feasible": found.feasible,
        "value": found.value,
        "levels": dict(found.levels) or None,
        "lower": bounds and bounds.lower,
        "upper": bounds and bounds.upper,
        "loss": found.mean_loss(least) if least == most else None,
        "loss_lower": found.mean_loss(least),
        "loss_upper": found.mean_loss(most),
        "worst": found.last_turn,
    }


def solution_record(rules: Rules | NumberGame, solution: Solution) -> dict[str, Any]:
    """Return the result of a search as JSON-ready values.

    ``value`` is the cost by the strongest criterion, ``levels`` has the cost by each.  Turns are
    counted from the first turn of the game: ``total`` is their sum over the secrets, ``mean`` that
    sum divided by the secrets, and ``distribution`` the secrets found at turn 1, 2, ...  All of
    these are null without a proof.  ``lower`` and ``upper`` are the proven bounds of ``value``.
    """
    bounds = solution.bounds
    record: dict[str, Any] = {
        "rules": str(rules),
        "objective": str(solution.objective),
        "max_turns": solution.max_turns,
        "candidates_only": solution.search.candidates_only,
        "value": None,
        "levels": None,
        "guess": solution.guess_text,
        "secrets": solution.secrets,
        "total": None,
        "mean": None,
        "distribution": None,
        "depth": None,
        "optimal": solution.optimal,
        "feasible": solution.feasible,
        "lower": None if solution.feasible is False else bounds.lower,
        "upper": bounds.upper,
        "nodes": solution.counters.nodes,
        "seconds": round(solution.seconds, 3),
        "statistics": solution.counters.counts,
    }
    distribution = solution.distribution
    if distribution is not None and solution.total is not None:
        record |= {
            "value": solution.value,
            "levels": solution.levels,
            "total": solution.total,
            "mean": round(solution.total / solution.secrets, 6),
            "distribution": list(distribution),
            "depth": len(distribution),
        }
    return record


def solution_lines(solution: Solution, record: dict[str, Any]) -> list[str]:
    """Return a solution and its record as sentences."""
    lines = [f"{solution.claim} ({record['nodes']} nodes, {record['seconds']} s)"]
    if solution.optimal:
        found = turns_text(record["distribution"])
        lines.append(
            f"guess {record['guess']}; {record['secrets']} secrets, total {record['total']} turns, "
            f"mean {record['mean']:.3f}, found at turn 1/2/...: {found}"
        )
    return lines
