"""Names of trees claim no more than the file says is proved."""

from dataclasses import replace

import pytest

from bullscows.game.rules import Rules
from bullscows.tree.files import (
    TreeRecord,
    read_tree,
)
from bullscows.tree.storage import default_folder
from bullscows_web.language import words
from bullscows_web.language.catalogues import Language, language_of

ENGLISH, RUSSIAN = language_of("/trees"), language_of("/ru/trees")


@pytest.fixture(scope="module")
def record() -> TreeRecord:
    return read_tree(default_folder() / "larmouth-rule-mastermind.json").record


def test_the_best_tree_known_is_called_just_that(record: TreeRecord) -> None:
    known = replace(record, objective="beam-4", lower=5000)
    assert words.claim(ENGLISH, known) == (
        "the best known: 5719 turns in total, and no tree takes fewer than 5000"
    )
    assert "5719" in words.claim(RUSSIAN, known)
    assert "5000" in words.claim(RUSSIAN, known)
    assert words.title(ENGLISH, known) == "Few turns on average"
    assert "solves the positions after them" in words.explanation(ENGLISH, known)


@pytest.mark.parametrize(
    ("language", "text", "name", "rule"),
    [
        (
            ENGLISH,
            "p4c10z",
            "Bulls & Cows, no leading 0",
            "4 different digits, not beginning with 0",
        ),
        (
            ENGLISH,
            "p3c5z",
            "Bulls & Cows, 3 of 5, no leading 0",
            "3 different digits, 0 to 4, not beginning with 0",
        ),
        (
            RUSSIAN,
            "p4c10z",
            "Быки и коровы, без 0 в начале",
            "4 разные цифры, число не начинается с 0",
        ),
        (ENGLISH, "p4c10nb", "Bulls & Cows, bulls only", "4 different digits"),
    ],
)
def test_a_variant_says_so(language: Language, text: str, name: str, rule: str) -> None:
    rules = Rules.parse(text)
    assert words.game_name(language, rules) == name
    assert words.code_rule(language, rules) == rule
    assert rules.parse_code(words.sample(rules)) == 0


def test_a_rule_claims_nothing_and_a_proved_tree_its_proof(record: TreeRecord) -> None:
    assert "not claimed to be optimal" in words.claim(ENGLISH, record)
    assert "exhaustive" in words.claim(ENGLISH, replace(record, proof="exact"))


def test_a_tree_of_a_strategy_bears_its_name(record: TreeRecord) -> None:
    possible = replace(record, objective="possible-parts")
    assert words.title(ENGLISH, possible) == "Most different answers, candidates only"
    assert "most different answers" in words.explanation(ENGLISH, possible)
    assert words.title(ENGLISH, replace(record, objective="somebody-elses")) == "somebody-elses"


def test_a_tree_of_candidates_only_is_never_called_optimal() -> None:
    record = read_tree("possibles-mastermind").record
    assert words.title(ENGLISH, record) == "Fewest turns, guessing only codes that fit"
    assert "the best of those that guess candidates only" in words.claim(ENGLISH, record)
    assert words.claim(RUSSIAN, record) != words.claim(ENGLISH, record)
    assert "only codes that fit" in words.explanation(ENGLISH, record)
