"""Names of strategies: one for each that the pages list, in every language."""

import pytest

from app.language.catalogues import Language, languages
from app.language.titles import strategy_name
from app.server.settings import data_folder
from app.statistics.results.figures import Results

ENGLISH, RUSSIAN = languages()


@pytest.mark.parametrize("language", languages(), ids=lambda language: language.code)
def test_every_listed_strategy_has_a_name_of_its_own(language: Language):
    for players in Results.open(data_folder("trees")).players().values():
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
