"""Whether answers are compressed follows from the weights of `Accept-Encoding`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from bullscows_web.web.encoding import prefers_gzip, with_one_coding

PAGE = "/analyse"
ANSWER = "/api/v1/trees/small-bulls-cows/nodes"
FILE = "/static/vendor/htmx-4.0.1.min.js"
DOWNLOAD = "/trees/small-bulls-cows.json"

COMPRESSED = [
    "gzip",
    "GZIP",
    "x-gzip",
    "*",
    "gzip, deflate, br, zstd",
    "br;q=1.0, gzip;q=0.8, *;q=0.1",
    "gzip;q=0.001",
    "gzip ; Q=1.000",
    "identity;q=0.5, gzip;q=0.5",
    "identity;q=0, gzip",
    "*;q=0, gzip;q=0.5",
    "identity;q=0, *",
]
PLAIN = [
    "",
    "gzip;q=0",
    "gzip;q=0.000",
    "GZIP;Q=0",
    "x-gzip;q=0",
    "gzip;q=0, identity",
    "gzip;q=0, *",
    "gzip; q=0, br",
    "identity",
    "identity;q=1, gzip;q=0.5",
    "*;q=0",
    "identity;q=0, *;q=0",
    "br, deflate",
    "not-gzip",
    "gzip;q=2",
    "gzip;q=0.0001",
    "gzip;level=9",
]


@pytest.mark.parametrize("path", [PAGE, ANSWER, FILE, DOWNLOAD])
def test_answer_is_compressed_if_the_client_prefers_that(client: TestClient, path: str):
    whole = client.get(path, headers={"Accept-Encoding": "identity"}).content
    for accepted in (*PLAIN, *COMPRESSED):
        response = client.get(path, headers={"Accept-Encoding": accepted})
        expected = "gzip" if accepted in COMPRESSED else None
        assert response.headers.get("content-encoding") == expected, accepted
        assert "Accept-Encoding" in response.headers["vary"]
        assert response.content == whole


@pytest.mark.parametrize("path", [PAGE, ANSWER, FILE, DOWNLOAD])
def test_weights_on_several_lines_count_together(client: TestClient, path: str):
    for first, second in (("gzip", "identity;q=0"), ("identity;q=0", "gzip")):
        lines = [("Accept-Encoding", first), ("Accept-Encoding", second)]
        assert client.get(path, headers=lines).headers["content-encoding"] == "gzip"
    for first, second in (("gzip;q=0", "identity"), ("br", "gzip;q=0")):
        lines = [("Accept-Encoding", first), ("Accept-Encoding", second)]
        assert "content-encoding" not in client.get(path, headers=lines).headers


@pytest.mark.parametrize("path", [PAGE, ANSWER, FILE, DOWNLOAD])
def test_client_that_names_no_coding_gets_none(client: TestClient, path: str):
    request = client.build_request("GET", path)
    del request.headers["Accept-Encoding"]
    assert "content-encoding" not in client.send(request).headers


@given(st.binary(max_size=60))
def test_any_bytes_are_a_list_of_codings_or_ignored(accepted: bytes):
    other = (b"host", b"localhost")
    coding = b"gzip" if prefers_gzip(accepted) else b"identity"
    assert with_one_coding([(b"accept-encoding", accepted), other]) == [
        other,
        (b"accept-encoding", coding),
    ]
    assert not prefers_gzip(b"gzip;q=0," + accepted)
