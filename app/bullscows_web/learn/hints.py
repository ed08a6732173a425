"""Hints of the first round: what the last answer says about the secret.

A hint names how many digits of the last guess stay where they are, how many move, and how many are
replaced.  Every code that is left follows it, because it gives the same answer to that guess.
"""

from __future__ import annotations

from collections.abc import Sequence

from bullscows_web.language.catalogues import Language
from bullscows_web.trees.pages import PastTurn


def hint(language: Language, last: PastTurn | None, left: Sequence[str]) -> str:
    """Return the hint for the next guess of three digits after the last turn, if there is one.

    `left` are the codes that fit all answers.
    """
    _ = language.gettext
    if last is None:
        return _("Begin with any three different digits, for example 012.")
    if len(left) == 1:
        return _("Only %(code)s fits all answers.") % {"code": left[0]}
    return {
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
    }[str(last.answer)]
