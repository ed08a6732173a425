"""Sentences about results: how figures compare, and what the atlas proves of a game."""

from __future__ import annotations

from collections.abc import Mapping

from bullscows.shipping.atlas import Entry
from bullscows_web.language.catalogues import Language


def verdict(language: Language, name: str) -> str:
    """Return the word for a verdict; empty if nothing is published."""
    _ = language.gettext
    words = {
        "agrees": _("agrees"),
        "explained": _("explained"),
        "impossible": _("impossible"),
        "unexplained": _("unexplained"),
        "differs": _("differs"),
    }
    return words.get(name, "")


def verdicts(language: Language, found: Mapping[str, int]) -> str:
    """Return how many figures have each verdict."""
    ngettext = language.ngettext
    agrees = found.get("agrees", 0)
    explained = found.get("explained", 0)
    impossible = found.get("impossible", 0)
    unknown = found.get("unexplained", 0) + found.get("differs", 0)
    sentences = {
        ngettext("%(count)s figure agrees.", "%(count)s figures agree.", agrees): agrees,
        ngettext(
            "%(count)s differs for a reason that was verified.",
            "%(count)s differ for a reason that was verified.",
            explained,
        ): explained,
        ngettext(
            "%(count)s is proved impossible as described.",
            "%(count)s are proved impossible as described.",
            impossible,
        ): impossible,
        ngettext(
            "%(count)s differs for an unknown reason.",
            "%(count)s differ for an unknown reason.",
            unknown,
        ): unknown,
    }
    return " ".join(text % {"count": count} for text, count in sentences.items() if count)


def claim(language: Language, entry: Entry) -> str:
    """Return what is proved of the least total of a game."""
    _ = language.gettext
    if entry.status == "proved":
        return _("Proved by exhaustive search: no strategy has a smaller total.")
    text = _(
        "Not proved: every strategy takes at least %(lower)s turns in total, and the best one "
        "known takes %(upper)s."
    )
    bounds = {"lower": entry.lower, "upper": entry.upper}
    return text % {name: language.integer(bound) for name, bound in bounds.items()}


def worst_case(language: Language, entry: Entry, worst_total: int | None) -> str:
    """Return whether the strategy shown ends as soon as possible, and if not, what does."""
    _ = language.gettext
    depth = len(entry.distribution)
    if entry.worst is None:
        return _("The best worst case is not proved.")
    if entry.worst == depth:
        return ""
    said = _("The strategy below takes up to %(depth)s turns.") % {"depth": depth}
    if not worst_total:
        return said
    text = _("One that never takes more than %(worst)s takes at least %(total)s in total.")
    within = text % {"worst": entry.worst, "total": language.integer(worst_total)}
    return f"{said} {within}"
