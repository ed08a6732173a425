"""The analysis of a guess, against a naive count."""

from collections.abc import Iterator

import numpy as np

from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows_web.play.pages import GuessAnalysis
from bullscows_web.trees.library import Library
from bullscows_web.trees.position import GamePosition


def games(position: GamePosition) -> Iterator[GamePosition]:
    """This position and all after it in which something is still to be guessed."""
    yield position
    for choice in position.choices:
        if not choice.position.is_finished:
            yield from games(choice.position)


def test_guesses_to_go_agree_with_playing_every_candidate(library: Library):
    for entry in library:
        for position in games(GamePosition.start(entry, shuffle=False)):
            played = [
                len(entry.tree.play(code)) - position.turn + 1 for code in position.node.candidates
            ]
            analysis = GuessAnalysis(position)
            assert sum(analysis.turns) == position.remaining
            assert analysis.worst == max(played)
            assert analysis.average == sum(played) / len(played)


def test_parts_are_those_of_the_tree(library: Library):
    for entry in library:
        for position in games(GamePosition.start(entry, shuffle=True)):
            sizes = [choice.remaining for choice in position.choices]
            analysis = GuessAnalysis(position)
            assert (analysis.comparison.parts, analysis.comparison.largest) == (
                len(sizes),
                max(sizes),
            )
            assert analysis.separates_all == (set(sizes) == {1})


def test_beyond_doubt_is_what_finds_one_now_and_all_others_next(shipped_library: Library):
    """Some guesses of the tree split all candidates but are not candidates themselves."""
    entry = shipped_library.tree("avg-bulls-cows")
    for position in games(GamePosition.start(entry, shuffle=False)):
        analysis = GuessAnalysis(position)
        at_once = (1,) if position.remaining == 1 else (1, position.remaining - 1)
        assert analysis.is_beyond_doubt == (analysis.turns == at_once)
        assert analysis.is_beyond_doubt or position.remaining > 2


def test_proof_is_claimed_for_exact_trees_alone(shipped_library: Library, library: Library):
    exact = GamePosition.start(shipped_library.tree("crush-mastermind"), shuffle=False)
    rule = GamePosition.start(shipped_library.tree("larmouth-rule-mastermind"), shuffle=False)
    assert GuessAnalysis(exact).is_proved
    assert not GuessAnalysis(rule).is_proved
    assert not any(GuessAnalysis(GamePosition.start(e, shuffle=False)).is_proved for e in library)


def test_guess_is_measured_against_the_finest_split(shipped_library: Library):
    """All 5040 second guesses after 0.1 and the third after 0.1 0.0, by the response table."""
    table = ResponseTable.of(Rules.parse("p4c10n"))
    for answers in ("0.1", "0.1-0.0"):
        position = GamePosition.parse(shipped_library, "avg-bulls-cows", "0", answers)
        rows = table.responses[list(position.node.candidates), : table.size]
        sizes = [np.bincount(rows[:, guess]) for guess in range(table.size)]
        parts = [int((counts > 0).sum()) for counts in sizes]
        largest = [int(counts.max()) for counts in sizes]
        found, guess = GuessAnalysis(position).comparison, position.node.guess
        assert (found.parts, found.largest) == (parts[guess], largest[guess])
        assert (found.most_parts, found.least_largest) == (max(parts), min(largest))
        assert found.with_most_parts == parts.count(max(parts))
        assert found.with_least_largest == largest.count(min(largest))
