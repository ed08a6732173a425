"""The figures and names of docs/reference/format.md."""

import json
import re

import pytest

from bullscows.game.rules import Rules
from bullscows.tree import codec
from bullscows.tree.codec import digits_per_guess, encode_number
from bullscows.tree.files import FORMAT
from tests import ROOT

TEXT = (ROOT / "docs" / "reference" / "format.md").read_text(encoding="utf-8")
RECORD = json.loads((ROOT / "trees" / "avg-bulls-cows.json").read_text(encoding="ascii"))
GAMES = [Rules.parse(text) for text in ("p4c10n", "p4c6r")]
NUMBERS = re.findall(r"^\| (\d+) \| (.+) \| (\w+) \| ([\w-]+) \|$", TEXT, re.M)


@pytest.mark.parametrize(("number", "digits", "first", "second"), NUMBERS)
def test_digits_and_codes_of_numbers(number: str, digits: str, first: str, second: str) -> None:
    written = digits.replace("` DEL", "\x7f`").strip("`")
    assert encode_number(int(number), digits_per_guess(GAMES[0])) == written
    for rules, code in zip(GAMES, (first, second), strict=True):
        assert code == (rules.text(int(number)) if int(number) < rules.size else "-")


def test_all_numbers_are_found() -> None:
    assert len(NUMBERS) == 5


def test_documented_fields_are_those_of_a_file() -> None:
    """Rows of the table of fields name one or several."""
    table = TEXT.partition("## The file around it")[2].partition("## ")[0].partition("\n### ")[0]
    rows = re.findall(r"^\| (`[^|]+) \|", table, re.M)
    assert {field for row in rows for field in re.findall(r"`(\w+)`", row)} == set(RECORD)
    assert f"`{FORMAT}`" in table


def test_documented_errors_of_decoding_exist() -> None:
    documented = re.findall(r"^\| `(\w+Error)` \|", TEXT, re.M)
    own = {name for name, one in vars(codec).items() if name.endswith("Error")}
    assert documented
    assert set(documented) <= own


def test_digest_input_begins_as_documented() -> None:
    """The example of the canonical form; the digest itself is computed by the page's own lines."""
    stated = {name: value for name, value in RECORD.items() if name != "digest"}
    line = json.dumps(stated, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    (beginning,) = re.findall(r"Its beginning for that tree: `(.+)`", TEXT)
    assert len(beginning) > 50
    assert line.startswith(beginning)
