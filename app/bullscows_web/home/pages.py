"""The start page, the pages "More", "Preferences", "Privacy" and "How it works", and the status.

The figures and examples of "How it works" come from the trees of this server, so that a reader can
download and check them.  Machines watch the server at `/healthz`, `/readyz` and `/metrics`.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from itertools import islice
from typing import ClassVar, Literal

from fastapi import APIRouter, HTTPException, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel
from starlette.responses import RedirectResponse

from bullscows import __version__
from bullscows.tree.codec import DIGITS, digits_per_guess
from bullscows.tree.files import FORMAT
from bullscows.tree.nodes import Node
from bullscows.tree.strategy_tree import special_guess
from bullscows_web.guess.pages import ChoicePage
from bullscows_web.guess.puzzle import FIRST, Puzzle, TodayDep
from bullscows_web.language.catalogues import languages, preferred
from bullscows_web.language.words import BULLS_COWS, MASTERMIND
from bullscows_web.search.service import SearchDep
from bullscows_web.trees.library import Entry, Library, LibraryDep
from bullscows_web.trees.pages import escaped
from bullscows_web.trees.position import GamePosition
from bullscows_web.web.dependencies import MetricsDep, SettingsDep
from bullscows_web.web.metrics import Figures
from bullscows_web.web.rendering import VARY, respond

router = APIRouter()
negotiated = APIRouter()
"""Addresses without a language, which lead to the start page in the preferred one."""

SECRET = "4271"
"""The secret of the examples."""
STORED = 4
"""Number of guesses of a string that "How it works" decodes."""


# -- the start page ----------------------------------------------------------------------------


@dataclass(frozen=True)
class StartPage(ChoicePage):
    """The two ways to play, and today's puzzle."""

    @property
    def puzzle(self) -> Puzzle | None:
        """Today's puzzle of the first game, if there is any."""
        return Puzzle.of_day(self.featured[0].entries[0], self.today) if self.featured else None


@negotiated.get("/")
def choose_language(
    request: Request, library: LibraryDep, today: TodayDep, lang: str = ""
) -> Response:
    """Show the start page, or redirect to the preferred language unless from a page of the site."""
    english = languages()[0]
    inside = request.headers.get("sec-fetch-site") == "same-origin"
    language = preferred(request.headers.get("accept-language", ""))
    vary = f"Accept-Language, Sec-Fetch-Site, {VARY}"
    if language is english or inside or lang == english.code:
        page = StartPage(library.games, today)
        return respond(request, "home/start.html", page, vary=vary)
    return RedirectResponse(f"{language.prefix}/", 307, {"Vary": vary})


@negotiated.get("/ru")
def complete_address(request: Request) -> RedirectResponse:
    """Redirect to the address with the slash."""
    return RedirectResponse(f"{request.url.path}/", 308)


@router.get("/")
def show_start(request: Request, library: LibraryDep, today: TodayDep) -> Response:
    """Show the ways to play."""
    return respond(request, "home/start.html", StartPage(library.games, today))


# -- more, preferences, privacy ----------------------------------------------------------------


@router.get("/more")
def show_more(request: Request) -> Response:
    """Show links to all pages, playing apart from reference."""
    return respond(request, "home/more.html", None)


@router.get("/preferences")
def show_preferences(request: Request) -> Response:
    """Show the preferences, which stay in the visitor's browser."""
    return respond(request, "home/preferences.html", None)


@router.get("/privacy")
def show_privacy(request: Request) -> Response:
    """Say what is stored and where, and offer the games of this browser as a file."""
    return respond(request, "home/privacy.html", None)


# -- how it works ------------------------------------------------------------------------------


@dataclass(frozen=True)
class AboutPage:
    """The page "How it works"."""

    library: Library
    first_day: ClassVar[date] = FIRST
    """The day of the first puzzle."""

    @cached_property
    def entry(self) -> Entry | None:
        """The tree of the examples: the first of Bulls & Cows."""
        return next((entry for entry in self.library if entry.rules == BULLS_COWS), None)

    @cached_property
    def game(self) -> GamePosition | None:
        """A finished game of that tree."""
        if self.entry is None:
            return None
        return GamePosition.at_end(self.entry, self.entry.rules.parse_code(SECRET))

    @cached_property
    def stored(self) -> Sequence[tuple[str, list[int], Node, str]]:
        """The first guesses in that tree's string."""
        return list(first_stored(self.entry, STORED)) if self.entry else ()

    @property
    def proved(self) -> list[Entry]:
        """The optimal trees of Bulls & Cows and Mastermind."""
        return [
            entry
            for entry in self.library
            if entry.record.is_optimal and entry.rules in (BULLS_COWS, MASTERMIND)
        ]


def first_stored(entry: Entry, count: int) -> Iterator[tuple[str, list[int], Node, str]]:
    r"""Yield the first guesses of a tree's string, decoded.

    Each is its digits, DEL written ``\x7f``; their values from 0 to 91; its node; and the answers
    that lead there, such as `0.1 1.1`.
    """
    width = digits_per_guess(entry.rules)
    answers = entry.rules.answers
    stored = (n for n in entry.tree.nodes if special_guess(entry.rules, n.candidates) is None)
    for place, node in enumerate(islice(stored, count)):
        text = entry.record.string[place * width : (place + 1) * width]
        path = " ".join(str(answers[answer]) for _, answer in entry.tree.path(node))
        yield escaped(text), [DIGITS.index(each) for each in text], node, path


@router.get("/about")
def show_about(request: Request, library: LibraryDep) -> Response:
    """Explain the rules, the objectives, the proofs and the string, and name the sources."""
    return respond(request, "home/about.html", AboutPage(library))


# -- status ------------------------------------------------------------------------------------

machines = APIRouter()


@dataclass(frozen=True)
class StatusPage:
    """The status of the server, summed over its processes."""

    library: Library
    search: Literal["loading", "ready", "none"]
    """Whether the processes can search."""
    figures: Figures

    @property
    def since(self) -> datetime:
        """When the server started."""
        return datetime.fromtimestamp(self.figures.total("started_seconds"), UTC)

    @property
    def versions(self) -> Sequence[str]:
        """The versions of this software, of the tree file format, and of Python."""
        return __version__, FORMAT, platform.python_version()


@router.get("/status")
def show_status(
    request: Request,
    library: LibraryDep,
    search: SearchDep,
    metrics: MetricsDep,
) -> Response:
    """Show the status of the server."""
    page = StatusPage(library, search.state, metrics.figures())
    return respond(request, "home/status.html", page, no_store=True)


# -- for machines that watch the server ---------------------------------------------------------


class Readiness(BaseModel):
    """Which trees can be played."""

    status: str
    """`ready`, or `degraded` if a file was rejected or there is nothing to play."""
    trees: list[str]
    """Names of the trees that can be played."""
    failed: list[str]
    """Names of the files that were rejected."""
    search: str
    """`ready`, `loading`, or `none`: then rules guess."""


@machines.get("/healthz")
async def healthz() -> dict[str, str]:
    """Say that the process is alive."""
    return {"status": "ok"}


@machines.get("/readyz")
async def readyz(library: LibraryDep, search: SearchDep, response: Response) -> Readiness:
    """Say whether every tree can be played; 503 if not."""
    response.status_code = 200 if library.is_ready else 503
    return Readiness(
        status="ready" if library.is_ready else "degraded",
        trees=[entry.name for entry in library],
        failed=sorted(library.failed),
        search=search.state,
    )


@machines.get("/metrics")
async def show_metrics(counters: MetricsDep, settings: SettingsDep) -> Response:
    """Return the counters of all worker processes in the text format of Prometheus."""
    if not settings.metrics:
        raise HTTPException(404)
    return Response(counters.text(), media_type=CONTENT_TYPE_LATEST)
