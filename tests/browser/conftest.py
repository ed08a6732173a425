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
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from app.server.settings import data_folder

ROOT = Path(__file__).resolve().parents[2]
TREES = ("avg-bulls-cows", "crush-bulls-cows", "avg-mastermind", "crush-mastermind")
START_SECONDS = 60
SMALL_WIDTHS = (320, 360, 375, 414, 480, 640)
"""Windows of phones; 640 is also a laptop's at 200 %."""

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


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Visit]:
    """Open pages of the site; the test fails if one of them complains in the console."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str, **options: object) -> Page:
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        watch(page, complaints)
        page.goto(site + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
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
