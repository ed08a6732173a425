"""The pages of the trees: the list of all trees, any node of one, and the path to a code.

`GamesPage` is also the base class of pages that offer the games to choose from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from typing import Annotated, ClassVar

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from bullscows.game.notation import read_code
from bullscows.game.objective import mean_turns
from bullscows.game.rules import CodeError, Rules
from bullscows.tree.storage import current_name
from bullscows_web.language.catalogues import N_
from bullscows_web.language.words import BULLS_COWS, MASTERMIND, has_pegs
from bullscows_web.trees.icicle import Icicle
from bullscows_web.trees.library import Entry, Game, Library, LibraryDep
from bullscows_web.trees.position import GameOverError, GamePosition
from bullscows_web.web.dependencies import QueueDep
from bullscows_web.web.exceptions import NotFoundError
from bullscows_web.web.frame import address
from bullscows_web.web.pictures.card import card_path, start_card
from bullscows_web.web.pictures.charts import LengthsChart
from bullscows_web.web.rendering import respond

MAX_SHOWN = 1000
"""The most nodes that a page shows below its own; larger views are for downloads."""


CLASSICS = {
    N_("Mastermind"): Rules(4, 6, True),
    N_("Super Mastermind"): Rules(5, 8, True),
    N_("Bulls & Cows"): Rules(4, 10, False),
    N_("Bulls & Cows with 3 digits"): Rules(3, 10, False),
    N_("Bulls & Cows with 5 digits"): Rules(5, 10, False),
    N_("No 0 at the front"): Rules(4, 10, False, leading_zero=False),
    N_("Digits may repeat"): Rules(4, 10, True),
    N_("Mastermind, black pegs only"): Rules(4, 6, True, bulls_only=True),
}
"""Rules of classic games by name."""


@dataclass(frozen=True)
class ClassicGame:
    """A classic game."""

    name: str
    """Its name, to be translated."""
    rules: Rules
    entry: Entry | None
    """Its first tree; None if no tree plays it, so that it can only be analysed."""


@dataclass(frozen=True)
class GamesPage:
    """The games of this server, to choose from."""

    games: Sequence[Game]
    """The games that can be played."""

    @cached_property
    def featured(self) -> Sequence[Game]:
        """The games that most visitors come for; without them, the first two."""
        known = [game for game in self.games if game.rules in (BULLS_COWS, MASTERMIND)]
        return known or self.games[:2]

    @property
    def shown_pegs(self) -> int:
        """Number of pegs that the samples of these games are drawn with."""
        pegged = [game.rules.symbols for game in self.featured if has_pegs(game.rules)]
        return max(pegged, default=0)

    @property
    def classics(self) -> list[ClassicGame]:
        """The classic games."""
        first = {game.rules: game.entries[0] for game in self.games}
        return [ClassicGame(name, rules, first.get(rules)) for name, rules in CLASSICS.items()]

    @property
    def others(self) -> Sequence[Game]:
        """The games of other sizes."""
        featured = {game.rules for game in self.featured}
        return [game for game in self.games if game.rules not in featured]


PAPER = (
    "crush-bulls-cows",
    "avg-bulls-cows",
    "crush-mastermind",
    "avg-mastermind-5",
    "avg-mastermind",
)
"""The trees whose kind Slovesnov's paper describes."""


@dataclass(frozen=True)
class TreesPage(GamesPage):
    """The list of trees: in full for the games that most visitors come for, else a line each."""

    failed: Sequence[str]
    """Trees whose files were refused."""
    paper: ClassVar[Sequence[str]] = PAPER
    """Names of the trees of the paper."""

    @cached_property
    def icicle(self) -> Icicle:
        """The picture of the first tree: the others are one click away."""
        entry = self.featured[0].entries[0]
        return Icicle(entry.tree, entry.tree.root, "", entry.rules.text)

    @property
    def others(self) -> Sequence[Game]:
        """The games of other sizes, classic ones first."""
        order = {rules: number for number, rules in enumerate(CLASSICS.values())}
        return sorted(super().others, key=lambda game: order.get(game.rules, len(order)))

    def lengths(self, game: Game) -> LengthsChart:
        """Return the lengths of all trees' games over each other, by name."""
        return LengthsChart.of({entry.name: entry.record.distribution for entry in game.entries})

    def longest(self, game: Game) -> int:
        """Return at which turn the last code is found by any tree."""
        return max(entry.record.depth for entry in game.entries)


def escaped(text: str) -> str:
    r"""Return a string with DEL as ``\x7f``: the backslash is no base-92 digit."""
    return text.replace("\x7f", "\\x7f")


@dataclass(frozen=True)
class NodePage:
    """One node of a tree."""

    position: GamePosition
    """The game there, not relabelled."""
    turns: Sequence[int]
    """How many of its candidates are guessed at turn 1, 2, ..."""

    @property
    def entry(self) -> Entry:
        """The tree."""
        return self.position.entry

    @property
    def rules(self) -> Rules:
        """The rules of its game."""
        return self.position.rules

    @property
    def is_root(self) -> bool:
        """Whether this is the whole tree."""
        return self.position.parent is None

    @cached_property
    def card(self) -> str:
        """The path of the picture for links."""
        if self.position.is_finished:
            return start_card(self.rules)
        return card_path(self.position.history, self.position.node.guess)

    @cached_property
    def icicle(self) -> Icicle:
        """The node and what follows it as a picture."""
        position = self.position
        return Icicle(self.entry.tree, position.node, position.answers_text, self.rules.text)

    @property
    def average(self) -> float:
        """The mean turn at which its candidates are guessed."""
        return mean_turns(self.turns)

    @property
    def string(self) -> str:
        """The tree's text with DEL escaped."""
        return escaped(self.entry.record.string)


@dataclass(frozen=True)
class TreePage(NodePage):
    """One node of a tree, and what follows it to some depth."""

    wanted: int
    """To which depth the visitor asked to unfold it: 1 shows its own answers only."""
    others: Sequence[Entry]
    """The other trees of the game."""
    typed: ClassVar[str] = ""
    """The code to find: none was typed yet."""
    is_wrong: ClassVar[bool] = False
    """Whether that is no code of the game."""

    @cached_property
    def depths(self) -> list[int]:
        """The depths that a page can hold, with how many nodes each would show."""
        node = self.position.node
        sums = list(accumulate(node.nodes.sizes_below(node.number)[1:]))
        return [count for count in sums if count <= MAX_SHOWN] or sums[:1]

    @property
    def depth(self) -> int:
        """To which depth it is unfolded."""
        return max(1, min(self.wanted, len(self.depths)))


@dataclass(frozen=True)
class PathPage(NodePage):
    """The turns in which a whole tree finds a code; `position` is the end, or the root."""

    typed: str
    """The code, or a text that is none as it was typed."""
    elsewhere: Sequence[tuple[Entry, int]] = ()
    """The other trees of the game, with the turn at which each finds the code."""

    @property
    def is_wrong(self) -> bool:
        """Whether it is no code of the game."""
        return not self.position.is_finished


# -- routes ------------------------------------------------------------------------------------

router = APIRouter()
renamed = APIRouter()
"""Pages and files of trees under the names that they had before."""


@renamed.get("/{before:path}/front-{rest:path}")
def renamed_tree(request: Request, before: str, rest: str) -> RedirectResponse:
    """Redirect to the same page or file under the tree's present name."""
    name, *after = f"front-{rest}".split("/")
    if current_name(name) == name:
        raise NotFoundError("unknown-tree", name)
    path = "/".join((f"/{before}", current_name(name), *after))
    return RedirectResponse(address(path, request.scope["query_string"].decode("latin-1")), 301)


@router.get("/trees")
def index(request: Request, library: LibraryDep) -> Response:
    """List the trees with their figures."""
    page = TreesPage(library.games, sorted(library.failed))
    return respond(request, "trees/list.html", page)


@router.get("/trees/{tree}")
@router.get("/trees/{tree}/{answers}")
async def node(
    request: Request,
    library: LibraryDep,
    queue: QueueDep,
    tree: str,
    answers: str = "",
    depth: Annotated[int, Query(ge=1, le=99)] = 1,
    secret: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """Show one node; htmx is given its children alone.  With a secret, show the path to it.

    The answers of one node are rendered here and now; more of the tree waits for its turn.
    """
    position = GamePosition.parse(library, tree, "0", answers)
    if typed := secret.strip():
        make = partial(_path, request, library, position.before(1), typed)
        return await queue.make(make)
    if position.is_finished:
        raise GameOverError(position)
    entry = position.entry
    page = TreePage(
        position, entry.tree.distribution_at(position.node), depth, library.others(entry)
    )
    make = partial(respond, request, "trees/node.html", page, block="children")
    return await queue.make(make) if depth > 1 else make()


def _path(request: Request, library: Library, root: GamePosition, typed: str) -> Response:
    """Show the path to a code, or an error at the field if it is not a code."""
    entry = root.entry
    turns = entry.record.distribution
    try:
        secret = read_code(entry.rules, typed)
    except CodeError:
        page = PathPage(root, turns, typed)
        return respond(request, "trees/path.html", page, status=422)
    others = [(other, GamePosition.at_end(other, secret).turn) for other in library.others(entry)]
    page = PathPage(GamePosition.at_end(entry, secret), turns, entry.rules.text(secret), others)
    return respond(request, "trees/path.html", page)
