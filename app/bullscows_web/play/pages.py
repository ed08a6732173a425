"""The pages of a game: its beginning, the board, the end, and "None of these is right".

Holding the guess of a node against all others takes some milliseconds, so it is kept for nodes that
were asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated, ClassVar

import numpy as np
from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import RedirectResponse

from bullscows.game.history import Correction, History
from bullscows.game.notation import read_code
from bullscows.game.objective import mean_turns
from bullscows.game.rules import AnswerIndex, CodeError, CodeIndex, Rules
from bullscows.game.scoring import Answer
from bullscows.strategies.ranking import GuessComparison, compare_guess
from bullscows_web.review.reasons import contradictions
from bullscows_web.trees.library import Entry, EntryDep, LibraryDep
from bullscows_web.trees.links import ANALYSES, Links, review_path
from bullscows_web.trees.pages import GamesPage
from bullscows_web.trees.position import (
    GLANCE,
    Choice,
    ContradictionError,
    GamePosition,
    continued,
    game_corrections,
    path_of,
    resume,
    typed_answer,
)
from bullscows_web.web.caching import NO_STORE
from bullscows_web.web.dependencies import (
    IN_TURN,
    QueueDep,
    TextQuery,
    WordQuery,
    count_guess,
    pegs_in,
)
from bullscows_web.web.pictures.card import card_path, start_card
from bullscows_web.web.pictures.charts import Bar, bars
from bullscows_web.web.pictures.field import Field
from bullscows_web.web.rendering import respond

MAX_TURNS = 16
"""The longest game that the browser's record of results has a row for."""


@dataclass(frozen=True)
class PlayPage:
    """A game in progress or finished."""

    position: GamePosition
    analysis: str
    """The requested analysis, one of `ANALYSES`; any other value requests none."""
    longest: ClassVar[int] = MAX_TURNS
    """The longest game in the browser's record."""
    glance: ClassVar[int] = GLANCE
    """The number of candidates listed at first."""

    @property
    def entry(self) -> Entry:
        """The tree that is played."""
        return self.position.entry

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    @cached_property
    def guess_analysis(self) -> GuessAnalysis | None:
        """The analysis of the present guess, or None if it was not requested."""
        wanted = self.analysis in ANALYSES and not self.position.is_finished
        return GuessAnalysis(self.position) if wanted else None

    @property
    def node(self) -> GamePosition:
        """The position whose guess is on the board; the last one if the game is finished."""
        position = self.position
        return position.before(position.turn) if position.is_finished else position

    @property
    def field(self) -> Field:
        """The candidates, coloured by their answers to the guess on the board."""
        position = self.position
        shown = position.relabelling.show(position.node.guess)
        return Field.of(self.rules, position.codes, shown)

    @cached_property
    def card(self) -> str:
        """The path of the link preview; of a finished game, the start picture reveals nothing."""
        if self.position.is_finished:
            return start_card(self.rules)
        return card_path(self.position.history, self.rules.parse_code(self.position.guess))

    @property
    def review_path(self) -> str:
        """The path of the review of a finished game."""
        return review_path(History(self.rules), self.position.history, f"play/{self.position.path}")

    @property
    def sooner(self) -> float:
        """Share of all codes found before this turn, 0 to 1."""
        return sum(self.entry.record.distribution[: self.position.turn - 1]) / self.rules.size

    @property
    def later(self) -> float:
        """Share of all codes found after this turn, 0 to 1."""
        return sum(self.entry.record.distribution[self.position.turn :]) / self.rules.size

    @property
    def is_cut(self) -> bool:
        """Whether the analysis lists only some of the candidates."""
        return self.analysis != "all" and self.position.remaining > GLANCE

    @property
    def cells(self) -> list[tuple[Answer, Choice | None]]:
        """All answers except the last, each with its choice if the answer is possible."""
        possible = {choice.answer: choice for choice in self.position.choices}
        return [(answer, possible.get(answer)) for answer in self.rules.answers[:-1]]

    @property
    def win(self) -> Choice | None:
        """The choice that ends the game, or None if the guess is no candidate."""
        last = self.rules.answers[-1]
        return next((c for c in self.position.choices[-1:] if c.answer == last), None)


@dataclass(frozen=True)
class WrongAnswersPage:
    """Corrections of contradictory answers."""

    position: GamePosition
    """The last consistent position."""
    refused: Answer | None
    """The contradictory answer; None if the player did not name one."""
    corrections: Sequence[Correction]
    """Changes of one answer that make all answers consistent, most plausible first."""
    unoffered: Sequence[Answer] = ()
    """Answers to the guess on the board that may still be right."""
    secret: str = ""
    """The player's secret, or a text that is none as it was typed."""
    code: CodeIndex | None = None
    """The secret; None if there is none, or the text is no code of the game."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    def continued(self, correction: Correction) -> GamePosition:
        """Return the position from which the game continues after a correction."""
        return continued(self.position, correction)

    @property
    def settled(self) -> bool:
        """Whether the guess on the board has only answers that were offered before."""
        return self.refused is None and not self.unoffered

    @property
    def secret_error(self) -> bool:
        """Whether the typed secret is no code of the game."""
        return bool(self.secret) and self.code is None

    @property
    def is_compared(self) -> bool:
        """Whether there are turns to compare with the secret."""
        return self.code is not None and bool(self.position.history)

    @cached_property
    def wrong(self) -> dict[int, Answer]:
        """The right answer, by the number of each turn whose answer the secret contradicts."""
        return {} if self.code is None else dict(contradictions(self.position.history, self.code))

    @property
    def next_answer(self) -> Answer:
        """The answer of the secret to the guess on the board."""
        return self.rules.answers[self._respond(self.position.node.guess)]

    @property
    def corrected(self) -> GamePosition:
        """The position after correcting the first wrong answer, or after the next answer."""
        if not self.wrong:
            return self.position.after(self._respond(self.position.node.guess))
        known = {guess: self._respond(guess) for guess, _ in path_of(self.position)}
        return resume(self.position.before(min(self.wrong)), known)

    def _respond(self, guess: CodeIndex) -> AnswerIndex:
        """Return the answer of the secret to a guess of the tree."""
        assert self.code is not None, "callers check it"
        return self.rules.respond(self.position.relabelling.show(guess), self.code)


KEPT = 4096
"""For how many nodes the comparison with other guesses is kept: a few hundred bytes each."""


@dataclass(frozen=True)
class GuessAnalysis:
    """Figures of the guess in a position of an unfinished game."""

    position: GamePosition

    @property
    def is_candidate(self) -> bool:
        """Whether the guess may be the secret."""
        return self.position.node.is_candidate_guess

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """How many candidates are found with this guess, with the next one, and so on."""
        position = self.position
        return position.entry.tree.distribution_at(position.node)[position.turn - 1 :]

    @property
    def average(self) -> float:
        """The mean number of guesses to go, this one included."""
        return mean_turns(self.turns)

    @property
    def worst(self) -> int:
        """The most guesses to go, this one included."""
        return len(self.turns)

    @property
    def comparison(self) -> GuessComparison:
        """The guess among all guesses of the game, by how they split the candidates."""
        return _comparison(self.position.entry, self.position.node.number)

    @property
    def split(self) -> list[tuple[Choice, Bar]]:
        """The answers, with how many of the candidates give each."""
        choices = self.position.choices
        counted = bars([choice.remaining for choice in choices])
        return list(zip(choices, counted, strict=True))

    @property
    def separates_all(self) -> bool:
        """Whether each candidate answers otherwise."""
        return len(self.position.choices) == self.position.remaining

    @property
    def is_beyond_doubt(self) -> bool:
        """Whether no guess can do better whatever is minimised, as at a special node.

        One candidate is found now and all the others on the next turn, and one guess never finds
        two (see `bullscows.tree.strategy_tree.special_guess`).
        """
        return self.is_candidate and self.separates_all

    @property
    def is_proved(self) -> bool:
        """Whether no way to go on from here serves the aim of the tree better, by its proof.

        That the whole tree is optimal says so of each branch where the aim is a sum over secrets:
        a better branch would make a better tree.  The longest game is no such sum.
        """
        record = self.position.entry.record
        return record.proof == "exact" and "worst" not in record.objective.split(",")


@lru_cache(maxsize=KEPT)
def _comparison(entry: Entry, number: int) -> GuessComparison:
    node = entry.tree.nodes[number]
    return compare_guess(entry.rules, entry.tree.path(node), node.candidates, node.guess)


def suspects(position: GamePosition, right: AnswerIndex | None = None) -> list[Correction]:
    """Return the earlier answers that may be wrong if the right answer is not among the choices.

    These are the corrections under which the current guess gets the answer `right`, or any that is
    not offered now.  An empty list means that at least two answers are wrong, or that no such
    answer is `unoffered`.
    """
    possible = unoffered(position)
    answers = possible if right is None else [right]
    codes = [code for answer in answers for code in possible.get(answer, ())]
    return game_corrections(position, codes=np.array(codes, dtype=np.int32))


def unoffered(position: GamePosition) -> dict[AnswerIndex, list[CodeIndex]]:
    """Return codes by the answers to the guess on the board that no remaining candidate gives.

    One of them is the right answer if an earlier one was wrong.
    """
    rules = position.rules
    offered = {choice.answer for choice in position.choices}
    possible = rules.partition(position.node.guess, range(rules.size))
    return {
        answer: codes for answer, codes in possible.items() if rules.answers[answer] not in offered
    }


# -- routes ------------------------------------------------------------------------------------

router = APIRouter()


async def get_position(
    request: Request, library: LibraryDep, tree: str, token: str, answers: str = ""
) -> GamePosition:
    """Return the position of `/play/{tree}/{token}/{answers}`, and count its guess."""
    position = GamePosition.parse(library, tree, token, answers)
    if not position.is_finished:
        count_guess(request, position.entry.name)
    return position


PositionDep = Annotated[GamePosition, Depends(get_position)]


@router.get("/play/{tree}/{token}/none", dependencies=[IN_TURN])
@router.get("/play/{tree}/{token}/{answers}/none", dependencies=[IN_TURN])
def show_wrong_answers(
    request: Request,
    position: PositionDep,
    answer: WordQuery = "",
    secret: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """Look for the earlier answers that may be wrong, because none of the offered ones fits.

    The right answer to the guess on the board shortens the list; the secret shows which answers
    are wrong.  A game that has ended offers no answer, and one that
    is offered after all can just be given: both lead to the game.
    """
    if position.is_finished:
        return _to_game(request, position)
    rules = position.rules
    if not answer and (pegs := pegs_in(request.query_params, rules)):
        return RedirectResponse(Links.of(request).wrong_answers(position, secret=pegs), 303)
    if answer:
        right = typed_answer(rules, answer)
        try:
            return _to_game(request, position.after(right))
        except ContradictionError:
            page = WrongAnswersPage(position, rules.answers[right], suspects(position, right))
    else:
        page = _diagnosis(position, secret.strip())
    status = 422 if page.secret_error else 200
    return respond(request, "play/wrong_answers.html", page, status=status)


def _to_game(request: Request, position: GamePosition) -> Response:
    return RedirectResponse(Links.of(request).position(position), 303)


def _diagnosis(position: GamePosition, typed: str) -> WrongAnswersPage:
    """Return the page about no secret, a secret, or a text that is none and stays as typed."""
    rules = position.rules
    answers = [rules.answers[answer] for answer in unoffered(position)]
    page = WrongAnswersPage(position, None, suspects(position), answers, typed)
    if not typed:
        return page
    try:
        code = read_code(rules, typed)
    except CodeError:
        return page
    return replace(page, secret=rules.text(code), code=code)


@router.get("/play/{tree}/{token}")
@router.get("/play/{tree}/{token}/{answers}")
async def show(
    request: Request, queue: QueueDep, position: PositionDep, analysis: str = ""
) -> Response:
    """Show the guess and the possible answers, or the end; with an analysis if that is wanted.

    A page is rendered here and now; an analysis waits for its turn in the queue.
    """
    page = PlayPage(position, analysis)

    def render() -> Response:
        return respond(request, "play/page.html", page)

    return await queue.make(render) if page.guess_analysis else render()


@router.get("/play")
def start(
    request: Request,
    library: LibraryDep,
    tree: TextQuery = "",
    shuffle: bool = False,
) -> Response:
    """Show the strategies to choose from, or draw a relabelling and begin a game with one."""
    if not tree:
        return respond(request, "play/choose.html", GamesPage(library.games))
    return _begin(request, library.tree(tree), shuffle=shuffle)


@router.get("/play/{tree}")
def start_anew(request: Request, entry: EntryDep) -> Response:
    """Begin a game whose address names the tree alone, under a relabelling as the form has it."""
    return _begin(request, entry, shuffle=True)


def _begin(request: Request, entry: Entry, *, shuffle: bool) -> Response:
    position = GamePosition.start(entry, shuffle=shuffle)
    return RedirectResponse(Links.of(request).position(position), 303, NO_STORE)
