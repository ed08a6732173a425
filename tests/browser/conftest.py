"""A real server process and headless Chromium, for tests that see what a visitor sees.

Debian's Chromium is used, so nothing is downloaded; without any Chromium the tests are skipped.
Screenshots go to `artefacts/`, which keeps itself out of the history.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from app.server.settings import data_folder
from tests import ROOT

TREES = ("avg-bulls-cows", "crush-bulls-cows", "avg-mastermind", "crush-mastermind")
START_SECONDS = 60
SMALL_WIDTHS = (320, 360, 375, 414, 480, 640)
"""Windows of phones; 640 is also a laptop's at 200 %."""

MEDIA = ("color_scheme", "reduced_motion", "forced_colors")
"""Options that a page takes as well as a context."""

Visit = Callable[..., Page]
"""Opens a page in a context with these options."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def artefacts() -> Path:
    """The folder for screenshots."""
    folder = ROOT / "artefacts"
    folder.mkdir(exist_ok=True)
    (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that plays the shipped trees of the two games."""
    folder = tmp_path_factory.mktemp("browser")
    for name in TREES:
        shutil.copy(data_folder("trees") / f"{name}.json", folder)
    with serving(folder, folder / "server.log") as address:
        yield address


@contextmanager
def serving(trees: Path, log: Path, app: str = "app.main:create_app") -> Iterator[str]:
    """Run a server process on a free port; yield its address once it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "uvicorn", "--factory", app]
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            cwd=ROOT,
            env=os.environ | {"BULLSCOWS_TREES": str(trees)},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_ready(process, f"{address}/readyz", log)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=10)


def wait_until_ready(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    """Return when the server answers; fail with its log if it ends or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urlopen(address, timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    pytest.fail(f"the server does not answer:\n{log.read_text(encoding='utf-8')}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Headless Chromium; one per module, so that its event loop is gone for other tests."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    if executable is None:
        pytest.skip("no Chromium is installed")
    with sync_playwright() as playwright:
        # The sandbox needs privileges that containers withhold; the pages are our own.
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser
        browser.close()


class Contexts:
    """Contexts to lend, by their options: the first page of a new one costs twice another's.

    Each keeps one page open, and forgets what it has stored when it comes back.
    """

    def __init__(self, browser: Browser, site: str) -> None:
        self._browser = browser
        self._site = site
        self._idle: dict[str, BrowserContext] = {}
        self._lent: list[tuple[str, BrowserContext]] = []

    def lend(self, options: dict[str, object]) -> BrowserContext:
        """Return a context with these options that nobody else has."""
        key = repr(sorted(options.items()))
        context = self._idle.pop(key, None)
        if context is None:
            context = self._browser.new_context(**options)  # type: ignore[arg-type]
            context.new_page()
        self._lent.append((key, context))
        return context

    def take_back(self) -> None:
        """Make all contexts that were lent as good as new; a second one of a kind is closed."""
        for key, context in self._lent:
            if key in self._idle:
                context.close()
                continue
            keeper, *others = context.pages
            for page in others:
                page.close()
            context.clear_permissions()
            session = context.new_cdp_session(keeper)
            session.send(
                "Storage.clearDataForOrigin", {"origin": self._site, "storageTypes": "all"}
            )
            session.detach()
            self._idle[key] = context
        self._lent.clear()


@pytest.fixture(scope="module")
def contexts(browser: Browser, site: str) -> Contexts:
    """The contexts that the tests of a module borrow."""
    return Contexts(browser, site)


@pytest.fixture
def visit(contexts: Contexts, site: str) -> Iterator[Visit]:
    """Open pages of the site; the test fails if one of them complains in the console."""
    complaints: list[str] = []

    def open_page(path: str, **options: Any) -> Page:
        media = {name: options.pop(name) for name in MEDIA if name in options}
        window = None if options.get("is_mobile") else options.pop("viewport", None)
        page = contexts.lend(options).new_page()
        watch(page, complaints)
        page.emulate_media(**media)
        if window is not None:
            page.set_viewport_size(window)
        page.goto(site + path)
        return page

    yield open_page
    contexts.take_back()
    assert complaints == []


def watch(page: Page, complaints: list[str]) -> None:
    """Collect errors and warnings of the console, Content-Security-Policy's among them.

    That a page came with a status of 4xx is no complaint: such pages are visited on purpose.
    """
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text)
            if message.type in ("error", "warning")
            and "Failed to load resource" not in message.text
            else None
        ),
    )
