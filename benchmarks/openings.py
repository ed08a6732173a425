"""Print how long positions after one guess take, answered from what ships.

Run as ``python -m benchmarks.openings``: every position of the files under names drawn at random,
as processor time of the whole answer of the API without its transport, and of the look-up alone.
The aim is below 5 ms.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from bullscows.analysis.opening_files import FOLDER, read_openings
from bullscows.analysis.openings import Openings
from bullscows.game.history import History
from bullscows.game.question import Question
from bullscows.game.symmetry import Transformation
from bullscows.tree.folder import default_folder
from bullscows_web.analyse.search.openings import ShippedOpenings
from bullscows_web.analyse.search.service import AnalysisService
from bullscows_web.analyse.search.shipped import SourcedAnalysis
from bullscows_web.api.positions import BestGuess
from bullscows_web.trees.library import Library

AIM = 0.005


def questions(openings: Openings, random: Random) -> Iterator[Question]:
    """Yield each position that some strategy solves, under names drawn at random."""
    rules = openings.rules
    for aim, table in openings.tables.items():
        for (guess, answer), opening in table.items():
            places, symbols = list(range(rules.positions)), list(range(rules.symbols))
            random.shuffle(places)
            random.shuffle(symbols)
            first = Transformation(tuple(places), tuple(symbols)).apply_to_index(rules, guess)
            if opening is not None:
                yield aim.question(History(rules, ((first, answer),)))


def seconds(library: Library, service: AnalysisService, question: Question) -> tuple[float, float]:
    """Return what the look-up takes, and what the whole answer does."""
    began = time.process_time()
    assert len(question.candidates)
    counted = time.process_time()
    analysis = service.analysis(library, question)
    found = time.process_time()
    assert analysis.analysis.status == "optimal"
    BestGuess.of_analysis(question, SourcedAnalysis(analysis.analysis), None)
    return found - counted, time.process_time() - began


def row(name: str, kind: str, taken: list[float]) -> str:
    """Return the line of a game."""
    shares = " ".join(f"{1000 * np.percentile(taken, share):8.2f}" for share in (50, 99, 100))
    within = sum(one < AIM for one in taken) / len(taken)
    return f"{name:8} {kind:8} {len(taken):6} {shares} {within:8.1%}"


def main(trees: Path | None = None) -> None:
    """Print a table of all games, in milliseconds of processor time."""
    folder = trees or default_folder()
    began = time.process_time()
    openings = ShippedOpenings.open(folder)
    print(f"all files read: {1000 * (time.process_time() - began):.1f} ms")
    library, service = Library.open(folder), AnalysisService(0, 1, openings=openings)
    heads = " ".join(f"{head:>8}" for head in ("median", "99 %", "most", "< 5 ms"))
    print(f"{'game':8} {'part':8} {'number':>6} {heads}")
    for path in sorted((folder / FOLDER).glob("*.json")):
        asked = questions(read_openings(path, path.stem), Random(1))
        taken = [seconds(library, service, question) for question in asked]
        for place, kind in enumerate(("look-up", "answer")):
            print(row(path.stem, kind, [pair[place] for pair in taken]))


if __name__ == "__main__":
    main()
