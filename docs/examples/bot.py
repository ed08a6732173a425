"""A bot that plays the puzzle of a day with the best guess at each turn.

python bot.py [2026-11-21 [http://127.0.0.1:8000 [p4c10n]]]
"""

from datetime import UTC, datetime

from client import Client, Turn, run


def play(day: str, server: str, rules: str) -> list[Turn]:
    """Solve the puzzle of a day; return the turns."""
    client = Client(server)
    turns = list[Turn]()
    while True:
        guess = client.analyse(rules, *turns)["guess"]
        guesses = [*(turn["guess"] for turn in turns), guess]  # the server stores no game
        game = client.post(f"/daily/{rules}/{day}/guesses", {"guesses": guesses})
        last = game["turns"][-1]
        turns.append({"guess": guess, "bulls": last["bulls"], "cows": last["cows"]})
        if game["finished"]:
            return turns


def main(day: str = "", server: str = "http://127.0.0.1:8000", rules: str = "p4c10n") -> None:
    """Print the turns of a game."""
    for turn in play(day or datetime.now(UTC).date().isoformat(), server, rules):
        print(turn["guess"], f"{turn['bulls']}.{turn['cows']}")


if __name__ == "__main__":
    run(main)
