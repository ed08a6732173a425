"""Names of strategies: one for each that the pages list, in every language."""

import pytest

from bullscows.strategies.rules import one_step
from bullscows_web.language.catalogues import Language, languages
from bullscows_web.language.titles import RULES, strategy_explanation, strategy_name
from bullscows_web.statistics.results import Results
from tests import ROOT

ENGLISH, RUSSIAN = languages()


@pytest.mark.parametrize("language", languages(), ids=lambda language: language.code)
def test_every_listed_strategy_has_a_name_of_its_own(language: Language):
    for players in Results.open(ROOT / "trees").players().values():
        names = [strategy_name(language, player.name) for player in players]
        assert len(names) == len(set(names)) > 10
        assert not set(names) & {player.name for player in players}


@pytest.mark.parametrize(
    ("name", "english", "russian"),
    [
        ("larmouth", "Larmouth's rule", "Алгоритм Лармауса"),
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


@pytest.mark.parametrize("name", ["crush", "possible-crush", "crush-any"])
def test_a_rule_is_explained_whatever_it_does_with_equals(name: str):
    ending = "splits the codes left so that no part stays large."
    assert strategy_explanation(ENGLISH, name).endswith(ending)
    assert strategy_explanation(RUSSIAN, name).endswith("чтобы не было больших частей.")


def test_what_is_no_rule_is_not_explained():
    assert strategy_explanation(ENGLISH, "kwb-5") == ""
