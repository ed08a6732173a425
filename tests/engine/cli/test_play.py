"""The game at the terminal, played through its two functions."""

from bullscows.cli.trees import play_game
from bullscows.game.rules import Rules
from tests.engine.tree.test_codec import first_splitting

RULES = Rules.parse("p3c6n")
TREE = first_splitting(RULES)


def game(replies: list[str]) -> tuple[int | None, list[str]]:
    said: list[str] = []
    left = iter(replies)

    def ask(prompt: str) -> str:
        said.append(prompt)
        reply = next(left, None)
        if reply is None:
            raise EOFError
        return reply

    return play_game(TREE, ask, said.append), said


def replies_for(secret: int) -> list[str]:
    return [str(RULES.answers[RULES.respond(node.guess, secret)]) for node in TREE.play(secret)]


def test_every_secret_is_found_at_its_turn() -> None:
    for secret in range(RULES.size):
        turns, _ = game(replies_for(secret))
        assert turns == len(TREE.play(secret))


def test_two_digits_are_an_answer_too() -> None:
    turns, _ = game([reply.replace(".", "") for reply in replies_for(77)])
    assert turns == len(TREE.play(77))


def test_undo_takes_back_an_answer() -> None:
    turns, _ = game(["u", "0.0", "u", *replies_for(50)])
    assert turns == len(TREE.play(50))


def test_impossible_and_unreadable_answers_are_explained() -> None:
    _, said = game(["2.1", "x", "0.3", "1.2", "0.0", "0.0"])
    text = "\n".join(said)
    assert "impossible answer 2.1" in text
    assert "write bulls.cows" in text
    assert "no code gives" in text


def test_a_person_may_leave() -> None:
    assert game(["q"])[0] is None
    assert game([])[0] is None
