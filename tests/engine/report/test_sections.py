"""The sections of the report: every table that ships is recomputed, every difference known."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from bullscows.build.catalogue import CATALOGUE
from bullscows.game.duel import Score
from bullscows.game.rules import Rules
from bullscows.game.symmetry import representatives
from bullscows.report import beyond
from bullscows.report.beyond import OPEN, reason_against
from bullscows.report.francis import Estimator, decisions, limit_row, orbits
from bullscows.report.sections import proved, published, sections, solved
from bullscows.report.strategies import total_of_best
from bullscows.report.tables import Figure, Row, Verdict, read_tables, rewritten, tables_file
from bullscows.strategies.nonadaptive import NonadaptiveSet
from bullscows.strategies.rules.one_step import HEURISTICS
from bullscows.tree.files import read_tree
from bullscows.tree.strategy_tree import StrategyTree
from tests import ROOT

DOCS = ROOT / "docs"

SHIPPED = read_tables(tables_file(ROOT / "trees"))


def figures(name: str) -> dict[str, Figure]:
    return {row.label: row.ours for row in SHIPPED[name].rows}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if section.is_quick else pytest.mark.slow)
        for name, section in sections().items()
    ],
)
def test_every_table_that_ships_is_made_again(name: str) -> None:
    made = sections()[name].table()
    assert made.rows
    assert [row for row in made.rows if row.verdict == "differs"] == []
    assert made == SHIPPED.get(name), f"stale: make it again by bullscows report {name} --write"


def test_page_of_results_shows_the_tables_that_ship() -> None:
    assert list(SHIPPED) == list(sections())
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    assert page == rewritten(page, SHIPPED), "stale: bullscows report --write"


DIFFERENCES: dict[str, list[tuple[str, int, int]]] = {
    # The paper counts 284 second guesses of Mastermind; `test_symmetry` confirms our 286.
    "classes": [("Mastermind, S2 in all", 284, 286)],
    "francis-classes": [("0456, third guesses", 373, 363), ("4567, third guesses", 218, 180)],
    "francis-estimator": [],
    "francis-fan-out": [],
    "hybrids-mastermind": [],
    "hybrids-turns": [],
    "hybrids-movers": [
        ("crush35, 0123 0.1", 76, 104),
        ("crush35, 0123 0.2", 22, 24),
        ("crush35, total", 99, 129),
        ("crush45, 0123 0.1", 53, 61),
        ("crush45, 0123 0.2", 10, 14),
        ("crush45, total", 63, 75),
        ("crush5, 0123 0.1", 46, 47),
        ("crush5, total", 50, 51),
    ],
    "hybrids-positions": [
        ("crush45, 0123 0.1, 1245 0.1", 41, 51),
        ("crush45, 0123 0.1, 1245 0.2", 10, 12),
        ("crush5, 0123 0.1, 1245 0.1", 38, 39),
        ("crush45, 0123 0.2, 1435 0.1", 9, 11),
        ("crush45, 0123 0.2, 1435 0.2", 1, 3),
        ("crush5, 0123 0.1, 0245 0.2", 15, 16),
        ("crush5, 0123 0.1, 0134 0.2", 18, 19),
        ("crush5, 0123 0.1, 0456 0.2", 30, 31),
    ],
    "second": [],
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_only_the_known_figures_differ(name: str) -> None:
    found = [row for row in SHIPPED[name].rows if row.verdict not in ("", "agrees")]
    assert [(row.label, row.published, row.ours) for row in found] == DIFFERENCES[name]
    assert all(row.why for row in found)


def test_few_figures_are_unexplained_and_each_says_what_was_tried() -> None:
    rows = [row for table in SHIPPED.values() for row in table.rows]
    open_rows = [row for row in rows if row.verdict == "unexplained"]
    assert len(open_rows) <= 14
    assert all(row.why for row in rows if row.verdict in ("unexplained", "impossible"))
    assert all("unexplained" not in row.fields() for row in rows if not row.unexplained)


def test_figures_by_another_way() -> None:
    estimates = figures("francis-estimator")
    assert estimates["bound from the number of answers alone"] == 22622
    assert [estimates[f"total, turn {turn}"] for turn in range(1, 7)] == [
        *(1, 13, 111, 694, 2657, 1564)
    ]
    assert estimates["total, turns"] == 25805
    assert len(figures("francis-fan-out")) == 19
    probes = [row for row in SHIPPED["francis-nodes"].rows if row.published == 0]
    assert [row.ours for row in probes] == [0]


def test_more_secrets_can_be_found_by_turns_3_and_4_than_his_limits() -> None:
    totals = [row for row in SHIPPED["francis-limits"].rows if row.label.startswith("total")]
    assert [(row.label, row.published, row.ours) for row in totals if row.why] == [
        ("total, by turn 3", 125, 127),
        ("total, by turn 4", 819, 864),
        ("total, by turn 5", 3476, 3289),
    ]


def test_one_reading_of_goel_and_garg_takes_what_they_print() -> None:
    """5.8930, printed under the chart of the extended strategy, belongs to the human strategy."""
    rows = figures("goel-garg-readings").items()
    totals = {label: total for label, total in rows if isinstance(total, int)}
    printed = [label for label, total in totals.items() if total * 10000 // 720 == 58930]
    assert printed == ["human, by digit, ties met first, as worded"]
    extended = [label for label in totals if label.startswith("extended")]
    assert max(extended, key=totals.__getitem__) == printed[0].replace("human", "extended")


# -- who published what ----------------------------------------------------------------------------

CREDITED = {
    "p4c9n": "avg-bulls-cows-9-symbols",
    "p4c5r": "avg-mastermind-4x5",
    "p4c7r": "avg-mastermind-4x7",
    "p4c8r": "avg-mastermind-4x8",
}
"""Games that others solved before, and our trees of them."""


@pytest.mark.parametrize(("rules", "name"), CREDITED.items())
def test_a_value_that_others_published_first_is_credited(rules: str, name: str) -> None:
    total, source = published()["other_games"][rules]["average"]
    record = read_tree(ROOT / "trees" / f"{name}.json").record
    assert str(record.total) == total
    author = source.split("/")[0].split(",")[0]
    assert author in (DOCS / "results.md").read_text(encoding="utf-8")


def test_nothing_published_is_called_unpublished() -> None:
    known = published()["other_games"]
    assert not [row for row in OPEN if row[1] in known.get(row[0], {})]


def test_a_strategy_is_beaten_by_what_the_best_reply_gains() -> None:
    assert "by 100.00 duels in a thousand" in reason_against(Score(won=5, drawn=1, lost=4))


def test_a_strategy_that_no_reply_beats_has_no_reason_against_it() -> None:
    assert reason_against(Score(won=4, drawn=2, lost=4)) == ""


def test_every_rule_and_tree_of_its_games_has_its_length() -> None:
    """To count the turns again takes a minute, to see that a new strategy lacks its row nothing."""
    listed = {row.label for row in read_tables(tables_file(ROOT / "trees"))["lengths"].rows}
    games = {name.split()[0] for name in listed}
    trees = [one for one in CATALOGUE.values() if one.rules in games]
    due = {f"{one.rules} {one.name}" for one in trees if one.objective not in HEURISTICS}
    due |= {f"{rules} {name}" for rules in games for name in HEURISTICS}
    assert due - listed == set(), "stale: make it again by bullscows report lengths duel --write"


@pytest.mark.parametrize(
    ("exact", "rounded", "verdict"),
    [(26405, 26406, "explained"), (26405, 26407, "unexplained"), (26406, 26406, "agrees")],
)
def test_a_total_is_explained_by_rounding_only_if_rounding_gives_it(
    exact: int, rounded: int, verdict: Verdict
) -> None:
    row = total_of_best(26406, exact, rounded)
    assert row.verdict == verdict
    assert str(exact) in row.why
    assert str(rounded) in row.why


@pytest.mark.parametrize(
    ("most", "inside", "is_bound", "verdict"),
    [
        (7, 4, False, "explained"),
        (7, 6, False, "explained"),
        (7, 7, False, "unexplained"),
        (6, None, False, "agrees"),
        (5, None, True, "explained"),
        (5, None, False, "differs"),
    ],
)
def test_his_limit_is_explained_only_if_candidates_alone_stay_within_it(
    most: int, inside: int | None, is_bound: bool, verdict: Verdict
) -> None:
    assert limit_row("3.0, by turn 3", 6, most, inside, is_bound=is_bound).verdict == verdict


@pytest.mark.parametrize(
    ("game", "guesses"),
    [
        ("p3c4n", ()),
        ("p4c7n", ("0123",)),
        ("p4c10n", ("0123", "0456")),
        ("p4c10n", ("0123", "4567")),
        ("p4c10n", ("0123", "1435")),
        ("p3c6r", ("001",)),
        ("p3c5z", ("102",)),
    ],
)
def test_burnside_counts_the_classes(game: str, guesses: tuple[str, ...]) -> None:
    rules = Rules.parse(game)
    numbers = rules.numbers(guesses)
    assert orbits(rules, numbers) == len(representatives(rules, numbers))


def test_nodes_are_choices_and_probes_cannot_win() -> None:
    rules = Rules.parse("p2c3n")
    tree = StrategyTree.grow(rules, lambda candidates, _: candidates[0])
    choices = [node for node in tree.nodes if node.size > 1]
    assert decisions(tree) == (len(choices), 0)
    probing = StrategyTree.grow(
        rules, lambda candidates, path: 0 if not path else _outside(candidates)
    )
    assert decisions(probing)[1] > 0


def _outside(candidates: tuple[int, ...]) -> int:
    """Guess a code that is no candidate but splits the candidates, if any code does."""
    rules = Rules.parse("p2c3n")
    for guess in range(rules.size):
        if guess not in candidates and rules.splits(guess, candidates):
            return guess
    return candidates[0]


def found(*, lower: int, interrupted: bool = False) -> Callable[[str], NonadaptiveSet]:
    return lambda game: NonadaptiveSet(Rules.parse(game), (0, 1, 2), lower, interrupted)


def sizes(monkeypatch: pytest.MonkeyPatch, search: Callable[[str], NonadaptiveSet]) -> list[Row]:
    monkeypatch.setattr(beyond, "nonadaptive_set", search)
    monkeypatch.setattr(beyond, "COLOURS", ("p2c2r",))
    return [row for row in beyond.colours(1) if row.label.endswith("guesses")]


def test_a_size_that_is_not_proved_is_shown_as_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = sizes(monkeypatch, found(lower=2))
    assert (row.published, row.ours, row.verdict) == (2, "2 to 3", "unexplained")


def test_a_size_that_is_proved_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = sizes(monkeypatch, found(lower=3))
    assert (row.ours, row.verdict) == (3, "differs")


def test_an_interrupted_search_makes_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyboardInterrupt):
        sizes(monkeypatch, found(lower=2, interrupted=True))


def test_an_interrupted_search_proves_no_impossibility() -> None:
    """Its value is None, as that of a game that nobody can end in time."""
    solution = solved("p2c3n", "average")
    assert proved(solution) == solution.value
    with pytest.raises(KeyboardInterrupt):
        proved(replace(solution, upper=None, interrupted=True))


SMALL = ["p3c5n", "p3c6n"]


@cache
def estimator(game: str) -> Estimator:
    return Estimator(Rules.parse(game))


@pytest.mark.parametrize("row", published()["estimator"]["rows"], ids=lambda row: row[0])
def test_every_line_of_the_table(row: list[int]) -> None:
    game = estimator("p4c10n")
    estimate = game.estimate(game.rules.parse_answer(str(row[0])))
    assert [*estimate.found, estimate.total] == row[2:]


@pytest.mark.parametrize("game", SMALL)
def test_fan_outs_are_those_of_a_slow_twin(game: str) -> None:
    subject, rules = estimator(game), Rules.parse(game)
    for place, guess in enumerate(subject.seconds):
        for first, candidates in rules.partition(0, range(rules.size)).items():
            for second, left in rules.partition(guess, candidates).items():
                widest = max(
                    len(rules.partition(third, left)) - (third not in left)
                    for third in range(rules.size)
                )
                assert subject.fan_out(first, place, second) == widest


@pytest.mark.parametrize("game", [*SMALL, "p4c10n"])
def test_the_guesses_may_change_places(game: str) -> None:
    subject = estimator(game)
    answers = range(len(subject.rules.answers))
    for place in range(len(subject.seconds)):
        for first in answers:
            for second in answers:
                exchanged = subject.fan_out(second, place, first)
                assert subject.fan_out(first, place, second) == exchanged


@pytest.mark.parametrize("game", [*SMALL, "p3c10n", "p4c6n"])
def test_no_strategy_takes_fewer_turns(game: str) -> None:
    """The bound, against the proved optimum after each first answer."""
    subject, rules = estimator(game), Rules.parse(game)
    for answer, left in rules.partition(0, range(rules.size)).items():
        if answer == rules.win:
            continue
        estimate = subject.estimate(answer)
        first = f"{rules.text(0)}:{rules.answers[answer]}"
        least = solved(game, "average", first).value
        assert isinstance(least, int)
        assert estimate.total <= least
        assert sum(estimate.found) == len(left)
