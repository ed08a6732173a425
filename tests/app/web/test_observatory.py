"""The rules of Mozilla's HTTP Observatory, applied to the headers of a page.

The Observatory itself scans public addresses only.  The certificate and the redirect
from HTTP to HTTPS belong to the proxy; they score nothing here, as they do if they are right.
"""

import re
from pathlib import Path

from bs4 import BeautifulSoup
from httpx2 import Response
from starlette.testclient import TestClient

from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from tests import ROOT

HALF_A_YEAR = 15_768_000
PRIVATE = {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}
UNSAFE = {"'unsafe-inline'", "'unsafe-eval'", "data:", "https:", "http:", "*"}


def modifiers(answer: Response) -> dict[str, int]:
    """Return what each rule adds or subtracts."""
    headers, page = answer.headers, BeautifulSoup(answer.text, "html.parser")
    parts = (part.split() for part in headers["content-security-policy"].split(";"))
    policy = {name: set(sources) for name, *sources in parts}
    is_strict = policy["default-src"] == {"'none'"} and not UNSAFE & policy["script-src"]
    age = re.match(r"max-age=(\d+)", headers.get("strict-transport-security", ""))
    own = [re.match(r"/(?!/)", str(script["src"])) for script in page.select("script[src]")]
    is_named = {"same-origin", "same-site"} & {headers.get("cross-origin-resource-policy", "")}
    return {
        "Content-Security-Policy": 10 if is_strict else -25,
        "cookies": -20 * ("set-cookie" in headers),
        "cross-origin sharing": -50 * ("access-control-allow-origin" in headers),
        "Strict-Transport-Security": 0 if age and int(age[1]) >= HALF_A_YEAR else -20,
        "Referrer-Policy": 5 if headers.get("referrer-policy") in PRIVATE else -5,
        "scripts' integrity": 0 if all(own) else -50,
        "X-Content-Type-Options": 0 if headers.get("x-content-type-options") == "nosniff" else -5,
        "X-Frame-Options": 5 if policy.get("frame-ancestors") == {"'none'"} else -20,
        "Cross-Origin-Resource-Policy": 10 if is_named else -5,
    }


def test_pages_score_as_documented(small_trees: Path):
    stated = (ROOT / "docs/reliability.md").read_text().partition("## The Observatory's rules")[2]
    rows = re.findall(r"^\| `?([^|`]+)`? \|[^|]*\| ([+-]?\d+) \|$", stated, re.MULTILINE)
    with TestClient(create_app(Settings(trees_dir=small_trees, behind_tls=True))) as client:
        for path in ("/", "/ru/play/small-mastermind/0", "/none", "/docs"):
            found = modifiers(client.get(path))
            assert found | {"score": 100 + sum(found.values())} == {
                name: int(value) for name, value in rows
            }, path
