"""The canonical form is one for all images of a position; what is found of one is known of all."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.analysis.analyst import Analyst, checked
from bullscows.analysis.search_cache import SearchCache
from bullscows.analysis.without_search import equivalent
from bullscows.game import canonical
from bullscows.game.canonical import canonical_form, canonical_guess
from bullscows.game.history import History, candidates, informative_turns, split
from bullscows.game.question import Question
from bullscows.game.result import TooFewTurnsError
from bullscows.game.rules import Rules
from bullscows.game.symmetry import Transformation, equivalence_classes
from bullscows.library import solve
from bullscows.tree.lookup import find_image
from tests.conftest import grow_greedily
from tests.support.examples import examples
from tests.support.strategies import small_rules

pytestmark = pytest.mark.large

GAMES = ("p4c10n", "p5c8r", "p8c2r", "p4c10z", "p4c6r", "p3c4n", "p3c3r", "p8c16r", "p1c4r")


@st.composite
def positions(draw: st.DrawFn, games: Sequence[str] = GAMES, most: int = 8) -> History:
    """Draw guesses with the answers of a secret; some come twice."""
    rules = Rules.parse(draw(st.sampled_from(games)))
    codes = st.integers(0, rules.size - 1)
    secret = draw(codes)
    guesses = draw(st.lists(codes, max_size=most))
    guesses += draw(st.lists(st.sampled_from(guesses), max_size=1)) if guesses else []
    return History(rules, tuple((guess, rules.respond(guess, secret)) for guess in guesses))


@st.composite
def symmetric_positions(draw: st.DrawFn) -> History:
    """Draw turns of which many are images of each other; no code need fit them."""
    rules = Rules.parse(draw(st.sampled_from(("p4c4n", "p5c5n", "p4c2r", "p6c2r", "p4c4z"))))
    turns = st.tuples(st.integers(0, rules.size - 1), st.integers(0, 1))
    return History(rules, tuple(draw(st.lists(turns, min_size=2, max_size=6))))


@st.composite
def renamings(draw: st.DrawFn, rules: Rules) -> Transformation:
    pinned = tuple(range(rules.pinned))
    places = draw(st.permutations(range(rules.pinned, rules.positions)))
    symbols = draw(st.permutations(range(rules.pinned, rules.symbols)))
    return Transformation((*pinned, *places), (*pinned, *symbols))


def renamed(history: History, names: Transformation) -> History:
    rules = history.rules
    return History(
        rules, tuple((names.apply_to_index(rules, guess), answer) for guess, answer in history)
    )


def forget() -> None:
    canonical_form.cache_clear()
    canonical_guess.cache_clear()


@contextmanager
def most_images(most: int) -> Iterator[None]:
    """Compute the canonical forms of positions, comparing at most `most` images."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(canonical, "MOST", most)
        forget()
        yield
    forget()


@pytest.fixture(scope="module")
def patient() -> Iterator[None]:
    """Compute every canonical form, however expensive."""
    with most_images(sys.maxsize):
        yield


@pytest.mark.usefixtures("patient")
@examples(300)
@given(positions() | symmetric_positions(), st.data())
def test_images_of_a_position_have_one_form_and_the_names_make_it(history, data):
    form = canonical_form(history)
    names = data.draw(renamings(history.rules))
    other = renamed(history, names)
    shuffled = History(history.rules, tuple(data.draw(st.permutations(other.turns))))
    again = canonical_form(shuffled)
    assert again.history == form.history
    for turns, found in ((history, form), (shuffled, again)):
        assert sorted(renamed(turns, found.names)) == sorted(form.history)
        assert all(found.named_back(found.image(guess)) == guess for guess in turns.guesses)
        assert [found.names.symbols[s] for s in range(history.rules.pinned)] == [
            *range(history.rules.pinned)
        ]
    assert canonical_form(form.history).history == form.history


def test_names_of_a_form_do_not_depend_on_the_order_of_the_turns():
    """A guess that is named back is the same for each order; here two forms are equal."""
    turns = ["00:0.0", "14:0.0", "43:0.0"]
    orders = [History.parse("p2c7r", " ".join(order)) for order in permutations(turns)]
    assert len(set(map(canonical_form, orders))) == 1


@examples(60)
@given(positions(("p3c4n", "p3c3r", "p2c5r", "p3c5z", "p4c2r", "p4c4n"), most=3))
def test_guesses_are_one_where_the_symmetries_of_the_position_make_them_equal(history):
    """Held against the classes that the search itself goes by."""
    rules = history.rules
    answers = [answer for _, answer in history]
    labels = equivalence_classes(rules, history.guesses, answers=answers).labels.tolist()
    images = [canonical_guess(history, guess) for guess in range(rules.size)]
    assert len(set(images)) == len(set(labels)) == len(set(zip(images, labels, strict=True)))


@pytest.mark.parametrize("most", [0, 1, 5, 10, 20, 30])
@examples(30)
@given(history=positions(("p4c4n", "p3c3r", "p5c5n", "p4c4r")), data=st.data())
def test_guess_of_a_position_too_expensive_splits_the_same_parts(most, history, data):
    """The position, the guess with it, or one of its images exceeds the limit."""
    rules = history.rules
    guess = data.draw(st.integers(0, rules.size - 1))
    with most_images(most):
        form = canonical_form(history)
        image = canonical_guess(history, guess)
    original = split(rules, candidates(rules, history), guess)
    assert split(rules, candidates(rules, form.history), image).parts == original.parts


def test_evaluations_match_their_guesses_if_only_the_position_is_too_expensive():
    """With a guess it is not, and its image then names the guess by other names."""
    question = Question.of("p6c6n", "152430:0.6 342501:0.6")
    analyst = loaded()
    best = analyst.analysis(question, None)
    guesses = question.rules.numbers(["410352", "154302", "152304"])
    prices = [price.value for price in analyst.evaluations(best, guesses, None)]
    assert prices == [
        solve(question.rules, history=question.history, first=g).value for g in guesses
    ]


def loaded() -> Analyst:
    analyst = Analyst(sys.maxsize)
    analyst.load(())
    return analyst


def refuse_to_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        pytest.fail("a search was made")

    for name in ("search", "table"):
        monkeypatch.setattr(SearchCache, name, refuse)


POSITIONS = [
    ("p4c10n", "0123:0.1 1456:1.1 2604:0.2", "average"),
    ("p4c10n", "0123:0.1 1456:1.1 0123:0.1", "worst,average"),
    ("p4c10z", "1234:0.1 5067:1.1 8123:0.2", "average"),
    ("p5c8r", "00112:1.1 23345:0.3 61207:2.0", "average"),
]
"""One with an idle turn, one where 0 keeps its name, and one of which only candidates have rows."""


def question_and_image(
    text: str, history: str, objective: str
) -> tuple[Question, Question, Transformation]:
    """Return a question, the same by other names in another order, and the names."""
    question = Question.of(text, history, objective)
    rules = question.rules
    pinned = tuple(range(rules.pinned))
    names = Transformation(
        (*pinned, *reversed(range(rules.pinned, rules.positions))),
        (*pinned, *reversed(range(rules.pinned, rules.symbols))),
    )
    turns = renamed(question.history, names).turns
    return question, Question.of(rules, turns[::-1], objective), names


@pytest.mark.parametrize(
    ("case", "only"), [*((case, False) for case in POSITIONS), (POSITIONS[0], True)]
)
def test_what_is_proved_of_a_position_is_known_of_its_images(case, only, monkeypatch):
    """Its value, the costs of guesses and the best of them, as a search by their own names says."""
    analyst = loaded()
    question, image, names = question_and_image(*case)
    question, image = (replace(one, candidates_only=only) for one in (question, image))
    rules = question.rules
    has_costs = not only
    best = analyst.analysis(checked(question), None)
    guesses = [best.guess, *range(0, rules.size, rules.size // 7)] if has_costs else []
    prices = analyst.evaluations(best, guesses, None)
    is_ranked = has_costs and "worst" not in case[2]
    ranked = analyst.best_guesses(best, 5) if is_ranked else ()
    refuse_to_search(monkeypatch)
    other = analyst.analysis(checked(image), None)
    assert (other.question, other.levels, other.status) == (image, best.levels, "optimal")
    images = [names.apply_to_index(rules, guess) for guess in guesses]
    again = analyst.evaluations(other, images, None)
    assert [price.guess for price in again] == images
    for price, one in zip(prices, again, strict=True):
        assert (one.levels, one.last_turn, one.status) == (price.levels, price.last_turn, "optimal")
        assert [size for _, size in one.split.parts] == [size for _, size in price.split.parts]
    same = analyst.best_guesses(other, 5) if is_ranked else ()
    for guess, twin in zip(ranked, same, strict=True):
        assert equivalent(image, names.apply_to_index(rules, guess), twin)
    assert len(ranked) == (5 if is_ranked else 0)
    asked = [(one.question, one.guess, one.levels) for one in (best, other)]
    asked += [(image, one.guess, one.levels) for one in again if one.split.number > 1][-1:]
    for where, first, levels in asked:
        history = where.history
        own = solve(rules, case[2], history=history, first=first, candidates_only=only)
        assert own.levels == levels
    free = solve(rules, case[2], history=image.history, candidates_only=only)
    assert free.levels == best.levels


def test_impossible_turn_limit_is_known_of_all_images(monkeypatch):
    analyst = loaded()
    with pytest.raises(TooFewTurnsError):
        analyst.analysis(checked(Question.of("p4c10n", "0123:0.1", "average", 4)), None)
    refuse_to_search(monkeypatch)
    with pytest.raises(TooFewTurnsError) as raised:
        analyst.analysis(checked(Question.of("p4c10n", "8642:0.1", "average", 4)), None)
    assert str(raised.value.question.history) == "8642:0.1"


TREES = {text: grow_greedily(Rules.parse(text)) for text in ("p3c5n", "p2c4r", "p3c4r", "p3c5z")}


@given(st.sampled_from(sorted(TREES)), st.data())
def test_each_image_of_a_path_leads_to_its_node(text: str, data: st.DataObject):
    tree = TREES[text]
    rules = tree.rules
    path = tree.path(data.draw(st.sampled_from(tree.nodes)))
    turns = renamed(History(rules, path), data.draw(renamings(rules))).turns
    history = History(rules, tuple(data.draw(st.permutations(turns))))
    found = find_image(tree, history)
    assert found is not None
    left = [found.names.apply_to_index(rules, int(code)) for code in candidates(rules, history)]
    assert sorted(left) == list(found.node.candidates)
    assert found.names.apply_to_index(rules, found.guess) == found.node.guess


def test_a_history_that_is_no_image_is_not_found():
    tree = TREES["p2c4r"]
    other = "00" if len(set(tree.rules.code(tree.root.guess))) == 2 else "01"
    assert find_image(tree, History.parse(tree.rules, f"{other}:0.0")) is None


def test_a_history_longer_than_every_game_takes_no_search():
    """To try all orders of its turns would delay the hints of a puzzle for seconds."""
    tree = TREES["p3c5n"]
    guesses = range(tree.depth)
    history = History(
        tree.rules, tuple((guess, tree.rules.respond(guess, 59)) for guess in guesses)
    )
    called = set()
    sys.setprofile(lambda frame, *_: called.add(frame.f_code.co_name))
    try:
        found = find_image(tree, history)
    finally:
        sys.setprofile(None)
    assert found is None
    assert "place_orders" not in called


@given(small_rules(max_size=200), st.data())
def test_turns_that_tell_nothing_go_and_the_candidates_stay(rules: Rules, data: st.DataObject):
    code = st.integers(0, rules.size - 1)
    secret = data.draw(code)
    guesses = data.draw(st.lists(code, max_size=4))
    turns = tuple((guess, rules.respond(guess, secret)) for guess in (*guesses, *guesses[:1]))
    kept = informative_turns(History(rules, turns))
    left = len(candidates(rules, turns))
    assert len(candidates(rules, kept)) == left
    for number in range(len(kept)):
        assert len(candidates(rules, (*kept[:number], *kept[number + 1 :]))) > left
