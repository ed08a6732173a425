"""Pages that other sites show in a frame: their headers, where their links lead, what they read."""

import pytest
from httpx2 import Headers
from starlette.testclient import TestClient

from bullscows_web.web.middleware import HEADERS
from tests.support.pages import get, one, parse

POSITION = "/analyse/p3c5n?h=012:0.2"
PUZZLE = "/guess/p3c5n/k3/012"
FRAMED = [
    "/embed/daily?rules=p3c5n",
    f"/embed{PUZZLE}",
    f"/embed{PUZZLE}/reveal",
    f"/embed{POSITION}",
]
EACH_LANGUAGE = pytest.mark.parametrize("prefix", ["", "/ru"])


def ancestors(headers: Headers) -> str:
    directives = headers["content-security-policy"].split("; ")
    return next(each for each in directives if each.startswith("frame-ancestors"))


@EACH_LANGUAGE
@pytest.mark.parametrize("path", [*FRAMED, "/embed/none"])
def test_other_sites_may_frame_pages_below_embed(client: TestClient, prefix: str, path: str):
    response = client.get(prefix + path, follow_redirects=True)
    for each in (*response.history, response):
        assert ancestors(each.headers) == "frame-ancestors *"
        assert "x-frame-options" not in each.headers
        assert each.headers["cross-origin-resource-policy"] == "cross-origin"
        assert "set-cookie" not in each.headers
        rest = HEADERS.keys() - {
            *("Content-Security-Policy", "X-Frame-Options", "Cross-Origin-Resource-Policy")
        }
        assert {name: each.headers.get(name) for name in rest} == {n: HEADERS[n] for n in rest}


@EACH_LANGUAGE
@pytest.mark.parametrize(
    "path", ["/", "/daily", PUZZLE, POSITION, "/embed", "/embedded/daily", "/static/embed/x"]
)
def test_no_other_page_may_be_framed(client: TestClient, prefix: str, path: str):
    headers = client.get(prefix + path).headers
    assert ancestors(headers) == "frame-ancestors 'none'"
    assert headers["x-frame-options"] == "DENY"


@EACH_LANGUAGE
@pytest.mark.parametrize("path", FRAMED)
def test_links_stay_in_the_frame_or_open_a_window(client: TestClient, prefix: str, path: str):
    page = parse(client.get(prefix + path, follow_redirects=True))
    assert one(page, "base")["target"] == "_blank"
    for tag in page.select("a[hx-get], form[hx-get]"):
        assert str(tag["hx-get"]).startswith(f"{prefix}/embed/")
        assert tag["target"] == "_self", "without scripts too"
    full = path.removeprefix("/embed").split("?")[0]
    outside = [tag for tag in page.select("#content a[href]") if "hx-get" not in tag.attrs]
    assert not [tag for tag in outside if "/embed/" in str(tag["href"])]
    if "daily" not in path:
        assert any(str(tag["href"]).startswith(prefix + full) for tag in outside), "the full page"
        canonical = str(one(page, "link[rel=canonical]")["href"])
        assert canonical.startswith(f"http://testserver{prefix}{full}")
    assert not page.select("body > header, body > footer, .site-nav")


def test_a_guess_in_a_frame_leads_to_the_frame_of_the_next_turn(client: TestClient):
    response = client.get(f"/embed{PUZZLE}?guess=340", follow_redirects=False)
    assert response.headers["location"] == f"/embed{PUZZLE}-340"
    turn = client.get(f"/ru/embed{POSITION}&guess=340&answer=1.0", follow_redirects=False)
    assert turn.headers["location"] == "/ru/embed/analyse/p3c5n?h=012:0.2-340:1.0"


@EACH_LANGUAGE
@pytest.mark.parametrize(
    ("path", "framed"),
    [
        ("/guess/p3c5n/k3", "/embed/guess/p3c5n/k3"),
        ("/guess/p3c5n/2026-11-21", "/embed/daily?rules=p3c5n"),
        (POSITION, f"/embed{POSITION}"),
    ],
)
def test_pages_have_the_line_that_frames_them(
    client: TestClient, prefix: str, path: str, framed: str
):
    line = one(get(client, prefix + path), "#embedding").get_text()
    assert line.startswith(f'<iframe src="http://testserver{prefix}{framed}"')
    address = line.split('"')[1].removeprefix("http://testserver")
    assert client.get(address, follow_redirects=True).status_code == 200


@EACH_LANGUAGE
@pytest.mark.parametrize("path", ["/", "/about", PUZZLE, POSITION])
def test_pages_name_their_address_and_icons(client: TestClient, prefix: str, path: str):
    address = prefix + path
    page = get(client, address)
    assert one(page, "link[rel=canonical]")["href"] == f"http://testserver{address}"
    icon = str(one(page, "link[rel=apple-touch-icon]")["href"])
    for each in (icon, "/apple-touch-icon.png"):
        assert client.get(each).headers["content-type"] == "image/png"
    assert client.get("/favicon.ico").status_code == 200
