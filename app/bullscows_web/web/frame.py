"""The frame of a page: its language, its address, links within the site, and reloads.

A history is written in an address as ``h=0123:0.1-4567:1.1``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import Query, Request
from starlette.responses import RedirectResponse

from bullscows.game.history import MAX_HISTORY, History, HistoryError
from bullscows.game.rules import Rules
from bullscows_web.language.catalogues import Language, language_of, languages
from bullscows_web.web.exceptions import MalformedError

_IN_PATH = "/:@!$&'()*+,;=~"
"""Characters that need no quoting in a path, in addition to letters, digits and ``_.-``."""
_IN_QUERY = _IN_PATH + "?%"
"""The same in a query, which is not decoded before."""

EMBED = "/embed"
"""The paths below it, in each language, show pages inside pages of other sites."""


SECTIONS = {
    "": "home",
    "play": "play",
    "guess": "guess",
    "puzzle": "guess",
    "daily": "daily",
    "duel": "duel",
    "match": "match",
    "analyse": "analyse",
    "answer": "analyse",
    "review": "analyse",
    "trees": "trees",
    "compare": "trees",
    "paste": "trees",
}
"""The section of a page by the first part of its path; other pages are below "more"."""

SYMBOLS = "symbols=1"
"""The query for digits of small games from 1 on (`static/scripts/symbols.js`)."""


def address(path: str, query: str) -> str:
    """Return the URL within this site of a decoded path and a raw query."""
    path = quote("/" + path.lstrip("/"), safe=_IN_PATH)  # two slashes would name a host
    return f"{path}?{quote(query, safe=_IN_QUERY)}" if query else path


def asking(path: str, **words: str) -> str:
    """Return a path with a query of some words; empty ones are left out."""
    query = urlencode({name: text for name, text in words.items() if text}, safe=":,/")
    return f"{path}?{query}" if query else path


def address_parts(text: str | None) -> list[str]:
    """Return the parts of a text in an address, such as guesses: hyphens are between them."""
    return text.split("-") if text else []


def address_text(history: History) -> str:
    """Return the text of a history in an address; inverse of `read_address`.

    Raises `MalformedError` if there are too many turns.
    """
    return "-".join(_checked(history).texts)


def read_address(rules: Rules, text: str) -> History:
    """Read a history in an address; inverse of `address_text`.

    Raises `MalformedError` if a turn is not written so, or there are too many. Raises `CodeError`
    or `AnswerError` if a guess or an answer does not exist in the game.
    """
    try:
        history = History.parse(rules, text.replace("-", " "))
    except HistoryError as error:
        raise MalformedError("malformed-history", str(error)) from None
    return _checked(history)


def _checked(history: History) -> History:
    if len(history) > MAX_HISTORY:
        message = f"a position has at most {MAX_HISTORY} turns behind it here, not {len(history)}"
        raise MalformedError("malformed-history", message)
    return history


@dataclass(frozen=True)
class Frame:
    """The frame of a page."""

    language: Language
    path: str
    """The path of this page in English, decoded, from which other languages' are made."""
    query: str
    """Its raw query."""
    section: str
    """The part of the site that navigation marks, one of `SECTIONS`, or "more"."""
    is_fragment: bool
    """Whether htmx asks for the changing part only."""
    is_embedded: bool
    """Whether the page is for a frame in a page of another site; `path` has no `EMBED`."""
    request: Request

    @property
    def origin(self) -> str:
        """Scheme and host in the visitor's address bar."""
        return f"{self.request.scope['scheme']}://{self.request.headers.get('host', '')}"

    def url(self, path: str) -> str:
        """Return the URL of a path in this page's language."""
        return self.language.prefix + path

    def stay(self, path: str) -> str:
        """Return the same for what takes the place of this page, in a frame if this is in one."""
        return self.url(EMBED + path if self.is_embedded else path)

    @property
    def full(self) -> str:
        """The URL of this page outside a frame."""
        return self.url(address(self.path, self.query))

    @property
    def layout(self) -> str:
        """The template that the page extends."""
        return "_layout/fragment.html" if self.is_fragment else "_layout/base.html"

    @property
    def translations(self) -> list[tuple[Language, str]]:
        """All languages with this page's URL in each."""
        url = address(self.path, self.query)
        return [(language, language.prefix + url) for language in languages()]

    @property
    def others(self) -> list[tuple[Language, str]]:
        """The other languages with the URL that chooses them."""
        return [
            (language, url + "?lang=en" if url == "/" else url)
            for language, url in self.translations
            if language is not self.language
        ]


def wants_fragment(request: Request) -> bool:
    """Whether htmx asks for the part of a page that changes, and not for history's sake."""
    headers = request.scope["headers"]
    return (
        (b"hx-request", b"true") in headers
        and (b"hx-request-type", b"full") not in headers
        and "hx-history-restore-request" not in request.headers
    )


def frame_of(request: Request, section: str = "") -> Frame:
    """Return the frame of the page that this request asks for; its path names its section."""
    path = request.scope["path"]  # not that of `request.url`, which ends at a decoded `?`
    language = language_of(path)
    path = path.removeprefix(language.prefix) or "/"
    is_framed = is_embedded(request.scope["path"])
    path = path.removeprefix(EMBED) if is_framed else path
    query = request.scope["query_string"].decode("latin-1") if path != "/" else ""
    section = section or SECTIONS.get(path.removeprefix("/").partition("/")[0], "more")
    return Frame(language, path, query, section, wants_fragment(request), is_framed, request)


def is_embedded(path: str) -> bool:
    """Return whether other sites may show the page of this path in a frame."""
    return path.removeprefix(language_of(path).prefix).startswith(f"{EMBED}/")


def redirect(
    request: Request, path: str, status: int = 303, headers: Mapping[str, str] | None = None
) -> RedirectResponse:
    """Redirect to a path in the language of the request, in a frame if the request is for one."""
    frame = frame_of(request)
    if SYMBOLS in frame.query.split("&") and SYMBOLS not in path:
        path += ("&" if "?" in path else "?") + SYMBOLS
    return RedirectResponse(frame.stay(path), status, headers)


MOST_POLLS = 8
"""Maximum number of reloads of a page, each a second later than the previous one."""
PollsQuery = Annotated[int, Query(ge=0, le=MOST_POLLS)]
"""Number of reloads so far."""


class PollingPage:
    """Base class of such a page; see the macro `ask_again` of the templates."""

    polls: int
    """Number of reloads so far."""

    @property
    def is_final(self) -> bool:
        """Whether a reload would show the same."""
        raise NotImplementedError

    @property
    def address(self) -> str:
        """The path and query of the page."""
        raise NotImplementedError

    @property
    def asks_again(self) -> bool:
        """Whether the page reloads itself."""
        return self.polls < MOST_POLLS and not self.is_final

    @property
    def delay(self) -> int:
        """How many seconds to wait before the next reload, whose number it is."""
        return self.polls + 1

    @property
    def again(self) -> str:
        """The address of the next reload."""
        return f"{self.address}{'&' if '?' in self.address else '?'}polls={self.delay}"
