"""The settings of the server, from `BULLSCOWS_...` environment variables."""

from __future__ import annotations

import os
from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bullscows.tree.storage import default_folder
from bullscows_web.server.http_server import Format

PREFIX = "BULLSCOWS_"

COUNTERS = "PROMETHEUS_MULTIPROC_DIR"
"""Variable that switches prometheus-client to its multiprocess mode."""
MAX_URL = 4096
"""Maximum length of path and query together, in bytes."""
MAX_HOST = 260
"""Maximum length of the `Host` header, in bytes: a DNS name has at most 253, a port 6.  Links for
other devices have it, and a QR code holds less than `MAX_URL`."""
MAX_BODY = 131_072
"""Maximum size of a request body, in bytes: enough for a hundred positions."""
HostName = Annotated[str, Field(pattern=r"^(\*|(\*\.)?[^*]+)$")]
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
"""Default host names.

If the server answered to any name, a page elsewhere could read a server that is meant for this
machine only, by pointing a name of its own at 127.0.0.1 (DNS rebinding).
"""


def data_folder(name: str) -> Path:
    """Return a data folder: inside this package in a wheel, at the top level in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / name
    return installed if installed.is_dir() else package.parents[1] / name


class Settings(BaseSettings):
    """The settings of one server; every field is also an environment variable."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")

    trees_dir: Path = Field(default_factory=default_folder)
    """Folder of the tree files."""
    static_dir: Path = Field(default_factory=lambda: data_folder("static"))
    """Folder of style sheets, scripts and pictures."""
    templates_dir: Path = Field(default_factory=lambda: data_folder("templates"))
    """Folder of the page templates."""
    cache_dir: Path | None = None
    """Folder of exported trees; by default a temporary one of each process."""
    state_dir: Path | None = None
    """Folder of data that must survive a restart; by default that of the user (XDG)."""
    database_url: SecretStr | None = None
    """Database of matches, `sqlite:///FILE` or `postgresql://...`; by default a file in the state
    folder."""
    max_matches: Annotated[int, Field(ge=1)] = 100_000
    """Maximum number of stored matches."""
    matches_per_hour: Annotated[int, Field(ge=1)] = 60
    """Maximum number of matches, rematches included, that an address may create in an hour, for
    each process."""
    secret_key: Annotated[SecretStr, Field(min_length=32)] | None = None
    """Key that encrypts URL state; by default it is generated and stored in the state folder."""
    allowed_hosts: Annotated[tuple[HostName, ...], NoDecode, Field(min_length=1)] = LOCAL_HOSTS
    """Host names to answer to, as a comma-separated list; `*.name` for subdomains, `*` for any."""
    behind_tls: bool = False
    """Whether visitors use HTTPS only: then responses have an HSTS header."""
    security_contact: Annotated[str, Field(pattern=r"^$|^(mailto:|https://)[!-~]+$")] = ""
    """Contact for vulnerability reports, `mailto:` or `https:`, published in `security.txt`."""
    metrics: bool = False
    """Whether to serve `/metrics`, to anyone who can reach it."""
    log_format: Format = "text"
    """Format of the log: text, or one JSON object a line."""
    search_timeout: Annotated[float, Field(ge=0, le=60)] = 1.0
    """Time limit of a search that a visitor waits for, in seconds."""
    search_processes: Annotated[int, Field(ge=1, le=64)] = Field(
        default_factory=lambda: 1 if (os.cpu_count() or 1) <= 2 else 2
    )
    """Number of search processes of each worker process."""
    memory_limit_mb: Annotated[int, Field(ge=1, le=1_000_000)] = 500
    """Memory limit of each search process, in megabytes."""
    search_queue_size: Annotated[int, Field(ge=1, le=1000)] = 8
    """Maximum number of requests that wait for a search process."""
    searches_per_address: Annotated[int, Field(ge=1, le=1000)] = 4
    """Maximum number of requests of one address that wait for a search process or are in one."""

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(item.strip().lower() for item in value.split(",") if item.strip())
        return value

    @field_validator("state_dir", "database_url", mode="before")
    @classmethod
    def _empty_is_unset(cls, value: object) -> object:
        return None if value == "" else value

    @field_validator("trees_dir", "static_dir", "templates_dir")
    @classmethod
    def _exists(cls, value: Path) -> Path:
        if not value.is_dir():
            raise ValueError(f"there is no folder {value}")
        if not os.access(value, os.R_OK | os.X_OK):
            raise ValueError(f"the folder {value} cannot be read: check its permissions")
        return value

    @property
    def state_folder(self) -> Path:
        """The state folder, whether it is set or that of the user."""
        state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
        return self.state_dir or Path(state) / "bullscows"


VARIABLES = sorted(map(str.upper, Settings.model_fields))
"""Variables of the server, without prefix."""


def read_settings() -> Settings:
    """Return the settings; raise `ValueError` with a clause for each invalid variable."""
    lines = unknown_variables(os.environ)
    try:
        settings = Settings()
    except ValidationError as error:
        for item in error.errors():
            message = item["msg"].removeprefix("Value error, ")
            lines.append(f"{PREFIX}{str(item['loc'][0]).upper()}: {message}")
        raise ValueError("; ".join(lines)) from error
    if lines:
        raise ValueError("; ".join(lines))
    return settings


def unknown_variables(names: Iterable[str]) -> list[str]:
    """Return a clause for each variable with the prefix of this project that is not a setting."""

    def closest(word: str) -> str:
        return max(VARIABLES, key=lambda v: (word in v, SequenceMatcher(None, word, v).ratio()))

    given = {name: name.upper().removeprefix(PREFIX) for name in sorted(names)}
    return [
        f"{name} is unknown; the closest known variable is {PREFIX}{closest(word)}"
        for name, word in given.items()
        if name.upper().startswith(PREFIX) and word not in VARIABLES
    ]
