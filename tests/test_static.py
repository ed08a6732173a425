"""What browsers load: vendored files as they were published, and little of everything."""

import gzip
import hashlib
import re

from bs4 import BeautifulSoup
from starlette.testclient import TestClient

from app.settings import data_folder

STATIC = data_folder("static")
HTMX = "htmx-4.0.1.min.js"
HTMX_SHA256 = "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"
"""Of `dist/htmx.min.js` in the npm package `htmx.org` 4.0.1."""

FIRST_PAGE = 60_000
"""The most bytes that a first visit may load, compressed."""


def test_htmx_is_the_published_file():
    assert hashlib.sha256((STATIC / HTMX).read_bytes()).hexdigest() == HTMX_SHA256
    assert "Zero-Clause BSD" in (STATIC / "htmx-LICENSE.txt").read_text(encoding="utf-8")


def test_templates_name_the_vendored_htmx():
    base = (data_folder("templates") / "base.html").read_text(encoding="utf-8")
    assert re.findall(r"htmx-[^\"]*\.js", base) == [HTMX]
    assert [path.name for path in STATIC.glob("htmx*.js")] == [HTMX]


def test_first_page_is_small(client: TestClient):
    page = client.get("/", headers={"Accept-Encoding": "identity"})
    soup = BeautifulSoup(page.text, "html.parser")
    links = [str(tag["href"]) for tag in soup.select("link[rel=stylesheet], link[rel=icon]")]
    links += [str(tag["src"]) for tag in soup.select("script[src], img[src]")]
    files = [client.get(link, headers={"Accept-Encoding": "identity"}) for link in links]
    assert len(files) == 4
    assert all(file.status_code == 200 for file in files)
    assert sum(len(gzip.compress(part.content)) for part in (page, *files)) < FIRST_PAGE / 2


def test_own_script_is_short():
    lines = (STATIC / "site.js").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 50


def test_every_file_of_ours_is_in_use():
    pages = "".join(
        path.read_text(encoding="utf-8") for path in data_folder("templates").glob("*.html")
    )
    for name in ("site.css", "site.js", "favicon.svg"):
        assert f"/static/{name}" in pages


def test_style_sheet_uses_only_colours_that_it_names():
    css = (STATIC / "site.css").read_text(encoding="utf-8")
    used = set(re.findall(r"var\((--[\w-]+)\)", css))
    assert used <= set(re.findall(r"(--[\w-]+):", css))
    assert "!important" not in css
    assert "@import" not in css
    assert "url(" not in css
