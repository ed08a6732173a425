"""Static files: vendored files as published, and size limits."""

import hashlib
import os
import re
from pathlib import Path

from bs4 import BeautifulSoup
from starlette.testclient import TestClient

from bullscows_web.server.settings import data_folder
from bullscows_web.web.static_files import VersionedFiles

STATIC = data_folder("static")
HTMX = "vendor/htmx-4.0.1.min.js"
HTMX_SHA256 = "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"
"""Of `dist/htmx.min.js` in the npm package `htmx.org` 4.0.1."""


def test_htmx_is_the_published_file():
    assert hashlib.sha256((STATIC / HTMX).read_bytes()).hexdigest() == HTMX_SHA256
    assert "Zero-Clause BSD" in (STATIC / "vendor" / "htmx-LICENSE.txt").read_text(encoding="utf-8")


def test_hashed_address_may_be_kept_forever_and_no_other(client: TestClient):
    page = BeautifulSoup(client.get("/").text, "html.parser")
    sheet = page.select_one("link[rel=stylesheet]")
    assert sheet is not None
    address = str(sheet["href"])
    assert re.fullmatch(r"/static/styles/site\.css\?v=[0-9a-f]{12}", address)
    assert "immutable" in client.get(address).headers["cache-control"]
    for other in (
        "/static/styles/site.css",
        f"{address}0",
        "/static/styles/site.css?v=",
        "/static/styles/site.css?w",
    ):
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
