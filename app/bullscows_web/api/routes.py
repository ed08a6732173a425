"""Routes of the JSON API: trees, nodes, sessions and codes.

The id of a session contains its whole state, so the server stores nothing, any process answers any
request, and an earlier id undoes later turns.  Trees and sessions change only with the tree's file,
hence the entity tags.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from bullscows_web.api import guesses
from bullscows_web.api.guess_schemas import parsed_code, parsed_rules
from bullscows_web.api.openapi import BAD_BODY, PREFIX, leads_on, operation_id, problems
from bullscows_web.api.tree_schemas import (
    AnswerRequest,
    NewSession,
    NodeDetail,
    ProblemType,
    ResponseRequest,
    Session,
    TreeDetail,
    TreeList,
    TreeSummary,
)
from bullscows_web.errors.kinds import kinds
from bullscows_web.errors.responses import PROBLEM_TYPES, Outcome
from bullscows_web.trees.library import EntryDep, LibraryDep, TreePath
from bullscows_web.trees.position import GameOverError, GamePosition
from bullscows_web.web import text_patterns
from bullscows_web.web.caching import tagged
from bullscows_web.web.dependencies import count_guess

router = APIRouter(
    prefix=PREFIX,
    responses=problems(414),
    generate_unique_id_function=operation_id,
)


class EscapedJSONResponse(JSONResponse):
    """JSON in which DEL, base-92 digit 91, is escaped: JSON allows it bare, some tools strip it."""

    def render(self, content: object) -> bytes:
        """Return the content as JSON."""
        return super().render(content).replace(b"\x7f", b"\\u007f")


# -- trees -------------------------------------------------------------------------------------


@router.get(
    "/trees",
    tags=["trees"],
    summary="List the trees",
    responses=leads_on("trees"),
)
async def list_trees(request: Request, response: Response, library: LibraryDep) -> TreeList:
    """Return all trees that can be played, with their figures."""
    response.headers.update(tagged(request, library.version))
    trees = [TreeSummary.of(entry) for entry in library]
    return TreeList(trees=trees, unavailable=sorted(library.failed))


@router.get(
    "/trees/{tree}",
    tags=["trees"],
    summary="Get a tree",
    response_class=EscapedJSONResponse,
    responses=leads_on("tree") | problems(404, 422, 503),
)
async def get_tree(request: Request, response: Response, entry: EntryDep) -> TreeDetail:
    """Return the figures of a tree and its string, which encodes the whole tree."""
    response.headers.update(tagged(request, entry.record.digest))
    return TreeDetail.of(entry)


@router.get(
    "/trees/{tree}/nodes",
    tags=["trees"],
    summary="Get a node",
    responses=leads_on("node") | problems(404, 409, 422, 503),
)
async def get_node(
    request: Request,
    response: Response,
    library: LibraryDep,
    tree: TreePath,
    answers: Annotated[
        str,
        Query(
            pattern=text_patterns.ANSWERS.pattern,
            description="The answers from the root, joined by `-`.",
            examples=["0.1-1.1"],
        ),
    ] = "",
) -> NodeDetail:
    """Return the node that the answers lead to: its turns, its guess and its children.

    Codes are those of the tree itself, not relabelled.
    """
    position = GamePosition.parse(library, library.tree(tree).name, "0", answers)
    if position.is_finished:
        raise GameOverError(position)
    response.headers.update(tagged(request, position.entry.record.digest))
    return NodeDetail.of(position)


# -- sessions ----------------------------------------------------------------------------------


SessionId = Annotated[
    str,
    Path(
        alias="id",
        pattern=text_patterns.SESSION.pattern,
        max_length=400,
        description="Tree, relabelling and answers.",
        examples=["avg-bulls-cows~k3~0.1-1.1"],
    ),
]


@router.post(
    "/sessions",
    status_code=201,
    tags=["sessions"],
    summary="Start a game",
    responses=leads_on("session", 201) | problems(404, 503) | BAD_BODY,
)
async def create_session(
    request: Request, response: Response, library: LibraryDep, new: NewSession
) -> Session:
    """Start a game in which the server guesses your code. The session has the first guess."""
    tree = library.tree(new.tree)
    position = GamePosition.start(tree, shuffle=new.shuffle)
    return _to_play(request, response, position)


@router.get(
    "/sessions/{id}",
    tags=["sessions"],
    summary="Get a session",
    responses=leads_on("session") | problems(404, 409, 422, 503),
)
async def get_session(
    request: Request, response: Response, library: LibraryDep, session: SessionId
) -> Session:
    """Return the state of a game."""
    position = GamePosition.parse_id(library, session)
    response.headers.update(tagged(request, position.entry.record.digest))
    return Session.of(position)


@router.post(
    "/sessions/{id}/answers",
    tags=["sessions"],
    summary="Answer the guess",
    responses=leads_on("session") | problems(404, 409, 503) | BAD_BODY,
)
async def answer_session(
    request: Request,
    response: Response,
    library: LibraryDep,
    given: AnswerRequest,
    session: SessionId,
) -> Session:
    """Send the bulls and cows of the guess. The response is a session with the next guess.

    If no code fits the answers, the response is a 409 problem that lists the answers that could be
    wrong. The answered session stays valid.
    """
    position = GamePosition.parse_id(library, session)
    answer = position.rules.answer_index(given.bulls, given.cows)
    return _to_play(request, response, position.after(answer))


def _to_play(request: Request, response: Response, position: GamePosition) -> Session:
    """Return a session with its address in the response, and count its guess."""
    if not position.is_finished:
        count_guess(request, position.entry.name)
    session = Session.of(position)
    response.headers["Location"] = f"{PREFIX}/sessions/{session.id}"
    return session


# -- best guesses -----------------------------------------------------------------------------

router.include_router(guesses.router)  # here, because the reference lists routes in this order

# -- other -------------------------------------------------------------------------------------


@router.post("/response", tags=["codes"], summary="Compare two codes", responses=BAD_BODY)
async def compare_codes(given: ResponseRequest) -> Outcome:
    """Return the answer to a guess for a known secret."""
    rules = parsed_rules(given.rules)
    guess = parsed_code(rules, given.guess, "guess")
    secret = parsed_code(rules, given.secret, "secret")
    return Outcome.of(rules.answers[rules.respond(guess, secret)])


@router.get(
    "/problems/{slug}",
    tags=["problems"],
    summary="Get a problem type",
    responses=problems(404, 422),
)
async def get_problem_type(
    slug: Annotated[
        str, Path(description="Last part of the `type` of a problem.", examples=["contradiction"])
    ],
) -> ProblemType:
    """Return the description of a problem type."""
    for kind in kinds():
        if kind.slug == slug:
            return ProblemType(
                type=PROBLEM_TYPES + slug, title=kind.title, status=kind.status, advice=kind.advice
            )
    slugs = ", ".join(kind.slug for kind in kinds())
    raise HTTPException(404, f"There is no such problem type; use one of {slugs}.")
