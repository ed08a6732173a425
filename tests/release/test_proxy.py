"""Caddy with the documented configuration, in front of the server.

It provides what the server itself does not have: TLS, and limits for slow clients, half-open
connections and large headers.
"""

import http.client
import json
import os
import re
import shlex
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bullscows.game.history import MAX_HISTORY
from bullscows.game.rules import respond
from bullscows_web.api.guess_schemas import MAX_BATCH
from bullscows_web.server.settings import MAX_BODY, MAX_URL
from tests import ROOT
from tests.support.programs import program
from tests.support.servers.processes import end_group, start
from tests.support.servers.serving import HERE, reserved_port, wait_until, wait_until_ready

SITE = "example.org"
"""The host name in all examples for operators."""
FOLDER = ROOT / "docs" / "operations"
UNIT = (FOLDER / "bullscows-web.service").read_text(encoding="utf-8")
CLIENTS = 12
HEAD = f"GET /healthz HTTP/1.1\r\nHost: {SITE}\r\nConnection: close\r\n".encode()
BODY = (
    f"POST /api/v1/sessions HTTP/1.1\r\nHost: {SITE}\r\nConnection: close\r\n"
    "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
).encode()

pytestmark = pytest.mark.process


def trusted_by(folder: Path) -> ssl.SSLContext:
    """Write a self-signed certificate and its key, `site.crt` and `site.key`; trust them."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, SITE)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(SITE)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    text = certificate.public_bytes(serialization.Encoding.PEM)
    (folder / "site.crt").write_bytes(text)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    (folder / "site.key").write_bytes(private)
    return ssl.create_default_context(cadata=text.decode())


Answer = tuple[int, http.client.HTTPMessage, Any]
"""The status, the headers and the content."""


def ask(
    line: http.client.HTTPConnection, method: str, path: str, body: Any = None, headers: Any = None
) -> Answer:
    sent = body if body is None or isinstance(body, bytes) else json.dumps(body)
    given = {"Host": SITE, "Content-Type": "application/json"} | (headers or {})
    line.request(method, path, sent, given)
    answer = line.getresponse()
    content = answer.read()
    is_json = "json" in answer.headers.get("Content-Type", "") and content
    is_readable = is_json and "Content-Encoding" not in answer.headers
    return answer.status, answer.headers, json.loads(content) if is_readable else content


@dataclass
class Site:
    folder: Path
    trusted: ssl.SSLContext
    listener: socket.socket
    port: int = field(default_factory=reserved_port)
    """The port of the proxy."""
    plain_port: int = field(default_factory=reserved_port)
    """The port of the proxy without TLS."""
    server: subprocess.Popen[str] | None = None

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def serve(self) -> None:
        """Start the server on the listening socket, as the unit does, and wait for it."""
        command = re.findall(r"^ExecStart=\S+/bullscows (.*)$", UNIT, re.M)[0]
        given = dict(
            re.findall(r"^Environment=(BULLSCOWS_(?:ALLOWED_HOSTS|BEHIND_TLS))=(.*)$", UNIT, re.M)
        )
        given |= {"BULLSCOWS_STATE_DIR": str(self.folder)}
        given |= {"BULLSCOWS_METRICS": "true", "BULLSCOWS_MATCHES_PER_HOUR": "60"}
        words = [sys.executable, "-m", "bullscows", *shlex.split(command)]
        words[words.index("--fd") + 1] = str(self.listener.fileno())
        options = {"cwd": ROOT, "env": os.environ | given, "pass_fds": [self.listener.fileno()]}
        with self.log.open("ab") as log:
            self.server = start(words, stdout=log, stderr=log, **options)
        address = f"http://{HERE}:{self.listener.getsockname()[1]}/readyz"
        wait_until_ready(self.server, address, self.log, host=SITE)

    def end(self) -> None:
        if self.server is not None:
            end_group(self.server, 120)

    def socket(self, content: bytes = b"", source: str = HERE) -> ssl.SSLSocket:
        """Return a TLS connection to the proxy, on which this has been sent."""
        with ExitStack() as opened:
            bare = socket.create_connection((HERE, self.port), 60, (source, 0))
            opened.callback(bare.close)
            wrapped = opened.enter_context(self.trusted.wrap_socket(bare, server_hostname=SITE))
            with suppress(ConnectionError, ssl.SSLError):  # it may refuse before the end
                wrapped.sendall(content)
            opened.pop_all()
        return wrapped

    def line(self, source: str = HERE) -> http.client.HTTPSConnection:
        line = http.client.HTTPSConnection(SITE, self.port, timeout=60)
        line.sock = self.socket(source=source)
        return line

    def asked(self, path: str) -> int:
        return self.log.read_text(encoding="utf-8").count(f" {path} HTTP/1.1")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    with ExitStack() as begun:
        listener = begun.enter_context(socket.create_server((HERE, 0), backlog=512))
        site = Site(folder, trusted_by(folder), listener)
        begun.callback(site.end)
        site.serve()
        begun.enter_context(_proxied(site))
        yield site


@contextmanager
def _proxied(site: Site) -> Iterator[None]:
    """Run Caddy with the documented configuration, but other ports and shorter timeouts."""
    folder = site.folder
    ports = f"http_port {site.plain_port}\n\thttps_port {site.port}"
    changes = {
        "{\n\tservers {": f"{{\n\tadmin off\n\t{ports}\n\tdefault_bind {HERE}\n\tservers {{",
        "example.org} {\n": f"example.org}} {{\n\ttls {folder}/site.crt {folder}/site.key\n",
        "read_header 10s": "read_header 2s",
        "read_body 10s": "read_body 2s",
    }
    text = (FOLDER / "Caddyfile").read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    own = folder / "Caddyfile"
    own.write_text(text, encoding="utf-8")
    given = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(folder))
    given["UPSTREAM"] = f"{HERE}:{site.listener.getsockname()[1]}"
    command = [program("caddy"), "run", "--config", str(own), "--adapter", "caddyfile"]
    with (folder / "caddy.log").open("w+b") as log:
        process = start(command, env=os.environ | given, stdout=log, stderr=log)
        try:
            _wait_until_it_listens(site.port, folder / "caddy.log")
            yield
        finally:
            end_group(process, 30)


def _wait_until_it_listens(port: int, log: Path) -> None:
    def listens() -> bool:
        with socket.socket() as client:
            return client.connect_ex((HERE, port)) == 0

    wait_until(listens, log)


def all_that_comes(client: socket.socket) -> bytes:
    """Return what arrives until the other side closes the connection, however it does."""
    content = b""
    try:
        while piece := client.recv(1 << 20):
            content += piece
    except (ConnectionError, ssl.SSLError):
        pass
    return content


def test_game_is_played_through_tls_only(site: Site):
    path = "/play/avg-bulls-cows/k3"
    start = {"tree": "avg-bulls-cows", "shuffle": True}
    with closing(site.line()) as line:
        status, headers, _ = ask(line, "GET", path)
        assert status == 200
        assert "max-age" in headers["Strict-Transport-Security"]
        _, _, state = ask(line, "POST", "/api/v1/sessions", start)
        while state["guess"] != "2718":
            answer = respond(state["guess"], "2718")._asdict()
            _, _, state = ask(line, "POST", f"/api/v1/sessions/{state['id']}/answers", answer)
        assert state["turn"] <= 7
    plain = http.client.HTTPConnection(HERE, site.plain_port, timeout=60)
    with closing(plain):
        status, headers, _ = ask(plain, "GET", f"{path}?x=1")
        assert (status, headers["Location"]) == (308, f"https://{SITE}{path}?x=1")


def test_the_largest_body_passes_and_a_larger_one_does_not(site: Site):
    body = json.dumps({"positions": [_longest_position()] * MAX_BATCH}).encode()
    assert 16 * 1024 < len(body) <= MAX_BODY
    with closing(site.line()) as line:
        status, _, answered = ask(line, "POST", "/api/v1/guesses", body.ljust(MAX_BODY))
        assert (status, len(answered["results"])) == (200, MAX_BATCH)
        before = site.asked("/api/v1/guesses")
        assert ask(line, "POST", "/api/v1/guesses", body.ljust(MAX_BODY + 1))[0] == 413
    assert site.asked("/api/v1/guesses") == before


def _longest_position() -> dict[str, Any]:
    """Return a position after as many turns as are allowed, with one candidate left."""
    guesses = ["".join(digits) for digits in islice(permutations("0123456789", 4), MAX_HISTORY)]
    answers = [(guess, respond(guess, "2718")) for guess in guesses]
    turns = [{"guess": guess, "bulls": one.bulls, "cows": one.cows} for guess, one in answers]
    return {"rules": "p4c10n", "turns": turns}


def test_metrics_are_not_public(site: Site):
    with closing(site.line()) as line:
        for path in ("/metrics", "/%6detrics"):
            assert ask(line, "GET", path)[0] == 404
    assert not site.asked("/metrics")


def test_client_address_comes_from_the_proxy(site: Site):
    path = "/healthz?by=caddy"
    with closing(site.line("127.0.0.2")) as line:
        assert ask(line, "GET", path, headers={"X-Forwarded-For": "127.0.0.9"})[0] == 200
    assert re.search(rf'127\.0\.0\.2:\d+ - "GET {re.escape(path)} ', site.log.read_text())


def test_half_open_connections_do_not_block_others_and_are_closed(site: Site):
    """They stop within the first line, the headers, or the body."""
    contents = [HEAD[:8], HEAD, BODY] * 20
    with ExitStack() as opened:
        clients = [opened.enter_context(site.socket(content)) for content in contents]
        with closing(site.line("127.0.0.2")) as line:
            assert ask(line, "GET", "/healthz")[0] == 200
        for client in clients:
            assert not all_that_comes(client).startswith(b"HTTP/1.1 201 ")


def test_slow_headers_are_not_waited_for(site: Site):
    client = site.socket(HEAD + b"X: ")
    deadline = time.monotonic() + 120
    client.settimeout(0.1)
    with closing(client), suppress(ConnectionError, ssl.SSLError):
        while time.monotonic() < deadline:
            with suppress(TimeoutError):
                client.sendall(b"x")
                client.recv(4096)
                return
        pytest.fail("it waits")


@pytest.mark.parametrize(
    ("line", "statuses"),
    [
        (b"GET /%b HTTP/1.1\r\n" % (b"x" * 40_000), {b"414", b"431"}),
        (b"GET / HTTP/1.1\r\nX: %b\r\n" % (b"x" * 40_000), {b"400", b"431"}),
        (b"GET /trees/%b HTTP/1.1\r\n" % (b"x" * MAX_URL), {b"414"}),
    ],
    ids=["first line", "headers", "address"],
)
def test_large_headers_are_refused(site: Site, line: bytes, statuses: set[bytes]):
    content = line + f"Host: {SITE}\r\nConnection: close\r\n\r\n".encode()
    with closing(site.socket(content)) as client:
        assert all_that_comes(client).split()[1] in statuses


def test_upgrade_to_another_protocol_is_ignored(site: Site):
    """Without the proxy, uvicorn reads no body."""
    offered = {"Upgrade": "h2c", "Connection": "Upgrade, HTTP2-Settings"}
    offered["HTTP2-Settings"] = "AAMAAABkAAQAAP__"
    with closing(site.line()) as line:
        status, _, made = ask(line, "POST", "/api/v1/sessions", {"tree": "avg-bulls-cows"}, offered)
    assert (status, made["turn"]) == (201, 1)


def test_events_of_a_match_are_not_buffered(site: Site):
    """The second event follows what the client does after the first."""
    with closing(site.line()) as line:
        _, _, made = ask(line, "POST", "/api/v1/matches", {"rules": "p4c10n"})
    match = f"/api/v1/matches/{made['id']}"
    with closing(site.line()) as stream, closing(site.line()) as line:
        stream.request("GET", f"{match}/events", headers={"Host": SITE})
        events = stream.getresponse()
        assert next(read for read in events if read.startswith(b"data"))
        assert ask(line, "POST", f"{match}/join", {"secret": None})[0] == 200
        assert b"data: 2\n" in events  # read until it comes, not until the stream ends


def test_server_limits_the_matches_of_an_address(site: Site):
    """Each of the two workers counts for itself, whatever address a client claims to have."""
    made = []
    with closing(site.line("127.0.0.4")) as line:
        for number in range(125):
            forged = {"X-Forwarded-For": f"10.0.0.{number}"}
            made.append(ask(line, "POST", "/api/v1/matches", {"rules": "p3c5n"}, forged)[0])
    assert 60 <= made.index(429) <= 120
    assert set(made[120:]) == {429}
    with closing(site.line("127.0.0.5")) as line:
        assert ask(line, "POST", "/api/v1/matches", {"rules": "p3c5n"})[0] == 201


def test_lost_request_of_a_match_is_not_repeated(tmp_path: Path):
    """Behind the proxy, every connection is closed after the request."""
    asked = []
    with socket.create_server((HERE, 0)) as listener:

        def lose() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    with connection:
                        asked.append(connection.recv(65536))

        threading.Thread(target=lose, daemon=True).start()
        site = Site(tmp_path, trusted_by(tmp_path), listener)
        with _proxied(site), closing(site.line()) as line:
            assert ask(line, "POST", "/api/v1/matches/a/join", {})[0] == 502
    assert len(asked) == 1


def _visit(site: Site, answered: list[int], lost: list[str], end: threading.Event) -> None:
    """Send one request after the other, two of five POST, five on a connection."""
    old = ("GET", "/healthz")
    new = ("POST", "/api/v1/sessions", {"tree": "avg-bulls-cows"})
    while not end.is_set():
        try:
            with closing(site.line()) as line:
                for asked in (old, new, old, new, old):
                    answered.append(ask(line, *asked)[0])
        except (OSError, http.client.HTTPException) as error:
            lost.append(repr(error))


def _reload(site: Site) -> None:
    """Replace the processes one by one."""
    assert site.server is not None
    ended = site.log.read_text().count("Finished server process")
    site.server.send_signal(signal.SIGHUP)
    wait_until(lambda: site.log.read_text().count("Finished server process") == ended + 2)


def _restart(site: Site) -> None:
    """Stop the server and start another one on the socket, as `systemctl restart` does."""
    assert site.server is not None
    site.server.terminate()
    assert site.server.wait(60) == 0
    site.serve()


@pytest.mark.slow
@pytest.mark.parametrize("change", [_reload, _restart])
def test_at_most_one_request_in_a_thousand_is_lost(site: Site, change: Callable[[Site], None]):
    answered: list[int] = []
    lost: list[str] = []
    given = site, answered, lost, (end := threading.Event())
    clients = [threading.Thread(target=_visit, args=given) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        wait_until(lambda: len(answered) > 10 * CLIENTS)
        change(site)
        wait_until(lambda: len(answered) > 1000)
    finally:
        end.set()
        for client in clients:
            client.join()
    failed = [status for status in answered if status >= 400]
    assert 1000 * len([*lost, *failed]) <= len(answered), (lost, failed)


def test_systemd_accepts_the_units(tmp_path: Path):
    """A program that always exists replaces each of ours that is not installed."""
    for unit in FOLDER.glob("bullscows-*.*"):
        text = unit.read_text(encoding="utf-8")
        ours = "/opt/bullscows/.venv/bin/bullscows"
        (tmp_path / unit.name).write_text(text.replace(ours, "/bin/true"), encoding="utf-8")
    command = [program("systemd-analyze"), "verify", *map(str, tmp_path.iterdir())]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
