"""Static files: vendored files as published, and size limits."""

import gzip
import hashlib
import os
import re
from pathlib import Path
from urllib.parse import unquote

from bs4 import BeautifulSoup
from starlette.testclient import TestClient

from bullscows_web.server.settings import data_folder
from bullscows_web.web.static_files import VersionedFiles

STATIC = data_folder("static")
HTMX = "vendor/htmx-4.0.1.min.js"
HTMX_SHA256 = "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"
"""Of `dist/htmx.min.js` in the npm package `htmx.org` 4.0.1."""

FONT = "onest-bold-5.3.1.woff2"
FONT_SHA256 = "8e5f299d2f08d538d007d51c3e981b2be758939a9bac2bcc599c21e5319973b1"
"""Of the subset of two files of the npm package `@fontsource/onest` 5.3.1: see
docs/results.md."""

FIRST_PAGE = 70_000
"""The most bytes that a first visit may load, compressed."""


def test_htmx_is_the_published_file():
    assert hashlib.sha256((STATIC / HTMX).read_bytes()).hexdigest() == HTMX_SHA256
    assert "Zero-Clause BSD" in (STATIC / "vendor" / "htmx-LICENSE.txt").read_text(encoding="utf-8")


def test_templates_name_the_vendored_htmx():
    base = (data_folder("templates") / "_layout" / "base.html").read_text(encoding="utf-8")
    assert re.findall(r"vendor/htmx-[^\"']*\.js", base) == [HTMX]
    assert [f"vendor/{path.name}" for path in STATIC.rglob("htmx*.js")] == [HTMX]


def test_font_is_the_documented_subset():
    font = STATIC / "vendor" / FONT
    assert hashlib.sha256(font.read_bytes()).hexdigest() == FONT_SHA256
    assert font.stat().st_size <= 25_000
    licence = (STATIC / "vendor" / "onest-LICENSE.txt").read_text(encoding="utf-8")
    assert "SIL Open Font License" in licence


def test_font_comes_after_the_style_that_names_it(client: TestClient):
    page = BeautifulSoup(client.get("/").text, "html.parser")
    assert not page.select("link[rel=preload]"), "what comes first on a slow line is the style"
    style = client.get(str(page.select("link[rel=stylesheet]")[0]["href"])).text
    (address,) = re.findall(r'url\("\.\./(vendor/[^"]+\.woff2)"\)', style)
    assert address == f"vendor/{FONT}"
    response = client.get(f"/static/{address}")
    assert response.headers["content-type"] == "font/woff2"
    assert "immutable" in response.headers["cache-control"]
    assert "font-src 'self'" in response.headers["content-security-policy"]


def test_first_page_is_small(client: TestClient):
    page = client.get("/", headers={"Accept-Encoding": "identity"})
    soup = BeautifulSoup(page.text, "html.parser")
    links = [str(tag["href"]) for tag in soup.select("link[rel=stylesheet]")]
    links += [str(tag["src"]) for tag in soup.select("script[src], img[src]")]
    files = [client.get(link, headers={"Accept-Encoding": "identity"}) for link in links]
    files.append(client.get(f"/static/vendor/{FONT}"))
    assert len(files) == 5, "and the page itself"
    later = [client.get(path) for path in ("/worker.js", "/manifest.webmanifest", "/offline")]
    assert all(file.status_code == 200 for file in (*files, *later))
    parts = (page, *files, *later, client.get("/ru/offline"))
    assert sum(len(gzip.compress(part.content)) for part in parts) < FIRST_PAGE


def test_every_file_of_ours_is_in_use():
    pages = "".join(
        path.read_text(encoding="utf-8") for path in data_folder("templates").rglob("*.html")
    )
    scripts = "".join(path.read_text(encoding="utf-8") for path in STATIC.glob("scripts/*.js"))
    for room in ("styles", "scripts"):
        for file in (STATIC / room).iterdir():
            imported = f'"./{file.name}"' in scripts
            assert imported or f"asset('{room}/{file.name}')" in pages, file.name


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


def test_icon_comes_within_the_page(client: TestClient):
    page = BeautifulSoup(client.get("/").text, "html.parser")
    (icon,) = page.select("link[rel=icon]")
    kind, _, text = str(icon["href"]).partition(",")
    assert kind == "data:image/svg+xml"
    assert unquote(text) == (STATIC / "icons/favicon.svg").read_text(encoding="utf-8")
    assert VersionedFiles(STATIC).address("none.svg", inline=True) == "/static/none.svg"


def test_style_sheet_uses_only_colours_that_it_names():
    css = (STATIC / "styles" / "site.css").read_text(encoding="utf-8")
    used = set(re.findall(r"var\((--[\w-]+)\)", css))
    assert used <= set(re.findall(r"(--[\w-]+):", css))
    assert "!important" not in css
    assert "@import" not in css
    assert re.findall(r"url\((.*?)\)", css) == [f'"../vendor/{FONT}"'], "nothing else"
