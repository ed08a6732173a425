"""Sentences of the lessons: hints of the first round, and whether a guess follows the rule.

Parts that differ have names, for example ``%(code)s``, so that scripts fill in the same sentences
when a lesson goes on offline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bullscows_web.language.catalogues import Language

if TYPE_CHECKING:
    from bullscows_web.learn.rule import Verdict

PLURALS = {"one": 1, "few": 2, "many": 5}
"""Numbers that have these plural forms, or another one of the language."""


def hints(language: Language) -> dict[str, str]:
    """Return the hints for the next guess of three digits, by the last answer.

    A hint says how many digits of the last guess stay where they are, how many move, and how many
    are replaced.  Every code that is left follows it, because it gives the same answer.
    """
    _ = language.gettext
    return {
        "": _("Begin with any three different digits, for example 012."),
        "only": _("Only %(code)s fits all answers."),
        "0.0": _("None of these digits is in the secret. Replace all three."),
        "0.1": _("One digit is right, but not in its place. Move one and replace the other two."),
        "0.2": _("Two digits are right, but not in their places. Move two and replace the third."),
        "0.3": _("All three digits are right, but none is in its place. Move all three."),
        "1.0": _("One digit is right and in its place. Keep one and replace the other two."),
        "1.1": _(
            "One digit is in its place, another is elsewhere. Keep one, move one and replace "
            "the third."
        ),
        "1.2": _("All three digits are right, one in its place. Keep one and swap the rest."),
        "2.0": _("Two digits are right and in their places. Keep two and replace the third."),
    }


def verdicts(language: Language) -> dict[str, str]:
    """Return the judgements of a guess, their reasons, and what they add."""
    _ = language.gettext
    return {
        "better": _("Better than the rule."),
        "follows": _("Yes, by the rule."),
        "breaks": _("Not by the rule."),
        "rarest": _("The digits %(digits)s occur least."),
        "apart": _("Each code left gets a different answer."),
        "last": _("When one code is left, guess it."),
        "few": _("When two codes are left, guess one of them."),
        "absent": _("%(digit)s is in none of the codes left, so it gives no information."),
        "frequent": _("%(digit)s occurs %(count)s times, but %(rarer)s only %(fewer)s."),
        "order": _("The digits are right, but in this order all codes get the same answer."),
        "most": _("At most %(most)s of the %(size)s codes are left after it."),
        "example": _("Even better is %(better)s: each code left gets a different answer."),
    }


def followed(language: Language) -> dict[str, str]:
    """Return how many guesses of a round followed the rule, by plural form."""
    return {
        form: language.ngettext(
            "%(right)s of your %(count)s guesses followed the rule.",
            "%(right)s of your %(count)s guesses followed the rule.",
            count,
        )
        for form, count in PLURALS.items()
    }


def reason(language: Language, verdict: Verdict, guess: str, better: str = "") -> str:
    """Return why a guess follows the rule or not, and an example that is `better`, if any."""
    patterns = verdicts(language)
    name = "last" if verdict.reason == "few" and verdict.size == 1 else verdict.reason
    said = [patterns[name]]
    if verdict.size > 2 and verdict.most > 1:
        said.append(patterns["most"])
    if better and verdict.reason == "rarest":
        said.append(patterns["example"])
    return " ".join(said) % {
        "digits": ", ".join(guess),
        "digit": verdict.digit,
        "count": verdict.counts.get(verdict.digit),
        "rarer": verdict.rarer,
        "fewer": verdict.counts.get(verdict.rarer),
        "most": verdict.most,
        "size": verdict.size,
        "better": better,
    }
