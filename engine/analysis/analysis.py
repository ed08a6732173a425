"""One question and its answer in text: any position, for whoever imports the engine."""

from __future__ import annotations

from dataclasses import dataclass

from engine.analysis.analyst import Inquiry, Status, Verdict, judged
from engine.game.history import Played, turns_of
from engine.game.objective import Objective
from engine.game.rules import Rules
from engine.tree.markup import html_table


@dataclass(frozen=True)
class Analysis:
    """A position with the verdict on it; make one with `analyse`."""

    inquiry: Inquiry
    """What was asked."""
    verdict: Verdict
    """What is known, by number."""

    @property
    def guess(self) -> str:
        """The best guess known, as it is written."""
        return self.inquiry.rules.text(self.verdict.guess)

    @property
    def status(self) -> Status:
        """What is claimed: ``optimal``, ``bounded`` or ``heuristic``."""
        return self.verdict.status

    @property
    def value(self) -> int | None:
        """The least cost by the strongest criterion, if proved."""
        return self.verdict.value

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """What no strategy betters, and what one that begins with the guess costs, if known."""
        if self.value is not None:
            return self.value, self.value
        return self.verdict.lower, self.verdict.upper

    @property
    def candidates(self) -> tuple[str, ...]:
        """The codes that are still possible, as they are written."""
        return tuple(map(self.inquiry.rules.text, self.inquiry.left.tolist()))

    @property
    def claim(self) -> str:
        """What is known, in a few words."""
        if self.verdict.levels:
            levels = ", ".join(f"{level} {cost}" for level, cost in self.verdict.levels.items())
            return f"{levels}: proved optimal"
        known = "" if self.verdict.rule is None else f"the guess of the rule {self.verdict.rule}"
        lower, upper = self.bounds
        least = "" if lower is None else f"at least {lower}"
        most = "" if upper is None else f"at most {upper}"
        return ", ".join(filter(None, (known, least, most)))

    def __str__(self) -> str:
        asked = f"{self.inquiry.rules}, {self.inquiry.objective}, turn {self.inquiry.turn}"
        return f"{asked}: guess {self.guess} of {len(self.inquiry.left)} candidates; {self.claim}"

    def __repr__(self) -> str:
        return f"<Analysis of {self}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        inquiry = self.inquiry
        rows = [
            ("guess", self.guess),
            ("known", self.claim),
            ("turn", inquiry.turn),
            ("candidates", len(inquiry.left)),
        ]
        return html_table(f"{inquiry.rules}, {inquiry.objective}", rows)


def analyse(
    game: Rules | str,
    history: Played = (),
    objective: Objective | str = "average",
    *,
    max_turns: int | None = None,
    seconds: float | None = 10.0,
) -> Analysis:
    """Find the best guess of a position and what can be proved of it in a given time.

    >>> print(analyse("p3c6n", "012:0.1 134:1.0"))
    p3c6n, average, turn 3: guess 524 of 5 candidates; average 19: proved optimal

    Parameters
    ----------
    game
        The rules, or their text.
    history
        The guesses and answers so far, as text or as pairs.
    objective
        What to minimise, as a value or as text.
    max_turns
        The last allowed turn, counted from the start of the game.
    seconds
        How long to search; None: until the value is proved.  Without numba, and in games too large
        for the exact search, a one-step rule guesses, and the status says so.

    Raises
    ------
    RulesError, HistoryTextError, CodeError, AnswerError, ObjectiveError
        If a text can't be read, or the question makes no sense.
    GameTooLargeError
        If the game has too many codes.
    InconsistentError
        If no code fits all answers.
    TooFewTurnsError
        If it is proved that no strategy keeps within the turns.
    """
    rules = Rules.of(game)
    inquiry = Inquiry.of(rules, turns_of(rules, history), objective, max_turns)
    return Analysis(inquiry, judged(inquiry, seconds))
