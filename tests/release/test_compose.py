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
from contextlib import ExitStack, closing
from functools import partial
from ipaddress import ip_address, ip_network
from itertools import islice, permutations
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from bullscows.game.candidates import MAX_HISTORY
from bullscows.game.rules import respond
from bullscows_web.api.positions import MAX_ASKED
from bullscows_web.server.limits import Limits
from bullscows_web.server.processes import SHUTDOWN_SECONDS
from bullscows_web.server.settings import MAX_BODY
from tests import ROOT
from tests.support import processes
from tests.support.drivers.proxy import SITE, ask, make_certificate, play_by_site
from tests.support.drivers.server import HERE, free_port, wait_until_ready

COMPOSED = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSED["services"]
OURS = [name for name in SERVICES if name != "proxy"]
FOLDER = ROOT / "docs" / "operations"
TREE = "avg-bulls-cows-3-of-6"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
PROGRAMS = {"bullscows": ["-m", "bullscows"], "dask": ["-m", "dask"]}

Start = Callable[..., "subprocess.Popen[str]"]


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


def test_answers_under_way_have_their_time_at_the_end() -> None:
    needed = SHUTDOWN_SECONDS + 2 * Limits().drain_seconds
    for service in OURS:
        assert int(SERVICES[service]["stop_grace_period"].removesuffix("s")) > needed
    unit = (FOLDER / "bullscows-web.service").read_text()
    assert int(re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.M)[0]) > needed
    page = (ROOT / "docs" / "operations.md").read_text()
    assert int(re.findall(r"--stop-timeout (\d+)", page)[0]) > needed


def test_only_the_proxy_is_reached_from_outside() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {"proxy": ["80:80", "443:443"]}
    assert [name for name, service in SERVICES.items() if "site" in service["networks"]] == [
        "server",
        "proxy",
    ]
    assert COMPOSED["networks"]["cluster"] == {"internal": True}


def test_addresses_are_fixed_and_only_the_proxy_is_believed() -> None:
    """A server that comes back is where nginx looked it up, and nobody else gets its address."""
    (config,) = COMPOSED["networks"]["site"]["ipam"]["config"]
    fixed = {name: ip_address(_network(name)["ipv4_address"]) for name in ("server", "proxy")}
    for address in fixed.values():
        assert address in ip_network(config["subnet"])
        assert address not in ip_network(config["ip_range"])
    assert SERVICES["server"]["environment"]["FORWARDED_ALLOW_IPS"] == str(fixed["proxy"])
    assert len({*fixed.values()}) == 2
    started = SERVICES["proxy"]["depends_on"]["server"]
    assert started == {"condition": "service_healthy", "restart": True}


def _network(service: str) -> dict[str, str]:
    return dict(SERVICES[service]["networks"]["site"])


@pytest.mark.parametrize("service", ["scheduler", "worker", "jobs"])
def test_the_site_comes_before_searches(service: str) -> None:
    composed = SERVICES[service]
    assert composed["cpu_shares"] == 2
    assert composed["oom_score_adj"] > 0
    assert re.fullmatch(r"\d+g", composed["mem_limit"])
    assert "cpu_shares" not in SERVICES["server"]


def test_nginx_finds_the_server_where_it_listens() -> None:
    """In the network of the services by name, and on a plain host."""
    (listening,) = re.findall(r"--port (\d+)", SERVICES["server"]["command"])
    assert _upstream("compose") == f"server server:{listening};"
    assert "--host 0.0.0.0" in SERVICES["server"]["command"]
    unit = (FOLDER / "bullscows-web.service").read_text()
    (host, port) = re.findall(r"--host (\S+) --port (\d+)", unit)[0]
    assert _upstream("host") == f"server {host}:{port};"
    (mounted,) = [one for one in SERVICES["proxy"]["volumes"] if "upstream" in one]
    assert f"include {mounted.split(':')[1]};" in (FOLDER / "nginx.conf").read_text()


def _upstream(where: str) -> str:
    return (FOLDER / f"upstream-{where}.conf").read_text().strip()


def test_each_volume_is_written_by_a_service() -> None:
    mounted = [one for service in SERVICES.values() for one in service.get("volumes", [])]
    written = {one.split(":")[0] for one in mounted if not one.endswith(":ro")}
    assert written == set(COMPOSED["volumes"])


def test_nginx_shows_what_certbot_writes() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    (folder,) = re.findall(r"certbot certonly --webroot -w (\S+)", page)
    assert f"{folder}:{folder}:ro" in SERVICES["proxy"]["volumes"]
    assert f"root {folder};" in (FOLDER / "nginx.conf").read_text()


def test_the_files_of_a_certificate_are_those_that_compose_asks_for() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    said = re.findall(r"^    (\w+)=/etc/letsencrypt/\S+$", page, re.M)
    asked = re.findall(r"\$\{(\w+):\?", (ROOT / "compose.yaml").read_text())
    assert said == asked == ["BULLSCOWS_CERTIFICATE", "BULLSCOWS_CERTIFICATE_KEY"]


def test_proxies_take_as_large_a_body_as_the_server() -> None:
    assert MAX_BODY == 128 * 1024
    assert "client_max_body_size 128k;" in (FOLDER / "nginx.conf").read_text()
    caddy = (FOLDER / "Caddyfile").read_text()
    assert "max_size 128KiB\n" in caddy
    assert f"> {MAX_BODY}`\n" in caddy


def test_every_file_and_volume_that_is_named_is_there() -> None:
    volumes = [text for service in SERVICES.values() for text in service.get("volumes", [])]
    for source in (text.split(":")[0] for text in volumes if not text.startswith(("${", "/"))):
        assert source in COMPOSED["volumes"] or (ROOT / source).is_file(), source
    hosts = SERVICES["server"]["environment"]["BULLSCOWS_HOSTS"]
    assert hosts.split(",") == [SITE, "server"]
    assert f"server_name {SITE};" in (FOLDER / "nginx.conf").read_text()


# -- what it does ------------------------------------------------------------------------------


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a service's command, changed where it has to be, in a process that is ended after."""

    def begin(service: str, changes: dict[str, str], *more: str) -> subprocess.Popen[str]:
        with (tmp_path / f"{service}.log").open("ab") as log:
            process = processes.start(
                [*_command(service, changes), *more],
                cwd=ROOT,
                env=os.environ | _environment(service, tmp_path),
                stdout=log,
                stderr=log,
            )
        started.callback(processes.end_group, process, 30)
        return process

    with ExitStack() as started:
        yield begin


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
        "FORWARDED_ALLOW_IPS": HERE,
    }


class Site(NamedTuple):
    """nginx and the server as they are documented, at work."""

    port: int
    plain: int
    behind: int
    trusted: ssl.SSLContext
    log: Path

    def line(self, source: str = HERE) -> http.client.HTTPSConnection:
        """Return a connection of a visitor from an address."""
        return http.client.HTTPSConnection(
            HERE, self.port, context=self.trusted, timeout=20, source_address=(source, 0)
        )

    def direct(self, source: str = HERE) -> http.client.HTTPConnection:
        """Return a connection of somebody in the network of the services."""
        return http.client.HTTPConnection(HERE, self.behind, timeout=20, source_address=(source, 0))


@pytest.fixture
def site(tmp_path: Path, start: Start) -> Site:
    """Start the server, and nginx before it."""
    if NGINX is None:
        pytest.skip("nginx is not installed")
    certificate, key = make_certificate(tmp_path)
    trusted = ssl.create_default_context(cafile=str(certificate))
    site = Site(free_port(), free_port(), free_port(), trusted, tmp_path / "server.log")
    _configure(tmp_path, site, certificate, key)
    arguments = ("-c", str(tmp_path / "nginx.conf"), "-p", str(tmp_path))
    start("proxy", {"nginx ": f"{NGINX} "}, *arguments)
    server = start("server", {"0.0.0.0": HERE, "--port 8000": f"--port {site.behind}"})
    # Under the name of the site alone, as the image is asked for its health.
    wait_until_ready(server, f"http://{HERE}:{site.behind}/healthz", site.log, host=SITE)
    return site


def _configure(folder: Path, site: Site, certificate: Path, key: Path) -> None:
    """Write nginx's configuration, the documented one but for addresses and places."""
    upstream = folder / "upstream.conf"
    upstream.write_text(_upstream("compose").replace("server:8000", f"{HERE}:{site.behind}"))
    text = (FOLDER / "nginx.conf").read_text()
    changes = {
        "listen 443 ssl;": f"listen {HERE}:{site.port} ssl;",
        "listen [::]:443 ssl;": f"listen [::1]:{site.port} ssl;",
        "listen 80;": f"listen {HERE}:{site.plain};",
        "listen [::]:80;": f"listen [::1]:{site.plain};",
        "/etc/nginx/bullscows-upstream.conf": str(upstream),
        "root /var/www/acme;": f"root {folder}/acme;",
        f"/etc/ssl/{SITE}.crt": str(certificate),
        f"/etc/ssl/private/{SITE}.key": str(key),
    }
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "site.conf").write_text(text)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"user root; pid {folder}/pid; error_log {folder}/errors; events {{}}\n"
        f"http {{ access_log off; {folders} include {folder}/site.conf; }}\n"
    )


@pytest.mark.slow
@pytest.mark.process
def test_a_game_is_played_through_the_proxy(site: Site) -> None:
    play_by_site(site.line(), site.plain, moved=301)


@pytest.mark.slow
@pytest.mark.process
def test_a_certificate_is_given_for_what_lies_in_a_folder(site: Site, tmp_path: Path) -> None:
    challenges = tmp_path / "acme/.well-known/acme-challenge"
    challenges.mkdir(parents=True)
    (challenges / "token").write_text("answer")
    with closing(http.client.HTTPConnection(HERE, site.plain, timeout=20)) as line:
        status, _, found = ask(line, "GET", "/.well-known/acme-challenge/token")
        assert (status, found) == (200, b"answer")
        assert ask(line, "GET", "/.well-known/acme-challenge/")[0] == 403
        assert ask(line, "GET", "/.well-known/acme-challenge/other")[0] == 404


@pytest.mark.slow
@pytest.mark.process
def test_a_hundred_positions_pass_the_proxy_and_more_than_the_limit_do_not(site: Site) -> None:
    body = json.dumps({"positions": [_longest_position()] * MAX_ASKED}).encode()
    assert 16 * 1024 < len(body) <= MAX_BODY
    with closing(site.line()) as line:
        status, _, answered = ask(line, "POST", "/api/v1/guesses", body.ljust(MAX_BODY))
        assert status == 200, answered
        assert len(answered["answers"]) == MAX_ASKED
        status, _, said = ask(line, "POST", "/api/v1/guesses", body.ljust(MAX_BODY + 1))
        assert status == 413
        assert b"nginx" in said  # the server need not read it


def _longest_position() -> dict[str, Any]:
    """Return a position after as many turns as may be given, of which one code is left."""
    guesses = ["".join(digits) for digits in islice(permutations("0123456789", 4), MAX_HISTORY)]
    answers = [(guess, respond(guess, "2718")) for guess in guesses]
    turns = [{"guess": guess, "bulls": one.bulls, "cows": one.cows} for guess, one in answers]
    return {"rules": "p4c10n", "turns": turns}


@pytest.mark.slow
@pytest.mark.process
def test_counters_are_shown_within_the_network_alone(site: Site) -> None:
    with closing(site.line()) as line:
        for name in (SITE, "server"):
            assert ask(line, "GET", "/metrics", headers={"Host": name})[0] == 404
        assert ask(line, "GET", "/%6detrics")[0] == 404
    with closing(site.direct()) as line:
        status, _, figures = ask(line, "GET", "/metrics", headers={"Host": "server:8000"})
        assert status == 200
        assert b"bullscows_trees" in figures


@pytest.mark.slow
@pytest.mark.process
def test_the_proxy_alone_says_whose_a_request_is(site: Site) -> None:
    with closing(site.line("127.0.0.2")) as line:
        assert ask(line, "GET", "/rules?visitor")[0] < 500
    with closing(site.direct("127.0.0.3")) as line:
        assert ask(line, "GET", "/rules?forger", headers={"X-Forwarded-For": "127.0.0.9"})[0] < 500
    log = site.log.read_text()
    assert re.search(r'127\.0\.0\.2:\d+ - "GET /rules\?visitor', log), log
    assert re.search(r'127\.0\.0\.3:\d+ - "GET /rules\?forger', log), log


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
    bullscows = [sys.executable, "-m", "bullscows"]

    added = run([*bullscows, "jobs", "add", "solve 0123(0,2) 7 4 - rules=p4c6n objective=average"])
    assert added.returncode == 0, added.stderr
    ended = run(_command("jobs", {"tcp://scheduler:8786": address, "--watch ": ""}), timeout=300)
    assert ended.returncode == 0, ended.stderr
    assert " done " in f" {run([*bullscows, 'jobs', 'list']).stdout}"

    built = run([*bullscows, "build", TREE, "--cluster", address, "--trees", str(tmp_path)])
    assert built.returncode == 0, built.stderr
    shipped = (ROOT / "trees" / f"{TREE}.json").read_bytes()
    assert (tmp_path / f"{TREE}.json").read_bytes() == shipped
