"""The notebook prints what it shows: a table of each paper, from the library."""

import io
import json
from contextlib import redirect_stdout
from typing import Any

import pytest

from tests import ROOT

CELLS = [
    cell
    for cell in json.loads((ROOT / "docs/notebooks/papers.ipynb").read_text("utf-8"))["cells"]
    if cell["cell_type"] == "code"
]
WITHOUT_SEARCH = 4


@pytest.mark.parametrize(
    "count", [WITHOUT_SEARCH, pytest.param(len(CELLS), marks=pytest.mark.slow)]
)
def test_cells_print_what_they_show(count: int) -> None:
    scope: dict[str, Any] = {}
    for cell in CELLS[:count]:
        with redirect_stdout(io.StringIO()) as printed:
            exec("".join(cell["source"]), scope)
        shown = "".join(line for output in cell["outputs"] for line in output["text"])
        assert printed.getvalue() == shown
