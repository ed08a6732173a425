"""The files of whole trees: written once, whole or not at all, and removed when nobody's."""

import gzip
import threading
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bullscows.tree.codec import decode
from bullscows.tree.export import FORMATS
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from bullscows_web.trees.downloads import MEDIA_TYPES, Exports
from bullscows_web.trees.library import Entry, Library
from tests.conftest import write_small_tree
from tests.support.pages import get, one, text
from tests.support.searching import IdleExecutor

pytestmark = pytest.mark.large

TREE = "small-bulls-cows"


@pytest.fixture
def entry(library: Library) -> Entry:
    return library.tree(TREE)


def test_file_that_could_not_be_finished_is_not_there(
    tmp_path: Path, entry: Entry, monkeypatch: pytest.MonkeyPatch
):
    def broken(_: object):
        yield "half of it"
        raise OSError("no room on the disk")

    exports = Exports(tmp_path)
    with monkeypatch.context() as patch:
        patch.setitem(FORMATS, "text", broken)
        with pytest.raises(OSError, match="no room"):
            exports.write(entry, "text")
    assert not list(tmp_path.iterdir())


def test_files_of_trees_that_are_gone_are_removed(tmp_path: Path, library: Library, entry: Entry):
    (tmp_path / "trees").mkdir()
    write_small_tree(tmp_path / "trees", TREE, "p3c6n")
    namesake = Library.open(tmp_path / "trees").tree(TREE)
    cache = tmp_path / "cache"
    exports = Exports(cache)
    other = next(each for each in library if each is not entry)
    for each in (entry, other, namesake):
        exports.write(each, "text")
    (cache / "notes.txt").write_text("not ours")
    assert len(list(cache.iterdir())) == 4
    exports.prune([other, namesake])
    left = {exports.path(other, "text"), exports.path(namesake, "text"), cache / "notes.txt"}
    assert set(cache.iterdir()) == left


def test_private_folder_goes_and_a_given_one_stays(tmp_path: Path, entry: Entry):
    for folder in (None, tmp_path):
        exports = Exports(folder)
        exports.write(entry, "text")
        path = exports.path(entry, "text")
        exports.close()
        assert path.exists() == (folder is not None)


@pytest.fixture
def served(small_trees: Path, tmp_path: Path):
    app = create_app(Settings(trees_dir=small_trees, cache_dir=tmp_path), IdleExecutor())
    with TestClient(app, follow_redirects=False) as client:
        yield client


def test_many_who_ask_at_once_let_it_be_written_once(
    served: TestClient, monkeypatch: pytest.MonkeyPatch
):
    written = []
    export = FORMATS["text"]
    gate = threading.Event()

    def counted(tree):
        written.append(tree)
        gate.wait()
        return export(tree)

    monkeypatch.setitem(FORMATS, "text", counted)
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(served.get, f"/trees/{TREE}.text") for _ in range(8)]
        gate.set()
        answers = [future.result() for future in asked]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert len(written) == 1


def test_file_comes_from_the_disk(served: TestClient, tmp_path: Path):
    first = served.get(f"/trees/{TREE}.json")
    for path in tmp_path.glob("*.gz"):
        path.write_bytes(gzip.compress(b"from the disk"))
    second = served.get(f"/trees/{TREE}.json")
    plain = served.get(f"/trees/{TREE}.json", headers={"Accept-Encoding": "identity"})
    assert first.headers["content-encoding"] == "gzip"
    assert second.content == b"from the disk"
    assert "content-encoding" not in plain.headers
    assert plain.content == b"from the disk"
    assert plain.headers["vary"] == "Accept-Encoding"


def test_file_that_was_removed_is_written_again(served: TestClient, tmp_path: Path):
    first = served.get(f"/trees/{TREE}.dot").content
    for path in tmp_path.iterdir():
        path.unlink()
    assert served.get(f"/trees/{TREE}.dot").content == first


def test_who_has_the_file_lets_nothing_be_written(served: TestClient, tmp_path: Path):
    tag = served.get(f"/trees/{TREE}.text").headers["etag"]
    for path in tmp_path.iterdir():
        path.unlink()
    again = served.get(f"/trees/{TREE}.text", headers={"If-None-Match": tag})
    assert again.status_code == 304
    assert not list(tmp_path.iterdir())


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
