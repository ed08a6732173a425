"""Names of documents, tables of results and strategies, in each language."""

from __future__ import annotations

import re

from bullscows_web.language.catalogues import N_, Language

DOCUMENTS = {
    "Slovesnov": N_("Slovesnov: optimal algorithms"),
    "Francis": N_("Francis: strategies for playing MOO"),
    "Chen": N_("Chen and others: k-way branching"),
    "Goel": N_("Goel and Garg: a way that people can follow"),
}
"""Documents by author."""

BEYOND = N_("Beyond the documents")
"""Results of no document."""

TITLES = {
    "average": N_("Bulls & Cows: fewest turns"),
    "movers": N_("Bulls & Cows: fewest late codes"),
    "second": N_("Bulls & Cows: second guesses"),
    "turns": N_("How many turns are too few"),
    "mastermind-movers": N_("Mastermind: codes at turn 5"),
    "mastermind-average": N_("Mastermind: fewest turns"),
    "mastermind-shares": N_("Mastermind: after 0012"),
    "classes": N_("Classes of equal guesses"),
    "lemmas": N_("Exchange of two guesses"),
    "strings": N_("Nodes of the five trees of the paper"),
    "sizes": N_("Sizes of searches, limits and shares"),
    "hybrids-movers": N_("Hybrids: fewest late codes"),
    "hybrids-turns": N_("Hybrids: fewest turns"),
    "hybrids-positions": N_("Positions after two turns"),
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
    "kwb-columns": N_("Mastermind: means and shares"),
    "first-answers": N_("Candidates after the first guess"),
    "kwb-bulls-cows": N_("Bulls & Cows: k-way branching"),
    "pigeonhole": N_("The extended pigeonhole lemma"),
    "worst-first": N_("The verification of seven turns"),
    "one-place": N_("The game of one place"),
    "goel-garg": N_("Averages of the human way"),
    "goel-garg-examples": N_("Its examples"),
    "goel-garg-readings": N_("Readings of its rule"),
    "goel-garg-charts": N_("Charts of turns"),
    "optimal-trees": N_("All trees with the fewest turns"),
    "lengths": N_("Lengths of games, by strategy"),
    "duel": N_("The duel"),
    "nonadaptive-digits": N_("The nonadaptive game without repeats"),
    "nonadaptive-colours": N_("The nonadaptive game with repeats, or of bulls only"),
    "goddard-means": N_("Mastermind: means of small games"),
    "games": N_("Other games"),
}
"""Tables by name."""

RULES = {
    "minimax": (
        N_("Fewest left at worst"),
        N_("Looks one guess ahead: minimises the largest part."),
    ),
    "expected": (
        N_("Fewest left on average"),
        N_("Looks one guess ahead: minimises the expected size of the part."),
    ),
    "parts": (
        N_("Most different answers"),
        N_("Looks one guess ahead: takes the guess with the most different answers."),
    ),
    "entropy": (
        N_("Most information"),
        N_("Looks one guess ahead: takes the guess with the most information."),
    ),
    "larmouth": (
        N_("Larmouth's rule"),
        N_("Looks one guess ahead: weighs each part by its size and its logarithm."),
    ),
    "landy": (
        N_("Landy's rule"),
        N_("Looks one guess ahead: estimates the turns that each part will take."),
    ),
    "crush": (
        N_("Slovesnov's Crush"),
        N_("Looks one guess ahead: splits the codes left so that no part stays large."),
    ),
}
"""Title and description of each one-step rule, by name."""

STRATEGIES = {
    "avg-bulls-cows": N_("Proved: fewest turns"),
    "avg-bulls-cows-3-digits": N_("Proved: fewest turns"),
    "avg-mastermind": N_("Proved: fewest turns"),
    "avg-mastermind-5": N_("Proved: fewest turns within five"),
    "crush-bulls-cows": N_("Proved: fewest late codes"),
    "crush-mastermind": N_("Proved: fewest late codes"),
    "crush-avg-bulls-cows": N_("Proved: fewest late codes, then turns"),
    "crush-avg-mastermind": N_("Proved: fewest late codes, then turns"),
    "duel-bulls-cows": N_("The champion of the duel"),
    "duel-bulls-cows-3-digits": N_("The champion of the duel"),
    "duel-mastermind": N_("The champion of the duel"),
    "possibles-bulls-cows": N_("Fewest turns, candidates only"),
    "possibles-only": N_("Fewest turns, candidates only"),
    "possibles-mastermind": N_("Fewest turns, candidates only"),
    "first-candidate": N_("The first candidate"),
    "goel-garg-human": N_("Goel and Garg's way"),
    "goel-garg-unique": N_("Goel and Garg's extended way"),
}
"""Other strategies by their names on the command line, without hybrids."""

_RULE = re.compile(rf"(possible-)?({'|'.join(RULES)})(-any)?")
_HYBRID = re.compile(r"(?:avg|crush)\d+|fso")
_WAYS = re.compile(r"kwb-(\d+)")


def strategy_name(language: Language, name: str) -> str:
    """Return the title of a strategy, or its name on the command line if it has none."""
    if name in STRATEGIES:
        return language.gettext(STRATEGIES[name])
    if found := _RULE.fullmatch(name):
        return _rule_name(language, *found.groups(""))
    if found := _WAYS.fullmatch(name):
        return language.gettext(N_("Chen's branching, k = %(ways)s")) % {"ways": found[1]}
    if _HYBRID.fullmatch(name):
        return language.gettext(N_("Slovesnov's hybrid %(name)s")) % {"name": name}
    return name


def _rule_name(language: Language, possible: str, rule: str, first: str) -> str:
    named = language.gettext(RULES[rule][0])
    if possible:
        return language.gettext(N_("%(rule)s, candidates only")) % {"rule": named}
    if first:
        return language.gettext(N_("%(rule)s, the first of equals")) % {"rule": named}
    return named


def strategy_explanation(language: Language, name: str) -> str:
    """Return one sentence about a one-step rule; empty for other strategies."""
    found = _RULE.fullmatch(name)
    return language.gettext(RULES[found[2]][1]) if found else ""


def document_name(language: Language, author: str) -> str:
    """Return the name of an author's document, or of the results beyond the documents."""
    return language.gettext(DOCUMENTS.get(author, BEYOND))


def table_title(language: Language, name: str, written: str) -> str:
    """Return the title of a table, or `written` if it has none."""
    return language.gettext(TITLES[name]) if name in TITLES else written
