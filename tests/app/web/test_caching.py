"""Cacheable responses, revalidation, versions that change, and static files as published."""

import hashlib
import os
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bullscows.game.objective import Bounds
from bullscows.game.question import Question
from bullscows.game.result import Analysis
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings, data_folder
from bullscows_web.web import caching
from bullscows_web.web.caching import VersionedFiles
from tests.support.pages import get
from tests.support.searching import IdleExecutor, KnownAnalysis, asking

pytestmark = pytest.mark.large

PAGES = [
    *("/", "/ru/", "/guess", "/guess/p3c5n/k3f9", "/analyse", "/offline"),
    *("/play/small-bulls-cows/0", "/ru/play/small-bulls-cows/j3/0.1"),
    *("/play/small-bulls-cows/0/0.1?analysis=all", "/play/small-bulls-cows/0/0.1/none", "/trees"),
    *("/trees/small-bulls-cows/0.1", "/trees/small-bulls-cows?secret=012"),
    *("/compare/small-bulls-cows/small-bulls-cows", "/statistics", "/statistics/columns"),
    *("/statistics/small-mastermind", "/about"),
]
FILES = ["/worker.js", "/manifest.webmanifest"]

API = "/api/v1/trees/small-bulls-cows"


@pytest.mark.parametrize("path", [*PAGES, *FILES])
def test_page_is_asked_after_and_not_sent_again(client: TestClient, path: str):
    first = client.get(path)
    assert (first.status_code, first.headers["cache-control"]) == (200, "no-cache")
    again = client.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for name in ("etag", "cache-control", "content-language"):
        assert again.headers.get(name) == first.headers.get(name)
    packed = "Accept-Encoding"  # named where the answer is long enough to be compressed
    assert first.headers.get("vary", packed).startswith(again.headers.get("vary", packed))


def test_every_version_of_a_page_has_its_own_tag(client: TestClient):
    russian = [f"/ru{path}" for path in PAGES if not path.startswith("/ru") and path != "/"]
    paths = [*PAGES, *russian]
    tags = [client.get(path).headers["etag"] for path in paths]
    parts = [client.get(path, headers={"HX-Request": "true"}) for path in paths]
    assert len({*tags, *(part.headers["etag"] for part in parts)}) == 2 * len(paths)
    assert all("HX-Request" in part.headers["vary"] for part in parts)


@pytest.mark.parametrize(
    "path",
    [
        *("/none", "/trees/none", "/play/small-bulls-cows/0/9.9"),
        *("/play/small-bulls-cows/0/none?secret=x", "/analyse?positions=9&symbols=9"),
        *("/guess/p3c5n/k3f9?guess=zzz", "/play/small-bulls-cows?shuffle=on", "/guess/p3c5n"),
    ],
)
def test_errors_and_random_redirects_are_not_cached(client: TestClient, path: str):
    for headers in ({}, {"If-None-Match": "*"}):
        response = client.get(path, headers=headers)
        assert response.status_code not in (200, 304)
        assert response.headers["cache-control"] == "no-store"
        assert "etag" not in response.headers


def test_analysis_is_known_only_as_long_as_it_says_the_same(client: TestClient):
    path = "/analyse/p3c5n?h=012:0.1"
    known = {"If-None-Match": client.get(path).headers["etag"]}
    assert client.get(path, headers=known).status_code == 304
    more = Analysis(Question.of("p3c5n", "012:0.1"), guess=0, bounds=Bounds(1, 99))
    with asking(client, KnownAnalysis(client, more)):
        assert client.get(path, headers=known).status_code == 200


@pytest.mark.parametrize("known", ['W/"{}"', '"{}"', '"x" , W/"{}"', "*"])
def test_tags_are_compared_weakly(client: TestClient, known: str):
    """Proxies might turn a weak tag into a strong one, or a strong tag into a weak one."""
    session = "/api/v1/sessions/small-bulls-cows~0~0.1"
    for path in ("/trees", API, f"{API}/nodes?answers=0.1", session, "/api/v1/trees"):
        opaque = client.get(path).headers["etag"].removeprefix("W/").strip('"')
        answer = client.get(path, headers={"If-None-Match": known.format(opaque)})
        assert (answer.status_code, answer.content) == (304, b"")
        assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_other_code_makes_another_version(
    client: TestClient, small_trees: Path, monkeypatch: pytest.MonkeyPatch
):
    paths = ("/play/small-bulls-cows/0", API, "/trees/small-bulls-cows.json")
    tags = {path: client.get(path).headers["etag"] for path in paths}
    monkeypatch.setattr(caching, "release", lambda: "another")
    with TestClient(create_app(Settings(trees_dir=small_trees), IdleExecutor())) as other:
        for path, tag in tags.items():
            response = other.get(path, headers={"If-None-Match": tag})
            assert response.status_code == 200, path
            assert response.headers["etag"] != tag


def test_hash_of_the_code_changes_with_any_module(tmp_path: Path):
    inner = tmp_path / "inner"
    inner.mkdir()
    seen = {caching.code_hash([tmp_path])}
    for name, content in (("a.py", "total: int"), ("a.py", "total: float"), ("b.py", "")):
        (inner / name).write_text(content)
        seen.add(caching.code_hash([tmp_path]))
    assert len(seen) == 4


STATIC = data_folder("static")
HTMX = "vendor/htmx-4.0.1.min.js"
HTMX_SHA256 = "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"
"""Of `dist/htmx.min.js` in the npm package `htmx.org` 4.0.1."""


def test_htmx_is_the_published_file():
    assert hashlib.sha256((STATIC / HTMX).read_bytes()).hexdigest() == HTMX_SHA256
    assert "Zero-Clause BSD" in (STATIC / "vendor" / "htmx-LICENSE.txt").read_text(encoding="utf-8")


def test_hashed_address_may_be_kept_forever_and_no_other(client: TestClient):
    links = get(client, "/status").select("link[rel=stylesheet]")
    assert links
    for link in links:
        file, version = str(link["href"]).split("?v=")
        assert re.fullmatch(r"/static/styles/\w+\.css", file)
        assert re.fullmatch("[0-9a-f]{12}", version)
        assert "immutable" in client.get(f"{file}?v={version}").headers["cache-control"]
        for other in (file, f"{file}?v={version}0", f"{file}?v=", f"{file}?w"):
            assert client.get(other).headers["cache-control"] == "no-cache"


def test_hash_changes_with_the_file(tmp_path: Path):
    file = tmp_path / "a.css"
    file.write_text("a {}")
    files = VersionedFiles(tmp_path)
    first = files.address("a.css")
    file.write_text("b {}")
    os.utime(file, ns=(1, 1))
    assert files.address("a.css") == first, "for as long as the process lives"
    files = VersionedFiles(tmp_path)
    assert files.address("a.css") != first
    assert files.address("none.css") == "/static/none.css"
