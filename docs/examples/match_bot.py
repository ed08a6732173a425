"""Two bots that play a match against each other, with the best guess at each turn.

python match_bot.py [http://127.0.0.1:8000 [p4c10n]]
"""

from typing import Any

from client import Client, Turn, run


class Player(Client):
    """A player of a match; the token of the response that gave the seat says which."""

    def __init__(self, server: str, match: dict[str, Any]) -> None:
        super().__init__(server)
        self._path = f"/matches/{match['id']}"
        self._http.headers["Authorization"] = f"Bearer {match['player']}"

    def move(self) -> Any:
        """Guess; return the match after that."""
        match = self.request("GET", self._path)
        turns = match["you"]["turns"]
        made = [Turn(guess=t["guess"], bulls=t["bulls"], cows=t["cows"]) for t in turns]
        guess = self.analyse(match["rules"], *made)["guess"]
        # With its turn a guess can be sent again if the response was lost.
        return self.post(f"{self._path}/guesses", {"guess": guess, "turn": len(made) + 1})


def main(server: str = "http://127.0.0.1:8000", rules: str = "p4c10n") -> None:
    """Print the guesses of both and the winner; a secret that is not given is drawn."""
    match = Client(server).post("/matches", {"rules": rules, "begins": "random"})
    creator = Player(server, match)
    match = Client(server).post(f"/matches/{match['id']}/join", {})
    players = {"creator": creator, "guest": Player(server, match)}
    while not match["finished"]:
        match = players[match["to_move"]].move()
    for side in match["players"]:
        print(side["player"], side["secret"], *(turn["guess"] for turn in side["turns"]))
    print("winner:", match["winner"])


if __name__ == "__main__":
    run(main)
