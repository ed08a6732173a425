"""The examples of docs/engine.md, run as they stand."""

from __future__ import annotations

import doctest
import re

from tests import ROOT

PAGE = ROOT / "docs" / "engine.md"


def _examples() -> list[str]:
    return re.findall(r"^```pycon\n(.*?)^```$", PAGE.read_text(), flags=re.M | re.S)


def test_there_are_ten_examples_or_more():
    assert len(_examples()) >= 10
    assert all(example.startswith(">>> ") for example in _examples())


def test_every_example_says_what_comes_out():
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0
    assert doctest.testfile(str(PAGE), module_relative=False).attempted > 20
