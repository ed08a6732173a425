"""Names of trees and strategies: one for each, in every language, and no claim too much."""

from dataclasses import replace

import pytest
from hypothesis import example, given

from bullscows.game.rules import Rules, respond
from bullscows.strategies import one_step
from bullscows.tree.files import TreeRecord, read_tree
from bullscows.tree.storage import default_folder
from bullscows_web.language import words
from bullscows_web.language.catalogues import Language, languages
from bullscows_web.language.titles import RULES, strategy_explanation, strategy_name
from bullscows_web.statistics.results import Results
from tests import ROOT
from tests.support.strategies import small_rules

ENGLISH, RUSSIAN = languages()


@pytest.fixture(scope="module")
def record() -> TreeRecord:
    return read_tree(default_folder() / "larmouth-rule-mastermind.json").record


def test_the_best_tree_known_is_called_just_that(record: TreeRecord):
    known = replace(record, objective="beam-4", lower=5000)
    assert words.claim(ENGLISH, known) == (
        "the best known: 5719 turns in total, and no tree takes fewer than 5000"
    )
    assert "5719" in words.claim(RUSSIAN, known)
    assert "5000" in words.claim(RUSSIAN, known)
    assert words.title(ENGLISH, known) == "Few turns on average"
    assert "solves the positions after them" in words.explanation(ENGLISH, known)


@given(small_rules())
@example(Rules.parse("p4c4n"))
@example(Rules.parse("p2c2z"))
def test_the_example_of_a_game_is_in_its_symbols(rules: Rules):
    secret, guess, answer = words.example(rules)
    assert answer.bulls == respond(guess, secret).bulls
    has_two_places = rules.positions > 1 and rules.size > 1
    assert (rules.parse_code(guess) != rules.parse_code(secret)) is has_two_places
    assert answer.cows == 2 * (has_two_places and not rules.bulls_only)
    right, elsewhere = words.example_parts(rules)
    assert len(right) == answer.bulls
    assert rules.bulls_only or len(elsewhere) == answer.cows
    offered = words.example_answers(rules)
    assert answer in offered
    assert offered == sorted(set(offered))
    assert len(offered) == min(3, len(rules.answers))


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
            RUSSIAN,
            "p4c10z",
            "Быки и коровы, без 0 в начале",
            "4 разные цифры, число не начинается с 0",
        ),
        (ENGLISH, "p4c10nb", "Bulls & Cows, bulls only", "4 different digits"),
    ],
)
def test_a_variant_says_so(language: Language, text: str, name: str, rule: str):
    rules = Rules.parse(text)
    assert words.game_name(language, rules) == name
    assert words.code_rule(language, rules) == rule
    assert rules.parse_code(words.sample(rules)) == 0


def test_a_rule_claims_nothing_and_a_proved_tree_its_proof(record: TreeRecord):
    assert "not claimed to be optimal" in words.claim(ENGLISH, record)
    assert "exhaustive" in words.claim(ENGLISH, replace(record, proof="exact"))


def test_a_tree_of_candidates_only_is_never_called_optimal() -> None:
    record = read_tree("possibles-mastermind").record
    assert words.title(ENGLISH, record) == "Fewest turns, guessing only codes that fit"
    assert "the best of those that guess candidates only" in words.claim(ENGLISH, record)
    assert words.claim(RUSSIAN, record) != words.claim(ENGLISH, record)
    assert "only codes that fit" in words.explanation(ENGLISH, record)


@pytest.mark.parametrize("language", languages(), ids=lambda language: language.code)
def test_every_listed_strategy_has_a_name_of_its_own(language: Language):
    for players in Results.open(ROOT / "trees").players().values():
        names = [strategy_name(language, player.name) for player in players]
        assert len(names) == len(set(names)) > 10
        assert not set(names) & {player.name for player in players}


@pytest.mark.parametrize(
    ("name", "english", "russian"),
    [
        ("larmouth", "Larmouth's rule", "Правило Лармауса"),
        ("possible-minimax", "Fewest left at worst, candidates only", "только из вариантов"),
        ("parts-any", "Most different answers, the first of equals", "первая из равных"),
        ("kwb-5", "Chen's branching, k = 5", "k = 5"),
        ("avg45", "Slovesnov's hybrid avg45", "Гибрид Словеснова avg45"),
        ("somebody-elses", "somebody-elses", "somebody-elses"),
    ],
)
def test_strategy_is_named_by_its_rule(name: str, english: str, russian: str):
    assert strategy_name(ENGLISH, name) == english
    assert russian in strategy_name(RUSSIAN, name)


def test_every_rule_has_a_name_and_a_sentence_for_people():
    assert set(RULES) == set(one_step.RULES), (
        "pages name rules by RULES of app/bullscows_web/language/titles.py"
    )


def test_a_rule_is_explained_whatever_it_does_with_equals():
    for name in ("crush", "possible-crush", "crush-any"):
        ending = "splits the codes left so that no part stays large."
        assert strategy_explanation(ENGLISH, name).endswith(ending)
        assert strategy_explanation(RUSSIAN, name).endswith("чтобы не было больших частей.")
    assert strategy_explanation(ENGLISH, "kwb-5") == "", "no rule"
