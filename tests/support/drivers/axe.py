"""What axe complains of on a page, and nothing of what it is content with."""

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CONTRAST = ["color-contrast"]
"""The only rule that sees colours: the others find the same in the light as in the dark."""
NAMES = ["label-content-name-mismatch"]
"""Whether what is seen of a control is part of its name; axe calls this rule experimental."""

SCRIPT = Axe().axe_script
"""Axe itself; who opens many pages in one context brings it to each by `add_init_script`."""


def violations(page: Page, rules: list[str] = RULES) -> list[str]:
    """Return a report of what violates the rules, if anything does."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT)
    options = {"runOnly": rules, "resultTypes": ["violations"], "preload": False}
    results = AxeResults(page.evaluate("options => axe.run(options)", options))
    return [results.generate_report()] if results.violations_count else []


def too_faint_in_the_dark(page: Page) -> list[str]:
    """Return a report of what can't be read in dark colours, on a page that was light so far.

    That needs no other page: colours follow the scheme at once, and nothing else depends on it.
    """
    page.emulate_media(color_scheme="dark")
    return violations(page, CONTRAST)
