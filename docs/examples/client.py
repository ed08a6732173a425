"""A client of the JSON API, to be copied: it plays, analyses and prices; python client.py [URL]."""

import sys
from typing import Any, TypedDict

import httpx


class Turn(TypedDict):
    """A guess, and its bulls and cows."""

    guess: str
    bulls: int
    cows: int


class Price(TypedDict):
    """What a guess costs; `above`: turns more than the best guess takes, on average."""

    guess: str
    status: str
    value: int | None
    above: float | None


class Advice(TypedDict):
    """The best guess known; its status is optimal, bounded or heuristic."""

    guess: str
    status: str
    value: int | None
    remaining: int
    prices: list[Price] | None


class Problem(Exception):
    """What the server refused, with its problem document (RFC 9457)."""

    def __init__(self, document: dict[str, Any]) -> None:
        super().__init__(document["detail"])
        self.document = document


class Client:
    """The API of one server; other fields than those above come too, and more may."""

    def __init__(self, server: str = "http://127.0.0.1:8000") -> None:
        self._http = httpx.Client(base_url=f"{server}/api/v1", timeout=60)

    def _post(self, path: str, body: object) -> Any:
        answer = self._http.post(path, json=body)
        if answer.headers.get("Content-Type", "").startswith("application/problem+json"):
            raise Problem(answer.json())
        return answer.raise_for_status().json()  # a proxy refuses in words of its own

    def play(self, tree: str, secret: str) -> list[str]:
        """Let the server guess a secret; return its guesses."""
        session, guesses = self._post("/sessions", {"tree": tree, "shuffle": False}), []
        while not session["finished"]:
            guesses.append(session["guess"])
            codes = {"rules": session["rules"], "guess": guesses[-1], "secret": secret}
            told = self._post("/response", codes)
            given = {name: told[name] for name in ("bulls", "cows")}
            session = self._post(f"/sessions/{session['id']}/answers", given)
        return guesses

    def analyse(self, rules: str, *turns: Turn, guesses: list[str] | None = None) -> Advice:
        """Return the best guess after some turns; guesses that are named are priced as well."""
        found: Advice = self._post("/guess", {"rules": rules, "turns": turns, "guesses": guesses})
        return found


if __name__ == "__main__":
    client = Client(*sys.argv[1:])
    print("guesses for 2718:", *client.play("avg-bulls-cows", secret="2718"))
    turn: Turn = {"guess": "0011", "bulls": 1, "cows": 0}
    advice = client.analyse("p4c6r", turn, guesses=["2233"])
    print("best:", advice["guess"], advice["status"])
    print("2233 costs more:", *(price["above"] for price in advice["prices"] or ()))
