"""A real server process and headless Chromium, for tests that see what a visitor sees.

The installed Chromium is used, so nothing is downloaded.
"""

import shutil
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests import ROOT
from tests.support.browsers.contexts import Contexts, hurry, watch
from tests.support.browsers.playing import PATIENCE
from tests.support.programs import program
from tests.support.servers.serving import serving

expect.set_options(timeout=1000 * PATIENCE)  # the default of five seconds fails under load

TREES = (
    *("avg-bulls-cows", "crush-bulls-cows", "avg-mastermind", "crush-mastermind"),
    "avg-bulls-only-4x6",
)
SMALL_WIDTHS = (320, 360, 375, 414, 480, 640)
"""Widths of phones; 640 is also a laptop at 200 %."""

FLAGS = (
    "--no-sandbox",  # containers lack its privileges, and the pages are our own
    "--disable-gpu",
    "--disable-gpu-compositing",
    "--disable-software-rasterizer",
    "--in-process-gpu",
    "--renderer-process-limit=1",  # starting a process is most of the cost of a page
    "--font-render-hinting=none",  # letters as wide as designed, in the shell too
)
"""Flags that make Chromium draw with the least work on a machine without a graphics card."""

BLANK = "/robots.txt"
"""The cheapest page of the site, for tests that store something before they open another."""

MEDIA = ("color_scheme", "reduced_motion", "forced_colors")
"""Options that a page takes as well as a context."""

each_language = pytest.mark.parametrize(
    "prefix", [pytest.param("", marks=pytest.mark.slow), "/ru"], ids=["en", "ru"]
)
"""The prefix of a page: Russian has the longer words; English is for the slow part."""

Visit = Callable[..., Page]
"""Opens a page in a context with these options."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that plays the shipped trees of the two games."""
    folder = tmp_path_factory.mktemp("browser")
    for name in TREES:
        shutil.copy(ROOT / "trees" / f"{name}.json", folder)
    shutil.copytree(ROOT / "trees" / "levels", folder / "levels")
    log = folder / "server.log"
    with serving(folder, log) as address:
        yield address


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Headless Chromium, one for this folder; its event loop is then gone for other tests."""
    executable = program("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def contexts(browser: Browser, site: str) -> Contexts:
    return Contexts(browser, site)


@pytest.fixture
def visit(contexts: Contexts, site: str) -> Iterator[Visit]:
    """Open pages of the site; the test fails if one of them logs an error or a warning.

    Service workers are blocked unless the options allow them, and animations end at once:
    `test_offline.py` and `test_links.py` test these.
    """
    errors: list[str] = []

    def open_page(path: str, **options: Any) -> Page:
        media = {name: options.pop(name) for name in MEDIA if name in options}
        window = None if options.get("is_mobile") else options.pop("viewport", None)
        page = contexts.lend({"service_workers": "block"} | options).new_page()
        watch(page, errors)
        hurry(page)
        page.emulate_media(**media)
        if window is not None:
            page.set_viewport_size(window)
        page.goto(site + path)
        return page

    yield open_page
    contexts.take_back()
    assert errors == []


@pytest.fixture
def page(contexts: Contexts) -> Iterator[Page]:
    """A blank page of a shared context, whose animations take their time."""
    yield contexts.lend({"service_workers": "block"}).new_page()
    contexts.take_back()


@pytest.fixture
def own_page(browser: Browser, site: str) -> Iterator[Page]:
    """A page in a context of its own, for tests that set the clock or let requests fail."""
    context = browser.new_context(base_url=site, service_workers="block")
    page = context.new_page()
    hurry(page)
    yield page
    context.close()


@pytest.fixture
def today() -> date:
    """The date in UTC; within two minutes of midnight the test waits for the next day."""
    now = datetime.now(UTC)
    while (now + timedelta(minutes=2)).date() != now.date():
        time.sleep(1)
        now = datetime.now(UTC)
    return now.date()
