"""What stands before a server: a certificate for its name, and a visitor who plays through TLS."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from bullscows.game.rules import respond
from tests.support.drivers.server import HERE

SITE = "example.org"
"""The name in all examples for operators."""


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Write a certificate of a day, signed by itself, and its key; return where they are."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, SITE)])
    names = [x509.DNSName(SITE), x509.IPAddress(ip_address(HERE))]
    today = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    places = folder / "site.crt", folder / "site.key"
    places[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    places[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return places


def ask(
    line: http.client.HTTPConnection,
    method: str,
    path: str,
    body: Any = None,
    headers: dict[str, str] | None = None,
) -> tuple[int, http.client.HTTPMessage, Any]:
    """Send a request by the site's name; return the status, the headers, and the content read."""
    sent = body if body is None or isinstance(body, bytes) else json.dumps(body)
    given = {"Host": SITE, "Content-Type": "application/json"} | (headers or {})
    line.request(method, path, sent, given)
    answer = line.getresponse()
    content = answer.read()
    is_json = "json" in answer.headers.get("Content-Type", "") and content
    is_readable = is_json and "Content-Encoding" not in answer.headers
    return answer.status, answer.headers, json.loads(content) if is_readable else content


def play(ask: Callable[..., tuple[int, Any, Any]], secret: str) -> int:
    """Play a game of Bulls & Cows by the API, and return its turns."""
    _, _, state = ask("POST", "/api/v1/sessions", {"tree": "avg-bulls-cows", "shuffle": True})
    while state["guess"] != secret:
        answer = respond(state["guess"], secret)
        told = {"bulls": answer.bulls, "cows": answer.cows}
        status, _, state = ask("POST", f"/api/v1/sessions/{state['id']}/answers", told)
        assert status in (200, 201), state
    return int(state["turn"])


def play_by_site(line: http.client.HTTPSConnection, plain: int, *, moved: int) -> None:
    """See a page and play through TLS; who asks without, at a port, is led there by a status."""
    with closing(line):
        status, headers, _ = ask(line, "GET", "/play/avg-bulls-cows/k3")
        assert status == 200
        assert "max-age" in headers["Strict-Transport-Security"]
        assert play(partial(ask, line), "2718") <= 7
    with closing(http.client.HTTPConnection(HERE, plain, timeout=20)) as bare:
        status, headers, _ = ask(bare, "GET", "/play/avg-bulls-cows/k3?x=1")
        assert (status, headers["Location"]) == (
            moved,
            f"https://{SITE}/play/avg-bulls-cows/k3?x=1",
        )
