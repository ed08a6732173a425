"""The levels: how the forgetful ones guess, how long their games are, and which games have them."""

from pathlib import Path
from shutil import copytree

import pytest

from bullscows.game.rules import Rules
from bullscows.tree.storage import default_folder
from bullscows.tree.strategy_tree import StrategyTree
from bullscows_web.duel.levels import (
    FORGETS,
    LARGEST,
    LEVELS,
    MAX_TURNS,
    NAMES,
    Forgetful,
    champion,
    computed,
    games,
    grow,
    levels,
    played,
    record_of,
    records_in,
    strategy,
    write_levels,
)
from bullscows_web.trees.library import Library
from bullscows_web.web.exceptions import BrokenStateError

pytestmark = pytest.mark.large

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
    [
        ("p4c10n", (11.93, 8.02, 6.85, 6.08, 5.46, 5.22)),
        ("p4c6r", (9.82, 6.62, 5.92, 5.12, 4.62, 4.34)),
    ],
)
def test_levels_differ_by_the_turns_that_they_need(
    shipped_library: Library, text: str, wanted: tuple[float, ...]
):
    averages = [level.average for level in levels(shipped_library, Rules.parse(text))]
    assert averages == pytest.approx(wanted, abs=0.005)


def test_player_with_the_turns_of_the_easy_level_wins_less_against_each_next(library: Library):
    """The score against the easy level itself is even; all pairs of codes are counted."""
    found = levels(library, Rules.parse("p3c5n"))
    scores = [level.visitor for level in found]
    assert [level.name for level in found] == list(NAMES)
    assert scores[1] is not None
    assert scores[1].won == scores[1].lost
    shares = [score.won for score in scores if score]
    assert shares == sorted(shares, reverse=True)
    assert all(score.won + score.drawn + score.lost == 60**2 for score in scores if score)


def test_large_game_has_only_the_champion(shipped_library: Library):
    rules = Rules.parse("p5c10n")
    assert rules.size > LARGEST
    assert played(shipped_library, rules) == ["champion"]
    (level,) = levels(shipped_library, rules)
    assert level.visitor is None


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


def names(path: Path) -> list[str]:
    return sorted(file.name for file in path.glob("*.json"))


def assert_computed(text: str, tmp_path: Path) -> None:
    """Assert that the shipped file of a game is what its levels are computed to be."""
    rules = Rules.parse(text)
    write_levels(tmp_path, rules, computed(rules))
    made = tmp_path / LEVELS / f"{text}.json"
    assert made.read_bytes() == (default_folder() / LEVELS / made.name).read_bytes()


@pytest.mark.parametrize("text", ["p3c5r", "p3c6rb", "p4c6n"])
def test_shipped_levels_are_those_computed(tmp_path: Path, text: str):
    assert_computed(text, tmp_path)


@pytest.mark.slow
def test_all_shipped_levels_are_those_computed(tmp_path: Path, shipped_library: Library):
    for rules in games(shipped_library):
        assert_computed(str(rules), tmp_path)
    assert names(tmp_path / LEVELS) == names(default_folder() / LEVELS)


def test_game_with_a_tree_has_levels_if_it_is_not_too_large(shipped_library: Library):
    small = {game.rules for game in shipped_library.games if game.rules.size <= LARGEST}
    records = records_in(shipped_library.folder)
    assert set(records) == small == set(games(shipped_library))
    assert all(
        len(level.lengths[()]) <= MAX_TURNS
        for levels in records.values()
        for level in levels.values()
    )


@pytest.mark.parametrize("forgets", FORGETS.values(), ids=FORGETS)
def test_player_without_a_tree_plays_and_counts_like_the_tree(forgets: int):
    rules = Rules.parse("p4c5r")
    tree = grow(rules, forgets)
    player = Forgetful(rules, record_of(rules, forgets))
    assert any(len(answers) for answers in player.record.lengths)
    for node in tree.nodes[:: len(tree) // 300 + 1]:
        answers = tuple(answer for _, answer in tree.path(node))
        place = player.walk(answers)
        assert (place.guess, place.path) == (node.guess, tree.path(node))
        assert list(place.children) == list(node.children)
        assert place.is_candidate_guess == node.is_candidate_guess
        assert tuple(place.left.tolist()) == node.candidates
        assert player.lengths_after(answers) == tree.distribution_at(node)


@pytest.mark.parametrize(
    ("old", "new"),
    [('"p3c5n"', '"p3c6n"'), ('"forgets": 192', '"forgets": 191'), ("{", "["), ("levels/1", "x")],
)
def test_damaged_file_leaves_only_the_champion(
    small_trees: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, old: str, new: str
):
    folder = Path(copytree(small_trees, tmp_path / "trees"))
    file = folder / LEVELS / "p3c5n.json"
    file.write_text(file.read_text().replace(old, new, 1))
    library = Library.open(folder)
    assert played(library, Rules.parse("p3c5n")) == ["champion"]
    assert played(library, Rules.parse("p2c4r")) == list(NAMES)
    assert "refused file of levels" in caplog.text
    with pytest.raises(BrokenStateError):
        strategy(library, Rules.parse("p3c5n"), "easy")


@pytest.mark.parametrize("text", ["p4c10n", "p4c6r"])
def test_player_of_eight_turns_wins_most_duels_against_a_beginner(
    shipped_library: Library, text: str
):
    found = {level.name: level for level in levels(shipped_library, Rules.parse(text))}
    shares = {}
    for name in ("beginner", "easy"):
        score = found[name].visitor
        assert score is not None
        shares[name] = score.won / (score.won + score.drawn + score.lost)
    assert shares == pytest.approx(EIGHT_TURNS[text], abs=0.005)


EIGHT_TURNS = {
    "p4c10n": {"beginner": 0.81, "easy": 0.43},
    "p4c6r": {"beginner": 0.79, "easy": 0.42},
}
