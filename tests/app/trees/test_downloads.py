"""The files of whole trees."""

from hashlib import sha256

import pytest
from starlette.testclient import TestClient

from bullscows.tree.codec import decode
from bullscows.tree.export import FORMATS
from bullscows_web.trees.downloads import MEDIA_TYPES
from bullscows_web.trees.library import Library
from tests.support.pages import get, one, text

pytestmark = pytest.mark.large

TREE = "small-bulls-cows"


def test_file_is_compressed_for_those_who_read_that(client: TestClient):
    found = client.get(f"/trees/{TREE}.json")
    plain = client.get(f"/trees/{TREE}.json", headers={"Accept-Encoding": "identity"})
    assert found.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert plain.content == found.content
    assert {each.headers["vary"] for each in (found, plain)} == {"Accept-Encoding"}
    known = {"If-None-Match": found.headers["etag"]}
    assert client.get(f"/trees/{TREE}.json", headers=known).status_code == 304


@pytest.mark.parametrize("form", FORMATS)
def test_file_is_what_the_exporter_writes(client: TestClient, library: Library, form: str):
    response = client.get(f"/trees/{TREE}.{form}")
    assert response.status_code == 200
    assert response.headers["content-type"] == MEDIA_TYPES[form]
    assert response.headers["content-disposition"].startswith(f'attachment; filename="{TREE}.')
    assert response.content == "".join(FORMATS[form](library.tree(TREE).tree)).encode()


@pytest.mark.parametrize(
    "largest", [1296, pytest.param(1_000_000, marks=pytest.mark.slow)], ids=["small", "all"]
)
def test_del_travels_as_a_byte(shipped_client: TestClient, shipped_library: Library, largest: int):
    entries = [entry for entry in shipped_library if entry.rules.size <= largest]
    assert any("\x7f" in entry.record.string for entry in entries)
    for entry in entries:
        content = shipped_client.get(f"/trees/{entry.name}.base92").content
        assert sha256(content).hexdigest() == entry.record.sha256
        assert decode(entry.rules, content.decode("ascii")) == entry.tree


@pytest.mark.parametrize("name", ["small-bulls-cows.zip", "none.json", "a.b.json", ".json"])
def test_unknown_file_is_not_found(client: TestClient, name: str):
    assert text(one(get(client, f"/trees/{name}", 404), "h1"))


def test_tree_page_offers_the_files(client: TestClient):
    page = get(client, f"/ru/trees/{TREE}")
    files = [str(link["href"]) for link in page.select("a[download]")]
    assert files == [f"/trees/{TREE}.{form}" for form in FORMATS]
