"""The languages of the pages: one gettext catalogue each, read from its `.po` file at start.

English is the language of the source, so it needs no catalogue.  A catalogue is compiled in
memory, which takes milliseconds, so there is no file to build, ship or forget.  Plural forms,
numbers and the choice by `Accept-Language` are Babel's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path

from babel import Locale, negotiate_locale
from babel.dates import format_date
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent
from babel.support import Translations

CATALOGUES = Path(__file__).parent / "translations"


@dataclass(frozen=True)
class Language:
    """A language that the pages speak."""

    code: str
    """As in `<html lang>`."""
    name: str
    """What its speakers call it."""
    prefix: str
    """What its URLs begin with; nothing for English."""
    translations: NullTranslations
    """The messages."""

    @cached_property
    def locale(self) -> Locale:
        """Babel's idea of the language."""
        return Locale.parse(self.code)

    def gettext(self, message: str) -> str:
        """Translate a message."""
        return self.translations.gettext(message)

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        """Translate a message with the plural form for a number."""
        return self.translations.ngettext(singular, plural, number)

    def integer(self, number: int) -> str:
        """Write a whole number as this language does."""
        return _written(number, None, self.code)

    def decimal(self, number: float, places: int = 3) -> str:
        """Write a number with exactly so many decimal places."""
        return _written(number, "#,##0." + "0" * places, self.code)

    def percent(self, share: float, places: int = 0) -> str:
        """Write a share of one as a percentage with exactly so many decimal places.

        What is not nothing is never written as 0 %, nor what is not all as 100 %: it is less than
        the least, or more than the most, that can be written.
        """
        pattern = str(self.locale.percent_formats[None].pattern)
        if places:
            pattern = pattern.replace("##0", "##0." + "0" * places)

        def written(value: float) -> str:
            return _narrow(str(format_percent(value, format=pattern, locale=self.locale)))

        least = 10.0 ** -(places + 2)
        if share > 0 and written(share) == written(0):
            return f"<{written(least)}"
        if share < 1 and written(share) == written(1):
            return f">{written(1 - least)}"
        return written(share)

    def day(self, day: date) -> str:
        """Write a day as this language does, with the month's name."""
        return str(format_date(day, "long", locale=self.locale))


@lru_cache(maxsize=2048)  # a page on a tree shows the same small numbers hundreds of times
def _written(number: float, pattern: str | None, code: str) -> str:
    return _narrow(str(format_decimal(number, format=pattern, locale=Locale.parse(code))))


def _narrow(number: str) -> str:
    """Write the spaces within a number narrow, as in 5\u202f040: it is read as one."""
    return number.replace("\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}")


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
    """Return the language that a visitor's `Accept-Language` header asks for, else English."""
    known = {language.code: language for language in languages()}
    code = negotiate_locale(_by_preference(accept_language[:500]), list(known), sep="-")
    return known[code or "en"]


def _by_preference(header: str) -> Sequence[str]:
    """Return the language tags of the header, the most wanted first."""
    wanted = []
    for item in header.split(","):
        match = _PREFERENCE.fullmatch(item)
        if match and (weight := float(match[2] or 1)) > 0:
            wanted.append((-weight, match[1].lower()))
    return [tag for _, tag in sorted(wanted, key=lambda pair: pair[0])]
