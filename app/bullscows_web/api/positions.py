"""The JSON of `POST /guess`: a position of any game, and what is known of the best guess there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from bullscows.analysis.analyst import MAX_CAP
from bullscows.analysis.findings import Evaluation, ranking
from bullscows.game.candidates import (
    MAX_HISTORY,
    GameTooLargeError,
    Split,
    split,
    splits,
)
from bullscows.game.history import History
from bullscows.game.objective import ObjectiveError, TurnsError
from bullscows.game.question import Question
from bullscows.game.rules import AnswerError, CodeError, CodeIndex, Rules, RulesError
from bullscows_web.analyse.search.shipped import SourcedAnalysis
from bullscows_web.api.schemas import Bulls, CodeText, Cows, PossibleAnswer, RulesText, Strict
from bullscows_web.trees.position import LISTED
from bullscows_web.web import text_patterns
from bullscows_web.web.errors.documents import Outcome, ProblemDocument
from bullscows_web.web.errors.problems import Kind, ProblemError, field_of_body

ObjectiveText = Annotated[
    str,
    Field(
        pattern=text_patterns.OBJECTIVE.pattern,
        description="`average`, `last`, `movers`, `worst`, several with commas, strongest first, "
        "or `weights:` with the cost of each turn. `last` and `movers` need `max_turns`.",
        examples=["average"],
    ),
]

NOTES: Mapping[str, str] = {
    "time": "The time was not enough for a proof; asking again goes on from what was found.",
    "loading": "The search is being loaded, which takes seconds: ask again.",
    "no-search": "This server has no search installed.",
    "large-game": "Too many codes are left for the search: tell more turns.",
    "memory": "The search of this position is too large for the memory of this server.",
}

VALUE = (
    "For `average` it is a total: the sum over all candidates of the turn at which each is found, "
    "counted from the first turn of the game. Divided by `remaining` it is the mean."
)
"""Meaning of ``value``."""

MAX_PRICED = 20
"""The most guesses of one position that are priced."""

MAX_ASKED = 100
"""The most positions that are asked about at once."""


class CombinationError(ProblemError, ValueError):
    """Fields of a question that can't be told together."""

    kind = Kind(
        422,
        "conflicting-fields",
        "These fields can't be told together",
        "leave out guesses or candidates_only: prices are those of a game in which all codes may "
        "be guessed",
    )

    def __init__(self) -> None:
        super().__init__("guesses are priced among all guesses, so not with candidates_only")


def parsed_rules(text: str) -> Rules:
    """Return the rules of a body; raise `FieldError` if there are none."""
    with field_of_body("rules", errors=(RulesError,)):
        return Rules.parse(text)


def parsed_code(rules: Rules, text: str, *place: str | int) -> CodeIndex:
    """Return the code in a field of a body; raise `FieldError` if it is none."""
    with field_of_body(*place, errors=(CodeError,)):
        return rules.parse_code(text)


@contextmanager
def fields_of_limits() -> Iterator[None]:
    """Say of what is beyond the limits of an analysis in which field of the body that is."""
    with (
        field_of_body("rules", errors=(GameTooLargeError,)),
        field_of_body("objective", errors=(ObjectiveError,)),
        field_of_body("max_turns", errors=(TurnsError,)),
    ):
        yield


class TurnGiven(Strict):
    """A guess that was made, and its answer."""

    guess: CodeText
    bulls: Bulls
    cows: Cows


class GuessQuestion(Strict):
    """A position of any game, and what to minimise."""

    model_config = Strict.model_config | {
        "json_schema_extra": {
            "examples": [
                {"rules": "p4c10n", "turns": [{"guess": "0123", "bulls": 0, "cows": 1}]},
                {"rules": "p4c6r", "turns": [], "objective": "worst,average"},
                {"rules": "p4c6r", "turns": [], "candidates_only": True},
            ]
        }
    }

    rules: RulesText
    turns: list[TurnGiven] = Field(
        default=[],
        max_length=MAX_HISTORY,
        description="The guesses so far with their answers, in order.",
    )
    objective: ObjectiveText = "average"
    max_turns: Annotated[int, Field(ge=1, le=MAX_CAP)] | None = Field(
        default=None, description="The last allowed turn, counted from the start of the game."
    )
    candidates_only: bool = Field(
        default=False,
        description="Whether each guess must be a candidate, possible after all answers (some call "
        "it hard mode); then the best is that of such strategies. Not together with `guesses`.",
    )
    guesses: list[CodeText] | None = Field(
        default=None,
        max_length=MAX_PRICED,
        description="Guesses to be priced: what each costs, and what it costs above the best.",
        examples=[["4567", "1456"]],
    )

    def asked(self) -> Question:
        """Return what is asked of the position.

        Raises
        ------
        FieldError, CombinationError
            If there is no such position, or it can't be asked.
        """
        if self.candidates_only and self.guesses is not None:
            raise CombinationError
        history = self.history()
        with fields_of_limits():
            return Question.of(
                history.rules,
                history,
                self.objective,
                self.max_turns,
                candidates_only=self.candidates_only,
            )

    def priced(self, rules: Rules) -> list[CodeIndex]:
        """Return the guesses to be priced; raise `FieldError` for what is none."""
        return [
            parsed_code(rules, text, "guesses", place)
            for place, text in enumerate(self.guesses or ())
        ]

    def history(self) -> History:
        """Return the turns; raise `FieldError` if there are none."""
        rules = parsed_rules(self.rules)
        turns = []
        for place, turn in enumerate(self.turns):
            guess = parsed_code(rules, turn.guess, "turns", place, "guess")
            with field_of_body("turns", place, errors=(AnswerError,)):
                turns.append((guess, rules.answer_index(turn.bulls, turn.cows)))
        return History(rules, tuple(turns))


class GuessFigures(BaseModel):
    """A guess, and how it splits the candidates."""

    guess: str
    is_candidate: bool = Field(description="Whether the guess may be the secret.")
    parts: int = Field(description="How many different answers it can get.")
    largest: int = Field(description="Candidates left at worst.")
    expected: float = Field(description="Candidates left on average.")

    @classmethod
    def of(cls, rules: Rules, found: Split) -> GuessFigures:
        """Describe a split."""
        return cls(
            guess=rules.text(found.guess),
            is_candidate=found.is_candidate,
            parts=found.number,
            largest=found.largest,
            expected=found.expected,
        )


class GuessPrice(GuessFigures):
    """What a guess costs: the least cost of a strategy that begins with it.

    Costs are those of the objective, counted from the first turn of the game like the position's
    `value`, which is the least of all prices.
    """

    status: Literal["optimal", "bounded", "heuristic"] = Field(
        description="What is claimed of the price: `optimal`: it is exact. `bounded`: it is from "
        "`lower` to `upper`. `heuristic`: no strategy that begins so is known yet."
    )
    value: int | None = Field(
        description="The least cost by the strongest criterion of a strategy that begins with "
        f"this guess. {VALUE} Null unless it is exact and finite."
    )
    levels: dict[str, int] | None = Field(
        description="The cost by each criterion, strongest first. Null unless exact."
    )
    lower: int | None = Field(description="It costs no less by the strongest criterion.")
    upper: int | None = Field(description="It costs no more by the strongest criterion.")
    loss: float | None = Field(
        description="What it costs above the best guess by the strongest criterion: for `average` "
        "in turns on average, over the candidates. Null unless both are proved."
    )
    above: float | None = Field(description="The same; its name in version 1.0.")
    above_lower: float | None = Field(description="It costs no less above the best.")
    above_upper: float | None = Field(description="It costs no more above the best.")
    worst: int | None = Field(
        description="The last turn, if what follows is played by one optimal strategy; null "
        "unless known."
    )
    feasible: bool | None = Field(
        description="Whether a strategy that begins so keeps within the turns; null: not known."
    )
    note: str | None = Field(
        description="Why a longer search would tell no more; null unless the memory is too small."
    )

    @classmethod
    def of_price(cls, price: Evaluation) -> GuessPrice:
        """Describe a price."""
        bounds = price.bounds if price.feasible is not False else None
        above = price.loss
        lower, upper = (None, None) if above is None else above
        loss = price.mean_loss(lower) if above is not None and above.exact else None
        return cls(
            **GuessFigures.of(price.question.rules, price.split).model_dump(),
            status=price.status,
            value=price.value,
            levels=dict(price.levels) or None,
            lower=None if bounds is None else bounds.lower,
            upper=None if bounds is None else bounds.upper,
            loss=loss,
            above=loss,
            above_lower=price.mean_loss(lower),
            above_upper=price.mean_loss(upper),
            worst=price.last_turn,
            feasible=price.feasible,
            note=NOTES["memory"] if price.is_refused else None,
        )


class BestGuess(GuessFigures):
    """The best guess known in a position, and what is known of it.

    Costs are those of the objective, counted from the first turn of the game: for `average` the
    turns of all candidates together.
    """

    rules: str
    objective: str
    max_turns: int | None
    candidates_only: bool = Field(description="Whether only candidates may be guessed.")
    turn: int = Field(description="The turn of the guess.")
    remaining: int = Field(description="Codes that fit all answers.")
    status: Literal["optimal", "bounded", "heuristic"] = Field(
        description="`optimal`: proved. `bounded`: no strategy costs less than `lower`, and one "
        "that begins with this guess costs `upper`. `heuristic`: the guess of a one-step rule."
    )
    value: int | None = Field(
        description=f"The least cost by the strongest criterion. {VALUE} Null unless optimal."
    )
    levels: dict[str, int] | None = Field(
        description="The least cost by each criterion, strongest first. Null unless optimal."
    )
    lower: int | None = Field(description="No strategy costs less by the strongest criterion.")
    upper: int | None = Field(description="A strategy that begins with this guess costs this.")
    rule: Literal["larmouth", "crush"] | None = Field(
        description="The one-step rule that named the guess; null if a search did."
    )
    tree: str | None = Field(
        description="The tree that names the guess, if one holds the position under some names."
    )
    note: str | None = Field(description="Why nothing is proved; null if the guess is optimal.")
    answers: list[PossibleAnswer] = Field(description="The answers it can get.")
    others: list[GuessFigures] = Field(
        description="The guesses that a one-step rule likes best, best first."
    )
    prices: list[GuessPrice] | None = Field(
        default=None, description="What the guesses cost that were asked about, in their order."
    )
    candidates: list[str] | None = Field(description=f"Null if more than {LISTED}.")

    @classmethod
    def of_analysis(
        cls, question: Question, sourced: SourcedAnalysis, prices: Sequence[Evaluation] | None
    ) -> BestGuess:
        """Describe what is known of a position, and of guesses there."""
        rules, left, analysis = question.rules, question.candidates, sourced.analysis
        best = split(rules, left, analysis.guess)
        return cls(
            **GuessFigures.of(rules, best).model_dump(),
            rules=str(rules),
            objective=str(question.objective),
            max_turns=question.max_turns,
            candidates_only=question.candidates_only,
            turn=question.turn,
            remaining=len(left),
            status=analysis.status,
            value=analysis.value,
            levels=dict(analysis.levels) or None,
            lower=None if analysis.bounds is None else analysis.bounds.lower,
            upper=None if analysis.bounds is None else analysis.bounds.upper,
            rule=analysis.rule,
            tree=sourced.tree,
            note=None if sourced.reason is None else NOTES[sourced.reason],
            answers=[
                PossibleAnswer(**Outcome.of(rules.answers[answer]).model_dump(), remaining=count)
                for answer, count in best.parts
            ],
            others=[
                GuessFigures.of(rules, one)
                for one in splits(rules, left, ranking(question).guesses)
            ],
            prices=None if prices is None else [GuessPrice.of_price(price) for price in prices],
            candidates=[rules.text(int(code)) for code in left] if len(left) <= LISTED else None,
        )


class GuessQuestions(Strict):
    """Positions, each of any game."""

    positions: list[GuessQuestion] = Field(
        max_length=MAX_ASKED, description="Each as of `POST /guess`."
    )


class BestGuesses(BaseModel):
    """What is known of positions, or why nothing is said of one, in their order."""

    answers: list[BestGuess | ProblemDocument] = Field(
        description="As of `POST /guess`: an answer, whose `status` is text, or a problem, whose "
        "`status` is the number that `POST /guess` would answer with."
    )
