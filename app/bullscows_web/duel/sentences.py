"""Sentences about the levels of the duel: how they are called, play and fare."""

from __future__ import annotations

from bullscows_web.duel.levels import Level, LevelName
from bullscows_web.language.catalogues import Language


def name(language: Language, level: LevelName) -> str:
    """Return the name of a level."""
    _ = language.gettext
    return {
        "beginner": _("Beginner"),
        "easy": _("Easy"),
        "medium": _("Medium"),
        "hard": _("Hard"),
        "expert": _("Expert"),
        "champion": _("Champion"),
    }[level]


def habit(language: Language, level: Level) -> str:
    """Return a sentence about how a level plays."""
    _ = language.gettext
    best = _("Plays perfectly.") if level.is_proved else _("Plays the best known strategy.")
    return {
        "beginner": _("Forgets three of four answers."),
        "easy": _("Forgets every second answer."),
        "medium": _("Forgets every third answer."),
        "hard": _("Forgets every sixth answer."),
        "expert": _("Never forgets an answer."),
        "champion": best,
    }[level.name]


def strategy(language: Language, level: Level) -> str:
    """Return how a level chooses its guesses."""
    _ = language.gettext
    if level.name == "champion" and level.is_proved:
        return _(
            "Optimal play: a search of all strategies proved that none wins more duels against it "
            "than it loses."
        )
    if level.name == "champion":
        return _(
            "The strategy with the fewest turns that is known. Nothing is proved about its duels."
        )
    if level.name == "expert":
        return _("Random consistent guess: any code that fits all answers, each equally likely.")
    return _(
        "Random consistent guess with gaps: at each guess it forgets some of your answers, chosen "
        "at random, and guesses any code that fits the others. It never repeats a guess."
    )


def turns(language: Language, level: Level, visitors_turns: int) -> str:
    """Return how many turns a level takes, and how often a new player beats it."""
    average = language.decimal(level.average, 2)
    text = language.gettext("%(average)s turns on average, %(last)s at most.")
    text %= {"average": average, "last": len(level.turns)}
    if level.visitor is None:
        return text
    duels = level.visitor.won + level.visitor.drawn + level.visitor.lost
    against = language.gettext(
        "A player who is as fast as the easy level, with %(turns)s turns on average, wins %(won)s, "
        "draws %(drawn)s and loses %(lost)s of the duels against it."
    )
    return f"{text} " + against % {
        "turns": visitors_turns,
        "won": language.percent(level.visitor.won / duels),
        "drawn": language.percent(level.visitor.drawn / duels),
        "lost": language.percent(level.visitor.lost / duels),
    }


def prospect(language: Language, level: Level, visitors_turns: int) -> str:
    """Return how often a new player beats a level; empty if that is not known."""
    if level.visitor is None:
        return ""
    duels = level.visitor.won + level.visitor.drawn + level.visitor.lost
    share = language.percent(level.visitor.won / duels)
    text = language.gettext("If you need %(turns)s turns, you win %(share)s.")
    return text % {"turns": visitors_turns, "share": share}


def rule(language: Language) -> str:
    """Return the rule of the duel."""
    return language.gettext(
        "You and the computer each think of a code and guess in turn. The player who needs fewer "
        "turns wins."
    )
