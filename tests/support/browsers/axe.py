"""Accessibility violations found by axe."""

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CONTRAST = ["color-contrast"]
"""The only rule about colours: all others find the same in light and dark."""
EXPERIMENTAL = {"label-content-name-mismatch": {"enabled": True}}
"""Checks that the visible label of a control is part of its name."""

SCRIPT = Axe().axe_script
"""Axe itself; a context that opens many pages loads it by `add_init_script`."""


def violations(page: Page, rules: list[str] = RULES) -> list[str]:
    """Return a report of the violations of the rules, if there are any."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT)
    options = {"runOnly": rules, "resultTypes": ["violations"], "preload": False}
    if rules == RULES:
        options["rules"] = EXPERIMENTAL
    results = AxeResults(page.evaluate("options => axe.run(options)", options))
    return [results.generate_report()] if results.violations_count else []


def too_faint_in_the_dark(page: Page) -> list[str]:
    """Return a report of text with too little contrast in dark colours, on a page shown light."""
    page.emulate_media(color_scheme="dark")
    return violations(page, CONTRAST)
