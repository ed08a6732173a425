"""The levels: how the forgetful ones guess, how long their games are, and which games have them."""

import pytest

from bullscows.game.rules import Rules
from bullscows.tree.strategy_tree import StrategyTree
from bullscows_web.duel import forgetful
from bullscows_web.duel.forgetful import GrownTrees, grow
from bullscows_web.duel.levels import FORGETS, LARGEST, NAMES, champion, levels, played, strategy
from bullscows_web.trees.library import Library

RULES = Rules.parse("p3c10n")


def forgotten(tree: StrategyTree) -> list[tuple[int, int]]:
    """Return of each guess after the first how many answers there were, and how many it breaks."""
    found = []
    for node in tree.nodes:
        if turns := tree.path(node):
            given = [tree.rules.respond(guess, node.guess) for guess, _ in turns]
            broken = sum(answer != told for answer, (_, told) in zip(given, turns, strict=True))
            found.append((len(turns), broken))
    return found


def test_expert_guesses_codes_that_fit_all_answers() -> None:
    tree = grow(RULES, FORGETS["expert"])
    assert all(node.is_candidate_guess for node in tree.nodes)
    assert len({node.guess for node in tree.nodes}) == RULES.size


def test_weaker_levels_break_more_answers_and_never_more_than_they_forget() -> None:
    """A guess breaks only answers that were forgotten; some of these it meets by chance."""
    broken = {}
    for level in ("hard", "medium", "easy"):
        counted = forgotten(grow(RULES, FORGETS[level]))
        broken[level] = sum(number for _, number in counted) / sum(turns for turns, _ in counted)
    assert 0 < broken["hard"] < broken["medium"] < broken["easy"]
    assert broken["hard"] < 1 / 6
    assert broken["medium"] < 1 / 3
    assert broken["easy"] < 1 / 2


def test_forgetful_player_finds_every_code_and_repeats_no_guess() -> None:
    tree = grow(RULES, FORGETS["easy"])
    for secret in range(RULES.size):
        guesses = [node.guess for node in tree.play(secret)]
        assert guesses[-1] == secret
        assert len(guesses) == len(set(guesses))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("p4c10n", (8.02, 6.85, 6.08, 5.46, 5.22)), ("p4c6r", (6.62, 5.92, 5.12, 4.62, 4.34))],
)
def test_levels_differ_by_the_turns_that_they_need(
    shipped_library: Library, text: str, wanted: tuple[float, ...]
):
    averages = [level.average for level in levels(shipped_library, Rules.parse(text))]
    assert averages == pytest.approx(wanted, abs=0.005)


def test_beginner_with_the_turns_of_the_easy_level_wins_less_against_each_next(library: Library):
    """The score against the easy level itself is even; all pairs of codes are counted."""
    found = levels(library, Rules.parse("p3c5n"))
    scores = [level.beginner for level in found]
    assert [level.name for level in found] == list(NAMES)
    assert scores[0] is not None
    assert scores[0].won == scores[0].lost
    shares = [score.won for score in scores if score]
    assert shares == sorted(shares, reverse=True)
    assert all(score.won + score.drawn + score.lost == 60**2 for score in scores if score)


def test_large_game_has_only_the_champion(shipped_library: Library):
    rules = Rules.parse("p5c10n")
    assert rules.size > LARGEST
    assert played(rules) == ["champion"]
    (level,) = levels(shipped_library, rules)
    assert level.beginner is None


@pytest.mark.parametrize(
    ("text", "name", "is_proved"),
    [
        ("p4c10n", "duel-bulls-cows", True),
        ("p4c6r", "duel-mastermind", True),
        ("p3c10n", "duel-bulls-cows-3-digits", True),
        ("p5c10n", "best-bulls-cows-5-of-10", False),
    ],
)
def test_champion_is_the_proved_one_where_it_ships(
    shipped_library: Library, text: str, name: str, is_proved: bool
):
    rules = Rules.parse(text)
    assert champion(shipped_library, rules).name == name
    assert strategy(shipped_library, rules, "champion") == shipped_library.tree(name).tree
    assert levels(shipped_library, rules)[-1].is_proved == is_proved


def test_least_recently_used_tree_is_dropped_and_its_distribution_kept(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(forgetful, "HELD", 2)
    trees = GrownTrees()
    rules = Rules.parse("p3c5n")
    other = Rules.parse("p2c4r")
    first = trees.tree(rules, 0)
    assert trees.holds(rules, 0)
    trees.tree(other, 0)
    assert trees.tree(rules, 0) is first
    trees.tree(other, 128)
    assert [trees.holds(rules, 0), trees.holds(other, 0)] == [True, False]
    monkeypatch.setattr(trees, "tree", None)
    assert sum(trees.turns(other, 0)) == other.size
