"""The pages of the lessons."""

import pytest
from bs4 import BeautifulSoup
from starlette.testclient import TestClient

from bullscows_web.learn.lessons import EXERCISES, STEPS, steps
from tests.support.pages import get, one, text

each_language = pytest.mark.parametrize("prefix", ["", "/ru"])


def guessed(client: TestClient, path: str, guess: str, status: int = 200) -> BeautifulSoup:
    """Send a guess by the form of a page, and return the page after it."""
    form = one(get(client, path), "form.fill")
    response = client.get(str(form["action"]), params={"guess": guess}, follow_redirects=True)
    assert response.status_code == status
    return BeautifulSoup(response.text, "html.parser")


@each_language
def test_steps_lead_from_one_to_the_next_and_can_be_skipped(client: TestClient, prefix: str):
    for step in steps():
        page = get(client, prefix + step.start)
        assert len(page.select(".step-dot")) == STEPS
        assert len(page.select(".step-dot.done")) == step.step
        assert one(page, ".skip-lesson")["href"] == f"{prefix}/guess"
        one(page, "h1")
        if step.exercise is None:
            assert one(page, ".onward a.primary")["href"] == prefix + step.next


@pytest.mark.parametrize(
    "path",
    [
        *("/0/1", "/3/1", "/1/0", "/1/6", "/x/1", "/1/x", "/12/1", "/1/²"),
        *("/1/2/0123", "/1/2?guess=0123", "/1/5/999", "/1/5/01", "/1/5/012-012", "/1/5/-"),
        *("/1/5/415-012", "/1/5/415?guess=012", "/2/3/345-034", "/2/5/123"),
        "/2/3/" + "-".join(["345"] * 31),
    ],
)
def test_there_is_no_such_step(client: TestClient, path: str):
    assert client.get(f"/learn{path}").status_code == 404


@each_language
def test_first_round_hints_and_ends(client: TestClient, prefix: str):
    start = f"{prefix}/learn/1/5"
    places = [start, *(f"{start}/{guesses}" for guesses in ("012", "012-023", "154", "154-541"))]
    assert len({text(one(get(client, path), ".hint")) for path in places}) == len(places)
    page = guessed(client, places[-1], "415")
    answers = [row["data-answer"] for row in page.select("tr[data-guess]")]
    assert answers == ["0.3", "0.3", "3.0"]
    assert one(page, ".onward a.primary")["href"] == f"{prefix}/guess"
    assert not page.select("form.fill")


def test_wrong_guess_is_explained_in_place(client: TestClient):
    page = guessed(client, "/learn/1/5/012", "44", 422)
    assert text(one(page, ".said .error")) == "A guess has 3 digits; you wrote 2."
    assert one(page, "form.fill")["action"] == "/learn/1/5/012"


@pytest.mark.parametrize("exercise", [key for key, each in EXERCISES.items() if each.codes])
def test_exercise_goes_on_after_a_guess_by_the_rule_only(
    client: TestClient, exercise: tuple[int, int]
):
    path = "/learn/{}/{}".format(*exercise)
    page = guessed(client, path, "987")
    one(page, ".verdict .breaks")
    shown = get(client, str(one(page, ".said a")["href"]))
    one(shown, ".verdict .follows")
    assert one(shown, ".onward a.primary")["href"] == f"/learn/2/{exercise[1] + 1}"


def test_round_by_the_rule_counts_the_guesses_that_followed_it(client: TestClient):
    page = guessed(client, "/learn/2/5", "456")
    one(page, ".verdict .breaks")
    page = guessed(client, "/learn/2/5/456-078", "459")
    assert "2 of your 3 guesses followed the rule." in text(one(page, ".step"))
