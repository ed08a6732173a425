"""Sentences of the review: why a guess was worse, what its answer was worth, and the whole game."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from bullscows.game.rules import Rules
from bullscows.game.scoring import Answer
from bullscows_web.language.catalogues import Language
from bullscows_web.review.reviewed import Judgement, ReviewedGame, ReviewedTurn

Shown = Callable[[Rules, Answer], Markup]
"""Marks up an answer."""
WHOLE = 10
"""Number of codes from which on a mean is written without decimals."""


def why(language: Language, judged: Judgement, shown: Shown) -> Markup:
    """Return why the better guess is better; `judged` has one."""
    reason = judged.shortfall
    assert reason is not None, "the template checks"
    own = judged.split
    best = judged.best
    if reason.flaw == "parts":
        text = language.ngettext(
            "It splits %(shown)s code into %(most)s parts, yours into %(parts)s.",
            "It splits %(shown)s codes into %(most)s parts, yours into %(parts)s.",
            judged.remaining,
        )
        remaining = language.integer(judged.remaining)
        return Markup(text) % {"shown": remaining, "most": best.number, "parts": own.number}
    if reason.flaw == "left":
        text = language.gettext("It leaves %(least)s codes on average, yours %(more)s.")
        least = language.decimal(best.expected, 1)
        return Markup(text) % {"least": least, "more": language.decimal(own.expected, 1)}
    _ = language.gettext
    text = {
        "later": _("Both tell as much at once; yours leaves codes that are harder to tell apart."),
        "excluded": _("Yours could not be the code: %(symbol)s is excluded."),
        "missing": _("Yours could not be the code: it lacks %(symbol)s, which is certain."),
        "place": _("Yours could not be the code: %(symbol)s cannot be in place %(place)s."),
        "turn": _("Yours could not be the code: guess %(number)s would have got %(instead)s."),
    }[reason.flaw]
    rules = judged.evaluation.question.rules
    return Markup(text) % {
        "symbol": Markup("<span data-code>%s</span>") % reason.symbol,
        "place": reason.number,
        "number": reason.number,
        "instead": "" if reason.instead is None else shown(rules, reason.instead),
    }


def luck(language: Language, turn: ReviewedTurn) -> str:
    """Return what the answer left, and the turns that it saved or cost if they are known."""
    if turn.remaining == 1:
        return language.gettext("Only this code was left.")
    if turn.is_hit:
        left = language.ngettext(
            "It was %(shown)s code.", "It was one of %(shown)s codes.", turn.remaining
        ) % {"shown": language.integer(turn.remaining)}
    else:
        places = 0 if turn.expected_left >= WHOLE else 1
        left = language.ngettext(
            "%(left)s code left where %(expected)s were expected.",
            "%(left)s codes left where %(expected)s were expected.",
            turn.left,
        ) % {
            "left": language.integer(turn.left),
            "expected": language.decimal(turn.expected_left, places),
        }
    if turn.luck is None or not round(turn.luck, 2):
        return left
    sign = "+" if turn.luck > 0 else "\N{MINUS SIGN}"
    worth = language.gettext("Luck: %(turns)s turns.")
    return f"{left} " + worth % {"turns": sign + language.decimal(abs(turn.luck), 2)}


def story(language: Language, game: ReviewedGame) -> str:
    """Return what a game would have taken, what its guesses cost, and its luck; all are known."""
    _ = language.gettext
    start = game.turns[0].lengths
    won = game.won_by_luck
    assert start, "the template checks"
    assert game.lost, "the template checks"
    assert won is not None, "the template checks"
    mean = _("With the best guesses a game takes %(mean)s turns on average.")
    sentences = [mean % {"mean": language.decimal(start[0], 2)}]
    lost = game.lost[0]
    if lost:
        cost = _("The guesses of this game cost %(turns)s turns more.")
        sentences.append(cost % {"turns": language.decimal(lost, 2)})
    else:
        sentences.append(_("No guess here was worse than the best."))
    if lost and game.worst and game.worst.loss:
        turns = language.decimal(game.worst.loss[0], 2)
        worst = _("The worst was guess %(number)s: %(turns)s.")
        sentences.append(worst % {"number": game.worst.number, "turns": turns})
    saved = _("Lucky answers saved %(turns)s.")
    unlucky = _("Unlucky answers cost %(turns)s.")
    text = saved if won >= 0 else unlucky
    sentences.append(text % {"turns": language.decimal(abs(won), 2)})
    return " ".join(sentences)
