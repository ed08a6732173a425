"""Any position of any game: what is left, what a guess does to it, and which guess is best.

A position is given by its history alone: guesses and answers that need not follow any tree, nor
make sense together.  What can be counted needs numpy only.  How good a guess is takes the exact
search, so numba; without it, or without time, a one-step rule guesses, and the analysis says so:

- ``optimal``: proved, by an exhaustive search or because the node is special (paper, 6.2);
- ``bounded``: no strategy costs less than `lower`, and one that begins with this guess costs
  `upper`;
- ``heuristic``: the guess of a one-step rule, of which nothing is claimed.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, TypeVar

from bullscows.analysis.analysis import Analysis, TooFewTurnsError, by_rule
from bullscows.analysis.certain import alike, certain, certain_price
from bullscows.analysis.idle_turns import idle_price
from bullscows.analysis.memory import MEGABYTE, TooLittleMemoryError
from bullscows.analysis.price import Price
from bullscows.game.candidates import WHOLE_TABLE_CODES, Split, split, splits
from bullscows.game.canonical import canonical_form, canonical_guess
from bullscows.game.cost import Bounds
from bullscows.game.history import InconsistentError, Played
from bullscows.game.objective import Objective, TurnsError, combine
from bullscows.game.question import Question
from bullscows.game.responses import table_bytes
from bullscows.game.rules import KNOWN_GAMES, CodeIndex, Rules

if TYPE_CHECKING:
    from bullscows.analysis.evaluating import Evaluator

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

MAX_ROW_BYTES = 120 * MEGABYTE
"""The most that the answers of a position's candidates to all guesses may take, with the numbers of
the codes: what else a search takes leaves such a question within 200 MB."""

MAX_CAP = 48
"""The largest last turn that may be asked for."""

MEMORY = 800 * MEGABYTE
"""What a process may use: a server takes 300, the largest search 360, and a reserve stays free."""


def checked(question: Question) -> Question:
    """Return a question that can be analysed.

    Raises
    ------
    GameTooLargeError
        If the game has more than `MAX_CODES` codes.
    ObjectiveError
        If the last turn is too late, or the objective does not fit into 64-bit integers.
    InconsistentError
        If no code fits all answers.
    """
    objective, rules = question.objective, question.rules
    turns = objective.turns_allowed(question.max_turns)
    if turns is not None and turns > MAX_CAP:
        raise TurnsError(f"the last turn may be at most {MAX_CAP} here, not {turns}")
    if "worst" not in objective.criteria:
        answers = len(rules.answers)
        combine(objective, turns or MAX_CAP, rules.size, answers, capped=turns is not None)
    if not len(question.candidates):
        raise InconsistentError(question.history, rules)
    return question


def is_searched(question: Question) -> bool:
    """Return whether the position is small enough for the exact search, whatever the game."""
    rules = question.rules
    rows = rules.size if rules.size <= WHOLE_TABLE_CODES else len(question.candidates)
    numbers: int = 4 * rules.symbols**rules.positions
    return table_bytes(rules, rows) + numbers <= MAX_ROW_BYTES


FEWEST_RANKED = 3
"""Of fewer candidates all guesses that tell something are as good."""

CELLS_RANKED = 300_000
"""Up to so many pairs of a candidate and a guess all guesses are ranked by what they cost, with no
time limit: 60 candidates of Bulls & Cows take some milliseconds, 45 of 5 of 8 digits at most some
tens."""


KNOWN, KNOWN_GUESSES = 4096, 20_000
"""The number of analyses that are kept, and that of prices and of lists of best guesses."""

STEPS = 80
"""The most steps in a row without a proof that are made unasked: from its beginning Bulls & Cows in
fewest turns at worst is not proved in ten minutes, and a tree answers there anyway."""


class Analyst:
    """Finds the best guess of any position; with numba by search.  One thread asks at a time.

    Positions are searched and kept by their canonical form, and guesses are named back.  So results
    are reused for all equivalent positions, and the choice among equally good guesses depends on
    the canonical names alone: it is the first of them in the order of the search, and need not be
    the first by the names of the position.

    Parameters
    ----------
    memory
        The bytes that the whole process may use.
    """

    def __init__(self, memory: int = MEMORY) -> None:
        self._memory = memory
        self._evaluator: Evaluator | None = None
        self._known: OrderedDict[Question, Analysis | None] = OrderedDict()
        """What has been proved; None: no strategy keeps within the turns."""
        self._prices: OrderedDict[tuple[Question, CodeIndex], Price] = OrderedDict()
        self._ranked: OrderedDict[tuple[Question, int], tuple[CodeIndex, ...]] = OrderedDict()

    def load(self, games: Sequence[str] = KNOWN_GAMES) -> None:
        """Load the search, and solve some games.

        Parameters
        ----------
        games
            The rules of the games, as text.

        Raises
        ------
        ImportError
            If numba is not there.
        """
        from bullscows.analysis.evaluating import Evaluator

        self._evaluator = Evaluator(self._memory)
        for _ in self.solving(games, None):
            pass

    def solving(self, games: Sequence[str], seconds: float | None) -> Iterator[None]:
        """Solve games a step at a time, none of which takes much longer than `seconds`.

        Each game is followed to its end, because some kernels are first needed late in a game.  A
        game that does not fit into the memory is left out, and one of which a position is not
        proved after `STEPS` steps is left.  Other questions may come in between.  Before `load`
        there is nothing to do.
        """
        if self._evaluator is None:
            return
        for text, objective in product(games, ("average", "worst,average")):
            question = Question.of(text, (), objective)
            with suppress(TooLittleMemoryError):
                unproved = 0
                while certain(question) is None and unproved < STEPS:
                    found = self._searched(self._evaluator, question, seconds)
                    yield
                    unproved += 1
                    if found.levels:
                        question, unproved = _longest(question, found.guess), 0

    def analysis(self, question: Question, seconds: float | None) -> Analysis:
        """Return the best that can be said in so many seconds of search; None: without a limit.

        Raises
        ------
        TooFewTurnsError
            If it is proved that no strategy keeps within the turns.
        ObjectiveError
            If the objective does not fit into 64-bit integers.
        TooLittleMemoryError
            If the game can't be searched within the memory; a rule can still guess (`by_rule`).
        """
        known = certain(question)
        if known is not None:
            return known
        if self._evaluator is None or not is_searched(question):
            return by_rule(question)
        return self._searched(self._evaluator, question, seconds)

    def _searched(
        self, evaluator: Evaluator, question: Question, seconds: float | None
    ) -> Analysis:
        """Search for what is not known yet, by the names of the canonical form."""
        form = canonical_form(question.history)
        asked = replace(question, history=form.history)
        known = self._known.get(asked)
        if asked not in self._known or (known is not None and not known.levels):
            found = evaluator.analysis(asked, seconds)
            known = found if found is None or known is None else found.tightened(known)
        light = replace(asked)  # one that does not hold its candidates
        kept = None if known is None else replace(known, question=light)
        _keep(self._known, light, kept, KNOWN)
        if known is None:
            raise TooFewTurnsError(question)
        if known.status == "heuristic":  # nothing is known of its guess: the rule's, as everywhere
            return replace(known, question=question, guess=by_rule(question).guess)
        return replace(known, question=question, guess=form.named_back(known.guess))

    def can_search(self, question: Question) -> bool:
        """Return whether the search is loaded and the position is small enough for it."""
        return self._evaluator is not None and is_searched(question)

    def knows(self, question: Question) -> bool:
        """Return whether nothing of a position is left to be searched."""
        if certain(question) is not None:
            return True
        asked = replace(question, history=canonical_form(question.history).history)
        if asked not in self._known:
            return False
        found = self._known[asked]
        return found is None or bool(found.levels)

    @property
    def kept(self) -> int:
        """Of how many positions what was found is kept."""
        return len(self._known)

    def prices(
        self,
        best: Analysis,
        guesses: Sequence[CodeIndex],
        seconds: float | None,
        known: Sequence[Price] = (),
    ) -> list[Price]:
        """Return what is known of the prices of guesses after so many seconds of search.

        Parameters
        ----------
        best
            What is known of the position; prices are held against it.
        guesses
            Any codes of the game; the prices come in their order, and are those of a game in which
            all may be guessed.
        seconds
            For all of them together; None: until each is exact.
        known
            Prices in this position that need no search.

        Raises
        ------
        KeyboardInterrupt
            On Ctrl-C.
        """
        question = best.question
        parted = splits(question.rules, question.candidates, guesses)
        shipped = {price.guess: price for price in known}
        prices = [
            certain_price(question, one)
            or shipped.get(one.guess)
            or idle_price(best, one)
            or _like_the_best(best, Price(question, one))
            for one in parted
        ]
        unknown = [place for place, price in enumerate(prices) if not price.is_whole]
        if self._evaluator is not None and unknown and is_searched(question):
            asked = [parted[place] for place in unknown]
            try:
                found = self._searched_prices(self._evaluator, question, asked, seconds)
            except TooLittleMemoryError:
                open_ones = [prices[place] for place in unknown]
                found = [replace(one, is_refused=one.status != "optimal") for one in open_ones]
            for place, price in zip(unknown, found, strict=True):
                if price.status == "optimal" or prices[place].status != "optimal":
                    prices[place] = price
        return held_against(best, prices)

    def _searched_prices(
        self,
        evaluator: Evaluator,
        question: Question,
        splits: Sequence[Split],
        seconds: float | None,
    ) -> list[Price]:
        """Search for what is not known yet, by canonical names; for equal guesses once."""
        history = question.history
        asked = replace(question, history=canonical_form(history).history)
        names = [canonical_guess(history, split.guess) for split in splits]
        named = {name: replace(one, guess=name) for name, one in zip(names, splits, strict=True)}
        begun = [
            replace(self._prices.get((asked, name), Price(asked, one)), question=asked)
            for name, one in named.items()
        ]
        found = evaluator.prices(begun, seconds)
        light = replace(asked)  # one that does not hold its candidates
        for price in found:
            _keep(self._prices, (light, price.guess), replace(price, question=light), KNOWN_GUESSES)
        prices = dict(zip(named, found, strict=True))
        return [
            replace(prices[name], question=question, split=one)
            for name, one in zip(names, splits, strict=True)
        ]

    def best_guesses(self, best: Analysis, number: int) -> Sequence[CodeIndex]:
        """Return the guesses that cost least of all, best first; none where that takes long.

        Parameters
        ----------
        best
            What is known of the position.  It must be proved, small, and by sums over the
            candidates.
        number
            How many; fewer if no more tell something.  Of guesses that symmetry makes equal one.
        """
        question = best.question
        is_sum = "worst" not in question.objective.criteria
        count = len(question.candidates)
        is_small = count >= FEWEST_RANKED and count * question.rules.size <= CELLS_RANKED
        if self._evaluator is None or best.status != "optimal" or not (is_sum and is_small):
            return ()
        form = canonical_form(question.history)
        asked = replace(question, history=form.history), number
        if asked not in self._ranked:
            try:
                ranked = self._evaluator.best_guesses(*asked)
            except TooLittleMemoryError:
                return ()
            _keep(self._ranked, (replace(asked[0]), number), ranked, KNOWN_GUESSES)
        return tuple(map(form.named_back, self._ranked[asked]))


def analyse(
    game: Rules | str,
    history: Played = (),
    objective: Objective | str = "average",
    *,
    max_turns: int | None = None,
    seconds: float | None = 10.0,
    candidates_only: bool = False,
) -> Analysis:
    """Find the best guess of a position and what can be proved of it in a given time.

    An `Analyst` keeps what it has searched, for the next question; this does not.

    >>> print(analyse("p3c6n", "012:0.1 134:1.0"))
    p3c6n, average, turn 3: guess 524 of 5 candidates; total 19 (mean 3.800): proved optimal

    Parameters
    ----------
    game
        The rules, or their text.
    history
        The guesses and answers so far: a `History`, text, or pairs.
    objective
        What to minimise, as a value or as text.
    max_turns
        The last allowed turn, counted from the start of the game.
    seconds
        How long to search; None: until the value is proved.  Without numba, and in games too large
        for the exact search, a one-step rule guesses, and the status says so.
    candidates_only
        Must each guess be a candidate?  Then the best is that of such strategies.

    Raises
    ------
    RulesError, HistoryError, CodeError, AnswerError, ObjectiveError
        If a text can't be read, or the question makes no sense.
    GameTooLargeError
        If the game has too many codes.
    InconsistentError
        If no code fits all answers.
    TooFewTurnsError
        If it is proved that no strategy keeps within the turns.
    """
    question = checked(
        Question.of(game, history, objective, max_turns, candidates_only=candidates_only)
    )
    analyst = Analyst(sys.maxsize)
    if certain(question) is None and is_searched(question):
        with suppress(ImportError):
            analyst.load(())
    return analyst.analysis(question, seconds)


def _keep(kept: OrderedDict[_Key, _Value], key: _Key, value: _Value, most: int) -> None:
    """Store a value as the newest; the oldest goes when there are more than `most`."""
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)


def _longest(question: Question, guess: CodeIndex) -> Question:
    """Return the position after a guess and the answer that leaves most."""
    parts = split(question.rules, question.candidates, guess).parts
    answer, _ = max(parts, key=lambda part: part[1])
    return question.then(guess, answer)


def held_against(best: Analysis, prices: Sequence[Price]) -> list[Price]:
    """Return prices with what is known of the best guess, whose own price is known with it."""
    prices = [_like_the_best(best, price) for price in prices]
    if best.bounds is None:
        return prices
    known = best.bounds
    for price in prices:
        if price.bounds is not None:  # a strategy that begins so is one for the position
            known = known.tightened(Bounds(0, price.bounds.upper))
    return [replace(price, best=known, bounds=_no_less(price.bounds, known)) for price in prices]


def _no_less(bounds: Bounds | None, best: Bounds) -> Bounds | None:
    """Return the bounds of a price, which is no less than the least of all."""
    return bounds if bounds is None else bounds.tightened(Bounds(best.lower))


def _like_the_best(best: Analysis, price: Price) -> Price:
    """Return the price of a guess that is the best by another name, if that is all one knows."""
    if price.status == "optimal" or not alike(best.question, best.guess, price.guess):
        return price
    bounds = best.bounds
    if bounds is not None and price.bounds is not None:
        bounds = price.bounds.tightened(bounds)
    last_turn = best.last_turn if best.levels else price.last_turn
    return replace(price, levels=best.levels, bounds=bounds, last_turn=last_turn)
