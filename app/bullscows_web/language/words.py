"""Names of games, trees and answers on the pages, in each language.

Games with repeats have black and white pegs, as players of Mastermind expect; the code says bulls
and cows for all games.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache

from bullscows.game.duel import objective_of, reply_weights
from bullscows.game.notation import has_pegs as has_pegs
from bullscows.game.rules import SYMBOLS, Rules, respond
from bullscows.game.scoring import Answer
from bullscows.tree.files import POSSIBLES_ONLY, TreeRecord
from bullscows_web.language.catalogues import N_, Language
from bullscows_web.language.titles import strategy_explanation, strategy_name

BULLS_COWS = Rules(4, 10, False)
MASTERMIND = Rules(4, 6, True)

WEIGHTS = "weights"
"""Name of an objective with weights."""

SHOWN = 40
"""Maximum number of characters of an address that a page quotes."""


def symbols(rules: Rules) -> str:
    """Return the symbols of a game: its digits, or those of its colours."""
    return SYMBOLS[: rules.symbols]


def keypad(rules: Rules) -> str:
    """Return the symbols of a game in the order of keypads: ten digits begin with 1."""
    used = symbols(rules)
    return used[1:] + used[0] if len(used) == 10 and not has_pegs(rules) else used


COLOURS = (
    N_("red"),
    N_("blue"),
    N_("yellow"),
    N_("green"),
    N_("purple"),
    N_("orange"),
    N_("cyan"),
    N_("pink"),
    N_("brown"),
    N_("grey"),
    N_("black"),
    N_("white"),
    N_("lime"),
    N_("navy"),
    N_("maroon"),
    N_("beige"),
)
"""Names of the colours of pegs, in the order of their symbols."""


def colour_name(language: Language, symbol: str) -> str:
    """Return the name of a peg's colour."""
    return language.gettext(COLOURS[SYMBOLS.index(symbol)])


def colour_letters(language: Language, rules: Rules) -> str:
    """Return a letter for each colour, to type it; empty if the symbols are typed."""
    if not has_pegs(rules):
        return ""
    return language.gettext("rbygpockne")[: rules.symbols]


def sample(rules: Rules) -> str:
    """Return an example of a game: its first code, or all its colours."""
    if has_pegs(rules):
        return symbols(rules)
    return symbols(rules)[: rules.positions] if rules.repeats else rules.text(0)


def example(rules: Rules) -> tuple[str, str, Answer]:
    """Return a secret, a guess and the answer, in the symbols of a game."""
    usual = ("0112", "1130", 4) if has_pegs(rules) else ("4271", "1234", 8)
    if rules.positions == 4 and rules.symbols >= usual[2]:
        return *usual[:2], _answer(rules, *usual[:2])
    used = symbols(rules)[1:] + "0"
    if len(used) <= rules.positions:  # a leading 0 may be ruled out
        used = "10" + symbols(rules)[2:]
    guess = (used * rules.positions)[: rules.positions]
    secret = list(guess)
    last = len(guess.rstrip(guess[0])) - 1
    secret[0] = guess[last]
    secret[last] = guess[0]
    if len(secret) > 3 and (unused := used.strip(guess)):
        secret[2] = unused[0]
    text = "".join(secret) if rules.size > 1 else guess
    return text, guess, _answer(rules, guess, text)


def _answer(rules: Rules, guess: str, secret: str) -> Answer:
    answer = respond(guess, secret)
    return Answer(answer.bulls, 0) if rules.bulls_only else answer


def example_parts(rules: Rules) -> tuple[str, str]:
    """Return the symbols of the example's guess that are bulls, and those that are cows."""
    secret, guess, _ = example(rules)
    right = "".join(symbol for symbol, other in zip(guess, secret, strict=True) if symbol == other)
    elsewhere = (Counter(guess) & Counter(secret)) - Counter(right)
    return right, "".join(elsewhere.elements())


def example_answers(rules: Rules) -> list[Answer]:
    """Return the answer of the example and the two that differ least, ascending."""
    *_, right = example(rules)

    def distance(answer: Answer) -> int:
        return abs(answer.bulls - right.bulls) + abs(answer.cows - right.cows)

    return sorted(sorted(rules.answers, key=distance)[:3])


def game_name(language: Language, rules: Rules) -> str:
    """Return the name of a game, such as "Mastermind" or "Bulls & Cows, 5 of 10"."""
    _ = language.gettext
    name = _("Mastermind") if has_pegs(rules) else _("Bulls & Cows")
    if replace(rules, leading_zero=True, bulls_only=False) not in (BULLS_COWS, MASTERMIND):
        size = _("%(positions)d of %(symbols)d")
        name = f"{name}, {size % {'positions': rules.positions, 'symbols': rules.symbols}}"
    rule = _("repeats allowed") if rules.repeats else _("no leading 0")
    is_plain = has_pegs(rules) if rules.repeats else rules.leading_zero
    name = name if is_plain else f"{name}, {rule}"
    only = _("black pegs only") if has_pegs(rules) else _("bulls only")
    return f"{name}, {only}" if rules.bulls_only else name


def code_rule(language: Language, rules: Rules) -> str:
    """Describe the codes of a game, for example "4 different digits"."""
    if rules.leading_zero:
        return _symbols_rule(language, rules)
    rule = _symbols_rule(language, rules)
    return language.gettext("%(rule)s, not beginning with 0") % {"rule": rule}


def _symbols_rule(language: Language, rules: Rules) -> str:
    numbers = {"positions": rules.positions, "symbols": rules.symbols}
    ngettext = language.ngettext
    if has_pegs(rules):
        places = ngettext("%(positions)d peg", "%(positions)d pegs", rules.positions)
        colours = ngettext(
            "%(symbols)d colour, repeats allowed",
            "%(symbols)d colours, repeats allowed",
            rules.symbols,
        )
        return f"{places % numbers}, {colours % numbers}"
    if rules.repeats:
        digits = ngettext(
            "%(positions)d digit, repeats allowed",
            "%(positions)d digits, repeats allowed",
            rules.positions,
        )
    else:
        digits = ngettext("%(positions)d digit", "%(positions)d different digits", rules.positions)
    if rules.symbols == 10:
        return digits % numbers
    return language.gettext("%(digits)s, 0 to %(last)s") % {
        "digits": digits % numbers,
        "last": symbols(rules)[-1],
    }


def no_code(language: Language, rules: Rules) -> str:
    """Return the message about a text that is not a code of this game."""
    text = language.gettext(
        "That is not a code of this game: %(rule)s, written with 0 to %(last)s."
    )
    return text % {"rule": code_rule(language, rules), "last": symbols(rules)[-1]}


def answer_letters(language: Language, rules: Rules) -> str:
    """Return an example of an answer as players write it."""
    _ = language.gettext
    letters = _("1B1W") if has_pegs(rules) else _("1B1C")
    return letters[:2] if rules.bulls_only else letters


def answer_words(language: Language, rules: Rules, answer: Answer) -> str:
    """Return an answer in words, such as "1 bull, 2 cows" or "1 black, 2 white"."""
    ngettext = language.ngettext
    if has_pegs(rules):
        right = ngettext("%(number)d black", "%(number)d black", answer.bulls)
        wrong = ngettext("%(number)d white", "%(number)d white", answer.cows)
    else:
        right = ngettext("%(number)d bull", "%(number)d bulls", answer.bulls)
        wrong = ngettext("%(number)d cow", "%(number)d cows", answer.cows)
    right %= {"number": answer.bulls}
    return right if rules.bulls_only else f"{right}, {wrong % {'number': answer.cows}}"


def title(language: Language, record: TreeRecord) -> str:
    """Return the strongest criterion of a tree, or the rule that it follows."""
    kind = _kind(record)
    return _aims(language).get(kind) or strategy_name(language, kind)


def claim(language: Language, record: TreeRecord) -> str:
    """Return what is proved about a tree."""
    _ = language.gettext
    if record.is_optimal:
        return _("proved by exhaustive search")
    if record.proof == "exact":
        return _("proved by exhaustive search to be the best of those that guess candidates only")
    if record.objective.startswith("pareto-"):
        return _("on the Pareto front: no tree is better in both turns and codes at the last turn")
    if record.lower is None:
        return _("a one-step rule, not claimed to be optimal")
    known = _("the best known: %(total)d turns in total, and no tree takes fewer than %(lower)d")
    return known % {"total": record.total, "lower": record.lower}


def _kind(record: TreeRecord) -> str:
    """Return a tree's first criterion, or its rule without numbers ("beam" for "beam-4-80")."""
    first = _criteria(record.objective)[0]
    if first == WEIGHTS:
        is_champion = record.objective == str(objective_of(reply_weights(record.distribution)))
        return "duel" if is_champion else first
    return re.sub(r"(-[0-9]+)+$", "", first)


def _criteria(objective: str) -> list[str]:
    """Return the criteria of an objective, strongest first; weights are one criterion."""
    return [WEIGHTS] if objective.startswith(f"{WEIGHTS}:") else objective.split(",")


def aim(language: Language, record: TreeRecord) -> str:
    """Return the title, with the limit on turns if the tree has one."""
    short = title(language, record)
    if record.max_turns is None or record.is_least:
        return short
    capped = language.ngettext(
        "%(aim)s, within %(turns)d turn", "%(aim)s, within %(turns)d turns", record.max_turns
    )
    return capped % {"aim": short, "turns": record.max_turns}


def ties(language: Language, record: TreeRecord) -> str:
    """Return the further criteria of a tree; empty if there are none."""
    names = _criteria(record.objective)[1:]
    others = ", ".join(_aims(language).get(name, name).lower() for name in names)
    return (
        language.gettext("Ties are broken by: %(others)s.") % {"others": others} if others else ""
    )


def goal(language: Language, objective: str) -> str:
    """Return the criteria of an objective, strongest first, or the name of a rule."""
    aims = _aims(language)
    first, *others = (
        aims.get(name) or strategy_name(language, name) for name in _criteria(objective)
    )
    then = language.gettext("%(first)s, then %(second)s")
    for other in others:
        first = then % {"first": first, "second": other.lower()}
    return first


@cache
def _aims(language: Language) -> dict[str, str]:
    _ = language.gettext
    return {
        "average": _("Fewest turns on average"),
        "last": _("Fewest codes left for the last turn"),
        "movers": _("Fewest long games"),
        "worst": _("Fewest turns at worst"),
        "duel": _("Unbeaten in the duel"),
        POSSIBLES_ONLY: _("Fewest turns, guessing only codes that fit"),
        WEIGHTS: _("Weights"),
        "beam": _("Few turns on average"),
        "checkpoint": _("Few turns on average"),
        "pareto": _("Few turns and few codes at the last turn"),
    }


def explanation(language: Language, record: TreeRecord) -> str:
    """Return one sentence about the criterion of a tree; empty if there is none."""
    _ = language.gettext
    kind = _kind(record)
    return {
        "average": _("Minimises the average number of turns over all codes."),
        "last": _("Leaves as few codes as possible for the last allowed turn."),
        "movers": _("Makes the longest games as rare as possible, then the next longest."),
        "worst": _("Makes the longest game as short as possible."),
        "duel": _("In a duel, no strategy wins against it more often than it loses."),
        POSSIBLES_ONLY: _("Guesses only codes that fit all answers (“hard mode”)."),
        WEIGHTS: _("Minimises the sum of the weights of all games."),
        "pareto": _("A tree with fewer turns leaves more codes for the last turn."),
        "beam": _("Tries the most informative guesses and solves the positions after them."),
        "checkpoint": _("The best strategy that an unfinished search has found."),
    }.get(kind) or strategy_explanation(language, kind)


def quoted(language: Language, text: str) -> str:
    """Return a part of an address in quotation marks, cut to `SHOWN` characters."""
    shown = text if len(text) <= SHOWN else text[:SHOWN] + "..."
    return language.gettext("“%(part)s”") % {"part": shown}
