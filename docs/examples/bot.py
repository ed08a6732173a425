"""A bot that plays the puzzle of a day, with the best guess at each turn.

python bot.py [2026-11-21 [http://127.0.0.1:8000 [p4c10n]]]

The puzzle is a page (docs/reference/puzzles.md); its address has the guesses, and its attribute
`data-game` ends with their answers.  So the bot asks for the page after each guess, and the API for
the next.
"""

import re
import sys
from datetime import UTC, datetime

import httpx
from client import Client, Turn


def answers(page: str) -> list[tuple[int, int]]:
    """Return the bulls and cows of the guesses on a page."""
    found = re.search(r'data-game="[^"]*/([\d.-]*)"', page)
    if found is None:
        raise ValueError("this is no page of a puzzle")
    pairs = (text.split(".") for text in found[1].split("-") if text)
    return [(int(bulls), int(cows)) for bulls, cows in pairs]


def play(day: str, server: str, rules: str) -> list[Turn]:
    """Solve the puzzle of a day; return the turns."""
    client, turns = Client(server), list[Turn]()
    while True:
        guess = client.analyse(rules, *turns)["guess"]
        guesses = "-".join([*(turn["guess"] for turn in turns), guess])
        page = httpx.get(f"{server}/guess/{rules}/{day}/{guesses}").raise_for_status()
        bulls, cows = answers(page.text)[-1]
        turns.append({"guess": guess, "bulls": bulls, "cows": cows})
        if bulls == len(guess):
            return turns


def main(day: str = "", server: str = "http://127.0.0.1:8000", rules: str = "p4c10n") -> None:
    """Print the turns of a game."""
    for turn in play(day or datetime.now(UTC).date().isoformat(), server, rules):
        print(turn["guess"], f"{turn['bulls']}.{turn['cows']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
