"""The rules of Mozilla's HTTP Observatory, applied to the headers of a page.

The Observatory itself scans public addresses only.  The certificate and the redirect
from HTTP to HTTPS belong to the proxy; they score nothing here, as they do if they are right.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from httpx2 import Response
from starlette.testclient import TestClient

from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from tests import ROOT

HALF_A_YEAR = 15_768_000
PRIVATE = {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}
WANTED = 120


def directives(headers: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the directives of the content policy with their sources."""
    parts = (part.split() for part in headers["content-security-policy"].split(";"))
    return {name: sources for name, *sources in parts}


def content_policy(answer: Response) -> int:
    if "content-security-policy" not in answer.headers:
        return -25
    policy = directives(answer.headers)
    allowed = {source for sources in policy.values() for source in sources}
    scripts = policy.get("script-src", policy.get("default-src", ["*"]))
    if "'unsafe-inline'" in allowed or {"data:", "https:", "*"} & {*scripts}:
        return -20
    if any(source.startswith("http:") for source in allowed):
        return -20
    if "'unsafe-eval'" in allowed:
        return -10
    return 10 if policy.get("default-src") == ["'none'"] else 5


def cookies(answer: Response) -> int:
    return 0 if "set-cookie" not in answer.headers else -20


def sharing(answer: Response) -> int:
    return -50 if "access-control-allow-origin" in answer.headers else 0


def transport(answer: Response) -> int:
    stated = answer.headers.get("strict-transport-security", "")
    age = re.match(r"max-age=(\d+)", stated)
    if age is None:
        return -20
    return 0 if int(age[1]) >= HALF_A_YEAR else -10


def referrer(answer: Response) -> int:
    stated = answer.headers.get("referrer-policy")
    return 0 if stated is None else 5 if stated in PRIVATE else -5


def integrity(answer: Response) -> int:
    scripts = BeautifulSoup(answer.text, "html.parser").find_all("script", src=True)
    addresses = [str(script["src"]) for script in scripts]
    return 0 if all(re.match(r"/(?!/)", address) for address in addresses) else -50


def sniffing(answer: Response) -> int:
    return 0 if answer.headers.get("x-content-type-options") == "nosniff" else -5


def framing(answer: Response) -> int:
    if "frame-ancestors" in directives(answer.headers):
        return 5
    return 0 if answer.headers.get("x-frame-options") in {"DENY", "SAMEORIGIN"} else -20


def resources(answer: Response) -> int:
    stated = answer.headers.get("cross-origin-resource-policy")
    return 0 if stated is None else 10 if stated in {"same-origin", "same-site"} else -5


RULES: dict[str, Callable[[Response], int]] = {
    "Content-Security-Policy": content_policy,
    "cookies": cookies,
    "cross-origin sharing": sharing,
    "Strict-Transport-Security": transport,
    "Referrer-Policy": referrer,
    "scripts' integrity": integrity,
    "X-Content-Type-Options": sniffing,
    "X-Frame-Options": framing,
    "Cross-Origin-Resource-Policy": resources,
}


def score(modifiers: Mapping[str, int]) -> int:
    """Return the score: first what is lost, then, from 90 on, what is earned beyond."""
    left = 100 + sum(value for value in modifiers.values() if value < 0)
    return left + (sum(value for value in modifiers.values() if value > 0) if left >= 90 else 0)


@pytest.fixture(scope="module")
def behind_tls(small_trees: Path):
    with TestClient(create_app(Settings(trees_dir=small_trees, behind_tls=True))) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/ru/play/small-mastermind/0", "/none", "/docs"])
def test_pages_score_what_is_wanted(behind_tls: TestClient, path: str) -> None:
    answer = behind_tls.get(path)
    assert "text/html" in answer.headers["content-type"]
    assert score({name: rule(answer) for name, rule in RULES.items()}) >= WANTED


def test_score_is_the_one_in_the_documents(behind_tls: TestClient) -> None:
    answer = behind_tls.get("/")
    found = {name: rule(answer) for name, rule in RULES.items()}
    rows = re.findall(
        r"^\| `?([^|`]+)`? \|[^|]*\| ([+-]?\d+) \|$",
        (ROOT / "docs/reliability.md").read_text().partition("## The Observatory's rules")[2],
        re.MULTILINE,
    )
    assert {name: int(value) for name, value in rows} == found | {"score": score(found)}
