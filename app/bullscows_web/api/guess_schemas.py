"""Request and response models of `POST /guess` and `POST /guesses`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from bullscows.analysis.analyst import MAX_CAP
from bullscows.analysis.evaluation import Evaluation, evaluation_record
from bullscows.analysis.without_search import ranking
from bullscows.errors import EngineError
from bullscows.game.history import MAX_HISTORY, History, Split, split, splits
from bullscows.game.objective import ObjectiveError
from bullscows.game.question import Question
from bullscows.game.response_table import GameTooLargeError
from bullscows.game.result import Analysis
from bullscows.game.rules import AnswerError, CodeError, CodeIndex, Rules, RulesError
from bullscows_web.api.tree_schemas import Bulls, CodeText, Cows, PossibleAnswer, RulesText, Strict
from bullscows_web.errors.responses import ProblemDocument
from bullscows_web.search.service import MAX_EVALUATED
from bullscows_web.trees.position import LISTED, listed
from bullscows_web.web import text_patterns
from bullscows_web.web.exceptions import FieldError, MalformedError

ObjectiveText = Annotated[
    str,
    Field(
        pattern=text_patterns.OBJECTIVE.pattern,
        description="`average`, `last`, `movers` or `worst`; several joined by commas, strongest "
        "first; or `weights:` and the cost of each turn. `last` and `movers` need `max_turns`.",
        examples=["average"],
    ),
]

NOTES: Mapping[str, str] = {
    "time": "The search ran out of time. Repeat the request to continue it.",
    "no-search": "This server has no search installed.",
    "large-game": "There are too many candidates for a search. Add turns.",
    "memory": "This position needs more memory than the server may use.",
}

MAX_SECRETS = 1000
"""Maximum number of codes that may be the secret, if they are listed."""

MAX_BATCH = 100
"""Maximum number of positions in one request."""


@contextmanager
def field_of_body(*place: str | int, errors: tuple[type[EngineError], ...]) -> Iterator[None]:
    """Name the field of the body that causes these errors."""
    try:
        yield
    except errors as error:
        raise FieldError(place, error) from None


def parsed_rules(text: str) -> Rules:
    """Return the rules in a body; raise `FieldError` if they are invalid."""
    with field_of_body("rules", errors=(RulesError,)):
        return Rules.parse(text)


def parsed_code(rules: Rules, text: str, *place: str | int) -> CodeIndex:
    """Return the code in a field of a body; raise `FieldError` if it is not a code."""
    with field_of_body(*place, errors=(CodeError,)):
        return rules.parse_code(text)


def parsed_codes(rules: Rules, texts: list[str] | None, field: str) -> list[CodeIndex] | None:
    """Return the codes in a list of a body, if there is one; errors as of `parsed_code`."""
    if texts is None:
        return None
    return [parsed_code(rules, text, field, place) for place, text in enumerate(texts)]


@contextmanager
def fields_of_limits() -> Iterator[None]:
    """Report a game that is too large or an invalid objective as an error in its field."""
    try:
        with field_of_body("rules", errors=(GameTooLargeError,)):
            yield
    except ObjectiveError as error:
        raise FieldError((error.field,), error) from None


class GivenTurn(Strict):
    """A guess and its answer."""

    guess: CodeText
    bulls: Bulls
    cows: Cows


class GuessRequest(Strict):
    """A position of any game and the objective."""

    model_config = Strict.model_config | {
        "json_schema_extra": {
            "examples": [
                {"rules": "p4c10n", "turns": [{"guess": "0123", "bulls": 0, "cows": 1}]},
                {"rules": "p4c6r", "turns": [], "objective": "worst,average"},
                {"rules": "p4c6r", "turns": [], "candidates_only": True},
                {"rules": "p4c10n", "turns": [], "secrets": ["0123", "0132", "1023", "4567"]},
            ]
        }
    }

    rules: RulesText
    turns: list[GivenTurn] = Field(
        default=[],
        max_length=MAX_HISTORY,
        description="The guesses so far and their answers, in order.",
    )
    objective: ObjectiveText = "average"
    max_turns: Annotated[int, Field(ge=1, le=MAX_CAP)] | None = Field(
        default=None, description="Last allowed turn of the game."
    )
    candidates_only: bool = Field(
        default=False,
        description="Whether every guess must be a candidate (hard mode). Cannot be combined with "
        "`guesses`.",
    )
    secrets: list[CodeText] | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_SECRETS,
        description="The codes that may be the secret; null if all may. Every code may be guessed. "
        "Cannot be combined with `guesses`.",
        examples=[["0123", "4567", "7890"]],
    )
    guesses: list[CodeText] | None = Field(
        default=None,
        max_length=MAX_EVALUATED,
        description="Guesses to evaluate.",
        examples=[["4567", "1456"]],
    )

    def parsed(self) -> tuple[Question, list[CodeIndex] | None]:
        """Return the position with its objective, and the guesses to evaluate, if any.

        Raises `FieldError` or `MalformedError` if a field is invalid, a turn has found the code, or
        `guesses` is combined with `candidates_only` or `secrets`.
        """
        if self.candidates_only and self.guesses is not None:
            message = "guesses are evaluated among all guesses, so not with candidates_only"
            raise MalformedError("conflicting-fields", message)
        if self.secrets is not None and self.guesses is not None:
            message = "guesses are evaluated with all codes as secrets, so not with secrets"
            raise MalformedError("conflicting-fields", message)
        history = self.history()
        rules = history.rules
        for guess, answer in history:
            if answer == rules.win:
                message = f"the game is over: {rules.text(guess)} was found"
                raise MalformedError("malformed-turns", message)
        secrets = parsed_codes(rules, self.secrets, "secrets")
        with fields_of_limits():
            question = Question.of(
                rules,
                history,
                self.objective,
                self.max_turns,
                candidates_only=self.candidates_only,
                secrets=secrets,
            )
        return question, parsed_codes(rules, self.guesses, "guesses")

    def history(self) -> History:
        """Return the turns; raise `FieldError` if the rules, a guess or an answer is invalid."""
        rules = parsed_rules(self.rules)
        turns = []
        for place, turn in enumerate(self.turns):
            guess = parsed_code(rules, turn.guess, "turns", place, "guess")
            with field_of_body("turns", place, errors=(AnswerError,)):
                turns.append((guess, rules.answer_index(turn.bulls, turn.cows)))
        return History(rules, tuple(turns))


class GuessFigures(BaseModel):
    """A guess and its partition of the candidates."""

    guess: str
    is_candidate: bool = Field(description="Whether the guess can be the secret.")
    parts: int = Field(description="Number of possible answers.")
    largest: int = Field(description="Size of the largest part.")
    expected: float = Field(description="Mean number of candidates after the answer.")

    @classmethod
    def of(cls, rules: Rules, found: Split) -> GuessFigures:
        """Return the model of a split."""
        return cls(
            guess=rules.text(found.guess),
            is_candidate=found.is_candidate,
            parts=found.number,
            largest=found.largest,
            expected=found.expected,
        )


class GuessEvaluation(GuessFigures):
    """Cost of the best strategy that starts with a guess.

    Costs are those of the objective, counted from the first turn of the game. The smallest value of
    all guesses is the `value` of the position.
    """

    status: Literal["optimal", "bounded", "heuristic"] = Field(
        description="`optimal`: `value` is exact. `bounded`: the value lies between `lower` and "
        "`upper`. `heuristic`: no upper bound is known yet."
    )
    value: int | None = Field(
        description="Cost of the best strategy that starts with this guess; for `average` a total, "
        "as the `value` of the position. Null unless exact and finite."
    )
    levels: dict[str, int] | None = Field(
        description="The same by each criterion, strongest first. Null unless exact."
    )
    lower: int | None = Field(description="Lower bound on `value`.")
    upper: int | None = Field(description="Upper bound on `value`.")
    loss: float | None = Field(
        description="Cost above the best guess by the strongest criterion; for `average` the mean "
        "number of turns per candidate. Null unless both values are exact."
    )
    loss_lower: float | None = Field(description="Lower bound on `loss`.")
    loss_upper: float | None = Field(description="Upper bound on `loss`.")
    worst: int | None = Field(
        description="Last turn of one optimal strategy with this guess; null unless known."
    )
    feasible: bool | None = Field(
        description="Whether a strategy with this guess meets `max_turns`; null if unknown."
    )
    note: str | None = Field(
        description="Why a longer search would not help; null unless memory is the limit."
    )

    @classmethod
    def of_evaluation(cls, found: Evaluation) -> GuessEvaluation:
        """Return the model of an evaluation."""
        return cls(
            **evaluation_record(found),
            expected=found.split.expected,
            note=NOTES["memory"] if found.is_refused else None,
        )


class BestGuess(GuessFigures):
    """The best known guess of a position.

    Costs are those of the objective, counted from the first turn of the game.
    """

    rules: str
    objective: str
    max_turns: int | None
    candidates_only: bool = Field(description="Whether every guess must be a candidate.")
    turn: int = Field(description="Turn of the guess.")
    remaining: int = Field(description="Candidates: codes that fit all answers.")
    status: Literal["optimal", "bounded", "heuristic"] = Field(
        description="`optimal`: the guess is proved best. `bounded`: the value lies between "
        "`lower` and `upper`. `heuristic`: the guess of a one-step rule."
    )
    value: int | None = Field(
        description="The minimum cost by the strongest criterion; for `average` a total: the turns "
        "at which the candidates are found, summed, counted from the first turn of the game. Null "
        "unless optimal."
    )
    levels: dict[str, int] | None = Field(
        description="The minimum cost by each criterion, strongest first. Null unless optimal."
    )
    lower: int | None = Field(description="Lower bound on `value`.")
    upper: int | None = Field(
        description="Upper bound on `value`, which a strategy with this guess attains."
    )
    rule: Literal["larmouth", "crush"] | None = Field(
        description="The one-step rule that chose the guess; null if a search did."
    )
    tree: str | None = Field(
        description="The tree that the guess comes from, if one contains an equivalent position."
    )
    note: str | None = Field(description="Why the guess is not proved; null if `optimal`.")
    answers: list[PossibleAnswer] = Field(description="The possible answers to the guess.")
    others: list[GuessFigures] = Field(
        description="Guesses that a one-step rule ranks first, best first."
    )
    evaluations: list[GuessEvaluation] | None = Field(
        default=None, description="Evaluations of the requested `guesses`, in their order."
    )
    candidates: list[str] | None = Field(
        description=f"The candidates; null if there are more than {LISTED}."
    )

    @classmethod
    def of_analysis(cls, analysis: Analysis, evaluations: Sequence[Evaluation] | None) -> BestGuess:
        """Return the model of an analysis and of the evaluated guesses."""
        question = analysis.question
        rules = question.rules
        left = question.candidates
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
            tree=analysis.source,
            note=None if analysis.reason is None else NOTES[analysis.reason],
            answers=[
                PossibleAnswer.of(rules.answers[answer], remaining=count)
                for answer, count in best.parts
            ],
            others=[
                GuessFigures.of(rules, one)
                for one in splits(rules, left, ranking(question).guesses)
            ],
            evaluations=None
            if evaluations is None
            else list(map(GuessEvaluation.of_evaluation, evaluations)),
            candidates=listed(rules, left),
        )


class GuessesRequest(Strict):
    """Positions of any games."""

    positions: list[GuessRequest] = Field(
        max_length=MAX_BATCH, description="Requests as for `POST /guess`."
    )


class GuessResult(BaseModel):
    """The best guess of one position, or the problem with it; the other field is null."""

    best_guess: BestGuess | None = Field(default=None, description="As from `POST /guess`.")
    problem: ProblemDocument | None = Field(
        default=None, description="The problem that `POST /guess` would return."
    )


class GuessResults(BaseModel):
    """Results in the order of the positions."""

    results: list[GuessResult]
