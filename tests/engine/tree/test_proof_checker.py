"""A checker without a search accepts proofs of known values, and no proof that is false."""

import json
import lzma
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.library import solve
from bullscows.search import position_search
from bullscows.search.position import Position
from bullscows.search.position_search import Search
from bullscows.search.proof_writer import Writer
from bullscows.search.threads import run_together
from bullscows.shipping.catalogue import CATALOGUE
from bullscows.tree import proof_checker
from bullscows.tree.files import read_tree
from bullscows.tree.proof_checker import CheckedProof, Codes, Game, ProofError, Splits, check
from bullscows.tree.proof_files import proof_files
from bullscows.tree.storage import RecordError, default_folder, proof_path

TOTALS = {"p3c6n": 436, "p3c5r": 451, "p4c6n": 1446, "p4c6r": 5625, "p3c10z": 3151, "p3c6rb": 1280}
"""Least totals; sources: README, tests/data/known_costs.csv, Slovesnov 5.2."""
MUTANTS = 400
"""Changed proofs of each of three games, over a thousand in all."""


@cache
def proof_of(rules: str, objective: str = "average", max_turns: int | None = None) -> list[str]:
    content = Writer(Question.of(rules, (), objective, max_turns)).write().content
    return lzma.decompress(content).decode().splitlines()


def checked(lines: list[str], folder: Path) -> CheckedProof:
    path = folder / "some.proof.xz"
    path.write_bytes(lzma.compress("\n".join([*lines, ""]).encode(), preset=0))
    return check(path)


@pytest.mark.parametrize("rules", TOTALS)
def test_the_least_total_of_a_game_is_proved(rules: str, tmp_path: Path) -> None:
    found = checked(proof_of(rules), tmp_path)
    assert (found.rules, found.weights, found.claim) == (rules, None, TOTALS[rules])


@pytest.mark.parametrize(("objective", "max_turns"), [("average,last", 6), ("movers", 5)])
def test_other_sums_are_proved(objective: str, max_turns: int, tmp_path: Path) -> None:
    found = checked(proof_of("p4c6r", objective, max_turns), tmp_path)
    assert found.claim == solve("p4c6r", objective, max_turns=max_turns).cost.lower > 0


def test_a_stopped_proof_is_continued(tmp_path: Path) -> None:
    partial = tmp_path / "some.partial"
    question = Question.of("p3c10n")
    whole = Writer(question).write()

    def stop(report: tuple[int, int]) -> None:
        if report[0] == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Writer(question).write(stop, partial)
    kept = partial.read_text()
    partial.write_text(kept[:-3])  # the last of 9 lemmas is cut off
    assert Writer(question).write(partial=partial) == whole
    lines = partial.read_text().splitlines()
    assert lines[:9] == kept.splitlines()[:9]
    assert len(lines) == 10 + whole.lemmas - 8  # with the header, and the line cut off
    other = Writer(Question.of("p3c6n")).write(partial=partial)
    assert lzma.decompress(other.content).decode().splitlines() == proof_of("p3c6n")


def test_all_threads_search_large_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []

    def run(runs: Sequence[Callable[[], int]], *rest: Any, **options: Any) -> Any:
        threads.append(len(runs))
        return run_together(runs, *rest, **options)

    monkeypatch.setattr(position_search, "run_together", run)
    proof = Writer(Question.of("p4c6r"), threads=2).write()
    assert threads
    assert set(threads) == {2}
    assert proof.claim == TOTALS["p4c6r"]


def test_a_damaged_file_of_lemmas_is_written_again(tmp_path: Path) -> None:
    partial = tmp_path / "some.partial"
    partial.write_bytes(b"\xff\n")
    proof = Writer(Question.of("p3c6n")).write(partial=partial)
    assert lzma.decompress(proof.content).decode().splitlines() == proof_of("p3c6n")
    assert len(partial.read_text("ascii").splitlines()) == 1 + proof.lemmas


def test_answers_are_those_of_the_response_table() -> None:
    for rules in ("p3c4r", "p3c5n", "p3c5z", "p3c4rb"):
        game = Game(rules)
        table = ResponseTable.of(rules)
        texts = [f"{bulls}.{cows}" for bulls, cows in Rules.parse(rules).answers]
        numbers = np.array([game.answers.get(text, 99) for text in texts])
        assert np.array_equal(numbers[table.responses[:, : table.size]], game.table)


def most_parts(game: Game, codes: Codes) -> tuple[int, int]:
    """Return what `Splits.most_parts` should, from the answers to each guess."""
    win = len(game.answers) - 1
    parts = [len(set(answers) - {win}) for answers in game.table[:, codes].tolist()]
    return max(parts[code] for code in codes), max(*parts, 1)


@pytest.mark.parametrize("rules", ["p4c10n", "p4c7r", "p5c4rb"])
def test_the_most_parts_of_subsets_are_those_of_all_guesses_counted(rules: str) -> None:
    game = Game(rules)
    draw = np.random.default_rng(1)
    for size in (3, 40, 400):
        codes = np.sort(draw.choice(len(game.codes), size, replace=False))
        splits = Splits(game, codes)
        for share in (1, 2, size):
            rows = np.sort(draw.choice(size, share, replace=False))
            assert splits.most_parts(rows) == most_parts(game, codes[rows])


def test_guesses_that_split_only_a_subset_well_count_for_it() -> None:
    game = Game("p4c10n")
    kinds = (game.codes < 4).sum(axis=1)
    codes = np.flatnonzero((kinds == 0) | (kinds == 4))  # of the digits 4 to 9, or of 0 to 3
    rows = np.flatnonzero(kinds[codes] == 4)
    assert Splits(game, codes).most_parts(rows) == most_parts(game, codes[rows])


# -- proofs that are false -----------------------------------------------------------------------

Change = Callable[[list[str]], None]


def with_lemma(number: int, change: Callable[[list[object]], None]) -> Change:
    """Change a lemma; the first has number 1, the last -1."""

    def changed(lines: list[str]) -> None:
        fields = json.loads(lines[number])
        change(fields)
        lines[number] = json.dumps(fields)

    return changed


def with_claim(claim: object) -> Change:
    def changed(lines: list[str]) -> None:
        lines[0] = json.dumps(json.loads(lines[0]) | {"claim": claim})

    return changed


def first_use(lines: list[str]) -> tuple[int, str, str]:
    """Return the line, the guess and the words of the first use of a lemma."""
    for number, line in enumerate(lines[1:], start=1):
        for guess, words in json.loads(line)[3].items():
            return number, guess, words
    raise AssertionError("no lemma is used")


def with_use(change: Callable[[str], str]) -> Change:
    def changed(lines: list[str]) -> None:
        number, guess, words = first_use(lines)
        with_lemma(number, lambda fields: fields[3].update({guess: change(words)}))(lines)  # type: ignore[attr-defined]

    return changed


def without_first_lemma(lines: list[str]) -> None:
    del lines[1]


def without_last_lemma(lines: list[str]) -> None:
    del lines[-1]


def with_larger_bound(fields: list[object]) -> None:
    assert isinstance(fields[1], int)
    fields[1] += 1


FALSE: dict[str, tuple[Change, str]] = {
    "claim above the lemmas": (with_claim(437), "proves 436, but 437 is claimed"),
    "claim that is no number": (with_claim("436"), "the claim is a number"),
    "bound too large": (with_lemma(-1, with_larger_bound), "but 437 is claimed"),
    "bound of the first lemma": (
        with_lemma(1, with_larger_bound),
        "guess 034 costs 15 or more, but 16 is claimed",
    ),
    "missing lemma": (without_first_lemma, "names no earlier lemma|other candidates"),
    "circular lemma": (with_use(lambda words: words.replace("=1@", "=9@")), "no earlier lemma"),
    "no transformation": (
        with_use(lambda words: words.replace("@", "@00")),
        "names no earlier lemma|no transformation of the game",
    ),
    "another set": (with_use(lambda words: f"3.0={words[4:]}"), "the lemma is about other"),
    "false symmetry": (
        with_lemma(1, lambda fields: fields[2].append("012/345012")),  # type: ignore[attr-defined]
        "does not map the candidates",
    ),
    "last lemma missing": (without_last_lemma, "not about all codes"),
    "no history": (with_lemma(1, lambda fields: fields.__setitem__(0, "01:0.0")), "is no code"),
    "bound that is no number": (
        with_lemma(1, lambda fields: fields.__setitem__(1, float("nan"))),
        "the bound is no number",
    ),
    "other types": (with_lemma(1, lambda fields: fields.__setitem__(0, 7)), "it is not JSON"),
    "contradiction": (
        with_lemma(1, lambda fields: fields.__setitem__(0, "012:0.0 012:0.1")),
        "no code fits",
    ),
    "no JSON": (lambda lines: lines.append("{"), "it is not JSON"),
    "a number of 5,000 digits": (lambda lines: lines.append(f"[{'1' * 5000}]"), "it is not JSON"),
    "lemma with a number of zeros": (
        with_use(lambda words: words.replace("=1@", "=000000000001@")),
        "names no earlier lemma",
    ),
    "false lemma for a guess that needs none": (
        with_lemma(1, lambda fields: fields[3].update({"012": "0.0=1@012/012345"})),  # type: ignore[attr-defined]
        "names no earlier lemma",
    ),
    "weights that decrease": (
        lambda lines: lines.__setitem__(0, lines[0].replace('s": null', 's": [2, 1]')),
        "a weight is less than the one before",
    ),
    "another game": (
        lambda lines: lines.__setitem__(0, lines[0].replace("p3c6n", "p8c16r")),
        "or more than 12000",
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_proof_is_rejected_with_line_and_reason(name: str, tmp_path: Path) -> None:
    change, reason = FALSE[name]
    lines = list(proof_of("p3c6n"))
    change(lines)
    with pytest.raises(ProofError, match=rf"^line \d+: .*({reason})"):
        checked(lines, tmp_path)


@pytest.mark.parametrize(
    ("rules", "transformation"),
    [
        ("p3c4r", "012/1023/0123/0123"),
        ("p3c4r", "012/1023/1023/1023"),
        ("p3c5n", "012/10234/01234/01234"),
        ("p3c4nb", "012/1023/0123/0123"),
        ("p3c4rb", "012/1023/0123"),
        ("p3c4rb", "012/1023/0123/0123/0123"),
        ("p3c4rb", "012/1123/0123/0123"),
        ("p3c4rb", "012/0123/0123/0124"),
        ("p3c4rb", "012/0123/0123/"),
        ("p3c4rb", "011/0123/0123/0123"),
        ("p3c4rb", "012"),
    ],
)
def test_names_by_place_that_change_answers_are_rejected(
    rules: str, transformation: str, tmp_path: Path
) -> None:
    lines = list(proof_of(rules))
    with_lemma(-1, lambda fields: fields[2].append(transformation))(lines)  # type: ignore[attr-defined]
    with pytest.raises(ProofError, match=f"'{transformation}' is no transformation of the game"):
        checked(lines, tmp_path)


def test_names_by_place_keep_answers_of_bulls_only() -> None:
    game = Game("p3c4rb")
    codes = np.arange(len(game.codes))
    images = game.image("120/1023/0132/3210", codes)
    assert "".join(map(str, game.codes[images[game.guesses["012"]]])) == "033"
    assert np.array_equal(np.sort(images), codes)
    assert np.array_equal(game.table[np.ix_(images, images)], game.table)


def test_a_damaged_file_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "some.proof.xz"
    whole = lzma.compress("\n".join([*proof_of("p3c6n"), ""]).encode())
    cut_off = whole[:-9]
    for content in (
        b"",
        b"no proof",
        lzma.compress(b""),
        lzma.compress(b"\xff"),
        cut_off,
        whole * 2,
    ):
        path.write_bytes(content)
        with pytest.raises(ProofError):
            check(path)


class Costs:
    """The true costs of the sets of a game, by a search."""

    def __init__(self, rules: str) -> None:
        self.game = Game(rules)
        question = Question.of(rules)
        self._search = Search(ResponseTable.of(rules), question.weights())
        self._found: dict[bytes, int] = {}

    def after(self, history: str) -> int:
        left = self.game.after(history)
        key = left.tobytes()
        if key not in self._found:
            self._found[key] = self._search.value(Position(tuple(left.tolist()), 1, None)).lower
        return self._found[key]


def mutated(lines: list[str], draw: random.Random) -> list[str]:
    """Return a proof with one change: of a number, a letter, two names, or the order of lemmas."""
    changed = list(lines)
    at = draw.randrange(len(lines))
    kind = draw.choice(("number", "letter", "names", "remove", "swap", "copy"))
    if kind == "number" and at > 0:
        fields = json.loads(lines[at])
        fields[1] += draw.choice((1, 1, 2, 5))
        changed[at] = json.dumps(fields)
    elif kind == "remove":
        del changed[at]
    elif kind == "swap":
        other = draw.randrange(len(lines))
        changed[at], changed[other] = changed[other], changed[at]
    elif kind == "copy":
        changed[at] = draw.choice(lines)
    else:
        places = [place for place, letter in enumerate(lines[at]) if letter.isdigit()]
        one = draw.choice(places)
        other = draw.choice([place for place in places if abs(place - one) < 6])
        letters = list(lines[at])
        if kind == "names":
            letters[one], letters[other] = letters[other], letters[one]
        else:
            letters[one] = draw.choice("0123456789")
        changed[at] = "".join(letters)
    return changed


@pytest.mark.large
@pytest.mark.parametrize("rules", ["p3c6n", "p3c4rb", "p3c7n"])
def test_no_change_makes_the_checker_accept_what_is_false(rules: str, tmp_path: Path) -> None:
    """Whatever is accepted is true: the claim, and the bound of each lemma."""
    costs = Costs(rules)
    rejected = 0
    for number in range(MUTANTS):
        lines = mutated(proof_of(rules), random.Random(number))
        try:
            found = checked(lines, tmp_path)
        except ProofError:
            rejected += 1
            continue
        assert found.rules == rules
        assert found.claim <= costs.after("")
        for line in lines[1:]:
            history, bound, *_ = json.loads(line)
            assert bound <= costs.after(history), line
    assert MUTANTS // 2 < rejected < MUTANTS


# -- alone, and shipped --------------------------------------------------------------------------


@pytest.mark.process
def test_the_checker_runs_alone(tmp_path: Path) -> None:
    """As a stranger would: one file of Python, NumPy, and a proof."""
    script = tmp_path / "proof_checker.py"
    shutil.copy(proof_checker.__file__, script)
    lines = list(proof_of("p3c6n"))
    for claim, code in ((436, 0), (437, 1)):
        with_claim(claim)(lines)
        path = tmp_path / "some.proof.xz"
        path.write_bytes(lzma.compress("\n".join([*lines, ""]).encode()))
        command = [sys.executable, "-S", "-c", ALONE.format(path=sys.path), str(script), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        said = done.stdout + done.stderr
        assert said.startswith("proved: " if code == 0 else "not proved: line ")


ALONE = """
import runpy, sys
sys.path[:] = [place for place in {path!r} if not place.endswith(("engine", "app"))]
script, proof = sys.argv[1:]
sys.argv = [script, proof]
runpy.run_path(script, run_name="__main__")
"""

SHIPPED = sorted(
    path.name.removesuffix(".proof.xz")
    for path in proof_path("", default_folder()).parent.glob("*.xz")
)
"""Games, of whose fewest turns the proofs are, and trees, of whose goals they are."""
ATLAS = json.loads((default_folder() / "atlas.json").read_text(encoding="utf-8"))["games"]
LONG = {
    "p3c10rb",
    "p4c6rb",
    "p3c10r",
    "p4c7r",
    "p4c8r",
    "p4c9n",
    "p4c9r",
    "p4c10n",
    "p4c10r",
    "p4c10z",
    "p4c11n",
    "p5c5r",
    "p5c7n",
    "p5c6r",
    "p5c8n",
    "p6c4r",
    "p6c6n",
}
"""Games whose proofs take longer to check than a second or two."""
LONG |= {name for name, tree in CATALOGUE.items() if tree.rules in LONG}


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=pytest.mark.slow if each in LONG else ()) for each in SHIPPED],
)
@pytest.mark.large
def test_a_shipped_proof_is_accepted(name: str) -> None:
    found = check(proof_path(name, default_folder()))
    totals = {each["rules"]: each["total"] for each in ATLAS}
    if name in totals:
        assert (found.rules, found.weights, found.claim) == (name, None, totals[name])
    else:
        record = read_tree(name).record
        proof = proof_files(name, record.rules, default_folder())[-1]
        question = proof.question
        assert (str(question.objective), question.max_turns) == (record.objective, record.max_turns)
        assert (found.rules, found.claim) == (record.rules, proof.claim)
        assert proof.is_attained(record.distribution)


def test_claims_of_shipped_proofs_are_read() -> None:
    folder = default_folder()
    claims = {
        proof.path: proof.claim
        for name, tree in CATALOGUE.items()
        for proof in proof_files(name, tree.rules, folder)
    }
    assert claims[proof_path("p6c4r", folder)] == 17281


def test_the_games_that_people_play_have_proofs() -> None:
    assert {"p4c6r", "p3c10n", "p4c6n", "p4c7n", "p4c8n", "p4c9n", "p4c10n"} <= set(SHIPPED)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rules": "p3c7n"}, "is about p3c7n, not about p3c6n"),
        ({"weights": [1, 2, 3]}, "the weights are not those of average,last"),
        ({"weights": None}, "the weights are not those of average,last"),
        ({"objective": "soonest"}, "unknown objective"),
        ({"claim": None}, "is no proof"),
        ({"objective": "average", "max_turns": None}, "the weights are not those of average"),
    ],
)
def test_a_proof_with_another_meaning_is_none_of_the_tree(
    change: dict[str, object], reason: str, tmp_path: Path
) -> None:
    path = proof_path("mine", tmp_path)
    path.parent.mkdir()
    header, *lemmas = proof_of("p3c6n", "average,last", 5)
    path.write_bytes(lzma.compress("\n".join([header, *lemmas]).encode()))
    (proof,) = proof_files("mine", "p3c6n", tmp_path)
    assert proof.is_attained([1, 5, 35, 75, 4])
    assert not proof.is_attained([1, 5, 34, 77, 3])
    assert not proof.is_attained([1, 5, 36, 74, 3, 1])
    changed = json.dumps(json.loads(header) | change)
    path.write_bytes(lzma.compress("\n".join([changed, *lemmas]).encode()))
    with pytest.raises(RecordError, match=reason):
        proof_files("mine", "p3c6n", tmp_path)
    path.write_bytes(b"no xz")
    with pytest.raises(RecordError, match="is no proof"):
        proof_files("mine", "p3c6n", tmp_path)
