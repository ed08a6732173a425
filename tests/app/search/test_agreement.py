"""Trees under other names, shipped values and the search say the same of 10,000 random positions.

Each position is looked up in every shipped tree and file, one by one, and searched without them.
No position is the start of a game, and no position is repeated.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

from bullscows.analysis.analyst import Analyst, checked
from bullscows.analysis.memory import MEGABYTE
from bullscows.analysis.openings import Openings
from bullscows.game.history import History
from bullscows.game.question import Question
from bullscows.game.result import Analysis, TooFewTurnsError
from bullscows.game.rules import Rules
from bullscows.game.symmetry import Transformation, representatives
from bullscows.shipping.catalogue import CATALOGUE
from bullscows.tree.files import POSSIBLES_ONLY
from bullscows.tree.storage import default_folder
from bullscows.tree.strategy_tree import StrategyTree
from bullscows_web.search.searcher import on_tree, shipped_openings
from bullscows_web.trees.library import Library

pytestmark = pytest.mark.large

GAMES = sorted({spec.rules for spec in CATALOGUE.values() if spec.is_optimal})
"""All games with a proved tree; those with proved positions after one guess are among them."""

SLOW, QUICK = 10_000, 120
"""Positions of all games together."""

LIMIT = 600.0
"""Seconds for a position; most take milliseconds."""

SEARCHED_WHOLE = 1300
"""The most codes of a game that is searched from one guess on, whatever is left."""

SLOW_CELLS, QUICK_CELLS = 1_200_000, 300_000
"""In larger games the most pairs of a candidate and a code: 240 candidates of Bulls & Cows."""

Levels: TypeAlias = Mapping[str, int] | None
"""Costs by criterion; None if no strategy keeps within the turns."""


class Shelf:
    """All that ships of a game, and positions of it of which something is known."""

    def __init__(
        self, library: Library, files: dict[Rules, Openings], rules: Rules, cells: int
    ) -> None:
        self.rules = rules
        self.cells = cells
        self.openings: Openings | None = files.get(rules)
        self.entries = [
            entry for entry in library if entry.rules == rules and entry.record.proof == "exact"
        ]
        self.aims = list(dict.fromkeys(self._aims()))

    def _aims(self) -> Iterator[Question]:
        """Yield the questions of the whole game that what ships answers."""
        for entry in self.entries:
            record = entry.record
            if record.objective == POSSIBLES_ONLY:
                yield Question.of(self.rules, candidates_only=True)
                continue
            yield from parts_of(Question.of(self.rules, (), record.objective, record.max_turns))
            if record.is_least:
                yield Question.of(self.rules)
        for aim in self.openings.tables if self.openings else ():
            yield from parts_of(aim)

    def stated(self, question: Question) -> dict[str, Levels]:
        """Return what each tree and the file say of a position."""
        found: dict[str, Levels] = {}
        for entry in self.entries:
            sourced = on_tree(Library([entry], {}, Path()), question)
            if sourced is not None:
                found[entry.name] = levels(sourced)
        known = self.openings.analysis(question) if self.openings else None
        if known is not None:
            found["file"] = levels(known) if isinstance(known, Analysis) else None
        return found

    def drawn(self, random: Random) -> Iterator[tuple[Question, dict[str, Levels]]]:
        """Yield positions that something is known of, each once, and what each source says."""
        seen: set[tuple[object, ...]] = set()
        while True:
            if self.openings and (not self.entries or random.random() < 0.4):
                question = self._after_one_guess(self.openings, random)
            else:
                question = self._on_a_tree(random.choice(self.entries).tree, random)
            aim = (str(question.objective), question.max_turns, question.candidates_only)
            key = (frozenset(question.history), *aim)
            if not question.history or key in seen or not self.is_searched(question):
                continue
            stated = self.stated(question)
            if stated:
                seen.add(key)
                yield question, stated

    def is_searched(self, question: Question) -> bool:
        """Whether a search takes at most some tenths of a second."""
        if self.rules.size <= SEARCHED_WHOLE:
            return True
        return len(question.candidates) * self.rules.size <= self.cells

    def _on_a_tree(self, tree: StrategyTree, random: Random) -> Question:
        """Return a position of the tree under other names, after one to three guesses."""
        names = names_of(self.rules, random)
        nodes = tree.play(random.randrange(self.rules.size))
        path = tree.path(nodes[min(random.randrange(1, 4), len(nodes) - 1)])
        turns = tuple((names.apply_to_index(self.rules, guess), answer) for guess, answer in path)
        return random.choice(self.aims).at(History(self.rules, turns))

    def _after_one_guess(self, openings: Openings, random: Random) -> Question:
        """Return a position of the file under other names."""
        aim = random.choice(list(openings.tables))
        guess, answer = random.choice(list(openings.tables[aim]))
        named = names_of(self.rules, random).apply_to_index(self.rules, guess)
        return random.choice(list(parts_of(aim))).at(History(self.rules, ((named, answer),)))


def parts_of(aim: Question) -> Iterator[Question]:
    """Yield the aim and, what is best for it being best for them, those of its first criteria."""
    criteria = aim.objective.criteria
    for count in range(len(criteria), 0, -1):
        yield Question.of(aim.rules, (), ",".join(criteria[:count]), aim.max_turns)


def levels(analysis: Analysis) -> dict[str, int]:
    assert analysis.status == "optimal", analysis
    return dict(analysis.levels)


def names_of(rules: Rules, random: Random) -> Transformation:
    """Return other names; where no code begins with 0, that place and that symbol keep theirs."""
    places = list(range(rules.positions))
    symbols = list(range(rules.symbols))
    kept = 0 if rules.leading_zero else 1
    places[kept:] = random.sample(places[kept:], len(places) - kept)
    symbols[kept:] = random.sample(symbols[kept:], len(symbols) - kept)
    return Transformation(tuple(places), tuple(symbols))


def searched(analyst: Analyst, question: Question) -> Levels:
    """Return what the search proves, given nothing but the position."""
    try:
        return levels(analyst.analysis(checked(question), LIMIT))
    except TooFewTurnsError:
        return None


def disagreements(shelf: Shelf, number: int) -> tuple[list[str], Counter[str]]:
    """Return where a search says other things than what ships, and who knew how many positions."""
    analyst = Analyst(4000 * MEGABYTE)
    analyst.load(())
    found = []
    known = Counter[str]()
    for question, stated in islice(shelf.drawn(Random(str(shelf.rules))), number):
        value = searched(analyst, question)
        found += [
            f"{question}: {name} says {said}, the search {value}"
            for name, said in stated.items()
            if said != value
        ]
        known.update(list(stated))
        known["several"] += len(stated) > 1
        if "file" in stated:
            known[f"file, {question.aim}"] += 1
    return found, known


@pytest.fixture(scope="module")
def files() -> dict[Rules, Openings]:
    return shipped_openings(default_folder())


@pytest.mark.slow
@pytest.mark.parametrize(("place", "game"), list(enumerate(GAMES)))
def test_trees_files_and_search_agree(
    shipped_library: Library, files: dict[Rules, Openings], place: int, game: str
):
    shelf = Shelf(shipped_library, files, Rules.of(game), SLOW_CELLS)
    number = SLOW // len(GAMES) + (place < SLOW % len(GAMES))
    found, known = disagreements(shelf, number)
    assert not found
    assert all(known[entry.name] for entry in shelf.entries)
    for aim in shelf.openings.tables if shelf.openings else ():
        assert known[f"file, {aim}"], aim
    # If all first guesses are equivalent, the file has only what the trees leave open.
    if shelf.openings and len(representatives(shelf.rules, ())) > 1:
        assert known["several"]


@pytest.mark.parametrize("game", [game for game in GAMES if game != "p3c10nb"])  # takes 10 s
def test_some_of_each_game_agree(shipped_library: Library, files: dict[Rules, Openings], game: str):
    shelf = Shelf(shipped_library, files, Rules.of(game), QUICK_CELLS)
    found, known = disagreements(shelf, QUICK // len(GAMES))
    assert not found
    assert known, "a tree or a file states the cost of each position drawn"
