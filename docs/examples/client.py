"""A client of the JSON API to copy: it plays and analyses. Usage: python client.py [URL]."""

import sys
from collections.abc import Callable
from typing import Any, TypedDict

import httpx


class Turn(TypedDict):
    """A guess, and its bulls and cows."""

    guess: str
    bulls: int
    cows: int


class Evaluation(TypedDict):
    """Value of a guess; `loss` is the mean number of turns above the best guess."""

    guess: str
    status: str
    value: int | None
    loss: float | None


class Advice(TypedDict):
    """The best known guess; its status is optimal, bounded or heuristic."""

    guess: str
    status: str
    value: int | None
    remaining: int
    evaluations: list[Evaluation] | None


class Problem(Exception):
    """A rejected request, with its problem document (RFC 9457); a proxy's errors have none."""

    def __init__(self, document: dict[str, Any]) -> None:
        super().__init__(document["detail"])
        self.document = document


class Client:
    """The API of one server. Responses have more fields than the types above."""

    def __init__(self, server: str = "http://127.0.0.1:8000") -> None:
        self._http = httpx.Client(base_url=f"{server}/api/v1", timeout=60)

    def request(self, method: str, path: str, body: object = None) -> Any:
        """Return the response to a request; raise `Problem` if it is rejected."""
        answer = self._http.request(method, path, json=body)
        if answer.headers.get("Content-Type", "").startswith("application/problem+json"):
            raise Problem(answer.json())
        if answer.is_error:
            raise Problem({"detail": f"{answer.url} answers {answer.status_code}"})
        return answer.json()

    def post(self, path: str, body: object) -> Any:
        """Return the response to a POST request; raise `Problem` if it is rejected."""
        return self.request("POST", path, body)

    def play(self, tree: str, secret: str) -> list[str]:
        """Let the server guess a secret; return its guesses."""
        session = self.post("/sessions", {"tree": tree, "shuffle": False})
        guesses = []
        while not session["finished"]:
            guesses.append(session["guess"])
            codes = {"rules": session["rules"], "guess": guesses[-1], "secret": secret}
            answer = self.post("/response", codes)
            given = {name: answer[name] for name in ("bulls", "cows")}
            session = self.post(f"/sessions/{session['id']}/answers", given)
        return guesses

    def analyse(self, rules: str, *turns: Turn, guesses: list[str] | None = None) -> Advice:
        """Return the best guess after some turns; evaluate `guesses` too."""
        found: Advice = self.post("/guess", {"rules": rules, "turns": turns, "guesses": guesses})
        return found


def run(main: Callable[..., None]) -> None:
    """Call `main` with the arguments of the program; exit with a line if a request fails."""
    try:
        main(*sys.argv[1:])
    except (Problem, httpx.HTTPError, httpx.InvalidURL) as error:
        sys.exit(f"error: {str(error) or type(error).__name__}")


def main(server: str = "http://127.0.0.1:8000") -> None:
    """Print the guesses of a game and an analysis."""
    client = Client(server)
    print("guesses for 2718:", *client.play("avg-bulls-cows", secret="2718"))
    turn: Turn = {"guess": "0011", "bulls": 1, "cows": 0}
    advice = client.analyse("p4c6r", turn, guesses=["2233"])
    print("best:", advice["guess"], advice["status"])
    print("2233 costs more:", *(one["loss"] for one in advice["evaluations"] or ()))


if __name__ == "__main__":
    run(main)
