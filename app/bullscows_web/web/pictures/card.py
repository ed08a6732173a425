"""Cards: what services show of a link to a page: the game's name, a board, and what is left.

`/pictures/cards/RULES.png?h=0123:0.1-1456:1.1&guess=1748&lang=ru` is one.

A card shows what its address says, and no secret is part of that.  It is a PNG because hardly any
service takes SVG.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from bullscows.game.history import History
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.scoring import Answer
from bullscows_web.language.catalogues import Language
from bullscows_web.language.words import game_name, has_pegs
from bullscows_web.server.settings import data_folder
from bullscows_web.web.caching import release
from bullscows_web.web.frame import address_text, asking
from bullscows_web.web.pictures.field import SHADES, Field, Light

if TYPE_CHECKING:
    from PIL import ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
MARGIN = 60
TOP = 165
"""Where board and field begin, below the name."""
MIDDLE = 620
"""Where the board ends; the field is on its right."""
TILE = 92
"""The largest side of a tile."""
ROWS = 4
"""The rows of the board: the last turns and the guess."""
TYPEFACE = "onest-bold-5.3.1.woff2"

BOARD, GROUND, CHALK, SOFT = "#0e4a33", "#0a3827", "#f4f7ef", "#bfd6c8"
BULL, COW = "#5fd39a", "#f2a65a"
"""The dot of the bulls and the ring of the cows."""
HUES = (155, 43, 22, 4, 330, 300, 275, 260, 245)
"""The hue of an answer by its bulls; its cows make it lighter."""
PEGS = (
    *("#aa271a", "#3a72d2", "#fde840", "#37c080", "#511574", "#f56b0b", "#2fbccb", "#f3a0c5"),
    *("#75461f", "#626a76"),
)
"""The colours of pegs, as on the pages."""
PALE_PEGS = "23567"
"""The symbols of pegs on which dark digits are legible."""


def card_path(history: History, guess: CodeIndex | None = None) -> str:
    """Return the path of the card of a position; it changes with the code that draws it.

    Raises `MalformedError` if there are more turns than an address may have.
    """
    rules = history.rules
    text = "" if guess is None else rules.text(guess)
    path = f"/pictures/cards/{rules}.png"
    return asking(path, h=address_text(history), guess=text, v=release()[:12])


def start_card(rules: Rules) -> str:
    """Return the path of a card before any guess: all codes by their answers to the first."""
    return card_path(History(rules), 0)


@lru_cache(maxsize=16)
def _letters(size: int) -> ImageFont.FreeTypeFont:
    """Return the site's own typeface."""
    from PIL import ImageFont

    return ImageFont.truetype(data_folder("static") / "vendor" / TYPEFACE, size)


def draw(history: History, guess: CodeIndex | None, language: Language) -> bytes:
    """Draw a card as PNG.

    Raises `GameTooLargeError` if the game has too many codes.
    """
    field = Field.after(history, guess)
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), BOARD)
    pencil = ImageDraw.Draw(image)
    name = game_name(language, history.rules)
    room = WIDTH - 2 * MARGIN
    size = next(each for each in range(68, 20, -4) if _letters(each).getlength(name) <= room)
    pencil.text((MARGIN, (MARGIN + TOP) / 2 - 10), name, CHALK, _letters(size), anchor="lm")
    _draw_board(pencil, history, guess)
    _draw_field(pencil, field)
    left = language.ngettext("%(shown)s code left", "%(shown)s codes left", field.remaining)
    place = (WIDTH - MARGIN, HEIGHT - MARGIN)
    text = left % {"shown": language.integer(field.remaining)}
    pencil.text(place, text, CHALK, _letters(44), anchor="rs")
    written = BytesIO()
    image.save(written, "PNG", optimize=True)
    return written.getvalue()


def _draw_board(pencil: ImageDraw.ImageDraw, history: History, guess: CodeIndex | None) -> None:
    """Draw the last turns, then the guess, then rows that are still empty."""
    rules = history.rules
    rows: list[tuple[CodeIndex | None, Answer | None]] = [
        (code, rules.answers[answer]) for code, answer in history
    ]
    if guess is not None:
        rows.append((guess, None))
    rows = rows[-ROWS:] + [(None, None)] * (ROWS - len(rows))
    side = min(TILE, (MIDDLE - MARGIN - 160) // rules.positions - 8)
    step = (HEIGHT - TOP - MARGIN + 12) // ROWS
    for number, (code, answer) in enumerate(rows):
        y = TOP + step * number
        text = " " * rules.positions if code is None else rules.text(code)
        for place, symbol in enumerate(text):
            _draw_tile(pencil, MARGIN + (side + 8) * place, y, side, symbol, rules)
        if answer is not None:
            left = MARGIN + (side + 8) * rules.positions + 35
            _draw_answer(pencil, left, y + side / 2, answer, rules)


def _draw_tile(
    pencil: ImageDraw.ImageDraw, x: float, y: float, side: float, symbol: str, rules: Rules
) -> None:
    box = (x, y, x + side, y + side)
    ink = CHALK
    if has_pegs(rules) and symbol != " ":
        pencil.ellipse(box, PEGS[int(symbol)], SOFT, 3)
        ink = "#111" if symbol in PALE_PEGS else "#fff"
    elif has_pegs(rules):
        pencil.ellipse(box, GROUND, SOFT, 3)
    else:
        pencil.rounded_rectangle(box, 14, GROUND, SOFT, 3)
    middle = (x + side / 2, y + side / 2)
    pencil.text(middle, symbol, ink, _letters(round(side * 0.66)), anchor="mm")


def _draw_answer(
    pencil: ImageDraw.ImageDraw, left: float, y: float, answer: Answer, rules: Rules
) -> None:
    """Draw a dot with the bulls and a ring with the cows, or a black and a white peg."""
    marks = [(answer.bulls, BULL, BULL), (answer.cows, BOARD, COW)]
    if has_pegs(rules):
        marks = [(answer.bulls, "#0b0d0c", CHALK), (answer.cows, "#fff", "#fff")]
    for place, (count, fill, edge) in enumerate(marks[: 1 if rules.bulls_only else 2]):
        x = left + 78 * place
        pencil.ellipse((x - 13, y - 13, x + 13, y + 13), fill, edge, 6 if fill == BOARD else 3)
        pencil.text((x + 22, y), str(count), CHALK, _letters(40), anchor="lm")


def _draw_field(pencil: ImageDraw.ImageDraw, field: Field) -> None:
    where = field.layout
    room = WIDTH - MIDDLE - MARGIN - 30, HEIGHT - TOP - MARGIN - 80
    step = max(min(room[0] // where.width, room[1] // where.height), 1)
    left = WIDTH - MARGIN - step * where.width
    edge = min(step, 12)
    ground = (left - edge, TOP)
    end = (left + step * where.width, TOP + step * where.height + edge)
    pencil.rounded_rectangle((*ground, *end), 12, GROUND)
    gap = 1 if step > 3 else 0
    for light in field.lights:
        colour = _colour(light)
        for x, y, length in light.rows:
            for column in range(x, x + length):
                corner = left + step * column, TOP + step * y
                end = corner[0] + step - 1 - gap, corner[1] + step - 1 - gap
                pencil.rectangle((*corner, *end), colour)


def _colour(light: Light) -> str:
    if light.is_win:
        return "#fff"
    if light.answer is None:
        return f"hsl({HUES[0]}, 35%, {30 + 50 * (light.shade or SHADES) // SHADES}%)"
    bulls, cows = light.answer
    return f"hsl({HUES[bulls]}, {70 if bulls else 30}%, {min(48 + 10 * cows, 90)}%)"
