"""compose.yaml: its services fit together, and the document names their commands."""

import re
from typing import Any

import pytest
import yaml

from tests import ROOT

FOLDER = ROOT / "docs" / "operations"


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text)["services"])


def test_only_the_proxy_publishes_ports(services: dict[str, Any]) -> None:
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]


def test_proxy_has_the_host_name_and_the_server_that_its_configuration_asks_for(services):
    asked = re.findall(r"\{\$(\w+):", (FOLDER / "Caddyfile").read_text(encoding="utf-8"))
    given = services["proxy"]["environment"]
    assert set(asked) == set(given)
    (_, port) = given["UPSTREAM"].split(":")
    assert services["server"]["command"].endswith(f"--port {port} --workers 2")
    assert given["SITE"] in services["server"]["environment"]["BULLSCOWS_ALLOWED_HOSTS"]


def test_server_trusts_the_forwarded_headers_of_the_proxy_alone(services: dict[str, Any]) -> None:
    address = services["proxy"]["networks"]["site"]["ipv4_address"]
    assert services["server"]["environment"]["FORWARDED_ALLOW_IPS"] == address
    assert not {"site"} & set(services["worker"]["networks"])
