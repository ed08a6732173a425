"""The JSON API, `/api/v1`: trees, their nodes, games, any position, and two codes compared.

A session is a value, not a record: its id is the position, so the server keeps nothing, any
process answers any request, and an earlier id is undo.  What is read is immutable as long as the
tree is, hence the entity tags.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request, Response

from bullscows.game.rules import respond
from bullscows_web.analyse.search.dependencies import AnalysisDep
from bullscows_web.api.answering import all_found, found
from bullscows_web.api.documents import PREFIX, answered, cacheable, to_play
from bullscows_web.api.links import NODE, SESSION, TREE, TREES, leads_on
from bullscows_web.api.openapi import problems
from bullscows_web.api.positions import (
    BestGuess,
    BestGuesses,
    GuessQuestion,
    GuessQuestions,
    parsed_code,
    parsed_rules,
)
from bullscows_web.api.schemas import (
    AnswerGiven,
    NewSession,
    NodeDetail,
    ProblemType,
    ResponseQuestion,
    Session,
    TreeDetail,
    TreeList,
    TreeSummary,
)
from bullscows_web.error_responses import PROBLEM_TYPES, Outcome, kinds
from bullscows_web.trees.dependencies import EntryDep, LibraryDep
from bullscows_web.trees.position import GameOverError, GamePosition
from bullscows_web.web import text_patterns
from bullscows_web.web.dependencies import MetricsDep

router = APIRouter(prefix=PREFIX, responses=problems(414))

BAD_BODY = problems(400, 403, 413, 415, 422)


async def json_only(request: Request) -> None:
    """Refuse a body that isn't called JSON: FastAPI takes it for a string, and says so."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_json = kind == "application/json" or re.fullmatch(r"application/.+\+json", kind)
    if not is_json and await request.body():
        raise HTTPException(415, "The body has to be JSON: send Content-Type: application/json.")


# -- trees -------------------------------------------------------------------------------------


@router.get(
    "/trees",
    operation_id="listTrees",
    tags=["trees"],
    summary="List the trees",
    response_model=TreeList,
    responses=leads_on(TREES),
)
async def list_trees(request: Request, library: LibraryDep) -> Response:
    """Return every tree that can be played, with its figures, in the order to offer them."""
    trees = (TreeSummary.of(entry) for entry in library)
    return cacheable(
        request,
        library.version,
        lambda: TreeList(trees=list(trees), unavailable=sorted(library.failed)),
    )


@router.get(
    "/trees/{tree}",
    operation_id="getTree",
    tags=["trees"],
    summary="Get a tree",
    response_model=TreeDetail,
    responses=leads_on(TREE) | problems(404, 422, 503),
)
async def get_tree(request: Request, entry: EntryDep) -> Response:
    """Return a tree's figures and its string, which is the whole tree."""
    return cacheable(request, entry.version, lambda: TreeDetail.of(entry))


async def get_node(
    library: LibraryDep,
    entry: EntryDep,
    answers: Annotated[
        str,
        Query(
            pattern=text_patterns.ANSWERS.pattern,
            description="The answers from the root, joined by `-`.",
            examples=["0.1-1.1"],
        ),
    ] = "",
) -> GamePosition:
    """Return the position at the node that the answers reach."""
    position = GamePosition.parse(library, entry.name, "0", answers)
    if position.is_finished:
        raise GameOverError(position)
    return position


@router.get(
    "/trees/{tree}/nodes",
    operation_id="getNode",
    tags=["trees"],
    summary="Get a node",
    response_model=NodeDetail,
    responses=leads_on(NODE) | problems(404, 409, 422, 503),
)
async def get_tree_node(
    request: Request, position: Annotated[GamePosition, Depends(get_node)]
) -> Response:
    """Return the node that the answers reach: the path, the guess, and what follows each answer.

    Codes are those of the tree itself, not relabelled.
    """
    return cacheable(request, position.entry.version, lambda: NodeDetail.of(position))


# -- sessions ----------------------------------------------------------------------------------


async def get_session(
    library: LibraryDep,
    session: Annotated[
        str,
        Path(
            alias="id",
            pattern=text_patterns.SESSION.pattern,
            max_length=400,
            description="Tree, relabelling and answers.",
            examples=["avg-bulls-cows~k3~0.1-1.1"],
        ),
    ],
) -> GamePosition:
    """Return the position that a session's id is."""
    return GamePosition.parse_id(library, session)


SessionDep = Annotated[GamePosition, Depends(get_session)]


@router.post(
    "/sessions",
    status_code=201,
    response_model=Session,
    operation_id="createSession",
    tags=["sessions"],
    summary="Start a game",
    responses=leads_on(SESSION, 201) | problems(404, 503) | BAD_BODY,
    dependencies=[Depends(json_only)],
)
async def create_session(request: Request, new: NewSession, library: LibraryDep) -> Response:
    """Think of a code and start: the session asks its first guess."""
    position = GamePosition.start(library.tree(new.tree), shuffle=new.shuffle)
    return to_play(request, position, 201)


@router.get(
    "/sessions/{id}",
    operation_id="getSession",
    tags=["sessions"],
    summary="Get a game",
    response_model=Session,
    responses=leads_on(SESSION) | problems(404, 409, 422, 503),
)
async def show_session(request: Request, position: SessionDep) -> Response:
    """Return a game as it stands."""
    return cacheable(request, position.entry.version, lambda: Session.of(position))


@router.post(
    "/sessions/{id}/answers",
    response_model=Session,
    operation_id="answerSession",
    tags=["sessions"],
    summary="Answer the guess",
    responses=leads_on(SESSION) | problems(404, 409, 503) | BAD_BODY,
    dependencies=[Depends(json_only)],
)
async def answer_session(request: Request, given: AnswerGiven, position: SessionDep) -> Response:
    """Say how many bulls and cows the guess has; the next session asks the next guess.

    An answer that no code fits is a conflict, and the problem lists the answers that could be
    wrong.  The session that was answered stays as it is.
    """
    return answered(request, position, given)


# -- any position ------------------------------------------------------------------------------


@router.post(
    "/guess",
    operation_id="findGuess",
    tags=["positions"],
    summary="Find the best guess",
    responses=problems(409, 503) | BAD_BODY,
    dependencies=[Depends(json_only)],
)
async def find_guess(
    question: GuessQuestion, library: LibraryDep, analysis: AnalysisDep
) -> BestGuess:
    """Name the best guess in any position of any game, and say what is proved of it.

    The turns need not follow a tree. If no code fits them, the problem lists the answers that
    could be wrong. With `guesses` each of them is priced: what it costs, exactly where there is
    time for that, and what it costs above the best. A search has about a second; what it found is
    kept, so asking again may tell more. Games of more than 2,000,000 codes are not analysed.
    Positions are searched whatever the game, unless their candidates times its codes exceed 256
    million.
    """
    return await analysis.answer(partial(found, question, library))


@router.post(
    "/guesses",
    operation_id="findGuesses",
    tags=["positions"],
    summary="Find the best guess in many positions",
    responses=problems(503) | BAD_BODY,
    dependencies=[Depends(json_only)],
)
async def find_guesses(
    questions: GuessQuestions, library: LibraryDep, analysis: AnalysisDep, metrics: MetricsDep
) -> BestGuesses:
    """Name the best guess in up to 100 positions, as `POST /guess` does for each.

    A position that can't be answered, such as one with answers that contradict each other, has a
    problem in its place, and spoils no other. All searches together have the time of one; what a
    position leaves of its share goes to those after it, and asking again goes on from there. Of
    positions whose turn does not come within seconds the problem says so.
    """
    return await all_found(questions.positions, library, analysis, metrics)


# -- other -------------------------------------------------------------------------------------


@router.post(
    "/response",
    operation_id="compareCodes",
    tags=["codes"],
    summary="Compare two codes",
    responses=BAD_BODY,
    dependencies=[Depends(json_only)],
)
async def compare_codes(question: ResponseQuestion) -> Outcome:
    """Return the answer to a guess when the secret is known."""
    rules = parsed_rules(question.rules)
    guess, secret = (
        rules.code(parsed_code(rules, text, name))
        for name, text in (("guess", question.guess), ("secret", question.secret))
    )
    return Outcome.of(respond(guess, secret))


@router.get(
    "/problems/{slug}",
    operation_id="getProblemType",
    tags=["problems"],
    summary="Get a kind of problem",
    responses=problems(404, 422),
)
async def get_problem_type(
    slug: Annotated[
        str,
        Path(description="The last part of the `type` of a problem.", examples=["contradiction"]),
    ],
) -> ProblemType:
    """Return what a `type` of problem means."""
    for kind in kinds():
        if kind.slug == slug:
            return ProblemType(
                type=PROBLEM_TYPES + slug, title=kind.title, status=kind.status, advice=kind.advice
            )
    slugs = ", ".join(kind.slug for kind in kinds())
    raise HTTPException(404, f"No kind of problem is called that; there are {slugs}.")
