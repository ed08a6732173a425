"""The field: which cells are lit, and in whose colour; read back from the paths."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from bullscows.game.history import History
from bullscows.game.rules import Rules, respond
from bullscows_web.web.pictures.field import MAX_CELLS, SHADES, Field, layout
from tests.support.pages import get, one, text
from tests.support.strategies import small_rules

Cell = tuple[int, int]


def cells(path: str) -> list[Cell]:
    """Return the cells that a path covers."""
    found = []
    x = 0
    y = 0
    for right, down, length in re.findall(r"m(-?\d+) ?(-?\d+)h(\d+)", path):
        x = x + int(right)
        y = y + int(down)
        found += [(x + step, y) for step in range(int(length))]
        x += int(length)
    return found


def places(rules: Rules) -> list[Cell]:
    where = layout(rules)
    return list(zip(where.x.tolist(), where.y.tolist(), strict=True))


@pytest.mark.parametrize("game", ["p4c10n", "p4c6r", "p3c10n", "p1c10n", "p2c2r", "p8c2r", "p8c8n"])
def test_no_two_cells_share_a_place(game: str):
    where = layout(Rules.parse(game))
    stands = places(Rules.parse(game))
    assert len(set(stands)) == len(stands) <= MAX_CELLS
    assert {x for x, _ in stands} <= set(range(where.width))
    assert {y for _, y in stands} <= set(range(where.height))
    assert max(stands)[0] == where.width - 1, "no empty edge"


def test_symbols_say_tile_block_column_and_row():
    rules = Rules.parse("p4c6r")
    where = layout(rules)
    stands = places(rules)
    tiles = {tile.symbol: tile for tile in where.tiles}
    assert [(tile.x, tile.y) for tile in where.tiles] == list(
        dict.fromkeys(stands[rules.parse_code(f"{tile}000")] for tile in range(6))
    )
    for code, (x, y) in zip(rules.codes(), stands, strict=True):
        tile = tiles[code[0]]
        assert 0 <= x - tile.x < where.tile_width
        assert 0 <= y - tile.y < where.tile_height
        block = stands[rules.index((*code[:2], 0, 0))]
        assert (x - block[0], y - block[1]) == code[2:]


def test_game_without_a_leading_zero_leaves_its_tile_empty():
    with_zero = Rules.parse("p4c10n")
    without = Rules.parse("p4c10z")
    field = Field.after(History.of(without, "1234:0.2"))
    lit = {cell for light in field.lights for cell in cells(light.path)}
    where = places(with_zero)
    for index, code in enumerate(with_zero.codes()):
        digits = "".join(map(str, code))
        is_left = code[0] != 0 and respond("1234", digits) == (0, 2)
        assert (where[index] in lit) == is_left


@given(small_rules(max_size=200), st.data())
def test_lights_are_the_answers_of_the_codes_left(rules: Rules, data: st.DataObject):
    codes = st.integers(0, rules.size - 1)
    asked = data.draw(codes)
    secret = data.draw(codes)
    guess = data.draw(codes)
    history = History(rules, ((asked, rules.respond(asked, secret)),))
    field = Field.after(history, guess)
    where = layout(rules)
    answers = rules.answers
    expected = {}
    for code in range(rules.size):
        if rules.respond(asked, code) == rules.respond(asked, secret):
            answer = answers[rules.respond(guess, code)]
            cell = places(rules)[code + where.first]
            expected[cell] = f"b{answer.bulls} c{answer.cows}"
    lit = {
        cell: light.style.removesuffix(" win")
        for light in field.lights
        for cell in cells(light.path)
    }
    assert lit == expected
    assert field.remaining == len(expected)


def test_cell_of_many_codes_is_the_brighter_the_more_are_left():
    rules = Rules.parse("p5c10n")
    field = Field.after(History.of(rules, "01234:0.2"), 0)
    assert not field.by_answer, "six codes of a cell give no one answer"
    left: Counter[str] = Counter()
    for code in rules.codes():
        digits = "".join(map(str, code))
        if respond("01234", digits) == (0, 2):
            left[digits[:4]] += 1
    shown = {cell: light.style for light in field.lights for cell in cells(light.path)}
    prefixes = Rules.parse("p4c10n")
    expected = {
        places(prefixes)[prefixes.parse_code(head)]: f"n{-(-count * SHADES // 6)}"
        for head, count in left.items()
    }
    assert shown == expected


@pytest.mark.parametrize(
    ("path", "lit"),
    [
        *(("/play/small-bulls-cows/0", 60), ("/play/small-bulls-cows/0/0.2", 18)),
        *(("/play/small-mastermind/0/0.0", 4), ("/guess/p3c5n/k3", 60), ("/guess/p2c4r/k3", 16)),
        *(("/analyse/p3c5n", 60), ("/analyse/p3c5n?h=012:0.2&guess=340", 18)),
    ],
)
def test_pages_show_what_is_left(client: TestClient, path: str, lit: int):
    for prefix in ("", "/ru"):
        page = get(client, prefix + path)
        field = one(page, "svg.field")
        assert sum(len(cells(str(each["d"]))) for each in field.select("path")) == lit
        assert field["role"] == "img"
        assert str(field["aria-label"]).startswith(str(lit))
        assert text(one(page, "figcaption"))


def test_shuffled_game_is_shown_as_its_player_sees_it(client: TestClient):
    page = get(client, "/play/small-bulls-cows/7/0.2")
    rules = Rules.parse("p3c5n")
    asked = str(one(page, "[data-guess][data-answer]")["data-guess"])
    guess = str(one(page, "[data-guess]:not([data-answer])")["data-guess"])
    shown = {
        (cell, str(each["class"][0]))
        for each in page.select("svg.field path")
        for cell in cells(str(each["d"]))
    }
    texts = ("".join(map(str, code)) for code in rules.codes())
    assert shown == {
        (places(rules)[rules.parse_code(code)], f"b{respond(guess, code).bulls}")
        for code in texts
        if respond(asked, code) == (0, 2)
    }


def test_game_that_is_over_has_no_field(client: TestClient):
    assert not get(client, "/guess/p3c5n/k3/012/reveal").select("svg.field")
