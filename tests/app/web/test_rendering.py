"""Templates are compiled when the server starts, once for all languages."""

from pathlib import Path
from shutil import copytree

import pytest
from jinja2 import Environment
from starlette.testclient import TestClient

from app.main import create_app
from app.server.settings import Settings

PAGES = ["/", "/trees", "/statistics", "/about", "/none", "/play/small-bulls-cows/0?analysis=open"]


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_no_visitor_waits_for_a_template(
    small_trees: Path, monkeypatch: pytest.MonkeyPatch, prefix: str
):
    with TestClient(create_app(Settings(trees=small_trees))) as client:
        monkeypatch.setattr(Environment, "compile", None)
        for path in PAGES:
            assert client.get(prefix + path).status_code in (200, 404)


def test_templates_are_compiled_once_for_all_languages_and_servers(
    client: TestClient, small_trees: Path, monkeypatch: pytest.MonkeyPatch
):
    assert client.get("/").status_code == 200
    monkeypatch.setattr(Environment, "_generate", None)
    with TestClient(create_app(Settings(trees=small_trees))) as other:
        assert other.get("/ru/").text == client.get("/ru/").text


def test_changed_template_is_compiled_anew(small_trees: Path, tmp_path: Path):
    settings = Settings(trees=small_trees)
    copytree(settings.templates, tmp_path, dirs_exist_ok=True)
    offline = tmp_path / "home" / "offline.html"
    for words in ("first", "second"):
        offline.write_text(f"<p>{words}</p>")
        with TestClient(create_app(Settings(trees=small_trees, templates=tmp_path))) as client:
            assert client.get("/offline").text == f"<p>{words}</p>"
