"""The generated pages are up to date with `make pages`, a server's answers and the trees."""

import csv
import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from jsonschema_rs import validator_for
from starlette.testclient import TestClient

from bullscows.game.objective import Objective
from bullscows.shipping.totals import totals
from bullscows.tree.storage import default_folder, tree_files
from bullscows_web.api.examples import examples, operations
from bullscows_web.main import create_app
from docs.generate import TOTALS, commands, library, reference, with_part
from docs.generate.answers import Addresses
from tests import ROOT

STALE = "stale: make it again by make pages"


@pytest.fixture(scope="module")
def document(client: TestClient) -> dict[str, Any]:
    return dict(client.get("/openapi.json").json())


@pytest.mark.parametrize("room", [reference, commands, library])
def test_generated_page_is_up_to_date(room: Any) -> None:
    page = room.PAGE.read_text(encoding="utf-8")
    part = room.text(create_app().openapi()) if room is reference else room.text()
    assert page == with_part(page, part), STALE


def test_the_file_of_all_totals_agrees_with_the_atlas_and_the_trees() -> None:
    """A proof that was made since may be missing, but nothing that is stated may be wrong."""
    now = {(one.rules, one.objective, one.last_turn): one for one in totals(default_folder())}
    stated = list(csv.DictReader(TOTALS.read_text(encoding="utf-8").splitlines()))
    assert len(stated) > 400
    for row in stated:
        key = (row["rules"], row["objective"], int(row["last_turn"] or 0) or None)
        lower = now[key].lower
        value = now[key].value
        assert int(row["lower"] or 0) <= (lower or 0) <= value <= int(row["value"]), (
            f"{key}: {STALE}"
        )
    assert now["p4c10n", "average", None].published_by == "T. Tanaka, 1996"


@pytest.mark.process
def test_server_answers_every_example(real_server: str, document: dict[str, Any]) -> None:
    addresses = Addresses.of(real_server, document)
    for example in (one for some in examples().values() for one in some):
        status, answer = addresses.ask(example)
        assert (status, answer) == (example.status, example.response), f"{example.title}: {STALE}"


def test_every_operation_has_examples_of_request_and_answer(document: dict[str, Any]) -> None:
    """Also of each parameter and body; the operations of the file are those there are."""
    assert set(examples()) == {one["operationId"] for _, _, one in operations(document)}
    for _, _, operation in operations(document):
        places = list(operation.get("parameters", ()))
        places += operation.get("requestBody", {}).get("content", {}).values()
        assert all(place.get("examples") for place in places), operation["operationId"]
        success = next(one for status, one in operation["responses"].items() if status[0] == "2")
        assert success["content"]["application/json"]["examples"]


def media(value: Any) -> Iterator[dict[str, Any]]:
    """Yield whatever has a schema and examples with values."""
    if isinstance(value, dict):
        if "schema" in value and "examples" in value:
            yield value
        for one in value.values():
            yield from media(one)
    if isinstance(value, list):
        for one in value:
            yield from media(one)


def test_every_example_matches_its_schema(document: dict[str, Any]) -> None:
    found = list(media(document["paths"]))
    assert len(found) > 20
    for place in found:
        validator = validator_for(place["schema"] | {"components": document["components"]})
        for example in place["examples"].values():
            validator.validate(example["value"])


TEXT = (ROOT / "docs" / "reference" / "trees.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if line.startswith("| `")
]


@pytest.fixture(scope="module")
def records() -> dict[str, Any]:
    """The records of all shipped trees, by name."""
    return {path.stem: json.loads(path.read_text()) for path in tree_files(ROOT / "trees")}


def names(cell: str, shipped: set[str]) -> Iterator[str]:
    """Yield the trees of a cell; a suffix is appended to a prefix of the first name."""
    first, *others = re.findall(r"`([\w-]+)`", cell)
    yield first
    for other in others:
        stem = first
        while other.startswith("-") and stem + other not in shipped:
            stem = stem.rpartition("-")[0]
        yield stem + other if other.startswith("-") else other


def costs(record: dict[str, Any]) -> Iterator[int]:
    """Yield the value of each criterion, strongest first."""
    by_turn = dict(enumerate(record["distribution"], start=1))
    last = record["max_turns"] or record["depth"]
    for criterion in Objective.parse(record["objective"]).criteria:
        if criterion == "average":
            yield record["total"]
        elif criterion == "last":
            yield by_turn.get(last, 0)
        else:
            yield from (by_turn.get(turn, 0) for turn in range(last, 0, -1))


def test_figures_are_those_of_the_trees(records: dict[str, Any]) -> None:
    for cell, _, ours, *_ in ROWS:
        stated = [int(number) for number in ours.split(", ")]
        trees = [records[name] for name in names(cell, set(records))]
        found = [tree["total"] for tree in trees] if len(trees) > 1 else costs(trees[0])
        assert stated == list(islice(found, len(stated))), cell
        assert len(stated) >= len(trees)
