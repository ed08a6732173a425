"""``bullscows solve``: the least cost of a game or of a position, proved."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli.options import CLAIM_FAILS, INTERRUPTED, AsJson, RulesText, Threads, emit
from engine.cli.progress import search_shown
from engine.game.cost import turns_in_all, turns_text
from engine.game.history import Played
from engine.game.number import NumberGame
from engine.game.question import Question
from engine.game.responses import ResponseTable
from engine.game.rules import NUMBERS, CodeIndex, Rules

if TYPE_CHECKING:
    from engine.analysis.price import Price
    from engine.search.solution import Solution


def solve(
    rules: RulesText,
    objective: Annotated[
        str,
        typer.Option(help="average, last, movers, worst, or several with commas; or weights:..."),
    ] = "average",
    max_turns: Annotated[int | None, typer.Option(help="The last allowed turn.")] = None,
    first: Annotated[str | None, typer.Option(help="Consider this next guess only.")] = None,
    price: Annotated[
        str, typer.Option(help="Say what these guesses cost as well, as in 0987,1456.")
    ] = "",
    candidates_only: Annotated[
        bool, typer.Option("--candidates-only", help="Each guess must be a candidate.")
    ] = False,
    history: Annotated[str, typer.Option(help='Turns so far, as in "0123:0.1 1245:0.2".')] = "",
    jobs: Threads = 1,
    time_limit: Annotated[float | None, typer.Option(min=0, help="Seconds.")] = None,
    as_json: AsJson = False,
) -> None:
    """Prove the least cost of a game or of a position; 1 if no strategy exists.

    Besides codes there is the game of one place, where the answer is smaller, equal or greater:
    number:16 has the numbers 0 to 15, and its history is written "7:> 11:<".

    Value is what the strongest criterion attains, levels what each does, from strongest to
    weakest.  When a time limit or Ctrl-C ends the search, the bounds proven by then are printed.
    Prices have the time limit once more, for all of them together.
    """
    from engine.search.solver import solve as search

    game = _game(rules)
    guesses = _priced(game, price, candidates_only)
    table, played = _asked(game, history)
    with search_shown(game, f"{rules} {objective}") as tell:
        solution = search(
            table,
            objective,
            history=played,
            first=None if first is None else game.parse_code(first),
            max_turns=max_turns,
            jobs=jobs,
            progress=tell,
            time_limit=time_limit,
            candidates_only=candidates_only,
        )
    value = solution_record(game, solution)
    lines = solution_lines(solution, value)
    if guesses and solution.feasible is not False and not solution.interrupted:
        question = Question.of(rules, history, objective, max_turns)
        prices = prices_beside(solution, question, guesses, time_limit)
        value["prices"] = [price_record(one) for one in prices]
        lines += map(str, prices)
    emit(value, lines, as_json)
    if solution.feasible is False:
        raise typer.Exit(CLAIM_FAILS)
    if solution.interrupted and not solution.optimal:
        raise typer.Exit(INTERRUPTED)


def _game(text: str) -> Rules | NumberGame:
    """Return the game that is written so; only this command knows the games of numbers."""
    return NumberGame.parse(text) if text.startswith(NUMBERS) else Rules.parse(text)


def _asked(game: Rules | NumberGame, history: str) -> tuple[Rules | ResponseTable, Played]:
    """Return a game and a history as the search takes them."""
    if isinstance(game, Rules):
        return game, history
    return game.table(), game.turns(history)


def _priced(game: Rules | NumberGame, price: str, candidates_only: bool) -> list[CodeIndex]:
    """Return the guesses whose prices are asked for."""
    if price and candidates_only:
        raise typer.BadParameter("prices are those of all guesses: leave out --candidates-only")
    if price and isinstance(game, NumberGame):
        raise typer.BadParameter(f"guesses of {game} have no prices: ask for each with --first")
    return [game.parse_code(word.strip()) for word in price.split(",") if price]


def prices_beside(
    solution: Solution, question: Question, guesses: Sequence[CodeIndex], seconds: float | None
) -> list[Price]:
    """Return what guesses cost, held against the solution if it is that of all guesses."""
    from engine.analysis.analysis import Analysis
    from engine.analysis.analyst import Analyst, checked

    checked(question)
    analyst = Analyst(sys.maxsize)
    analyst.load(())
    if solution.optimal and solution.first is None and solution.guess is not None:
        best = Analysis.proved(question, solution.guess, solution.levels)
    else:
        best = analyst.analysis(question, seconds)
    return analyst.prices(best, guesses, seconds)


def price_record(price: Price) -> dict[str, Any]:
    """Return a price as JSON-ready values; costs are those of the strongest criterion.

    ``above`` is what it costs above the best, of turns in all the mean over the candidates.
    ``bounds`` and ``above_bounds`` are null where nothing is known, and where no strategy that
    begins so keeps within the turns: then ``feasible`` is false.
    """
    lower, upper = price.above or (None, None)
    is_bounded = price.bounds is not None and price.feasible is not False
    return {
        "guess": price.guess_text,
        "parts": price.split.number,
        "largest": price.split.largest,
        "is_candidate": price.split.is_candidate,
        "status": price.status,
        "feasible": price.feasible,
        "value": price.value,
        "levels": dict(price.levels) or None,
        "bounds": price.bounds if is_bounded else None,
        "above": price.apiece(lower) if lower == upper else None,
        "above_bounds": None if lower is None else [price.apiece(lower), price.apiece(upper)],
        "worst": price.last_turn,
    }


def solution_record(rules: Rules | NumberGame, solution: Solution) -> dict[str, Any]:
    """Return what the search found as JSON-ready values.

    ``value`` is what the strongest criterion attains; ``levels`` names all of them.  Without a
    proof both are null, and ``bounds`` has the proven ones for the combined cost.
    """
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
        "depth": None,
        "turns": None,
        "optimal": solution.optimal,
        "feasible": solution.feasible,
        "nodes": solution.counters.nodes,
        "seconds": round(solution.seconds, 3),
        "statistics": solution.counters.counts,
    }
    if solution.optimal:
        turns, levels = solution.turns(), solution.levels
        record |= {
            "value": next(iter(levels.values())),
            "levels": levels,
            "total": turns_in_all(turns),
            "depth": len(turns),
            "turns": list(turns),
        }
    elif solution.feasible is not False:
        record["bounds"] = [solution.lower, solution.upper]
    return record


def solution_lines(solution: Solution, record: dict[str, Any]) -> list[str]:
    """Return a solution and its record as sentences."""
    lines = [f"{solution.claim} ({record['nodes']} nodes, {record['seconds']} s)"]
    if solution.optimal:
        turns = turns_text(record["turns"])
        lines.append(
            f"guess {record['guess']}; {record['secrets']} secrets, total {record['total']}, "
            f"turns {turns}"
        )
    return lines
