"""What trees are called: nothing is claimed beyond what the file says is proved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.language import words
from app.language.catalogues import language_of
from engine.tree.files import (
    TreeRecord,
    read_tree,
)
from engine.tree.folder import default_folder

ENGLISH, RUSSIAN = language_of("/trees"), language_of("/ru/trees")


@pytest.fixture(scope="module")
def record() -> TreeRecord:
    return read_tree(default_folder() / "larmouth-rule-mastermind.json").record


def test_the_best_tree_known_is_called_just_that(record: TreeRecord) -> None:
    known = replace(record, objective="beam-4", lower=5000)
    assert words.claim(ENGLISH, known) == (
        "the best known: 5719 turns in all, and no tree takes fewer than 5000"
    )
    assert "5719" in words.claim(RUSSIAN, known)
    assert "5000" in words.claim(RUSSIAN, known)
    assert words.title(ENGLISH, known) == "Few turns on average"
    assert "solves what they leave" in words.explanation(ENGLISH, known)


def test_a_rule_claims_nothing_and_a_proved_tree_its_proof(record: TreeRecord) -> None:
    assert "not claimed to be optimal" in words.claim(ENGLISH, record)
    assert "exhaustive" in words.claim(ENGLISH, replace(record, proof="exact"))
    assert words.title(ENGLISH, replace(record, objective="possible-parts")) == "possible-parts"
