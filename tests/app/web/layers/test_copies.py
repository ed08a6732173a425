"""Copies: found by all that an answer depends on, few enough, and sent as the answer was."""

import gzip
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from bullscows_web.api import schemas
from bullscows_web.server.settings import data_folder
from bullscows_web.trees.position import GamePosition
from bullscows_web.web.html.rendering import Renderer
from bullscows_web.web.layers.copies import ADDRESS, DOCUMENT, OVERHEAD, Copies, Copy, Key, key_of
from bullscows_web.web.static_files import VersionedFiles

NUMBERS = count()
HTMX = {"HX-Request": "true", "HX-Request-Type": "partial"}


def copy(body: bytes, tag: str = '"t"') -> Copy:
    return Copy([(b"etag", tag.encode())], body, tag, "/x", "page", "")


def key(name: object) -> Key:
    return (f"/{name}", b"", b"", "http", False, False, None)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3000)), max_size=30))
def test_copies_never_take_more_than_they_may(kept: list[tuple[int, int]]):
    limit = 3 * OVERHEAD + 3000
    copies = Copies(limit)
    for name, size in kept:
        copies.keep(key(name), copy(b"x" * size))
        found = [copies.find(key(other)) for other in range(6)]
        assert sum(one.size for one in found if one) <= limit
        assert copies.find(key(name)) is not None


def test_copy_asked_for_longest_ago_makes_room():
    copies = Copies(2 * OVERHEAD + 100)
    copies.keep(key("a"), copy(b""))
    copies.keep(key("b"), copy(b""))
    copies.find(key("a"))
    copies.keep(key("c"), copy(b""))
    assert [copies.find(key(name)) is not None for name in "abc"] == [True, False, True]


def test_copy_larger_than_all_may_be_is_not_kept():
    copies = Copies(OVERHEAD)
    copies.keep(key("a"), copy(b"x"))
    assert copies.find(key("a")) is None


@pytest.mark.parametrize("method", ["POST", "OPTIONS", "DELETE"])
def test_only_what_is_read_has_copies(method: str):
    scope = {"method": method, "path": "/", "query_string": b"", "scheme": "http"}
    assert key_of(scope, {}) is None
    read = scope | {"method": "GET"}
    assert key_of(read, {}) is not None
    assert key_of(read, {b"range": b"bytes=0-1"}) is None
    assert key_of(read | {"query_string": b"x" * ADDRESS}, {b"host": b"x"}) is None
    assert key_of(read | {"scheme": "https"}, {}) != key_of(read, {})


def test_304_does_not_displace_a_whole_copy():
    copies = Copies()
    copies.keep(key("a"), copy(b"x"))
    copies.keep(key("a"), Copy([], None, '"t"', "/x", "page", ""))
    found = copies.find(key("a"))
    assert found is not None
    assert found.body == b"x"


# -- in the application ------------------------------------------------------------------------


@pytest.fixture
def page() -> str:
    """The address of a page that nobody has asked for yet."""
    return f"/play/small-mastermind/0?visitor={next(NUMBERS)}"


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were rendered, by their templates."""
    made: list[str] = []
    render = Renderer.render

    def note(self: Renderer, template: str, *rest: object) -> str:
        made.append(template)
        return render(self, template, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Renderer, "render", note)
    return made


def test_page_is_made_once_and_sent_the_same_again(
    client: TestClient, page: str, rendered: list[str]
):
    first, second = client.get(page), client.get(page)
    assert first.text == second.text
    assert dict(first.headers) == dict(second.headers)
    assert len(rendered) == 1


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("{}", HTMX),
        ("{}", {"Host": "127.0.0.1"}),
        ("/ru{}", {}),
        ("{}&analysis=open", {}),
    ],
)
def test_each_variant_of_a_page_is_made(
    client: TestClient, page: str, rendered: list[str], url: str, headers: dict[str, str]
):
    client.get(page)
    client.get(url.format(page), headers=headers)
    assert len(rendered) == 2


def test_host_that_is_not_answered_gets_no_copy(client: TestClient, page: str):
    client.get(page)
    assert client.get(page, headers={"Host": "elsewhere.example"}).status_code == 400


def test_compressed_and_plain_copies_say_the_same(client: TestClient, page: str):
    for _ in range(2):
        plain = client.get(page, headers={"Accept-Encoding": "identity"})
        packed = client.get(page, headers={"Accept-Encoding": "gzip"})
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert plain.content == packed.content
        assert int(packed.headers["content-length"]) < len(plain.content)
        assert len(gzip.compress(plain.content, 6)) == int(packed.headers["content-length"])


def test_copy_has_no_body_for_head(client: TestClient, page: str):
    whole = client.get(page)
    head = client.head(page)
    assert (head.status_code, head.content) == (200, b"")
    assert dict(head.headers) == dict(whole.headers)


def test_copy_asked_for_by_its_tag_is_a_304_like_the_first(client: TestClient, page: str):
    tag = client.get(page).headers["etag"]
    known = client.get(page, headers={"If-None-Match": tag})
    assert (known.status_code, known.content) == (304, b"")
    assert known.headers["etag"] == tag
    assert known.headers["content-security-policy"]
    assert not {"content-type", "content-length", "content-encoding"} & set(known.headers)


def test_304_without_a_copy_is_no_copy_of_the_page(
    client: TestClient, page: str, rendered: list[str]
):
    assert client.get(page, headers={"If-None-Match": "*"}).status_code == 304
    assert client.get(page, headers={"If-None-Match": '"another"'}).status_code == 200
    assert client.get(page).status_code == 200
    assert len(rendered) == 1


def test_errors_and_what_changes_are_made_anew(client: TestClient, rendered: list[str]):
    for path in ("/play/none/0", "/analyse/p3c5n?h=012:0.1"):
        client.get(path)
        client.get(path)
    assert len(rendered) == 4


def test_guesses_of_copies_count_as_those_of_pages(client: TestClient, page: str):
    def shown() -> float:
        lines = client.get("/metrics").text.splitlines()
        name = 'bullscows_guesses_total{tree="small-mastermind"} '
        return sum(float(line.removeprefix(name)) for line in lines if line.startswith(name))

    before = shown()
    for _ in range(3):
        client.get(page)
    client.get(page, headers={"Purpose": "prefetch"})
    assert shown() - before == 3


def test_requests_for_copies_count_by_their_route(client: TestClient, page: str):
    def counted() -> float:
        lines = client.get("/metrics").text.splitlines()
        name = 'bullscows_requests_total{method="GET",route="/play/{tree}/{token}"'
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(name))

    before = counted()
    for _ in range(3):
        client.get(page)
    assert counted() - before == 3


@pytest.fixture
def described(monkeypatch: pytest.MonkeyPatch) -> list[GamePosition]:
    """The games that were described as JSON."""
    made: list[GamePosition] = []
    of = schemas.Session.of

    def note(position: GamePosition) -> schemas.Session:
        made.append(position)
        return of(position)

    monkeypatch.setattr(schemas.Session, "of", note)
    return made


def test_session_is_described_once(client: TestClient, described: list[GamePosition]):
    number = next(NUMBERS)
    for _ in range(2):
        assert client.get(f"/api/v1/sessions/small-mastermind~0?n={number}").json()["turn"] == 1
    assert len(described) == 1


def test_session_is_described_once_after_each_answer(
    client: TestClient, described: list[GamePosition]
):
    address = f"/api/v1/sessions/small-mastermind~0/answers?n={next(NUMBERS)}"
    for _ in range(2):
        for bulls in (0, 1):
            answer = client.post(address, json={"bulls": bulls, "cows": 0})
            name = answer.json()["id"]
            assert name.endswith(f"~{bulls}.0")
            assert answer.headers["location"].endswith(f"/{name}")
    assert len(described) == 2


def test_answers_that_are_refused_or_oddly_sent_have_no_copies(
    client: TestClient, described: list[GamePosition]
):
    address = f"/api/v1/sessions/small-mastermind~0/answers?n={next(NUMBERS)}"
    document = b'{"bulls": 0, "cows": 0}'
    json = {"Content-Type": "application/json"}
    assert client.post(address, content=document, headers=json).status_code == 200
    assert client.post(address, content=document).status_code == 415
    assert client.post(address, content=document[:-1], headers=json).status_code == 422
    pieces = (document[at : at + 5] for at in range(0, len(document), 5))
    assert client.post(address, content=pieces, headers=json).status_code == 200
    wide = document + b" " * DOCUMENT
    assert client.post(address, content=wide, headers=json).status_code == 200
    assert len(described) == 3
    assert client.post(address, content=document, headers=json).status_code == 200
    assert client.get(address).status_code == 405
    assert len(described) == 3


def test_new_game_is_another_one_each_time(client: TestClient):
    ids = {
        client.post("/api/v1/sessions", json={"tree": "small-mastermind"}).json()["id"]
        for _ in range(5)
    }
    assert len(ids) > 1


def test_part_of_a_file_is_no_copy_of_it(client: TestClient):
    file = "/static/vendor/htmx-4.0.1.min.js"
    plain = {"Accept-Encoding": "identity"}
    for _ in range(2):
        part = client.get(file, headers=plain | {"Range": "bytes=0-9"})
        assert (part.status_code, len(part.content)) == (206, 10)
        head = client.head(file, headers=plain | {"Range": "bytes=0-9"})
        assert (head.status_code, head.content) == (206, b"")
        assert len(client.get(file, headers=plain).content) > 10


def test_doubled_headers_choose_what_the_answer_went_by(client: TestClient, page: str):
    """A key that took the last of them would give the next visitor another's variant."""
    doubled = [
        ("HX-Request", "no"),
        *HTMX.items(),
        ("Accept-Encoding", "gzip"),
        ("Host", "localhost"),
    ]
    client.get(page, headers=[*doubled, ("Accept-Encoding", "identity")])
    assert "<!doctype html>" not in client.get(page, headers=HTMX).text
    plain = client.get(page, headers=[("Accept-Encoding", "identity")])
    assert "content-encoding" not in plain.headers


def test_head_that_comes_first_leaves_a_whole_copy(client: TestClient, page: str):
    assert client.head(page).content == b""
    assert "</html>" in client.get(page).text


def test_every_sheet_and_script_comes_from_memory(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
):
    folder = data_folder("static")
    rooms = [*folder.glob("styles/*"), *folder.glob("scripts/*"), *folder.glob("vendor/htmx*.js")]
    names = [file.relative_to(folder).as_posix() for file in rooms]
    files = {name: client.app.state.files.address(name) for name in names}  # type: ignore[attr-defined]
    for address in files.values():
        first = client.get(address)
        monkeypatch.setattr(VersionedFiles, "get_response", None)
        again = client.get(address)
        monkeypatch.undo()
        assert again.content == first.content
        assert again.headers["content-length"]
        since = {"If-Modified-Since": first.headers["last-modified"]}
        assert client.get(address, headers=since).status_code == 304
    assert len(files) > 10


def test_whoever_asks_for_many_pages_moves_out_no_file(client: TestClient):
    address = client.app.state.files.address("styles/site.css")  # type: ignore[attr-defined]
    for noise in ("?x=1", "?v=", f"?{address.partition('?')[2]}&x=1"):
        assert client.get(f"/static/styles/site.css{noise}").headers["cache-control"] == "no-cache"
