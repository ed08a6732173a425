"""What the tables of results and the documents that they are from are called, in any language."""

from __future__ import annotations

from app.language.catalogues import Language


def document_name(language: Language, author: str) -> str:
    """Return the name of a document by its author; of what belongs to none, what it is."""
    _ = language.gettext
    names = {
        "Slovesnov": _("Slovesnov: optimal algorithms"),
        "Francis": _("Francis: strategies for playing MOO"),
        "Chen": _("Chen and others: k-way branching"),
        "Goel": _("Goel and Garg: a way that people can follow"),
    }
    return names.get(author, _("Beyond the documents"))


def table_title(language: Language, name: str, written: str) -> str:
    """Return the title of a table by its name; as it is `written` if it has none here."""
    _ = language.gettext
    titles = {
        "average": _("Bulls & Cows: fewest turns"),
        "movers": _("Bulls & Cows: fewest late codes"),
        "second": _("Bulls & Cows: second guesses"),
        "turns": _("How many turns are too few"),
        "mastermind-movers": _("Mastermind: codes at turn 5"),
        "mastermind-average": _("Mastermind: fewest turns"),
        "mastermind-shares": _("Mastermind: after 0012"),
        "classes": _("Classes of equal guesses"),
        "strings": _("Nodes of the five trees of the paper"),
        "hybrids-movers": _("Hybrids: fewest late codes"),
        "hybrids-turns": _("Hybrids: fewest turns"),
        "hybrids-positions": _("Hybrids after two turns"),
        "hybrids-mastermind": _("Mastermind: hybrids"),
        "francis-classes": _("Classes of second guesses"),
        "francis-estimator": _("A lower bound on turns"),
        "francis-limits": _("The most codes by each turn"),
        "francis-fan-out": _("Answers to second guesses after 3.0"),
        "francis-nodes": _("Nodes and probes"),
        "results": _("Results of strategies"),
        "random": _("Guessing a random candidate"),
        "mastermind-rules": _("Mastermind: strategies by name"),
        "remoteness": _("The codemaker as an adversary"),
        "kwb": _("Mastermind: k-way branching"),
        "kwb-others": _("Mastermind: earlier strategies"),
        "first-answers": _("Candidates after the first guess"),
        "kwb-bulls-cows": _("Bulls & Cows: k-way branching"),
        "pigeonhole": _("The extended pigeonhole lemma"),
        "worst-first": _("The verification of seven turns"),
        "one-place": _("The game of one place"),
        "goel-garg": _("Averages of the human way"),
        "goel-garg-examples": _("Its examples"),
        "goel-garg-readings": _("Readings of its rule"),
        "goel-garg-charts": _("Charts of turns"),
        "goel-garg-frequencies": _("How often each digit occurs"),
        "lengths": _("Lengths of games, by strategy"),
        "duel": _("The duel"),
        "static-digits": _("The static game without repeats"),
        "static-colours": _("The static game with repeats"),
        "games": _("Other games"),
        "open": _("Never published before"),
    }
    return titles.get(name, written)
