"""A pasted tree, `/paste`: checked and browsed; the server keeps nothing.

The game and the string are in the URL if it stays short enough; otherwise each step posts them
again.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from bullscows.errors import EngineError
from bullscows.game.rules import AnswerError, Rules, RulesError
from bullscows.tree import codec
from bullscows.tree.export import HEADER, TextError, from_text
from bullscows.tree.files import TreeRecord
from bullscows.tree.strategy_tree import StrategyTree, TreeError
from bullscows_web.language.catalogues import N_
from bullscows_web.server.settings import MAX_URL
from bullscows_web.trees.library import Entry
from bullscows_web.trees.pages import NodePage, escaped
from bullscows_web.trees.position import ContradictionError, GameOverError, GamePosition
from bullscows_web.trees.relabelling import Relabelling
from bullscows_web.web.dependencies import IN_TURN, FormDep
from bullscows_web.web.frame import redirect
from bullscows_web.web.rendering import respond

router = APIRouter(dependencies=[IN_TURN])

SHOWN = 16
"""Characters shown before and after a fault."""

ROOM = 200
"""Characters of a URL that are left for the language, the host and the answers."""

FAULTS: dict[type[EngineError], str] = {
    RulesError: N_("There is no such game. Write, for example, p4c6r."),
    codec.CharacterError: N_("Character %(place)s is not a base-92 digit."),
    codec.NumberError: N_(
        "The number at character %(place)s is no code of this game. Is the string for another game?"
    ),
    codec.SplitError: N_(
        "The guess at character %(place)s gets the same answer from every code that is left. "
        "Is the string for another game?"
    ),
    codec.TruncatedError: N_(
        "The string ends too early, after character %(place)s: was it cut off?"
    ),
    codec.TrailingError: N_(
        "The tree is complete before character %(place)s, but the string goes on. "
        "Is the string for another game?"
    ),
    codec.CodecError: N_(
        "This tree cannot be written as a string: it does not make the guess that the format "
        "fixes there."
    ),
    TextError: N_(
        "Line %(place)s cannot be read, or its guess gets the same answer from every code left."
    ),
    TreeError: N_("Trees here have at most 50,000 codes."),
    EngineError: N_("This strategy is not complete."),
}
"""Messages by error; a class comes before its bases."""


@dataclass(frozen=True)
class PastePage:
    """The form, with what is wrong."""

    game: str = "p4c10n"
    text: str = ""
    error: EngineError | None = None

    @property
    def fault(self) -> tuple[str, int | str]:
        """The error, to be translated, and the place: a character or a line, from 1."""
        if isinstance(self.error, TextError) and isinstance(self.error.place, str):
            return N_("The text has no guess after “%(place)s”."), self.error.place
        place = getattr(self.error, "place", getattr(self.error, "position", 0) + 1)
        place -= isinstance(self.error, codec.TruncatedError)
        return next(text for kind, text in FAULTS.items() if isinstance(self.error, kind)), place

    @property
    def around(self) -> tuple[str, str, str]:
        """The string before, at and after the fault; DEL is escaped."""
        if not isinstance(self.error, codec.CodecError) or type(self.error) is codec.CodecError:
            return "", "", ""
        text = unwrapped(self.text)
        at = self.error.position
        before = text[max(at - SHOWN, 0) : at]
        after = text[at + 1 : at + 1 + SHOWN]
        return escaped(before), escaped(text[at : at + 1]), escaped(after)


@dataclass(frozen=True)
class PastedPage(NodePage):
    """A node of a pasted tree, whose string the next step sends."""

    @property
    def address(self) -> str:
        """The path of the root with the whole tree."""
        return f"/paste?{urlencode({'rules': str(self.rules), 'text': self.string})}"

    @property
    def is_short(self) -> bool:
        """Whether that fits in a URL."""
        return len(self.address) + ROOM <= MAX_URL


def unwrapped(text: str) -> str:
    r"""Return a string without line breaks, in which DEL may be written ``\x7f``."""
    return "".join(text.split()).replace("\\x7f", "\x7f")


@router.get("/paste")
def show(request: Request, rules: str = "", text: str = "", answers: str = "") -> Response:
    """Show the form, or a node of the tree in the URL."""
    if not text:
        page = PastePage(rules or PastePage.game)
        return respond(request, "trees/paste.html", page)
    return _answered(request, rules, text, answers)


@router.post("/paste")
def check(request: Request, fields: FormDep) -> Response:
    """Check a tree; show a node of it, at its own address if that is short enough."""
    given = [fields.get(name, "") for name in ("rules", "text", "answers")]
    return _answered(request, *given)


def _answered(request: Request, game: str, text: str, answers: str) -> Response:
    game = game.strip().lower()
    try:
        tree = _read(game, text)
        record = TreeRecord.of(tree, objective="imported")
    except EngineError as error:
        page = PastePage(game, text, error)
        return respond(request, "trees/paste.html", page, status=422)
    entry = Entry("pasted", record, tree)
    position = GamePosition.at_root(entry, Relabelling(tree.rules))
    with suppress(AnswerError, ContradictionError, GameOverError):
        numbers = [tree.rules.parse_answer(word) for word in answers.split("-") if word]
        reached = position.after(*numbers)
        position = reached.before(reached.turn)
    shown = PastedPage(position, entry.tree.distribution_at(position.node))
    if request.method == "POST" and shown.is_short:
        return redirect(request, shown.address)
    return respond(request, "trees/pasted.html", shown)


def _read(game: str, text: str) -> StrategyTree:
    if text.lstrip().startswith(HEADER):
        return from_text(text.strip())
    return codec.decode(Rules.parse(game), unwrapped(text))
