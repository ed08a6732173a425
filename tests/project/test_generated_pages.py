"""The generated pages are up to date with `make pages`, a server's answers and the trees."""

import csv
import re
from collections.abc import Iterator
from typing import Any

import griffe
import pytest
from jsonschema_rs import validator_for
from starlette.testclient import TestClient

import bullscows
from bullscows.shipping.atlas import atlas_path, read_atlas
from bullscows.shipping.catalogue import CATALOGUE, proved_lower
from bullscows.shipping.totals import totals
from bullscows.tree.files import read_tree
from bullscows.tree.storage import default_folder, tree_path
from bullscows_web.api.openapi import examples, operations
from bullscows_web.main import create_app
from docs.generate import TOTALS, commands, library, pictures, reference, with_part
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


def test_picture_of_the_tree_is_up_to_date() -> None:
    assert pictures.PICTURE.read_text(encoding="utf-8") == pictures.tree_picture(), STALE


def test_readme_and_changelog_state_the_figures_of_the_trees() -> None:
    readme, changelog = ((ROOT / f"{name}.md").read_text() for name in ("README", "CHANGELOG"))
    bulls, mastermind, large = (
        read_tree(f"avg-{name}").tree for name in ("bulls-cows", "mastermind", "mastermind-5x7")
    )
    for strategy in (bulls, mastermind):
        assert f" {strategy.total / strategy.rules.size:.3f} " in readme
    assert bulls.depth == 7
    assert "never more than seven" in readme
    for strategy in (bulls, mastermind, large):
        assert f" {strategy.total} " in changelog


def test_reference_of_the_library_describes_every_name_and_member() -> None:
    source = library.package()
    listed = re.findall(r"^::: bullscows\.(\S+)$", library.PAGE.read_text(encoding="utf-8"), re.M)
    found = [library.target(source, name) for name in listed]
    found += [member for one in found for member in library.public_members(one)]
    assert len(found) > 300
    assert [one.path for one in found if not one.has_docstring] == []


def test_modules_that_the_reference_leaves_out_exist() -> None:
    """The types of a renamed module would become public."""
    source = library.package()
    for prefix in library.INTERNAL:
        assert source[prefix.removeprefix("bullscows.").removesuffix(".")].is_module, prefix


def test_every_function_of_the_library_describes_parameters_and_result() -> None:
    source = library.package()
    exported = [library.target(source, name) for name in bullscows.__all__]
    functions = [one for one in exported if isinstance(one, griffe.Function)]
    assert len(functions) > 10
    for one in functions:
        assert one.docstring, one.path
        sections = {section.kind.value: section.value for section in one.docstring.parsed}
        stated = [part.name for part in sections["parameters"]]
        assert stated == [part.name for part in one.parameters], one.path
        assert str(one.returns) == "None" or "returns" in sections, one.path
        assert "examples" in sections, one.path


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


def test_tree_files_and_atlas_state_the_same_bounds() -> None:
    """`make pages` takes them over from the checkpoints, which may have proved more since."""
    folder = default_folder()
    atlas = read_atlas(atlas_path(folder)).games
    for spec in CATALOGUE.values():
        if spec.lower is not None:
            lower = read_tree(tree_path(spec.name, folder)).record.lower
            assert lower == atlas[spec.rules].lower, STALE
            assert lower <= (proved_lower(spec, folder) or 0)


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
