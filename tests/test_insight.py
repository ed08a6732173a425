"""What the analysis says of a guess, counted the slow way."""

from collections.abc import Iterator

from app.insight import Insight
from app.library import Library
from app.position import Position


def games(position: Position) -> Iterator[Position]:
    """This position and all after it in which something is still to be guessed."""
    yield position
    for choice in position.choices:
        if not choice.position.is_finished:
            yield from games(choice.position)


def test_guesses_to_go_agree_with_playing_every_candidate(library: Library):
    for entry in library:
        for position in games(Position.start(entry, shuffle=False)):
            played = [
                len(entry.tree.play(code)) - position.turn + 1 for code in position.node.candidates
            ]
            insight = Insight(position)
            assert sum(insight.turns) == position.remaining
            assert insight.worst == max(played)
            assert insight.average == sum(played) / len(played)


def test_parts_are_those_of_the_tree(library: Library):
    for entry in library:
        for position in games(Position.start(entry, shuffle=True)):
            sizes = [choice.remaining for choice in position.choices]
            insight = Insight(position)
            assert (insight.rivals.parts, insight.rivals.largest) == (len(sizes), max(sizes))
            assert insight.tells_all_apart == (set(sizes) == {1})
            if insight.is_beyond_doubt:
                assert insight.is_candidate
                assert insight.worst <= 2


def test_a_special_node_is_beyond_doubt(shipped_library: Library):
    """One candidate, or the first of two, tells all apart."""
    entry = shipped_library.tree("avg-bulls-cows")
    for position in games(Position.start(entry, shuffle=False)):
        if position.remaining <= 2:
            assert Insight(position).is_beyond_doubt


def test_proof_is_claimed_for_exact_trees_alone(shipped_library: Library, library: Library):
    exact = Position.start(shipped_library.tree("crush-mastermind"), shuffle=False)
    rule = Position.start(shipped_library.tree("larmouth-rule-mastermind"), shuffle=False)
    assert Insight(exact).is_proved
    assert not Insight(rule).is_proved
    assert not any(Insight(Position.start(e, shuffle=False)).is_proved for e in library)


def test_guess_is_measured_against_the_finest_split(shipped_library: Library):
    """After 0.1 the finest second guesses of Bulls & Cows get all 14 answers."""
    position = Position.parse(shipped_library, "avg-bulls-cows", "0", "0.1")
    found = Insight(position).rivals
    assert found.most_parts == 14
    assert found.parts <= found.most_parts
    assert found.largest >= found.least_largest
