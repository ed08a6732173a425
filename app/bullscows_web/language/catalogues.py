"""The languages of the pages, each with a gettext catalogue that is read from its `.po` file.

English is the language of the source and needs no catalogue.  Catalogues are compiled in memory
within milliseconds, so no `.mo` file is needed.  Babel provides plural forms, number formats and
the negotiation of `Accept-Language`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, lru_cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path

from babel import Locale, negotiate_locale
from babel.dates import format_date, format_timedelta
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.support import Translations

CATALOGUES = Path(__file__).parent / "translations"

N_ = str
"""Marks a text that is translated when it is shown."""


@dataclass(frozen=True)
class Language:
    """A language of the pages."""

    code: str
    """Language tag for `<html lang>`."""
    name: str
    """Its name in itself."""
    prefix: str
    """Prefix of its URLs; empty for English."""
    translations: NullTranslations

    @cached_property
    def locale(self) -> Locale:
        """The language as a Babel locale."""
        return Locale.parse(self.code)

    def gettext(self, message: str) -> str:
        """Translate a message."""
        return self.translations.gettext(message)

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        """Translate a message with the plural form for a number."""
        return self.translations.ngettext(singular, plural, number)

    def integer(self, number: int) -> str:
        """Format an integer."""
        return _written(number, None, self.code)

    def decimal(self, number: float, places: int = 3) -> str:
        """Format a number with a fixed number of decimal places."""
        return _written(number, "#,##0." + "0" * places, self.code)

    def percent(self, share: float, places: int = 0) -> str:
        """Format a share, 0 to 1, as a percentage with a fixed number of decimal places.

        A positive share is never written as 0 % and one below 1 never as 100 %: `<1 %` and
        `>99 %` stand for them.
        """
        pattern = str(self.locale.percent_formats[None].pattern)
        if places:
            pattern = pattern.replace("##0", "##0." + "0" * places)

        def written(value: float) -> str:
            return _written(value, pattern, self.code)

        least = 10.0 ** -(places + 2)
        if share > 0 and written(share) == written(0):
            return f"<{written(least)}"
        if share < 1 and written(share) == written(1):
            return f">{written(1 - least)}"
        return written(share)

    def day(self, day: date) -> str:
        """Format a date with the name of the month."""
        return str(format_date(day, "long", locale=self.locale))

    def month(self, day: date) -> str:
        """Format the month and the year of a date."""
        text = str(format_date(day, "LLLL y", locale=self.locale))
        return text[:1].upper() + text[1:]

    def ago(self, seconds: int) -> str:
        """Format a time in the past, such as "5 sec. ago"."""
        span = -timedelta(seconds=seconds)
        return str(format_timedelta(span, add_direction=True, format="short", locale=self.locale))

    @property
    def weekdays(self) -> list[tuple[str, str]]:
        """Short and full names of the days of the week, from Monday."""
        short, wide = (self.locale.days["stand-alone"][width] for width in ("short", "wide"))
        return [(str(short[number]), str(wide[number])) for number in range(7)]


@lru_cache(maxsize=2048)  # a page on a tree shows the same small numbers hundreds of times
def _written(number: float, pattern: str | None, code: str) -> str:
    text = str(format_decimal(number, format=pattern, locale=Locale.parse(code)))
    return text.replace("\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}")


def _read_catalogue(code: str) -> Translations:
    with (CATALOGUES / code / "LC_MESSAGES" / "messages.po").open("rb") as file:
        catalogue = read_po(file, locale=code)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)


@lru_cache(maxsize=1)
def languages() -> tuple[Language, ...]:
    """Return all languages, English first."""
    return (
        Language("en", "English", "", NullTranslations()),
        Language("ru", "Русский", "/ru", _read_catalogue("ru")),
    )


def language_of(path: str) -> Language:
    """Return the language of a URL's path."""
    english, *others = languages()
    for language in others:
        if path == language.prefix or path.startswith(language.prefix + "/"):
            return language
    return english


_PREFERENCE = re.compile(
    r"\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d*)?))?\s*"
)


def preferred(accept_language: str) -> Language:
    """Return the preferred language of an `Accept-Language` header; English by default."""
    known = {language.code: language for language in languages()}
    code = negotiate_locale(_by_preference(accept_language[:500]), list(known), sep="-")
    return known[code or "en"]


def _by_preference(header: str) -> Sequence[str]:
    """Return the language tags of the header, the preferred ones first."""
    wanted = []
    for item in header.split(","):
        match = _PREFERENCE.fullmatch(item)
        if match and (weight := float(match[2] or 1)) > 0:
            wanted.append((-weight, match[1].lower()))
    return [tag for _, tag in sorted(wanted, key=lambda pair: pair[0])]
