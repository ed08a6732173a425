"""Templates to responses: one Jinja environment per language, and the whole page or its fragment.

A page is one template, which extends `_layout/base.html`, or `_layout/fragment.html` when htmx asks
for what changes; a page may also name the block that htmx is to get.  Both come under the page's
own URL, so every response says that it varies by htmx's headers, and each has an entity tag of its
own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property, lru_cache, partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from fastapi import Request, Response
from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2_fragments import render_block

from bullscows.game.rules import SYMBOLS, Rules
from bullscows_web.language import titles, words
from bullscows_web.language.catalogues import CATALOGUES, Language, languages
from bullscows_web.web.caching import ASK, NOT_KEPT, compared, kept
from bullscows_web.web.html.bars import bars, coordinate, width
from bullscows_web.web.html.frame import Frame, frame_of
from bullscows_web.web.html.translation import FastEnvironment

MACROS = {
    "ui": "_macros/ui.html",
    "board": "_macros/board.html",
    "fields": "_macros/fields.html",
    "pictures": "_macros/pictures.html",
    "slots": "_macros/slots.html",
    "site": "_macros/site.html",
}
"""The names by which all templates know the macros of these."""

REPEATED = {
    "ui": ("mark", "code", "answer"),
    "site": ("marks", "pegs", "places", "foot", "failure"),
}
"""Macros that say the same of the same wherever they stand: each text is made once."""

IN_LANGUAGE: tuple[Callable[..., str], ...] = (
    words.game_name,
    words.code_rule,
    words.colour_name,
    words.colour_letters,
    words.no_code,
    words.answer_letters,
    words.answer_words,
    words.aim,
    words.goal,
    words.claim,
    words.ties,
    words.explanation,
    titles.document_name,
    titles.strategy_name,
    titles.table_title,
)
"""Functions of a language that templates call by their names, in the language of the page."""

HTML = "text/html; charset=utf-8"
PEGS = "<!--pegs-->"
"""Placeholder in a layout for the drawings of the pegs that its content refers to."""
_PEG = re.compile(r'href="#s(\d+)"')
VARY = "HX-Request, HX-Request-Type, HX-History-Restore-Request"


class _Bytecode(FileSystemBytecodeCache):
    """Compiled templates of one language, next to the compiled modules if that is possible."""

    def __init__(self, language: Language) -> None:
        super().__init__(str(Path(__file__).with_name("__pycache__")), f"{language.code}-%s.cache")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:  # noqa: ARG002
        """Identify a template by its name alone, so that one version of it is kept."""
        return super().get_cache_key(name)

    def get_source_checksum(self, source: str) -> str:
        """Return a checksum of a template, the translations compiled into it and the compiler."""
        return super().get_source_checksum(source + _version_of_compiler())

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a file, unless it is damaged: unpickling may raise anything."""
        with suppress(Exception):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a file, unless the folder cannot be written."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


@cache
def _version_of_compiler() -> str:
    files = *Path(__file__).parent.glob("*.py"), *CATALOGUES.parent.rglob("*.p[oy]")
    content = b"".join(path.read_bytes() for path in sorted(files))
    return sha256(content).hexdigest() + version("jinja2")


class Renderer:
    """The templates of one folder, in every language.

    `asset` gives the address of a static file, which changes with its content; `links` makes from a
    frame what links its page to games and trees.
    """

    def __init__(
        self, folder: Path, asset: Callable[..., str], links: Callable[[Frame], object]
    ) -> None:
        self.asset = asset
        self._links = links
        self.content = ""
        """A version of what the pages are about: the trees."""
        self._environments = {
            language.code: _environment(folder, language, asset) for language in languages()
        }

    def compile(self) -> Iterator[None]:
        """Compile template after template, and read how each language writes numbers.

        Otherwise the first request for each page would take 0.1 s longer.
        """
        for language in languages():
            language.percent(0)
            yield
        for environment in self._environments.values():
            for name in environment.list_templates():
                environment.get_template(name)
                yield

    @cached_property
    def version(self) -> str:
        """A hash that changes with every template and every translation."""
        environment = self._environments[languages()[0].code]
        names = environment.list_templates()
        loader = environment.loader
        assert loader is not None
        parts = [loader.get_source(environment, name)[0] for name in names]
        parts += [(path.read_text(encoding="utf-8")) for path in sorted(CATALOGUES.rglob("*.po"))]
        return sha256("\0".join(parts).encode()).hexdigest()

    def text(self, template: str, names: dict[str, Any]) -> str:
        """Return a text that is in no language."""
        return self._environments[languages()[0].code].get_template(template).render(names)

    def render(self, template: str, frame: Frame, page: object, block: str = "") -> str:
        """Return the page, or one block of it, as HTML."""
        environment = self._environments[frame.language.code]
        names = {"frame": frame, "page": page, "links": self._links(frame)}
        if block:
            return render_block(environment, template, block, names)
        html = environment.get_template(template).render(names)
        pegs = cast(Any, environment.globals["site"]).pegs
        return html.replace(PEGS, pegs(count) if (count := _pegs(html, page)) else "", 1)


def _pegs(html: str, page: object) -> int:
    """Return the number of pegs to draw: all of the page's game, for later parts of the page."""
    if 'href="#s' not in html:
        return 0
    used = 1 + max((int(number) for number in _PEG.findall(html)), default=-1)
    rules = getattr(page, "rules", None)
    return max(used, rules.symbols) if isinstance(rules, Rules) and rules.repeats else used


def _environment(folder: Path, language: Language, asset: Callable[..., str]) -> Environment:
    environment = FastEnvironment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
        bytecode_cache=_Bytecode(language),
    )
    environment.install_gettext_translations(  # type: ignore[attr-defined]
        language.translations, newstyle=True
    )
    of_language = "integer", "decimal", "percent", "day", "ago", "month"
    environment.filters |= {name: getattr(language, name) for name in of_language}
    environment.filters |= {"width": width, "coordinate": coordinate}
    environment.filters["quoted"] = partial(words.quoted, language)
    environment.globals |= {text.__name__: partial(text, language) for text in IN_LANGUAGE}
    environment.globals |= {
        "tree_title": partial(words.title, language),
        "language": language,
        "asset": asset,
        "SYMBOLS": SYMBOLS,
    }
    of_any = words.has_pegs, words.symbols, words.sample, words.example, words.keypad, bars
    environment.globals |= {text.__name__: text for text in of_any}
    _add_macros(environment)
    return environment


def _add_macros(environment: Environment) -> None:
    for name, template in MACROS.items():  # each may use those before it
        environment.globals[name] = environment.get_template(template).module
    for template, names in REPEATED.items():
        macros = environment.globals[template]
        for name in names:
            setattr(macros, name, lru_cache(maxsize=512)(getattr(macros, name)))


def respond(
    request: Request,
    template: str,
    page: object,
    *,
    section: str = "",
    block: str = "",
    status: int = 200,
    lasting: bool = False,
    passing: bool = False,
) -> Response:
    """Return the page, or for htmx its changing part: by default all its content.

    A page is `lasting` if it depends on its address, the trees, the templates and the static files
    only: then a 304 needs no rendering.  A `passing` page, such as the status, is never cached.
    """
    frame = frame_of(request, section)
    renderer: Renderer = request.app.state.renderer
    headers = {"Vary": VARY, "Content-Language": frame.language.code}

    def html() -> bytes:
        return renderer.render(template, frame, page, block if frame.is_fragment else "").encode()

    if status != 200 or passing:
        return Response(html(), status, headers | {"Cache-Control": NOT_KEPT}, HTML)
    if not lasting:
        return compared(request, html(), HTML, headers)
    kind = "fragment" if frame.is_fragment else "page"
    files = request.app.state.files.version
    version = "\0".join((kind, renderer.content, renderer.version, files))
    return kept(request, version, html, HTML, headers, policy=ASK)
