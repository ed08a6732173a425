"""Results: our figures next to published ones, as charts, tables and files.

`/results` is the overview, `/results/NAME` shows one table.  A table is available as CSV and JSON
at its address with `.csv` or `.json`, all tables at `/results.json`, and each tree of the Pareto
front at `/results/pareto/TOTAL-LATE.json`.  Files have no language, so they exist only below
English addresses.  `python -m research --write` and `bullscows pareto --trees` compute the
figures; the server only reads them.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, TypeVar

from fastapi import APIRouter, HTTPException, Request, Response
from starlette.responses import RedirectResponse

from bullscows.game.rules import Rules
from bullscows.shipping.atlas import Atlas, atlas_path, read_atlas
from bullscows.tree.storage import PARETO, RecordError
from bullscows_web.language.catalogues import Language
from bullscows_web.statistics.tables import (
    Diagram,
    Heat,
    Player,
    Table,
    columns_of,
    diagrams_of,
    heat_map,
    read_tables,
    tables_file,
    ways_of,
)
from bullscows_web.web.caching import attachment, exported, tagged
from bullscows_web.web.dependencies import IN_TURN, of_app
from bullscows_web.web.frame import address
from bullscows_web.web.pictures.charts import LengthsChart
from bullscows_web.web.rendering import respond

logger = logging.getLogger(__name__)
router = APIRouter(dependencies=[IN_TURN])
files = APIRouter()

Content = TypeVar("Content")

DOCUMENTS = ("Slovesnov", "Francis", "Chen", "Goel")
"""Authors of the published documents; a table belongs to the author its source names first."""
OWN = ""
"""Group of the tables without a published source."""
DRAWN = 5
"""Maximum number of strategies in a chart of game lengths."""

_PARETO_TREE = re.compile(r"pareto-p4c10n-(\d+)-(\d+)\.json")


@dataclass(frozen=True)
class ParetoPoint:
    """A tree of the Pareto front of total and codes found at the last turn."""

    total: int
    """Turns summed over all codes."""
    late: int
    """Codes found at the last turn."""
    name: str
    """File name of the tree."""
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class Results:
    """The tables of the report and the Pareto front of Bulls & Cows."""

    tables: Mapping[str, Table] = field(default_factory=dict)
    """Tables by name, in the order of the report."""
    front: Sequence[ParetoPoint] = ()
    """The Pareto front by ascending totals."""
    atlas: Atlas = field(default_factory=Atlas)
    """The values of all small games."""

    @classmethod
    def open(cls, folder: Path) -> Results:
        """Read the files in the folder of the trees; log and skip those that cannot be read."""
        tables: dict[str, Table] = _read(tables_file(folder), read_tables, {})
        atlas = _read(atlas_path(folder), read_atlas, Atlas())
        return cls(tables, _front(folder / PARETO), atlas)

    @cached_property
    def version(self) -> str:
        """Hash of everything that the pages show."""
        trees = b"".join(point.content for point in self.front)
        return sha256(repr((self.tables, self.atlas)).encode() + trees).hexdigest()[:16]

    def players(self) -> dict[Rules, list[Player]]:
        """Return the strategies of each game in the table of game lengths, by ascending total."""
        found: dict[Rules, list[Player]] = {}
        for row in self.tables["lengths"].rows if "lengths" in self.tables else ():
            if isinstance(row.ours, Mapping):
                rules, name = row.label.split(" ")
                player = Player(name, tuple(row.ours["distribution"]))
                found.setdefault(Rules.parse(rules), []).append(player)
        return found


def _read(place: Path, read: Callable[[Path], Content], nothing: Content) -> Content:
    try:
        return read(place) if place.exists() else nothing
    except (RecordError, OSError) as error:
        logger.error("cannot read results file %s: %s", place, error)
        return nothing


def _front(folder: Path) -> Sequence[ParetoPoint]:
    names = (_PARETO_TREE.fullmatch(path.name) for path in folder.glob("*.json"))
    points = [
        ParetoPoint(int(name[1]), int(name[2]), name[0], (folder / name[0]).read_bytes())
        for name in names
        if name
    ]
    return tuple(sorted(points, key=lambda point: point.total))


def verdict(language: Language, name: str) -> str:
    """Return the word for a verdict; empty if nothing is published."""
    _ = language.gettext
    words = {
        "agrees": _("agrees"),
        "explained": _("explained"),
        "impossible": _("impossible"),
        "unexplained": _("unexplained"),
        "differs": _("differs"),
    }
    return words.get(name, "")


def verdicts(language: Language, tables: Iterable[Table]) -> str:
    """Return how many figures of some tables have each verdict."""
    ngettext = language.ngettext
    found = Counter(row.verdict for table in tables for row in table.rows)
    agrees = found["agrees"]
    explained = found["explained"]
    impossible = found["impossible"]
    unknown = found["unexplained"] + found["differs"]
    sentences = {
        ngettext("%(count)s figure agrees.", "%(count)s figures agree.", agrees): agrees,
        ngettext(
            "%(count)s differs for a reason that was verified.",
            "%(count)s differ for a reason that was verified.",
            explained,
        ): explained,
        ngettext(
            "%(count)s is proved impossible as described.",
            "%(count)s are proved impossible as described.",
            impossible,
        ): impossible,
        ngettext(
            "%(count)s differs for an unknown reason.",
            "%(count)s differ for an unknown reason.",
            unknown,
        ): unknown,
    }
    return " ".join(
        text % {"count": language.integer(count)} for text, count in sentences.items() if count
    )


@dataclass(frozen=True)
class GameCharts:
    """Charts of the strategies of one game."""

    rules: Rules
    players: Sequence[Player]
    """Strategies by ascending total."""

    @cached_property
    def lengths(self) -> LengthsChart:
        """Chart of game lengths: the best strategy, the worst, and evenly chosen others."""
        last = len(self.players) - 1
        chosen = sorted({round(last * place / (DRAWN - 1)) for place in range(DRAWN)})
        return LengthsChart.of(
            {self.players[place].name: self.players[place].distribution for place in chosen}
        )

    @property
    def has_champion(self) -> bool:
        """Whether the first strategy loses to no other."""
        return min(heat.net for heat in self.duels[0][1]) >= 0

    @cached_property
    def duels(self) -> list[tuple[Player, list[Heat]]]:
        """The duels of all strategies against each other."""
        return heat_map(self.players)


@dataclass(frozen=True)
class ResultsPage:
    """Context of the overview."""

    results: Results

    @cached_property
    def games(self) -> list[GameCharts]:
        """The games in the table of game lengths."""
        return [GameCharts(rules, players) for rules, players in self.results.players().items()]

    @property
    def ways(self) -> list[tuple[int, int, int]]:
        """Chen's k-way branching: each k with the published total and ours."""
        table = self.results.tables.get("kwb")
        return ways_of(table.rows) if table else []

    @property
    def documents(self) -> list[tuple[str, dict[str, Table]]]:
        """The tables by published document, our own last."""
        groups: dict[str, dict[str, Table]] = {name: {} for name in (*DOCUMENTS, OWN)}
        for name, table in self.results.tables.items():
            authors = [author for author in DOCUMENTS if author in table.source]
            groups[min(authors, key=table.source.index, default=OWN)][name] = table
        return [(document, tables) for document, tables in groups.items() if tables]

    def verdicts(self, language: Language) -> str:
        """Return how many figures have each verdict."""
        return verdicts(language, self.results.tables.values())


@dataclass(frozen=True)
class TablePage:
    """Context of one table."""

    name: str
    table: Table

    @cached_property
    def columns(self) -> dict[str, dict[str, int]]:
        """Counts by name for each column chart of the table."""
        return columns_of(self.table.rows)

    @cached_property
    def diagrams(self) -> list[Diagram]:
        """Diagrams of the cycles in the table."""
        return diagrams_of(self.table.rows)

    verdict = staticmethod(verdict)

    def verdicts(self, language: Language) -> str:
        """Return how many figures have each verdict."""
        return verdicts(language, [self.table])


ResultsDep = Annotated[Results, of_app("results")]


@files.get("/results.json")
def save_all(request: Request, results: ResultsDep) -> Response:
    """Return all tables as JSON."""
    tables = {name: table.document for name, table in results.tables.items()}
    return exported(request, results.version, {"json": lambda: tables}, "results", "json")


@files.get("/results/front/{name}")
def moved_tree(name: str) -> RedirectResponse:
    """Redirect to the present address of a tree of the Pareto front."""
    return RedirectResponse(address(f"/results/pareto/{name}", ""), 301)


@files.get("/results/pareto/{total}-{late}.json")
def save_tree(request: Request, results: ResultsDep, total: str, late: str) -> Response:
    """Return a tree of the Pareto front as a file."""
    trees = {(str(point.total), str(point.late)): point for point in results.front}
    point = trees.get((total, late))
    if point is None:
        raise HTTPException(404, "no such point on the front: /results shows them all")
    headers = tagged(request, results.version) | attachment(point.name)
    return Response(point.content, headers=headers, media_type="application/json")


@files.get("/results/{name}.{form}")
def save(request: Request, results: ResultsDep, name: str, form: str) -> Response:
    """Return a table as CSV or JSON."""
    table = _table(results, name)
    contents = {"csv": table.lines, "json": lambda: table.document}
    return exported(request, results.version, contents, name, form)


@router.get("/results")
def overview(request: Request, results: ResultsDep) -> Response:
    """Show the overview."""
    page = ResultsPage(results)
    return respond(request, "statistics/results/story.html", page)


@router.get("/results/{name}")
def show(request: Request, results: ResultsDep, name: str) -> Response:
    """Show one table."""
    page = TablePage(name, _table(results, name))
    return respond(request, "statistics/results/table.html", page)


def _table(results: Results, name: str) -> Table:
    if name not in results.tables:
        known = ", ".join(results.tables) or "none"
        raise HTTPException(404, f"no table of that name; there are {known}")
    return results.tables[name]
