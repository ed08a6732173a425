"""The lessons: their pages, and the rule of the second."""

import re
from collections.abc import Iterator

import numpy as np
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from bullscows.game.rules import Rules, respond
from bullscows.strategies.least_frequent import Reading, rarest_symbols
from bullscows_web.language.catalogues import Language, languages
from bullscows_web.learn.lessons import (
    EIGHT,
    EXERCISES,
    SIX,
    STEPS,
    LearnPage,
    Verdict,
    judge,
    steps,
)
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


ADVICE = {
    "en": ("keep", "move|swap", "replace"),
    "ru": ("оставьте", "переставьте|поменяйте", "замените"),
}
"""The verbs of keeping, moving and replacing digits."""
NUMBERS = {"one": 1, "two": 2, "the other two": 2, "the third": 1, "all three": 3, "the rest": 2}
NUMBERS |= {"одну": 1, "две": 2, "две другие": 2, "третью": 1, "все три": 3}


def advised(language: Language, words: str) -> list[int]:
    """Return how many digits a hint says to keep, to move and to replace."""
    advice = words.rstrip(".").rpartition(". ")[2].lower()
    found = []
    for verb in ADVICE[language.code]:
        number = "|".join(sorted(NUMBERS, key=len, reverse=True))
        match = re.search(rf"(?:{verb}) ({number})\b|\b({number}) (?:{verb})", advice)
        found.append(NUMBERS[match[1] or match[2]] if match else 0)
    return found


def changed(before: str, after: str) -> list[int]:
    """Return how many digits a code keeps, moves and replaces of another."""
    kept = sum(one == other for one, other in zip(before, after, strict=True))
    common = len(set(before) & set(after))
    return [kept, common - kept, len(before) - common]


def positions_of_the_first_round() -> Iterator[LearnPage]:
    """Yield the positions after any guess, and after any two of which some go first."""
    start = LearnPage(1, 5)
    texts = list(map(start.rules.text, range(start.rules.size)))
    for first in texts:
        yield start.after(first)
        for second in texts if first in ("012", "154", "415", "405") else ():
            if second != first != "415":
                yield start.after(first).after(second)


@pytest.mark.parametrize("language", languages(), ids=lambda language: str(language.code))
def test_every_code_left_follows_the_hint(language: Language):
    """A hint fits a code that keeps, moves and replaces as many digits of the last guess."""
    answers = set()
    for page in positions_of_the_first_round():
        words = page.hint(language)
        if page.is_found:
            continue
        if len(page.left) == 1:
            assert page.left[0] in words
            continue
        answers.add(str(page.turns[-1].answer))
        advice = advised(language, words)
        assert sum(advice) == 3, words
        for code in page.left:
            assert changed(page.guesses[-1], code) == advice, (page.guesses, code, words)
    assert answers == {"0.1", "0.2", "0.3", "1.0", "1.1", "1.2", "2.0"} | {"0.0"}


def test_example_of_a_first_guess_is_a_guess():
    page = LearnPage(1, 5)
    (example,) = re.findall(r"[0-9]+", page.hint(languages()[0]))
    assert page.after(example).turns


def test_better_guess_of_the_lesson_tells_all_codes_apart():
    page = LearnPage(2, 4)
    answers = {respond(page.example, code) for code in SIX}
    assert len(answers) == len(SIX)


def test_last_code_left_is_to_be_guessed(client: TestClient):
    page = get(client, "/learn/2/5/456-078-234")
    assert "When one code is left, guess it." in text(one(page, ".verdict"))


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


RULES = Rules.parse("p3c10n")
CODES = st.integers(0, RULES.size - 1)


def judged(codes: list[int], guess: int) -> Verdict:
    return judge(RULES, np.array(sorted(codes), dtype=np.int32), guess)


@pytest.mark.parametrize(
    ("codes", "guess", "reason", "most"),
    [
        *((EIGHT, "012", "rarest", 5), (EIGHT[3:], "345", "rarest", 2)),
        *((EIGHT, "798", "frequent", 7), (EIGHT[3:], "018", "absent", 5), (SIX, "243", "apart", 1)),
        *((("123", "231", "312"), "132", "order", 3), (EIGHT[:2], "198", "few", 1)),
        (EIGHT[:2], "298", "few", 2),
    ],
)
def test_guesses_of_the_paper_and_others(
    codes: tuple[str, ...], guess: str, reason: str, most: int
):
    verdict = judged([RULES.parse_code(code) for code in codes], RULES.parse_code(guess))
    assert (verdict.reason, verdict.most) == (reason, most)
    is_right = reason in ("rarest", "apart") or (reason == "few" and guess in codes)
    assert verdict.follows == is_right


@given(st.sets(CODES, min_size=3, max_size=20).map(sorted), CODES)
def test_guess_follows_if_no_other_digits_occur_less(codes: list[int], guess: int):
    texts = [RULES.text(code) for code in codes]
    counts = {digit: sum(digit in text for text in texts) for digit in "0123456789"}
    least = sorted(count for count in counts.values() if count)[:3]
    verdict = judged(codes, guess)
    assert verdict.counts == counts
    if verdict.reason != "apart":
        is_rarest = sorted(counts[digit] for digit in RULES.text(guess)) == least
        assert is_rarest == (verdict.reason in ("rarest", "order"))
    example = rarest_symbols(RULES, tuple(codes), Reading())
    assert judged(codes, example).reason in ("rarest", "order", "apart")


def test_step_of_the_whole_answer_marks_every_symbol_of_the_guess(client: TestClient) -> None:
    slots = get(client, list(steps())[3].start).select(".slot")
    marks = [str(slot["class"][-1]) for slot in slots[4:]]
    assert marks == ["is-cow", "is-bull", "is-out", "is-cow"]
