"""What the tables of results and the documents that they are from are called, in any language."""

from __future__ import annotations

from app.language.catalogues import Language

N_ = str
"""Marks a text that is translated where it is shown."""

DOCUMENTS = {
    "Slovesnov": N_("Slovesnov: optimal algorithms"),
    "Francis": N_("Francis: strategies for playing MOO"),
    "Chen": N_("Chen and others: k-way branching"),
    "Goel": N_("Goel and Garg: a way that people can follow"),
}
"""The documents by their authors."""

BEYOND = N_("Beyond the documents")
"""What belongs to none of them."""

TITLES = {
    "average": N_("Bulls & Cows: fewest turns"),
    "movers": N_("Bulls & Cows: fewest late codes"),
    "second": N_("Bulls & Cows: second guesses"),
    "turns": N_("How many turns are too few"),
    "mastermind-movers": N_("Mastermind: codes at turn 5"),
    "mastermind-average": N_("Mastermind: fewest turns"),
    "mastermind-shares": N_("Mastermind: after 0012"),
    "classes": N_("Classes of equal guesses"),
    "strings": N_("Nodes of the five trees of the paper"),
    "hybrids-movers": N_("Hybrids: fewest late codes"),
    "hybrids-turns": N_("Hybrids: fewest turns"),
    "hybrids-positions": N_("Hybrids after two turns"),
    "hybrids-mastermind": N_("Mastermind: hybrids"),
    "francis-classes": N_("Classes of second guesses"),
    "francis-estimator": N_("A lower bound on turns"),
    "francis-limits": N_("The most codes by each turn"),
    "francis-fan-out": N_("Answers to second guesses after 3.0"),
    "francis-nodes": N_("Nodes and probes"),
    "results": N_("Results of strategies"),
    "random": N_("Guessing a random candidate"),
    "mastermind-rules": N_("Mastermind: strategies by name"),
    "remoteness": N_("The codemaker as an adversary"),
    "kwb": N_("Mastermind: k-way branching"),
    "kwb-others": N_("Mastermind: earlier strategies"),
    "first-answers": N_("Candidates after the first guess"),
    "kwb-bulls-cows": N_("Bulls & Cows: k-way branching"),
    "pigeonhole": N_("The extended pigeonhole lemma"),
    "worst-first": N_("The verification of seven turns"),
    "one-place": N_("The game of one place"),
    "goel-garg": N_("Averages of the human way"),
    "goel-garg-examples": N_("Its examples"),
    "goel-garg-readings": N_("Readings of its rule"),
    "goel-garg-charts": N_("Charts of turns"),
    "goel-garg-frequencies": N_("How often each digit occurs"),
    "lengths": N_("Lengths of games, by strategy"),
    "duel": N_("The duel"),
    "static-digits": N_("The static game without repeats"),
    "static-colours": N_("The static game with repeats"),
    "games": N_("Other games"),
    "open": N_("Never published before"),
}
"""The tables by their names."""


def document_name(language: Language, author: str) -> str:
    """Return the name of a document by its author; of what belongs to none, what it is."""
    return language.gettext(DOCUMENTS.get(author, BEYOND))


def table_title(language: Language, name: str, written: str) -> str:
    """Return the title of a table by its name; as it is `written` if it has none here."""
    return language.gettext(TITLES[name]) if name in TITLES else written
