"""Offline use: manifest, service worker and offline page."""

import re
import struct
from shutil import copytree

import pytest
from starlette.testclient import TestClient

from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings, data_folder
from tests.support.pages import get, one
from tests.support.searching import IdleExecutor


@pytest.mark.parametrize(("prefix", "lang"), [("", "en"), ("/ru", "ru")])
def test_manifest_is_linked_and_in_the_language_of_the_page(
    client: TestClient, prefix: str, lang: str
):
    link = one(get(client, f"{prefix}/about"), "link[rel=manifest]")
    response = client.get(str(link["href"]))
    assert response.headers["content-type"] == "application/manifest+json"
    manifest = response.json()
    assert manifest["lang"] == lang
    assert manifest["start_url"] == f"{prefix}/"
    assert manifest["scope"] == "/"
    assert manifest["name"]
    for shortcut in manifest["shortcuts"]:
        assert client.get(shortcut["url"]).status_code == 200


def test_icons_of_the_manifest_are_as_large_as_it_says(client: TestClient):
    icons = client.get("/manifest.webmanifest").json()["icons"]
    assert {icon["sizes"] for icon in icons} == {"any", "192x192", "512x512"}
    for icon in icons:
        response = client.get(icon["src"])
        assert response.headers["content-type"].startswith(icon["type"])
        assert "immutable" in response.headers["cache-control"]
        if icon["type"] == "image/png":
            assert response.content.startswith(b"\x89PNG\r\n\x1a\n")
            width, height = struct.unpack(">II", response.content[16:24])
            assert f"{width}x{height}" == icon["sizes"]


def test_worker_may_serve_the_whole_site_and_is_asked_after_each_time(client: TestClient):
    response = client.get("/worker.js")
    assert response.headers["content-type"].startswith("text/javascript")
    assert response.headers["cache-control"] == "no-cache"
    assert "worker-src 'self'" in response.headers["content-security-policy"]


def test_worker_fetches_what_every_page_loads(client: TestClient):
    script = client.get("/worker.js").text
    page = get(client, "/")
    loaded = [tag["href"] for tag in page.select("head > link[rel=stylesheet]")]
    loaded += [tag["src"] for tag in page.select("script[src]")]
    assert len(loaded) == 4
    for address in (*loaded, "/offline", "/ru/offline"):
        assert f'"{address}"' in script
        assert client.get(str(address)).status_code == 200


def test_worker_changes_with_the_trees(client: TestClient, shipped_client: TestClient):
    names = {
        re.search(r'NAME = "([0-9a-f]{16})"', server.get("/worker.js").text)[1]  # type: ignore[index]
        for server in (client, shipped_client)
    }
    assert len(names) == 2
    assert client.get("/worker.js").text == client.get("/worker.js").text


def test_worker_changes_with_the_templates(small_trees, tmp_path):
    folder = tmp_path / "templates"
    copytree(data_folder("templates"), folder)
    scripts = []
    for text in ("<p>old</p>", "<p>new</p>"):
        (folder / "_more.html").write_text(text)
        settings = Settings(trees_dir=small_trees, templates_dir=folder)
        with TestClient(create_app(settings, IdleExecutor())) as server:
            scripts.append(server.get("/worker.js").text)
    assert scripts[0] != scripts[1]
