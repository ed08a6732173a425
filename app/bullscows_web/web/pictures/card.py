"""Cards: what services show of a link to a page: the position's field, its code, and what is left.

`/pictures/cards/RULES.png?h=0123:0.1-1456:1.1&guess=1748` is one.

A card is in no language.  It shows what its address says, and no secret is part of that.  It is a
PNG because hardly any service takes SVG.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from bullscows.game.history import History
from bullscows.game.rules import CodeIndex, Rules
from bullscows_web.server.settings import data_folder
from bullscows_web.web.addresses import address_text
from bullscows_web.web.caching import release
from bullscows_web.web.pictures.field import SHADES, Field, Light

if TYPE_CHECKING:
    from PIL import ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
MARGIN, TOP = 60, 210
"""Around the field, and above it."""
SLOT, STEP = 108, 124
"""The side of a slot, and from one to the next."""
TYPEFACE = "onest-bold-5.3.1.woff2"

BOARD, GROUND, CHALK, SOFT = "#0e4a33", "#0a3827", "#f4f7ef", "#bfd6c8"
HUES = (155, 43, 22, 4, 330, 300, 275, 260, 245)
"""The hue of an answer by its bulls; its cows make it lighter."""


def card_path(history: History, guess: CodeIndex | None = None) -> str:
    """Return the path of the card of a position; it changes with the code that draws it.

    Raises `MalformedError` if there are more turns than an address may have.
    """
    rules = history.rules
    parameters = {
        "h": address_text(history),
        "guess": "" if guess is None else rules.text(guess),
        "v": release()[:12],
    }
    query = urlencode({name: text for name, text in parameters.items() if text}, safe=":,")
    return f"/pictures/cards/{rules}.png?{query}"


def start_card(rules: Rules) -> str:
    """Return the path of a card before any guess: all codes by their answers to the first."""
    return card_path(History(rules), 0)


@lru_cache(maxsize=16)
def _letters(size: int) -> ImageFont.FreeTypeFont:
    """Return the site's own typeface."""
    from PIL import ImageFont

    return ImageFont.truetype(data_folder("static") / "vendor" / TYPEFACE, size)


def draw(history: History, guess: CodeIndex | None) -> bytes:
    """Draw a card as PNG.

    Raises `GameTooLargeError` if the game has too many codes.
    """
    rules = history.rules
    field = Field.after(history, guess)
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), BOARD)
    pencil = ImageDraw.Draw(image)
    code = history[-1][0] if guess is None and history else guess
    _draw_slots(pencil, "?" * rules.positions if code is None else rules.text(code))
    count = f"{field.remaining:,} / {rules.size:,}".replace(",", "\N{NO-BREAK SPACE}")
    place = (WIDTH - MARGIN, MARGIN + SLOT / 2)
    pencil.text(place, count, CHALK, _letters(_fitting(rules)), anchor="rm")
    _draw_field(pencil, field)
    written = BytesIO()
    image.save(written, "PNG", optimize=True)
    return written.getvalue()


def _fitting(rules: Rules) -> int:
    """Return a font size at which numbers fit next to the slots."""
    return 64 if rules.positions <= 4 else 44 if rules.positions <= 6 else 32


def _draw_slots(pencil: ImageDraw.ImageDraw, text: str) -> None:
    side = SLOT if len(text) <= 5 else 80
    step = STEP if len(text) <= 5 else 90
    font = _letters(round(side * 0.7))
    for place, symbol in enumerate(text):
        x = MARGIN + step * place
        box = (x, MARGIN, x + side, MARGIN + side)
        pencil.rounded_rectangle(box, 16, GROUND, SOFT, 3)
        pencil.text((x + side / 2, MARGIN + side / 2), symbol, CHALK, font, anchor="mm")


def _draw_field(pencil: ImageDraw.ImageDraw, field: Field) -> None:
    where = field.layout
    room = WIDTH - 2 * MARGIN, HEIGHT - TOP - MARGIN
    step = max(min(room[0] // where.width, room[1] // where.height), 1)
    left = (WIDTH - step * where.width) // 2
    top = TOP + (room[1] - step * where.height) // 2
    edge = min(step, 12)
    ground = (left - edge, top - edge)
    end = (left + step * where.width + edge, top + step * where.height + edge)
    pencil.rounded_rectangle((*ground, *end), 12, GROUND)
    gap = 1 if step > 3 else 0
    for light in field.lights:
        colour = _colour(light)
        for x, y, length in light.rows:
            for column in range(x, x + length):
                corner = left + step * column, top + step * y
                end = corner[0] + step - 1 - gap, corner[1] + step - 1 - gap
                pencil.rectangle((*corner, *end), colour)


def _colour(light: Light) -> str:
    if light.is_win:
        return "#fff"
    if light.answer is None:
        return f"hsl({HUES[0]}, 35%, {30 + 50 * (light.shade or SHADES) // SHADES}%)"
    bulls, cows = light.answer
    return f"hsl({HUES[bulls]}, {70 if bulls else 30}%, {min(48 + 10 * cows, 90)}%)"
