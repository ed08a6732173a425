"""A small report and a Pareto front of two points in a folder of trees."""

from pathlib import Path

from bullscows.game.rules import Rules
from bullscows.shipping.atlas import Atlas, Entry, Strategy, atlas_path, write_atlas
from bullscows.tree.codec import decode
from bullscows.tree.files import TreeRecord, write_tree
from research.tables import Row, Table, lengths_figure, tables_file, write_tables

AVERAGE = (
    Row("0123 0.0", 1806, 1806),
    Row("0123 0.1", 7936, 7935, why="counted <twice>"),
    Row("0123 0.2", 6809, 6808, unexplained=True),
)
GAME = Row("fewest turns", 196, 196)
LENGTHS = (
    Row("p3c5n crush", "", lengths_figure((1, 2, 3))),
    Row("p3c5n parts", "", lengths_figure((1, 2, 2, 3))),
    Row("p2c4r minimax", "", lengths_figure((1, 1))),
    Row("not a player", "", 7),
)
TABLES = {
    "average": Table("Fewest turns", "Slovesnov 5.2.1", AVERAGE),
    "games": Table("Other games", "named with each", (GAME,)),
    "kwb": Table("Branching", "Chen, table 2", (Row("k=1", 5776, 5778), Row("k=5", 5748, 5660))),
    "lengths": Table("Lengths of games", "our own", LENGTHS),
}


_TWO = Strategy((1, 1, 10), ("01",))
_THREE = Strategy((1, 6, 29, 24), ("012",))
ENTRIES = (
    Entry.of(Rules.parse("p2c4n"), _TWO, 30, worst=None, nodes=5, seconds=61.0),
    Entry.of(Rules.parse("p3c5n"), _THREE, 196, worst=3, nodes=9, seconds=0.1),
)
"""One game that is bounded, and one that is proved."""


def write_results(trees: Path) -> None:
    write_tables(tables_file(trees), TABLES)
    write_atlas(atlas_path(trees), Atlas({one.rules: one for one in ENTRIES}, {"p3c5n": 197}))
    front = trees / "pareto"
    front.mkdir()
    record = TreeRecord.of(decode("p2c3n", "##"), objective="x", max_turns=None, proof="heuristic")
    for name in ("pareto-p4c10n-14-2", "pareto-p4c10n-15-1"):
        write_tree(front / f"{name}.json", record)
    (front / "pareto-p3c6n-436-4.json").write_text("of another game", encoding="utf-8")
    (front / "notes.json").write_text("{}", encoding="utf-8")
