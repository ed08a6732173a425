"""Values of other games: who published each first, and those of which we found no publication."""

from __future__ import annotations

from collections.abc import Iterator

from bullscows.game.cost import costs_text, turns_text
from bullscows.report.positions import solved
from bullscows.report.rows import BULLS_COWS, MASTERMIND, Row, Section, published

_CRITERIA = {
    "average": "fewest turns",
    "worst": "best worst case",
    "worst,average": "best worst case, then fewest turns",
}


def other_games(jobs: int) -> Iterator[Row]:
    """Values of games that the paper does not treat, with who published each first."""
    for rules, figures in published()["other_games"].items():
        if rules == "source":
            continue
        for objective, (figure, source) in figures.items():
            levels = solved(rules, objective, threads=jobs).levels
            ours = ", ".join(map(str, levels.values()))
            yield Row(f"{rules}: {_CRITERIA[objective]} ({source})", figure, ours)


# -- never published -------------------------------------------------------------------------------

OPEN = (
    (BULLS_COWS, "average,last", 7, "fewest turns, then fewest 7-movers"),
    (BULLS_COWS, "last,average", 7, "fewest 7-movers, then fewest turns"),
    (BULLS_COWS, "movers", 7, "fewest 7-movers, then 6-movers, and so on"),
    (MASTERMIND, "average,last", 6, "fewest turns, then fewest 6-movers"),
    (MASTERMIND, "average,last", 5, "fewest turns within five, then fewest 5-movers"),
    (MASTERMIND, "last,average", 5, "fewest 5-movers, then fewest turns"),
    (MASTERMIND, "movers", 5, "fewest 5-movers, then 4-movers, and so on"),
    *(
        (rules, "worst,average", None, "best worst case, then fewest turns")
        for rules in ("p3c10n", "p4c9n", "p3c6r", "p4c5r")
    ),
    *(
        (rules, "average", None, "fewest turns")
        for rules in (
            "p3c6n",
            "p3c7n",
            "p3c8n",
            "p3c9n",
            "p3c10n",
            "p3c10z",
            "p6c6n",
            "p3c5r",
            "p3c6r",
        )
    ),
    *(
        (rules, "average,last", turns, f"fewest turns, then fewest secrets at turn {turns}")
        for rules, turns in (
            ("p3c10n", 7),
            ("p4c9n", 7),
            ("p5c7n", 6),
            ("p6c6n", 7),
            ("p3c6r", 5),
            ("p4c5r", 5),
            ("p4c7r", 6),
            ("p4c8r", 7),
        )
    ),
    ("p4c10z", "average,last", 7, "fewest turns, then fewest 7-movers"),
    ("p4c10z", "worst,average", None, "best worst case, then fewest turns"),
)
"""What is asked: rules, objective, cap on turns, and what to call it."""


def never_published(jobs: int) -> Iterator[Row]:
    """Values of which we found no earlier publication."""
    for rules, objective, max_turns, label in OPEN:
        solution = solved(rules, objective, max_turns=max_turns, threads=jobs)
        levels = costs_text(solution.levels, solution.secrets)
        turns = turns_text(solution.tree().distribution)
        yield Row(f"{rules}: {label}", "", f"{levels} (turns {turns})")


SECTIONS = {
    "games": Section("Other games", "named with each", other_games),
    "open": Section("No earlier publication found", "our own", never_published),
}
