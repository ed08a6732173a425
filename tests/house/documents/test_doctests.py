"""The Python sessions in the documents, run as printed."""

from __future__ import annotations

import doctest

import pytest

from tests.support.fences import PAGES, all_fences, fences, name

WITH_EXAMPLES = [page for page in PAGES if any(one.language == "pycon" for one in fences(page))]


def test_readme_and_library_have_examples():
    examples = all_fences("pycon")
    assert len(examples) >= 10
    assert all(example.text.startswith(">>> ") for example in examples)
    assert {"README.md", "docs/reference/library.md"} <= {name(page) for page in WITH_EXAMPLES}


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name)
def test_every_example_says_what_comes_out(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    found = doctest.testfile(str(page), module_relative=False)
    assert found.failed == 0
    assert found.attempted > 2
