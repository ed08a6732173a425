"""Templates to responses: one Jinja environment per language, and the whole page or its fragment.

A page is one template, which extends `_layout/base.html`, or `_layout/fragment.html` when htmx asks
for what changes; a page may also name the block that htmx is to get.  Both come under the page's
own URL, so every response says that it varies by htmx's headers, and each has an entity tag of its
own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from fastapi import Request, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2_fragments.fastapi import Jinja2Blocks

from bullscows.game.rules import SYMBOLS
from bullscows_web.language import titles, words
from bullscows_web.language.catalogues import CATALOGUES, Language, languages
from bullscows_web.web.caching import NO_CACHE, NO_STORE, hashed_response, tagged
from bullscows_web.web.frame import frame_of
from bullscows_web.web.pictures.charts import (
    bars,
    coordinate,
    line_letter,
    line_shape,
    loss_bar,
    width,
)

MACROS = {
    "ui": "_macros/ui.html",
    "fields": "_macros/fields.html",
    "pictures": "_macros/pictures.html",
    "slots": "_macros/slots.html",
    "board": "_macros/board.html",
    "site": "_macros/site.html",
    "answers": "_macros/answers.html",
    "sizes": "_macros/sizes.html",
}
"""The names by which all templates know the macros of these."""

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

IN_ANY_LANGUAGE: tuple[Callable[..., Any], ...] = (
    words.has_pegs,
    words.symbols,
    words.sample,
    words.example,
    words.example_answers,
    words.example_parts,
    words.keypad,
    bars,
    loss_bar,
    line_letter,
    line_shape,
)
"""Functions that templates call by their names."""

VARY = "HX-Request, HX-Request-Type, HX-History-Restore-Request"


class Templates:
    """The templates of one folder, in every language.

    `asset` gives the address of a static file, which changes with its content; `links` makes from a
    request what links its page to games and trees.
    """

    def __init__(
        self, folder: Path, asset: Callable[..., str], links: Callable[[Request], object]
    ) -> None:
        self._folder = folder
        self._by_language = {
            language.code: Jinja2Blocks(
                env=_environment(folder, language, asset),
                context_processors=[lambda request: {"links": links(request)}],
            )
            for language in languages()
        }

    def of(self, language: Language) -> Jinja2Blocks:
        """Return the templates in a language."""
        return self._by_language[language.code]

    @cached_property
    def version(self) -> str:
        """A hash that changes with every template and every translation."""
        files = *self._folder.rglob("*.*"), *CATALOGUES.rglob("*.po")
        return sha256(b"\0".join(path.read_bytes() for path in sorted(files))).hexdigest()


def templates_of(request: Request) -> Templates:
    """Return the templates of the server."""
    return cast(Templates, request.app.state.templates)


def _environment(folder: Path, language: Language, asset: Callable[..., str]) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
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
    environment.globals |= {text.__name__: text for text in IN_ANY_LANGUAGE}
    for name, template in MACROS.items():  # each may use those before it
        environment.globals[name] = environment.get_template(template).module
    return environment


def respond(
    request: Request,
    template: str,
    page: object,
    *,
    section: str = "",
    block: str = "",
    status: int = 200,
    no_store: bool = False,
    vary: str = VARY,
) -> Response:
    """Return the page, or for htmx its changing part: by default all its content.

    With `no_store` it is never cached, for example the status.  `section` is that of the page if
    its path does not name it.  Raises `NotModifiedError` if the client has the page.
    """
    frame = frame_of(request, section)
    headers = {"Vary": vary, "Content-Language": frame.language.code}
    response = (
        templates_of(request)
        .of(frame.language)
        .TemplateResponse(
            request,
            template,
            {"frame": frame, "page": page},
            status,
            NO_STORE | headers,
            block_name=block if frame.is_fragment else None,
        )
    )
    if status == 200 and not no_store:
        version = sha256(response.body).hexdigest()
        response.headers.update(tagged(request, version, policy=NO_CACHE, **headers))
    return response


def document(
    request: Request, template: str, media_type: str, values: Mapping[str, object] | None = None
) -> Response:
    """Return a file made from a template, in the language of its path."""
    frame = frame_of(request)
    made = templates_of(request).of(frame.language).get_template(template)
    content = made.render(values or {}, frame=frame)
    return hashed_response(request, content.encode(), media_type)
