"""`docs/operations/Caddyfile` at work, before the server that `bullscows-web.service` starts."""

from __future__ import annotations

import http.client
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from bullscows_web.server.settings import MAX_BODY
from tests import ROOT
from tests.release.test_units import environment, settings
from tests.support.drivers.proxy import SITE, ask, make_certificate, play_by_site
from tests.support.drivers.server import HERE, START_SECONDS, free_port, wait_until_ready
from tests.support.processes import end_group, start

FILE = ROOT / "docs" / "operations" / "Caddyfile"
UNIT = "bullscows-web.service"
CADDY = shutil.which("caddy")

pytestmark = [pytest.mark.slow, pytest.mark.process]


class Site(NamedTuple):
    """The two processes at work."""

    port: int
    plain: int
    trusted: ssl.SSLContext
    log: Path

    def line(self, source: str = HERE) -> http.client.HTTPSConnection:
        """Return a connection of a visitor from an address, who asks for the site by its name."""
        line = http.client.HTTPSConnection(SITE, self.port, context=self.trusted, timeout=20)
        there = socket.create_connection((HERE, self.port), 20, (source, 0))
        line.sock = self.trusted.wrap_socket(there, server_hostname=SITE)
        return line


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Start the server by its unit, and Caddy before it."""
    if CADDY is None:
        pytest.skip("caddy is not installed")
    folder = tmp_path_factory.mktemp("caddy")
    certificate, key = make_certificate(folder)
    trusted = ssl.create_default_context(cafile=str(certificate))
    site, behind = Site(free_port(), free_port(), trusted, folder / "server.log"), free_port()
    _configure(folder / "Caddyfile", site, behind, (certificate, key))
    with ExitStack() as begun:
        server = _serve(folder, behind)
        begun.callback(end_group, server, 30)
        begun.callback(end_group, _stand_before(folder), 30)
        wait_until_ready(server, f"http://{HERE}:{behind}/readyz", site.log, host=SITE)
        _wait_until_it_listens(site.port)
        yield site


def _configure(place: Path, site: Site, behind: int, pair: tuple[Path, Path]) -> None:
    """Write the documented file with other ports, and a certificate that nobody has to be asked."""
    own = f"admin off\n\thttp_port {site.plain}\n\thttps_port {site.port}\n\tdefault_bind {HERE}"
    text = FILE.read_text()
    changes = {
        "{\n\tservers {": f"{{\n\t{own}\n\tservers {{",
        f"{SITE} {{\n": f"{SITE} {{\n\ttls {pair[0]} {pair[1]}\n",
        "127.0.0.1:8000": f"{HERE}:{behind}",
    }
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    place.write_text(text)


def _serve(folder: Path, port: int) -> subprocess.Popen[str]:
    """Start what the unit starts, at another port, with folders of its own."""
    program, *words = shlex.split(dict(settings(UNIT))["ExecStart"])
    assert program.endswith("/bin/bullscows")
    command = [sys.executable, "-m", "bullscows", *words]
    command[command.index("8000")] = str(port)
    own = {"BULLSCOWS_STATE": str(folder), "BULLSCOWS_SEARCH_AT_START": "false"}
    given = environment(UNIT) | own | {"BULLSCOWS_METRICS": "true"}
    del given["NUMBA_CACHE_DIR"]
    with (folder / "server.log").open("wb") as log:
        return start(command, cwd=ROOT, env=os.environ | given, stdout=log, stderr=log)


def _stand_before(folder: Path) -> subprocess.Popen[str]:
    assert CADDY is not None
    command = [CADDY, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    own = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    with (folder / "caddy.log").open("wb") as log:
        return start(command, env=os.environ | own, stdout=log, stderr=log)


def _wait_until_it_listens(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with suppress(OSError):
            socket.create_connection((HERE, port), 1).close()
            return
        time.sleep(0.05)
    pytest.fail(f"nobody listens at {port}")


def test_the_file_is_in_order() -> None:
    if CADDY is None:
        pytest.skip("caddy is not installed")
    for command in ("validate --adapter caddyfile --config", "fmt"):
        done = subprocess.run([CADDY, *command.split(), FILE], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert done.stdout == FILE.read_text()


def test_a_game_is_played(site: Site) -> None:
    play_by_site(site.line(), site.plain, moved=308)


def test_the_largest_body_passes_and_a_larger_one_does_not(site: Site) -> None:
    body = b'{"positions": [{"rules": "p4c10n", "turns": []}]}'
    with closing(site.line()) as line:
        assert ask(line, "POST", "/api/v1/guesses", body.ljust(MAX_BODY))[0] == 200
        assert ask(line, "POST", "/api/v1/guesses", body.ljust(MAX_BODY + 1))[0] == 413


def test_visitors_see_no_counters(site: Site) -> None:
    with closing(site.line()) as line:
        for path in ("/metrics", "/%6detrics"):
            assert ask(line, "GET", path)[0] == 404
    log = site.log.read_text()
    assert "showing counters" in log
    assert "etrics HTTP" not in log


def test_the_proxy_alone_says_whose_a_request_is(site: Site) -> None:
    with closing(site.line("127.0.0.2")) as line:
        ask(line, "GET", "/rules?visitor", headers={"X-Forwarded-For": "127.0.0.9"})
    assert re.search(r'127\.0\.0\.2:\d+ - "GET /rules\?visitor', site.log.read_text())
