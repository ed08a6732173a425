"""The atlas: every game of up to 2,000,000 codes, as a table, a page for each, a chart and files.

`/atlas?kind=r` shows the games with repeats, `n` without, `z` without a leading 0, `rb`, `nb` and
`zb` those answered with bulls only; `/atlas/p4c10n` shows one game, and `/atlas/p4c10n#total` is
the permanent link to a figure. Files are at these addresses with `.json`, `.csv` and `.bib`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import asdict, dataclass
from functools import cached_property
from math import ceil, log10
from typing import Any, NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response

from bullscows import __version__
from bullscows.game.rules import MAX_POSITIONS, MAX_SYMBOLS, Rules, RulesError
from bullscows.shipping.atlas import KINDS, LARGEST, SEARCHED, Atlas, Entry
from bullscows.shipping.totals import NOBODY, credit
from bullscows_web.language.catalogues import Language
from bullscows_web.statistics.results import Results, ResultsDep
from bullscows_web.trees import library
from bullscows_web.trees.downloads import proof_response
from bullscows_web.trees.library import LibraryDep
from bullscows_web.web.caching import exported
from bullscows_web.web.dependencies import IN_TURN
from bullscows_web.web.frame import frame_of
from bullscows_web.web.pictures.charts import FLOOR, LEFT, RIGHT, TOP, Scale
from bullscows_web.web.rendering import respond

router = APIRouter(dependencies=[IN_TURN])
files = APIRouter()

SHADES = 6
"""Number of shades of the table's cells, one for each turn of the mean from 2 on."""

BOXES = (
    ("Mastermind, Mini Mastermind, Travel Mastermind, SuperHirn", "p4c6r"),
    ("Mastermind for Kids", "p3c6r"),
    ("Walt Disney Mastermind", "p3c5r"),
    ("Parker Mastermind, New Mastermind", "p4c8r"),
    ("Super Mastermind, Deluxe Mastermind, Super-SuperHirn, Logik", "p5c8r"),
    ("Advanced Mastermind, Mastermind Challenge", "p5c8r"),
    ("Electronic Mastermind", "p3c10r"),
    ("Electronic Mastermind, PIN", "p4c10r"),
    ("Electronic Mastermind", "p5c10r"),
    ("Supersonic Electronic Mastermind", "p6c10r"),
    ("Bulls & Cows, Moo", "p4c10n"),
    ("Bagels, Pico Fermi Bagels, Numer0n", "p3c10n"),
)
"""Names under which games are sold or known, with their rules."""


# -- the table of all games ------------------------------------------------------------------------


def kind_of(name: str) -> str:
    """Return the kind of a game: `rb` of `p4c6rb`."""
    return name.lstrip("pc0123456789")


class Cell(NamedTuple):
    """A place in the table."""

    rules: Rules
    entry: Entry | None
    """None: the game is too large."""

    @property
    def shade(self) -> int:
        """The darker, the more turns."""
        return 0 if self.entry is None else min(max(ceil(self.entry.mean) - 1, 1), SHADES)


class Point(NamedTuple):
    """A game in the chart."""

    x: float
    y: float
    line: int
    """The line of its kind in the legend, from 1."""
    is_published: bool
    """Whether somebody else published its least total first."""


@dataclass(frozen=True)
class GrowthChart:
    """Mean turns against the logarithm of the number of codes."""

    points: Sequence[Point]
    sizes: Sequence[tuple[int, float]]
    """Numbers of codes on the axis."""
    means: Sequence[tuple[int, float]]
    """Means on the axis."""

    @classmethod
    def of(cls, results: Results) -> GrowthChart:
        """Lay out all games of at least one."""
        entries = results.atlas.games
        across = Scale(0, log10(LARGEST), LEFT, RIGHT)
        highest = max((one.mean for one in entries.values()), default=1)
        up = Scale(1, highest, FLOOR, TOP)
        points = [
            Point(
                across.at(log10(one.secrets)),
                up.at(one.mean),
                1 + KINDS.index(kind_of(name)),
                credit(name, "average") != NOBODY,
            )
            for name, one in entries.items()
        ]
        return cls(
            points,
            [(size, across.at(log10(size))) for size in (1, 10, 1000, 100_000)],
            [(mean, up.at(mean)) for mean in range(2, int(highest) + 1, 2)],
        )


@dataclass(frozen=True)
class AtlasPage:
    """Context of the table."""

    results: Results
    kind: str
    """One of `KINDS`."""

    symbols = range(2, MAX_SYMBOLS + 1)
    kinds = KINDS
    """All kinds of games."""

    @property
    def proved(self) -> int:
        """How many games are proved."""
        return sum(one.status == "proved" for one in self.results.atlas.games.values())

    @property
    def boxes(self) -> list[tuple[str, Rules, Entry]]:
        """Games that are sold, by name."""
        games = self.results.atlas.games
        return [(name, Rules.parse(game), games[game]) for name, game in BOXES if game in games]

    @property
    def rows(self) -> Iterator[tuple[int, list[Cell | None]]]:
        """Yield the cells for each number of places by number of symbols; None: no such game."""
        for places in range(1, MAX_POSITIONS + 1):
            yield places, [self._cell(places, symbols) for symbols in self.symbols]

    def _cell(self, places: int, symbols: int) -> Cell | None:
        name = f"p{places}c{symbols}{self.kind}"
        try:
            return Cell(Rules.parse(name), self.results.atlas.games.get(name))
        except RulesError:
            return None

    @cached_property
    def chart(self) -> GrowthChart:
        """The chart of all games."""
        return GrowthChart.of(self.results)


@router.get("/atlas")
def overview(request: Request, results: ResultsDep, kind: str = "n") -> Response:
    """Show the table of one kind of games."""
    page = AtlasPage(results, kind if kind in KINDS else "n")
    return respond(request, "statistics/atlas/table.html", page)


# -- one game --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GamePage:
    """Context of the page of one game."""

    results: Results
    entry: Entry
    tree: library.Entry | None
    """The first tree of the game, if any ships."""
    is_checked: bool
    """Whether a proof file shows that no strategy takes fewer turns."""

    @cached_property
    def rules(self) -> Rules:
        """The game."""
        return Rules.parse(self.entry.rules)

    @property
    def kind(self) -> str:
        """The table that has the game."""
        return kind_of(self.entry.rules)

    @property
    def is_searched(self) -> bool:
        """Whether the game is small enough for a search."""
        return self.entry.secrets <= SEARCHED

    def claim(self, language: Language) -> str:
        """Return what is proved of the least total."""
        _ = language.gettext
        if self.entry.status == "proved":
            return _("Proved by exhaustive search: no strategy has a smaller total.")
        text = _(
            "Not proved: every strategy takes at least %(lower)s turns in total, and the best one "
            "known takes %(upper)s."
        )
        bounds = {"lower": self.entry.lower, "upper": self.entry.upper}
        return text % {name: language.integer(bound) for name, bound in bounds.items()}

    def worst_case(self, language: Language) -> str:
        """Return what is known of the best worst case, if the strategy takes longer."""
        _ = language.gettext
        depth = len(self.entry.distribution)
        if self.entry.worst is None:
            return _("The best worst case is not proved.")
        if self.entry.worst == depth:
            return ""
        said = _("The strategy below takes up to %(depth)s turns.") % {"depth": depth}
        worst_total = self.results.atlas.worst_totals.get(self.entry.rules)
        if not worst_total:
            return said
        text = _("One that never takes more than %(worst)s takes at least %(total)s in total.")
        within = text % {"worst": self.entry.worst, "total": language.integer(worst_total)}
        return f"{said} {within}"

    @property
    def names(self) -> str:
        """Names under which the game is sold."""
        return ", ".join(name for name, rules in BOXES if rules == self.entry.rules)

    @property
    def published(self) -> dict[str, str]:
        """Who published the least total and the best worst case first, if anybody did."""
        found = {name: credit(self.entry.rules, name) for name in ("average", "worst")}
        return {name: by for name, by in found.items() if by != NOBODY}


@router.get("/atlas/{rules}")
def show(request: Request, results: ResultsDep, trees: LibraryDep, rules: str) -> Response:
    """Show one game."""
    entry = _entry(results, rules)
    playing = trees.of(rules)
    is_checked = any(one.is_least_checked for one in playing)
    page = GamePage(results, entry, next(iter(playing), None), is_checked)
    return respond(request, "statistics/atlas/game.html", page)


def _entry(results: Results, rules: str) -> Entry:
    entry = results.atlas.games.get(rules)
    if entry is None:
        raise HTTPException(404, "no game of that name in the atlas; write, for example, p4c10n")
    return entry


# -- files -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Extract:
    """Some games of the atlas, to be written."""

    atlas: Atlas
    entries: Sequence[Entry]
    origin: str
    """Scheme and host of the server."""
    checked: Set[str]
    """Games of whose least total there is a proof file."""

    def document(self) -> dict[str, Any]:
        """Return the games as the command line prints them, with the addresses of proofs."""
        names = [one.rules for one in self.entries]
        checked = [name for name in names if name in self.checked]
        proofs = {name: f"{self.origin}/atlas/{name}.proof.xz" for name in checked}
        return self.atlas.record(names) | {"proofs": proofs}

    def lines(self) -> Iterator[Sequence[object]]:
        """Yield a header, and a row for each game."""
        yield *asdict(self.entries[0]), "worst_total", "url"
        for one in self.entries:
            fields = asdict(one) | {
                "mean": f"{one.mean:.6f}",
                "distribution": "/".join(map(str, one.distribution)),
                "first_guesses": " ".join(one.first_guesses),
            }
            within = self.atlas.worst_totals.get(one.rules, "")
            yield *fields.values(), within, f"{self.origin}/atlas/{one.rules}"

    def bibtex(self) -> str:
        """Return an entry for the total of each game."""
        return "\n".join(map(self._cited, self.entries))

    def _cited(self, one: Entry) -> str:
        total = f"{one.lower} to {one.upper}"
        note = "lower bound proved; upper bound by a strategy"
        if one.status == "proved":
            total = str(one.total)
            note = "proved by exhaustive search"
        return f"""@misc{{bullscows-{one.rules},
  title = {{The least total of {one.rules}: {total} turns over {one.secrets} codes}},
  author = {{{{The Bulls \\& Cows, solved developers}}}},
  howpublished = {{Bulls \\& Cows, solved, version {__version__}}},
  note = {{{note}}},
  url = {{{self.origin}/atlas/{one.rules}#total}}
}}
"""


@files.get("/atlas.{form}")
def save_all(request: Request, results: ResultsDep, trees: LibraryDep, form: str) -> Response:
    """Return all games as a file."""
    return _file(request, results, trees, list(results.atlas.games.values()), "atlas", form)


@files.get("/atlas/{rules}.proof.xz")
def save_proof(trees: LibraryDep, rules: str) -> Response:
    """Return the proof that no strategy of a game takes fewer turns."""
    return proof_response(trees.of(rules), is_average=True)


@files.get("/atlas/{rules}.{form}")
def save(
    request: Request, results: ResultsDep, trees: LibraryDep, rules: str, form: str
) -> Response:
    """Return one game as a file."""
    return _file(request, results, trees, [_entry(results, rules)], rules, form)


def _file(
    request: Request,
    results: Results,
    trees: library.Library,
    entries: Sequence[Entry],
    name: str,
    form: str,
) -> Response:
    if not entries:
        raise HTTPException(404, "this server has no atlas")
    origin = frame_of(request).origin
    checked = {str(one.rules) for one in trees if one.is_least_checked}
    extract = Extract(results.atlas, entries, origin, checked)
    version = results.version + trees.version + origin
    contents = {"json": extract.document, "csv": extract.lines, "bib": extract.bibtex}
    return exported(request, version, contents, name, form)
