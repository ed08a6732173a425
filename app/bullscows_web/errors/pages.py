"""Pages about errors: what went wrong in words, and a link to continue with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import unquote, urlsplit

from fastapi import Request
from fastapi.exceptions import RequestValidationError

from bullscows.game.history import MAX_CODES, History, InconsistentError
from bullscows.game.rules import MAX_POSITIONS, MAX_SYMBOLS, Rules, RulesError
from bullscows_web.errors.kinds import Kind, kind_of
from bullscows_web.guess.puzzle import FIRST, MAX_GUESSES, MAX_SEED
from bullscows_web.guess.typed_guess import GuessError
from bullscows_web.language.catalogues import N_, Language
from bullscows_web.language.words import BULLS_COWS, MASTERMIND, game_name, quoted
from bullscows_web.server.settings import MAX_BODY, MAX_URL
from bullscows_web.trees.links import Links, comparison_path, position_path
from bullscows_web.trees.position import MAX_TEXT, ContradictionError, GameOverError
from bullscows_web.web.exceptions import (
    MalformedError,
    NotFoundError,
    NotOpenError,
    OtherGameError,
)
from bullscows_web.web.frame import Frame, address

NextLink: TypeAlias = tuple[str, str]
"""A URL to continue with, and the text of its link."""

FIELD_ERRORS = {
    "string_too_long": N_("%(name)s can have at most %(limit)s characters."),
    "greater_than_equal": N_("%(name)s must be a number, at least %(limit)s."),
    "less_than_equal": N_("%(name)s must be a number, at most %(limit)s."),
    "int_parsing": N_("%(name)s must be a number written in digits."),
    "bool_parsing": N_("%(name)s must be on or off."),
}
"""How a part of an address should be written, by the type of Pydantic's error."""

STARTS = {
    "play": N_("Computer guesses"),
    "guess": N_("Choose what to guess"),
    "daily": N_("Daily puzzles"),
    "duel": N_("Begin a duel"),
    "match": N_("Start a match"),
    "learn": N_("Learn"),
    "analyse": N_("Analyse any position"),
    "answer": N_("Answer to a guess"),
    "trees": N_("See the trees"),
    "compare": N_("Compare two trees"),
    "statistics": N_("Statistics"),
    "results": N_("Results"),
    "atlas": N_("Atlas"),
}
"""Pages from which visitors can start again, with their links: by the first part of the path that
went wrong, or else by its section."""

OF_ONE_GAME = ("guess", "analyse", "answer")
"""Those of them that any game can follow, whether a tree plays it or not."""
MALFORMED_RULES = "malformed-rules"
NO_GAME = ("unknown-game", MALFORMED_RULES)
"""Kinds of errors about the name of a game."""


@dataclass(frozen=True)
class ErrorPage:
    """An error as a page."""

    kind: Kind
    error: Exception
    language: Language
    next_links: Sequence[NextLink]
    """Where the visitor can continue, the best first."""

    @property
    def status(self) -> int:
        """The status of the response; a page that has one gives search engines no address."""
        return self.kind.status

    @property
    def heading(self) -> str:
        """The error in words."""
        _ = self.language.gettext
        if heading := self._shown_kind.heading:
            return _(heading)
        if self.status == 422:
            return _("This address is not well formed.")
        return _("This request cannot be answered.")

    @property
    def explanation(self) -> str:
        """Advice for the visitor; can be empty."""
        error = self.error
        language = self.language
        if isinstance(error, GuessError):
            return f"{quoted(language, error.text)}: {error.message(language)}"
        if isinstance(error, ContradictionError):
            return _contradiction(language, error)
        if isinstance(error, RequestValidationError):
            return " ".join(_field(language, item) for item in error.errors()[:3])
        kind = self._shown_kind
        text = "" if kind.slug == MALFORMED_RULES else kind.explanation
        said = language.gettext(text) % _values(language, error) if text else ""
        if (
            isinstance(error, MalformedError)
            and error.slug == "impossible-answer"
            and error.text
            and error.rules
        ):
            return _impossible_answer(language, error.text, error.rules, said)
        return said

    @property
    def naming_rule(self) -> str:
        """How games are named, if the address names one in another way; empty otherwise."""
        kind = self._shown_kind
        if kind.slug != MALFORMED_RULES:
            return ""
        return self.language.gettext(kind.explanation) % _values(self.language, self.error)

    @property
    def _shown_kind(self) -> Kind:
        """The kind; of an unknown game whose name no game can have, that of malformed rules."""
        if isinstance(self.error, NotFoundError) and self.error.slug == "unknown-game":
            try:
                Rules.parse(self.error.name)
            except RulesError as error:
                return kind_of(error)
        return self.kind


def _values(language: Language, error: Exception) -> Mapping[str, Any]:
    """Return what explanations quote: limits, and the parts of an error."""
    limits = {
        "characters": MAX_TEXT,
        "seed": MAX_SEED,
        "guesses": MAX_GUESSES,
        "codes": MAX_CODES,
        "body": MAX_BODY,
        "url": MAX_URL,
    }
    values: dict[str, Any] = {name: language.integer(most) for name, most in limits.items()}
    values |= {"positions": MAX_POSITIONS, "symbols": MAX_SYMBOLS}
    values |= {"first": FIRST, "day": language.day(FIRST)}
    if isinstance(error, NotFoundError):
        values["name"] = quoted(language, error.name)
        if error.rules:
            values["game"] = game_name(language, error.rules)
    elif isinstance(error, NotOpenError):
        values["day"] = language.day(error.day)
        values["time"] = f"{error.opens:%H:%M}"
    elif isinstance(error, MalformedError):
        values["part"] = quoted(language, error.text)
    elif isinstance(error, OtherGameError):
        values["named"] = quoted(language, error.named)
        values["game"] = game_name(language, error.actual)
    elif isinstance(error, GameOverError):
        values["code"] = error.position.guess
        values["turn"] = error.position.turn
    return values


def _impossible_answer(language: Language, text: str, rules: Rules, notation: str) -> str:
    """Return which answers a game has."""
    _ = language.gettext
    values = {
        "answer": quoted(language, text),
        "most": rules.positions,
        "bulls": rules.positions - 1,
    }
    if rules.bulls_only:
        return (
            _("%(answer)s is not an answer of this game: the answers are 0.0 to %(most)d.0.")
            % values
        )
    said = _(
        "%(answer)s is not an answer of this game: bulls and cows add up to at most %(most)d, and "
        "%(bulls)d.1 is impossible."
    )
    return f"{said % values} {notation}"


def _contradiction(language: Language, error: ContradictionError) -> str:
    """Return which answer no code gives."""
    position = error.position
    answer = position.rules.answers[error.answer]
    said = language.ngettext(
        "At turn %(turn)d the tree guesses %(guess)s. The only code left does not give %(answer)s.",
        "At turn %(turn)d the tree guesses %(guess)s. None of the %(number)s codes left gives "
        "%(answer)s.",
        position.remaining,
    )
    return said % {
        "turn": position.turn,
        "guess": position.guess,
        "number": language.integer(position.remaining),
        "answer": quoted(language, str(answer)),
    }


def _field(language: Language, item: Mapping[str, Any]) -> str:
    """Return how a part of the address should be written."""
    text = FIELD_ERRORS.get(item["type"], N_("%(name)s has a value of the wrong type."))
    name = quoted(language, str(item["loc"][-1]))
    limit = next(iter(item.get("ctx", {}).values()), None)  # under a name that the type decides
    return language.gettext(text) % {"name": name, "limit": limit}


def next_links(request: Request, frame: Frame, kind: Kind, error: Exception) -> list[NextLink]:
    """Return where the visitor can continue, the best first."""
    _ = frame.language.gettext
    own = _links_of(request, frame, kind, error)
    return [*own, (frame.url("/"), _("Start a game")), (frame.url("/more"), _("All pages"))]


def _links_of(request: Request, frame: Frame, kind: Kind, error: Exception) -> Iterator[NextLink]:
    """Yield where this error lets the visitor continue."""
    _ = frame.language.gettext
    part = frame.path.strip("/").partition("/")[0]
    start = part if part in STARTS else frame.section
    tree = request.path_params.get("tree")
    if request.method == "GET" and kind.status in (429, 500, 503):
        yield frame.full, _("Try again")
    elif isinstance(error, InconsistentError) and error.rules:
        turns = position_path(History(error.rules, error.turns))
        yield frame.url(turns), _("Which answer was wrong?")
    elif isinstance(error, (ContradictionError, GameOverError)):
        yield _last_position(request, frame, error)
    elif request.method != "GET" and (page := _page_before(request)):
        yield page, _("Go back")
    elif isinstance(error, NotFoundError) and error.slug == "no-win-in-two":
        if error.name:  # else the game has no puzzles
            yield frame.url(f"/puzzle/{error.rules}"), _("Another puzzle")
        yield frame.url(address(f"/analyse/{error.rules}", frame.query)), _("Analyse this position")
    elif isinstance(error, NotFoundError) and error.rules:
        yield frame.url(f"/duel/{error.rules}"), _("Choose the level")
    elif frame.path.startswith(f"/trees/{tree}/") and not isinstance(error, NotFoundError):
        yield frame.url(f"/trees/{tree}"), _("Open the tree")
    elif start in STARTS:
        if kind.slug in NO_GAME and start in OF_ONE_GAME:
            for rules in (BULLS_COWS, MASTERMIND):
                yield frame.url(f"/{start}/{rules}"), game_name(frame.language, rules)
        yield frame.url(f"/{start}"), _(STARTS[start])


def _page_before(request: Request) -> str | None:
    """Return the address of the page of this site whose form was sent."""
    try:
        page = urlsplit(request.headers.get("referer", ""))
    except ValueError:  # such as http://[
        return None
    if page.netloc != request.headers.get("host"):
        return None
    return address(unquote(page.path), page.query)


def _last_position(
    request: Request, frame: Frame, error: ContradictionError | GameOverError
) -> NextLink:
    """Return the link to the last reachable state of the address."""
    _ = frame.language.gettext
    last = error.position
    links = Links(frame)
    if frame.path.startswith("/compare/"):
        first = request.path_params["first"]
        second = request.path_params["second"]
        path = comparison_path(first, second, "-".join(last.parts[2:]))
        return frame.url(path), _("Compare the trees at the last position that exists")
    if frame.path.startswith("/trees/"):
        node = last.before(last.turn) if last.is_finished else last
        return links.node(node), _("Open the last node on the way")
    return links.position(last), _("See how it ended")
