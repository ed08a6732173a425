"""Questions and answers of the search as text: a history in, a record or lines out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.rules import AnswerIndex, CodeIndex, Rules

if TYPE_CHECKING:
    from engine.search import Solution


class HistoryTextError(ValueError):
    """A history that is not written as ``0123:0.1 1245:0.2``."""


def parse_history(rules: Rules, text: str) -> tuple[tuple[CodeIndex, AnswerIndex], ...]:
    """Read turns written ``guess:bulls.cows`` with spaces between.

    Raises
    ------
    HistoryTextError
        If a turn is not of this form.
    CodeError, AnswerError
        If a guess or an answer does not exist in the game.
    """
    turns = []
    for word in text.split():
        guess, colon, answer = word.partition(":")
        if not colon:
            raise HistoryTextError(
                f"invalid turn {word[:40]!r}: write guess:answer, as in 0123:0.1"
            )
        turns.append((rules.parse_code(guess), rules.parse_answer(answer)))
    return tuple(turns)


def solution_record(rules: Rules, solution: Solution) -> dict[str, Any]:
    """Return what the search found as JSON-ready values.

    ``value`` is what the strongest criterion attains; ``levels`` names all of them.  Without a
    proof both are null, and ``bounds`` has the proven ones for the combined cost.
    """
    record: dict[str, Any] = {
        "rules": str(rules),
        "objective": str(solution.objective),
        "max_turns": solution.max_turns,
        "value": None,
        "levels": None,
        "guess": None if solution.guess is None else rules.text(solution.guess),
        "secrets": solution.secrets,
        "total": None,
        "depth": None,
        "turns": None,
        "optimal": solution.optimal,
        "feasible": solution.feasible,
        "nodes": solution.statistics.nodes,
        "seconds": round(solution.seconds, 3),
        "statistics": solution.statistics.counts,
    }
    if solution.optimal:
        tree = solution.tree()
        levels = solution.levels
        record |= {
            "value": next(iter(levels.values())),
            "levels": levels,
            "total": tree.total,
            "depth": tree.depth,
            "turns": list(tree.histogram),
        }
    elif solution.feasible is not False:
        record["bounds"] = [solution.lower, solution.upper]
    return record


def solution_lines(record: dict[str, Any]) -> list[str]:
    """Return the record of a solution as sentences."""
    name = f"{record['rules']}, {record['objective']}"
    if record["max_turns"] is not None:
        name += f", at most {record['max_turns']} turns"
    spent = f"{record['nodes']} nodes, {record['seconds']} s"
    if record["feasible"] is False:
        return [f"{name}: no strategy guesses every secret in time: proven ({spent})"]
    if not record["optimal"]:
        lower, upper = record["bounds"]
        known = "no strategy found yet" if upper is None else f"at most {upper}"
        return [f"{name}: not finished: at least {lower}, {known} ({spent})"]
    levels = ", ".join(f"{level} {cost}" for level, cost in record["levels"].items())
    turns = "/".join(map(str, record["turns"]))
    return [
        f"{name}: {levels}: proven optimal ({spent})",
        f"guess {record['guess']}; {record['secrets']} secrets, total {record['total']}, "
        f"turns {turns}",
    ]
