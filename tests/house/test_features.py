"""The table of features: what it names exists."""

import re

import pytest
from starlette.testclient import TestClient

from bullscows_web.trees.library import Library
from tests import ROOT

TEXT = (ROOT / "docs" / "research" / "features.md").read_text(encoding="utf-8")
PLACES = sorted(set(re.findall(r"`(/[\w/.-]*)`", TEXT)))


@pytest.mark.parametrize(
    "path", sorted(set(re.findall(r"`((?:tests|benchmarks)/[\w/]+\.py)`", TEXT)))
)
def test_what_holds_a_feature_exists(path: str):
    assert (ROOT / path).is_file()


@pytest.mark.parametrize("place", PLACES)
def test_where_a_feature_can_be_tried_exists(shipped_client: TestClient, place: str):
    if place == "/api/v1/response":
        body = {"rules": "p4c10n", "guess": "1234", "secret": "4271"}
        assert shipped_client.post(place, json=body).json()["answer"] == "1.2"
    elif place == "/api/v1/guess":
        assert shipped_client.post(place, json={"rules": "p4c10n"}).json()["guess"] == "0123"
    else:
        assert shipped_client.get(place).status_code == 200


def row(feature: str) -> str:
    """Return what the last column says of a feature."""
    (found,) = re.findall(rf"^\| {feature} \|.* \| ([^|]+) \|$", TEXT, re.M)
    return str(found)


def test_preferences_are_the_features_that_they_are_said_to_be(shipped_client: TestClient):
    page = shipped_client.get("/preferences").text
    assert 'name="keys" value="off"' in page
    assert row("Keyboard") == (
        "y: everything by Tab and Enter; single keys, which the preferences turn off"
    )
    assert "own-marks" in page
    assert row("Colours, digits, names").endswith("names of your own in the preferences")


def test_claims_on_trees_hold(shipped_library: Library):
    assert "exact" in {entry.record.proof for entry in shipped_library}
    assert len({entry.rules for entry in shipped_library}) > 2
