"""Values of positions, proved in a given time; the searches of the last games stay warm.

What a search has proved of one position helps with the next of the same game, so a `Prover` keeps
the games asked about last, within its memory, and what it has proved to the end.  It is not
thread-safe: one thread asks.

All is asked, searched and kept by the canonical form of the position, and guesses are named back.
So what was found of a position is known of all its images; and which of some equally good guesses
is named follows from the canonical names, whoever asks first: it is the first of them in the order
of the search, and need not be the first by the names of the position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bullscows.analysis.analysis import Analysis, TooFewTurnsError, by_rule
from bullscows.analysis.canonical import CanonicalForm, canonical_form, canonical_guess
from bullscows.analysis.price import Price
from bullscows.analysis.proving.games import WarmGames
from bullscows.analysis.proving.kept import Kept
from bullscows.analysis.proving.pricing import Pricer, Ranked
from bullscows.analysis.timer import Timer
from bullscows.game.candidates import Split
from bullscows.game.cost import Bounds
from bullscows.game.objective import Objective
from bullscows.game.question import Question
from bullscows.kernels.bounds import first_level, split_levels
from bullscows.search.anytime import AnytimeSearch
from bullscows.search.position import HorizonError, Position
from bullscows.search.search import Search
from bullscows.search.solver import solve

KNOWN = 4096
"""How many analyses are kept."""

AT_ONCE = 0.6
"""The share of the time that a plain search of all criteria gets, which ends soonest where it ends
at all."""

SUGGESTED = 0.5
"""The share of what is left then that goes into an upper bound for the suggested guess."""


class Prover:
    """Searches any position whose table is small enough (`bullscows.game.candidates`).

    Parameters
    ----------
    memory
        The bytes that the whole process may use; what is kept keeps within it.
    """

    def __init__(self, memory: int) -> None:
        self._games = WarmGames(memory)
        self._known: Kept[Question, Analysis | None] = Kept(KNOWN)
        """What has been proved; None: no strategy keeps within the turns."""
        self._pricer = Pricer(self._games)

    def analysis(self, question: Question, seconds: float | None) -> Analysis:
        """Find what can be proved in so many seconds, or without a limit if that is None.

        Parameters
        ----------
        question
            What some code fits and no special guess solves.  If the best guess is not found, there
            is an upper bound for that of a rule.
        seconds
            Making the table of a new game takes more: below a second for up to 10,000 codes.

        Raises
        ------
        TooFewTurnsError
            If it is proved that no strategy keeps within the turns.
        ObjectiveError
            If the objective does not fit into 64-bit integers.
        TooLittleMemoryError
            If the game can't be searched within the memory.
        """
        form = canonical_form(question.history)
        asked = _by(form, question)
        known = self._known.get(asked, None)
        if asked not in self._known or (known is not None and not known.levels):
            found = self._found(asked, Timer(seconds))
            known = found if found is None or known is None else found.tightened(known)
        self._keep(asked, known)
        if known is None:
            raise TooFewTurnsError(question)
        if known.status == "heuristic":  # nothing is known of its guess: the rule's, as everywhere
            return replace(known, question=question, guess=by_rule(question).guess)
        return replace(known, question=question, guess=form.named_back(known.guess))

    def knows(self, question: Question) -> bool:
        """Return whether a position is proved, or that nobody keeps within its turns."""
        asked = _by(canonical_form(question.history), question)
        if asked not in self._known:
            return False
        found = self._known.get(asked, None)
        return found is None or bool(found.levels)

    @property
    def kept(self) -> int:
        """Of how many positions what was found is kept."""
        return len(self._known)

    def prices(
        self, question: Question, splits: Sequence[Split], seconds: float | None
    ) -> list[Price]:
        """Find the prices of guesses; see `Pricer.prices`."""
        form = canonical_form(question.history)
        images = [
            replace(split, guess=canonical_guess(question.history, split.guess)) for split in splits
        ]
        different = list({image.guess: image for image in images}.values())
        found = self._pricer.prices(_by(form, question), different, seconds)
        prices = {price.guess: price for price in found}
        return [
            replace(prices[image.guess], question=question, split=split)
            for image, split in zip(images, splits, strict=True)
        ]

    def best_guesses(self, question: Question, number: int) -> Ranked:
        """Find the guesses that cost least; see `Pricer.best_guesses`."""
        form = canonical_form(question.history)
        ranked = self._pricer.best_guesses(_by(form, question), number)
        return tuple(map(form.named_back, ranked))

    def _keep(self, asked: Question, known: Analysis | None) -> None:
        light = replace(asked)  # one that does not hold its candidates
        self._known.keep(light, None if known is None else replace(known, question=light))

    def _found(self, question: Question, timer: Timer) -> Analysis | None:
        """Return what a search finds out; None: no strategy keeps within the turns."""
        if "worst" in question.objective.criteria:
            return self._least_last_turn(question, timer)
        return self._least_sum(question, timer)

    def _least_sum(self, question: Question, timer: Timer) -> Analysis | None:
        """Ask the plain search first, then tighten bounds for as long as there is time."""
        search = self._games.search(question)  # what does not fit is not ranked in vain
        suggested = by_rule(question)
        position = Position.after(search.table, question.history)
        try:
            bounds = search.value(position, time_limit=timer.share(AT_ONCE))
            if bounds.exact:
                return _proved(search, position, question, bounds)
            begun = AnytimeSearch(
                search, position, first=search.table.number(suggested.guess)
            ).bounds(timer.share(SUGGESTED))
            bounds = AnytimeSearch(search, position).bounds(timer.share())
        except HorizonError:
            return suggested
        if bounds.exact:
            return _proved(search, position, question, bounds)
        if begun.upper == bounds.lower:
            return Analysis.proved(
                question, suggested.guess, _levels(search, position, bounds.lower)
            )
        found = Bounds(bounds.lower, begun.upper)
        shape = len(position.candidates), search.table.answers, position.turn
        return replace(suggested, bounds=first_level(search.weights, found, *shape))

    def _least_last_turn(self, question: Question, timer: Timer) -> Analysis | None:
        """Search for the last turn and what is weaker, then, if need be, for the last turn alone.

        All at once comes first: without what is weaker most guesses are equally good, and to
        choose among them takes longer than to find out which is best.
        """
        criteria = question.objective.criteria
        place = criteria.index("worst") + 1
        if place == len(criteria):
            return self._solved(question, criteria, timer.share())
        found = self._solved(question, criteria, timer.share(AT_ONCE))
        if found is None or found.levels:
            return found
        found = self._solved(question, criteria[:place], timer.share())
        return None if found is None else replace(found, levels={})

    def _solved(
        self, question: Question, criteria: tuple[str, ...], seconds: float | None
    ) -> Analysis | None:
        """Return what a search of its own finds out about these criteria in so many seconds."""
        table, bits = self._games.table(question)
        solution = solve(
            table,
            Objective(criteria),
            history=question.history,
            max_turns=question.max_turns,
            time_limit=seconds,
            table_bits=bits,
            candidates_only=question.candidates_only,
        )
        if solution.feasible is False:
            return None
        if solution.optimal:
            assert solution.guess is not None, "an optimal solution has a guess"
            return Analysis.proved(question, solution.guess, solution.levels)
        if criteria == ("worst",):
            return replace(by_rule(question), bounds=Bounds(solution.lower))
        return by_rule(question)


def _proved(
    search: Search, position: Position, question: Question, bounds: Bounds
) -> Analysis | None:
    if bounds.upper is None:
        return None
    guess = search.table.code(search.guess(position, bounds.upper))
    return Analysis.proved(question, guess, _levels(search, position, bounds.upper))


def _levels(search: Search, position: Position, cost: int) -> dict[str, int]:
    count, answers = len(position.candidates), search.table.answers
    return split_levels(search.weights, cost, count, answers, position.turn)


def _by(form: CanonicalForm, question: Question) -> Question:
    """Return the question by the names of its canonical form."""
    return replace(question, history=form.history)
