"""Updates the catalogues of `app/bullscows_web/language/translations/`.

Run by ``make words``.  A message that is new in the code or the templates gets an empty
translation in its place, one that nobody uses goes, and all others stay as they are.
``python -m release.words CODE`` begins the catalogue of another language.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from io import BytesIO, StringIO

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bullscows_web.language.catalogues import CATALOGUES

ROOT = CATALOGUES.parents[3]

KEYWORDS = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2)}
JINJA = {"newstyle_gettext": "true", "trim_blocks": "true", "lstrip_blocks": "true"}
TOLD = 20
"""How many messages without translation are named."""
METHODS = [("**.py", "python"), ("**.html", "jinja2")]


def extracted() -> Iterator[str | tuple[str, ...]]:
    """Yield all messages of the code and the templates."""
    for folder in (ROOT / "app", ROOT / "templates"):
        for found in extract_from_dir(
            folder,
            METHODS,
            {"**.html": JINJA},
            keywords=KEYWORDS,
            directory_filter=lambda _: True,  # `_layout` too
        ):
            yield found[2]


def updated(text: str, code: str) -> str:
    """Return a catalogue's file with exactly the messages in use; what stays keeps its bytes.

    Parameters
    ----------
    text
        The file as it is; empty to begin one.
    code
        The language, as in ``ru``.
    """
    head, *blocks = text.rstrip("\n").split("\n\n") if text else [_head(code)]
    wanted = {_forms(message) for message in extracted()}
    parts = [(names, block) for block in blocks if (names := _identity(block, code)) in wanted]
    for names in sorted(wanted - {names for names, _ in parts}):
        place = next((i for i, (other, _) in enumerate(parts) if other > names), len(parts))
        parts.insert(place, (names, _untold(names, code)))
    return "\n\n".join([head, *(block for _, block in parts)]) + "\n"


def main(arguments: list[str] | None = None) -> None:
    """Update all catalogues, or those that are named, and say what lacks a translation."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    known = sorted(folder.name for folder in CATALOGUES.iterdir() if folder.is_dir())
    parser.add_argument("codes", nargs="*", type=_code, default=known, metavar="CODE")
    for code in parser.parse_args(arguments).codes:
        file = CATALOGUES / code / "LC_MESSAGES" / "messages.po"
        text = updated(file.read_text("utf-8") if file.is_file() else "", code)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        print(*_left(text, code), sep="\n")


def _code(word: str) -> str:
    try:
        return str(Locale.parse(word))
    except (ValueError, UnknownLocaleError) as error:
        raise argparse.ArgumentTypeError(f"no language that Babel knows: {word!r}") from error


def _head(code: str) -> str:
    """Return the head of a new catalogue: what a reader of it needs, with no moment in it."""
    lines = (
        f"# Messages in {Locale.parse(code).english_name}.",
        'msgid ""',
        'msgstr ""',
        f'"Language: {code}\\n"',
        f'"Plural-Forms: {Catalog(locale=code).plural_forms}\\n"',
        '"MIME-Version: 1.0\\n"',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        '"Content-Transfer-Encoding: 8bit\\n"',
    )
    return "\n".join(lines)


def _untold(names: tuple[str, ...], code: str) -> str:
    """Return the lines of a message without translation."""
    catalogue, lines = Catalog(locale=code), BytesIO()
    catalogue.add(names if len(names) > 1 else names[0])
    write_po(lines, catalogue, width=0, omit_header=True)
    return lines.getvalue().decode().strip("\n")


def _identity(block: str, code: str) -> tuple[str, ...]:
    (message,) = (message for message in read_po(StringIO(block), locale=code) if message.id)
    return _forms(message.id)


def _left(text: str, code: str) -> Iterator[str]:
    """Yield how many messages lack a translation, and the first of them."""
    messages = (message for message in read_po(StringIO(text), locale=code) if message.id)
    left = [_forms(one.id)[0] for one in messages if not all(_forms(one.string))]
    yield f"{code}: {len(left)} without translation"
    yield from (f"  {one}" for one in left[:TOLD])


def _forms(text: object) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
