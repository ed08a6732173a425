"""`compose.yaml`, without a container engine: its commands, and the same processes at work."""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import shutil
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from engine.game.rules import respond
from tests import ROOT
from tests.support.drivers.server import HERE, free_port, wait_until_ready

COMPOSED = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSED["services"]
OURS = [name for name in SERVICES if name != "proxy"]
SITE = "example.org"
TREE = "avg-bulls-cows-3-of-6"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
PROGRAMS = {"bullscows": ["-m", "app.server.cli"], "dask": ["-m", "dask"]}

Start = Callable[..., "subprocess.Popen[bytes]"]


# -- what it says ------------------------------------------------------------------------------


@pytest.mark.parametrize("service", SERVICES)
def test_each_command_stands_in_the_documentation(service: str) -> None:
    page = (ROOT / "docs" / "operations.md").read_text().splitlines()
    assert f"    {SERVICES[service]['command']}" in [line.partition("  #")[0] for line in page]


@pytest.mark.parametrize("service", OURS)
def test_what_is_ours_may_write_nowhere_and_do_little(service: str) -> None:
    composed = SERVICES[service]
    assert composed["read_only"] is True
    assert composed["cap_drop"] == ["ALL"]
    assert composed["security_opt"] == ["no-new-privileges:true"]
    assert composed["build"]["target"] == "analysis"


def test_only_the_proxy_is_reached_from_outside() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {"server": ["443:443"]}
    assert "--host 127.0.0.1" in SERVICES["server"]["command"]
    assert SERVICES["proxy"]["network_mode"] == "service:server"
    assert COMPOSED["networks"]["cluster"] == {"internal": True}


def test_every_file_and_volume_that_is_named_is_there() -> None:
    volumes = [text for service in SERVICES.values() for text in service.get("volumes", [])]
    for source in (text.split(":")[0] for text in volumes if not text.startswith("${")):
        assert source in COMPOSED["volumes"] or (ROOT / source).is_file(), source
    assert SERVICES["server"]["environment"]["BULLSCOWS_HOSTS"] == SITE
    assert f"server_name {SITE};" in (ROOT / "docs/operations/nginx.conf").read_text()


# -- what it does ------------------------------------------------------------------------------


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a service's command, changed where it has to be, in a process that is ended after."""
    started: list[subprocess.Popen[bytes]] = []

    def begin(service: str, changes: dict[str, str], *more: str) -> subprocess.Popen[bytes]:
        with (tmp_path / f"{service}.log").open("ab") as log:
            process = subprocess.Popen(
                [*_command(service, changes), *more],
                cwd=ROOT,
                env=os.environ | _environment(service, tmp_path),
                stdout=log,
                stderr=log,
            )
        started.append(process)
        return process

    yield begin
    for process in reversed(started):
        process.terminate()
        process.wait(timeout=30)


def _command(service: str, changes: dict[str, str]) -> list[str]:
    text = SERVICES[service]["command"]
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    program, *words = shlex.split(text)
    return (
        [sys.executable, *PROGRAMS[program], *words] if program in PROGRAMS else [program, *words]
    )


def _environment(service: str, folder: Path) -> dict[str, str]:
    """What the service's environment says, with the folders of the container in `folder`."""
    given = SERVICES[service].get("environment", {})
    return {name: re.sub(r"^/(?=var|tmp)", f"{folder}/", text) for name, text in given.items()} | {
        "BULLSCOWS_STATE": str(folder / "state"),
        "BULLSCOWS_SEARCH_AT_START": "false",
    }


@pytest.fixture
def proxy(tmp_path: Path, start: Start) -> tuple[int, int, ssl.SSLContext]:
    """Start nginx as it is documented; return its port, the server's, and whom to trust."""
    if NGINX is None:
        pytest.skip("nginx is not installed")
    certificate, key = _certificate(tmp_path)
    port, behind = free_port(), free_port()
    site = (ROOT / "docs/operations/nginx.conf").read_text()
    changes = {
        "listen 443 ssl;": f"listen {HERE}:{port} ssl;",
        "server 127.0.0.1:8000;": f"server 127.0.0.1:{behind};",
        f"/etc/ssl/{SITE}.crt": str(certificate),
        f"/etc/ssl/private/{SITE}.key": str(key),
    }
    for old, new in changes.items():
        assert old in site
        site = site.replace(old, new)
    (tmp_path / "site.conf").write_text(site)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds)
    whole = tmp_path / "nginx.conf"
    whole.write_text(
        f"pid {tmp_path}/pid; error_log {tmp_path}/errors; events {{}}\n"
        f"http {{ access_log off; {folders} include {tmp_path}/site.conf; }}\n"
    )
    start("proxy", {"nginx ": f"{NGINX} "}, "-c", str(whole), "-p", str(tmp_path))
    return port, behind, ssl.create_default_context(cafile=str(certificate))


def _certificate(folder: Path) -> tuple[Path, Path]:
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


def _ask(
    line: http.client.HTTPSConnection, method: str, path: str, body: Any = None
) -> tuple[int, http.client.HTTPMessage, Any]:
    headers = {"Host": SITE, "Content-Type": "application/json"}
    line.request(method, path, None if body is None else json.dumps(body), headers)
    answer = line.getresponse()
    content = answer.read()
    is_json = "json" in answer.headers["Content-Type"]
    return answer.status, answer.headers, json.loads(content) if is_json else content


@pytest.mark.slow
@pytest.mark.process
def test_a_game_is_played_through_the_proxy(
    tmp_path: Path, start: Start, proxy: tuple[int, int, ssl.SSLContext]
) -> None:
    port, behind, trusted = proxy
    server = start("server", {"--port 8000": f"--port {behind}"})
    # Under the name of the site alone, as the image is asked for its health.
    wait_until_ready(server, f"http://{HERE}:{behind}/healthz", tmp_path / "server.log", host=SITE)
    with closing(http.client.HTTPSConnection(HERE, port, context=trusted, timeout=20)) as line:
        status, headers, _ = _ask(line, "GET", "/play/avg-bulls-cows/k3")
        assert status == 200
        assert "max-age" in headers["Strict-Transport-Security"]
        assert _ask(line, "GET", "/metrics")[0] == 404
        assert _plays(partial(_ask, line), "2718") <= 7
        assert _ask(line, "POST", "/api/v1/sessions", {"tree": "x" * 20_000})[0] == 413


def _plays(ask: Callable[..., tuple[int, Any, Any]], secret: str) -> int:
    """Play a game of Bulls & Cows by the API, and return its turns."""
    _, _, state = ask("POST", "/api/v1/sessions", {"tree": "avg-bulls-cows", "shuffle": True})
    while state["guess"] != secret:
        answer = respond(state["guess"], secret)
        told = {"bulls": answer.bulls, "cows": answer.cows}
        status, _, state = ask("POST", f"/api/v1/sessions/{state['id']}/answers", told)
        assert status in (200, 201), state
    return int(state["turn"])


@pytest.mark.slow
@pytest.mark.process
def test_jobs_and_trees_are_done_by_the_cluster(tmp_path: Path, start: Start) -> None:
    port = free_port()
    address = f"tcp://{HERE}:{port}"
    start("scheduler", {"--port 8786": f"--port {port} --host {HERE}"})
    start("worker", {"tcp://scheduler:8786": address, "--nworkers auto": "--nworkers 2"})
    environment = os.environ | _environment("jobs", tmp_path)
    (tmp_path / "var/lib/bullscows").mkdir(parents=True)
    run = partial(subprocess.run, env=environment, cwd=ROOT, capture_output=True, text=True)
    bullscows = [sys.executable, "-m", "app.server.cli"]

    added = run([*bullscows, "jobs", "add", "solve 0123(0,2) 7 4 - rules=p4c6n objective=average"])
    assert added.returncode == 0, added.stderr
    ended = run(_command("jobs", {"tcp://scheduler:8786": address, "--watch ": ""}), timeout=300)
    assert ended.returncode == 0, ended.stderr
    assert " done " in f" {run([*bullscows, 'jobs', 'list']).stdout}"

    built = run([*bullscows, "build", TREE, "--cluster", address, "--trees", str(tmp_path)])
    assert built.returncode == 0, built.stderr
    shipped = (ROOT / "trees" / f"{TREE}.json").read_bytes()
    assert (tmp_path / f"{TREE}.json").read_bytes() == shipped
