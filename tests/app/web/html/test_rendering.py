"""Templates are compiled once the server has started, and once for all languages."""

import time
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from threading import Event

import pytest
from jinja2 import Environment
from starlette.testclient import TestClient

from bullscows.analysis.analyst import Analyst
from bullscows_web import main
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from bullscows_web.web.html.rendering import Renderer

PAGES = ["/", "/trees", "/statistics", "/about", "/none", "/play/small-bulls-cows/0?analysis=open"]


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_no_visitor_waits_for_a_template(
    small_trees: Path, monkeypatch: pytest.MonkeyPatch, prefix: str
):
    app = create_app(Settings(trees_dir=small_trees))
    with TestClient(app) as client:
        app.state.preparation.join()
        monkeypatch.setattr(Environment, "compile", None)
        for path in PAGES:
            assert client.get(prefix + path).status_code in (200, 404)


def test_templates_are_compiled_once_for_all_languages_and_servers(
    client: TestClient, small_trees: Path, monkeypatch: pytest.MonkeyPatch
):
    assert client.get("/").status_code == 200
    monkeypatch.setattr(Environment, "_generate", None)
    with TestClient(create_app(Settings(trees_dir=small_trees))) as other:
        assert other.get("/ru/").text == client.get("/ru/").text


def test_changed_template_is_recompiled(small_trees: Path, tmp_path: Path):
    settings = Settings(trees_dir=small_trees)
    copytree(settings.templates_dir, tmp_path, dirs_exist_ok=True)
    offline = tmp_path / "home" / "offline.html"
    for words in ("first", "second"):
        offline.write_text(f"<p>{words}</p>")
        with TestClient(
            create_app(Settings(trees_dir=small_trees, templates_dir=tmp_path))
        ) as client:
            assert client.get("/offline").text == f"<p>{words}</p>"


def test_first_page_waits_for_no_other(small_trees: Path, monkeypatch: pytest.MonkeyPatch):
    """And a server that ends waits for none either."""

    def compile_for_ever(_: Renderer) -> Iterator[None]:
        while True:
            time.sleep(0.01)
            yield

    monkeypatch.setattr(Renderer, "compile", compile_for_ever)
    app = create_app(Settings(trees_dir=small_trees))
    with TestClient(app) as client:
        assert client.get("/readyz").status_code == 200
        assert client.get("/").status_code == 200
        assert app.state.preparation.is_alive()
    assert not app.state.preparation.is_alive()


@pytest.mark.parametrize(("patience", "is_first"), [(60.0, True), (0.0, False)])
def test_search_is_loaded_before_pages_are_prepared(
    small_trees: Path, monkeypatch: pytest.MonkeyPatch, patience: float, is_first: bool
):
    """Unless that takes long, as it does where it has to be compiled."""
    events, compiled = list[str](), Event()
    monkeypatch.setattr(main, "LOADING_SECONDS", patience)

    def load(*_: object) -> None:
        assert compiled.wait(0.3 if is_first else 60) is not is_first
        events.append("loaded")

    def compile_nothing(_: Renderer) -> Iterator[None]:
        events.append("compiled")
        compiled.set()
        yield

    monkeypatch.setattr(Analyst, "load", load)
    monkeypatch.setattr(Renderer, "compile", compile_nothing)
    app = create_app(Settings(trees_dir=small_trees, preload_search=True, presolve=()))
    with TestClient(app):
        app.state.preparation.join()
        app.state.analysis.load().join()
    assert events == (["loaded", "compiled"] if is_first else ["compiled", "loaded"])


def test_broken_template_is_logged_and_the_others_are_shown(
    small_trees: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    settings = Settings(trees_dir=small_trees)
    copytree(settings.templates_dir, tmp_path, dirs_exist_ok=True)
    (tmp_path / "home" / "offline.html").write_text("{% if %}")
    app = create_app(Settings(trees_dir=small_trees, templates_dir=tmp_path))
    with TestClient(app, raise_server_exceptions=False) as client:
        app.state.preparation.join()
        assert "can't be prepared" in caplog.text
        assert "offline.html" in caplog.text
        assert client.get("/").status_code == 200
        assert client.get("/offline").status_code == 500
