import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from fastapi.routing import iter_route_contexts
from httpx2 import Response
from pydantic import ValidationError
from starlette.testclient import TestClient

from bullscows.game.history import MAX_HISTORY, History
from bullscows.game.rules import Rules
from bullscows_web.main import PAGES, create_app
from bullscows_web.server.settings import MAX_BODY, MAX_URL, Settings
from bullscows_web.web import text_patterns as forms
from bullscows_web.web.exceptions import MalformedError
from bullscows_web.web.frame import address_text, read_address
from bullscows_web.web.middleware import HEADERS
from bullscows_web.web.text_patterns import ANSWERS
from tests import ROOT
from tests.support.searching import IdleExecutor

pytestmark = pytest.mark.large

SESSIONS = "/api/v1/sessions"
NEW = {"tree": "small-mastermind"}


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics", "/static/docs/docs.js"),
        *("/static/none", "/none", "/api/v1/trees", "/api/v1/trees/none", "/api/v1/sessions"),
        *("/api/v1/sessions/x", "/" + "x" * MAX_URL),
    ],
)
def test_every_answer_carries_the_headers(client: TestClient, path: str):
    for method in ("GET", "HEAD", "DELETE"):
        headers = client.request(method, path).headers
        assert {name: headers.get(name) for name in HEADERS} == HEADERS


def test_content_policy_starts_from_nothing():
    policy = HEADERS["Content-Security-Policy"]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "http" not in policy


@pytest.mark.parametrize("behind_tls", [True, False])
def test_https_is_demanded_only_where_there_is_tls(small_trees: Path, behind_tls: bool):
    with TestClient(
        create_app(Settings(trees_dir=small_trees, behind_tls=behind_tls), IdleExecutor())
    ) as client:
        headers = client.get("/healthz").headers
        slash = client.get("/play/", follow_redirects=False).headers["location"]
        robots = client.get("/robots.txt").text
    assert ("strict-transport-security" in headers) == behind_tls
    scheme = "https" if behind_tls else "http"
    assert slash == f"{scheme}://testserver/play"
    assert f"Sitemap: {scheme}://testserver/sitemap.xml" in robots


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 422),
        ({"Sec-Fetch-Site": "same-origin"}, 422),
        ({"Sec-Fetch-Site": "none"}, 422),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "https://testserver"}, 422),
        ({"Origin": "http://testserver"}, 422),
        ({"Origin": "http://testserver:81"}, 403),
        ({"Origin": "http://testserver.evil.example"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "http://["}, 403),
    ],
)
def test_requests_of_other_sites_are_refused(
    client: TestClient, headers: dict[str, str], status: int
):
    for prefix in ("", "/ru"):
        assert client.post(f"{prefix}/paste", headers=headers).status_code == status


def test_no_form_of_another_site_reaches_a_page(client: TestClient):
    """Each route that takes a form checks where it comes from."""
    routes = [route for router in PAGES for route in iter_route_contexts(router.routes)]
    forms = {re.sub("{[^}]+}", "x", str(r.path)) for r in routes if "POST" in (r.methods or ())}
    assert len(forms) > 5
    for path in forms:
        response = client.post(path, headers={"Sec-Fetch-Site": "cross-site"})
        assert response.status_code == 403, path


def test_other_sites_may_link_here(client: TestClient):
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    assert client.get("/trees", headers=headers).status_code == 200


ELSEWHERE = {"Sec-Fetch-Site": "cross-site", "Origin": "https://other.example"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        *(("GET", "/api/v1/trees", 200), ("HEAD", "/api/v1/trees", 200)),
        *(("GET", "/api/v1/trees/none", 404), ("GET", "/api/v1/sessions/x", 422)),
        *(("POST", SESSIONS, 201), ("PUT", SESSIONS, 405), ("GET", "/openapi.json", 200)),
        ("GET", "/api/v1/trees/" + "x" * MAX_URL, 414),
    ],
)
@pytest.mark.parametrize("headers", [ELSEWHERE, {}], ids=["elsewhere", "here"])
def test_pages_of_other_sites_may_read_the_api(
    client: TestClient, method: str, path: str, status: int, headers: dict[str, str]
):
    """A cache must not serve a response without the headers to another origin."""
    response = client.request(method, path, json=NEW, headers=headers)
    assert response.status_code == status
    assert "Origin" in response.headers["vary"]
    if headers:
        assert response.headers["access-control-allow-origin"] == "*"
        assert "Location" in response.headers["access-control-expose-headers"]
    assert "access-control-allow-credentials" not in response.headers


@pytest.mark.parametrize("path", ["/", "/trees", "/metrics", "/healthz", "/none", "/apiv1", "/api"])
def test_pages_of_other_sites_may_read_nothing_else(client: TestClient, path: str):
    ask = {"Access-Control-Request-Method": "GET"}
    for response in (client.get(path, headers=ELSEWHERE), client.options(path, headers=ask)):
        assert not [name for name in response.headers if name.startswith("access-control")]


def test_preflight_response_lists_what_a_browser_may_send(client: TestClient):
    ask = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    response = client.options(SESSIONS, headers=ELSEWHERE | ask)
    assert response.status_code == 200
    assert response.headers["access-control-allow-origin"] == "*"
    assert "POST" in response.headers["access-control-allow-methods"]
    assert "Content-Type" in response.headers["access-control-allow-headers"]
    assert int(response.headers["access-control-max-age"]) > 0


def test_address_has_a_limit(client: TestClient):
    prefix = "/api/v1/trees/"
    longest = prefix + "x" * (MAX_URL - len(prefix))
    assert client.get(longest).status_code != 414
    assert client.get(longest + "x").status_code == 414
    assert client.get("/api/v1/trees?" + "x" * 10_000).status_code == 414


def test_body_has_a_limit(client: TestClient):
    headers = {"Content-Type": "application/json"}
    of_unknown_length = iter([b" " * 1000] * (MAX_BODY // 1000 + 1))
    bodies = ((b" " * MAX_BODY, 422), (b" " * (MAX_BODY + 1), 413), (of_unknown_length, 413))
    for content, status in bodies:
        response = client.post(SESSIONS, content=content, headers=headers)
        assert response.status_code == status
        assert response.headers["content-type"] == "application/problem+json"
        if status == 413:
            detail = f"A request's body here has at most {MAX_BODY} bytes."
            assert response.json()["detail"] == detail


def test_too_long_a_body_of_a_page_gets_a_page(client: TestClient):
    response = client.request("GET", "/about", content=b"x" * (MAX_BODY + 1))
    assert response.status_code == 413
    assert "The server takes at most 131,072 bytes at once." in response.text


@pytest.mark.parametrize(
    "path", ["/", "/favicon.ico", "/static/styles/site.css", "/trees/small-mastermind.json"]
)
@pytest.mark.parametrize("is_chunked", [False, True])
def test_body_of_a_file_s_request_has_the_limit(client: TestClient, path: str, is_chunked: bool):
    """A file starts before its request's body is read, unless somebody waits for the body."""
    body = iter([b"x" * 1000] * (MAX_BODY // 1000 + 1)) if is_chunked else b"x" * (MAX_BODY + 1)
    assert client.request("GET", path, content=body).status_code == 413


def test_only_named_hosts_are_answered(small_trees: Path):
    hosts = ("game.example", "*.wild.example", "[::1]")
    named = ("game.example", "GAME.example:8000", "a.wild.example", "[::1]:8000")
    others = ("wild.example", "evil.example", "game.example.evil.example", "")
    app = create_app(Settings(trees_dir=small_trees, allowed_hosts=hosts), IdleExecutor())
    with TestClient(app) as client:
        for host in (*named, *others):
            response = client.get("/healthz", headers={"Host": host})
            assert response.status_code == (200 if host in named else 400), host
            assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(("length", "status"), [(260, 200), (261, 400)])
def test_host_name_has_the_length_of_dns(small_trees: Path, length: int, status: int):
    """The QR code of an invitation has the name, and holds no more than 3,000 characters."""
    app = create_app(Settings(trees_dir=small_trees, allowed_hosts=("*",)), IdleExecutor())
    with TestClient(app) as client:
        created = client.post("/api/v1/matches", json={"rules": "p4c10n"}).json()
        cookie = f"match_{created['id']}={created['player']}"
        headers = {"Host": "x" * length, "Cookie": cookie}
        response = client.get(f"/match/{created['id']}", headers=headers)
        assert response.status_code == status
        assert ('class="qr"' in response.text) == (status == 200)


def test_hosts_come_as_a_list_from_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BULLSCOWS_ALLOWED_HOSTS", "a.example, b.example")
    assert Settings().allowed_hosts == ("a.example", "b.example")


@pytest.mark.parametrize("host", ["a*.example", "*example", "a.*.example", "**"])
def test_wildcard_in_a_host_stands_for_subdomains_only(host: str):
    with pytest.raises(ValidationError):
        Settings(allowed_hosts=(host,))


OUTSIDE = [
    *("../app/main.py", "../pyproject.toml", "../../etc/passwd", "..%2fapp/main.py"),
    *("%2e%2e/app/main.py", "%2e%2e%2fapp%2fmain.py", "..%5capp%5cmain.py", "..\\app\\main.py"),
    *("....//app/main.py", ".%2e/app/main.py", "%252e%252e/app/main.py", "..%c0%afapp/main.py"),
    *("/etc/passwd", "//etc/passwd", "%2fetc%2fpasswd", "C:/windows/win.ini", "%00"),
    *("docs/docs.js%00", "docs/docs.js%00.css", "docs/docs.js/..", "docs", "scripts/", ".", ""),
    *("%20", "*", "~root"),
    *("x" * 300, "é", "%ff"),
]


def test_static_serves_nothing_else(client: TestClient):
    for path in (*(f"/static/{path}" for path in OUTSIDE), "/static1/docs/docs.js"):
        response = client.get(path, follow_redirects=True)
        assert response.status_code == 404, path
        assert "create_app" not in response.text
        assert "root:" not in response.text


ANALYSIS = "/analyse"
NODES = "/api/v1/trees/small-bulls-cows/nodes"
SCRIPT = "/static/vendor/htmx-4.0.1.min.js"
DOWNLOAD = "/trees/small-bulls-cows.json"

COMPRESSED = ["gzip", "x-gzip", "gzip, deflate, br, zstd", "br;q=1.0, gzip;q=0.8, *;q=0.1"]
PLAIN = ["", "identity", "br, deflate", "*"]


@pytest.mark.parametrize("path", [ANALYSIS, NODES, SCRIPT, DOWNLOAD])
def test_answer_is_compressed_if_the_client_accepts_that(client: TestClient, path: str):
    whole = client.get(path, headers={"Accept-Encoding": "identity"}).content
    for accepted in (*PLAIN, *COMPRESSED):
        response = client.get(path, headers={"Accept-Encoding": accepted})
        expected = "gzip" if accepted in COMPRESSED else None
        assert response.headers.get("content-encoding") == expected, accepted
        assert "Accept-Encoding" in response.headers["vary"]
        assert response.content == whole
    request = client.build_request("GET", path)
    del request.headers["Accept-Encoding"]
    assert "content-encoding" not in client.send(request).headers


HALF_A_YEAR = 15_768_000
PRIVATE = {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}
UNSAFE = {"'unsafe-inline'", "'unsafe-eval'", "data:", "https:", "http:", "*"}


def modifiers(answer: Response) -> dict[str, int]:
    """Return what each rule of Mozilla's HTTP Observatory adds or subtracts; TLS is the proxy's."""
    headers = answer.headers
    page = BeautifulSoup(answer.text, "html.parser")
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
    stated = re.search(r"(\d+) points", (ROOT / "docs/reliability.md").read_text())
    assert stated
    with TestClient(
        create_app(Settings(trees_dir=small_trees, behind_tls=True), IdleExecutor())
    ) as client:
        for path in ("/", "/ru/play/small-mastermind/0", "/none", "/docs"):
            found = modifiers(client.get(path))
            assert 100 + sum(found.values()) == int(stated[1]), (path, found)


def patterns(value: object) -> Iterator[str]:
    """Every pattern of the API's description."""
    if isinstance(value, dict):
        if isinstance(value.get("pattern"), str):
            yield value["pattern"]
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from patterns(item)


def test_every_pattern_of_the_api_has_words(client: TestClient):
    found = set(patterns(client.get("/openapi.json").json()))
    assert len(found) >= 5
    for pattern in found:
        assert "is not" in str(forms.complaint(pattern, "?")), pattern


def test_error_of_too_many_answers_names_the_limit():
    text = "-".join(["0.1"] * 101)
    assert not re.fullmatch(ANSWERS.pattern, text)
    assert "at most 100" in ANSWERS.complaint(text)


RULES = Rules.parse("p4c10n")


@pytest.mark.parametrize("text", ["0123", "0123:0.1-4567", "0123 0.1"])
def test_turn_without_its_answer_is_refused(text: str):
    with pytest.raises(MalformedError, match="write guess:answer"):
        read_address(RULES, text)


def test_more_turns_than_a_position_has_are_refused():
    turns = ((RULES.parse_code("0123"), 1),) * (MAX_HISTORY + 1)
    with pytest.raises(MalformedError, match="at most 20"):
        address_text(History(RULES, turns))
    with pytest.raises(MalformedError, match="at most 20"):
        read_address(RULES, "-".join(["0123:0.1"] * (MAX_HISTORY + 1)))
