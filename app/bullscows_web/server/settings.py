"""What can be set from outside: one frozen value, read from `BULLSCOWS_...` variables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bullscows.game.rules import KNOWN_GAMES, Rules
from bullscows.tree.storage import default_folder
from bullscows_web.server.logs import Format

MAX_URL = 4096
"""Maximum length of path and query together, in bytes."""
MAX_BODY = 131_072
"""Maximum size of a request body, in bytes: enough for a hundred positions."""
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
"""The names by which a machine asks itself.

With any other a page elsewhere could ask a server that is meant for this machine alone, under a
name of its own that it leads here.
"""


def data_folder(name: str) -> Path:
    """Return a data folder: inside this package in a wheel, at the top level in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / name
    return installed if installed.is_dir() else package.parents[1] / name


class Settings(BaseSettings):
    """The settings of one server; every field is also an environment variable."""

    model_config = SettingsConfigDict(env_prefix="BULLSCOWS_", frozen=True, extra="forbid")

    trees: Path = Field(default_factory=default_folder)
    """The folder of tree files."""
    static: Path = Field(default_factory=lambda: data_folder("static"))
    """The folder of style sheets, scripts and pictures."""
    templates: Path = Field(default_factory=lambda: data_folder("templates"))
    """The folder of page templates."""
    cache: Path | None = None
    """The folder of the files that are written once, such as exports; by default a temporary one
    of each process, which goes when it ends."""
    state: Path | None = None
    """The folder of what has to outlast a restart; by default that of the user, as XDG has it."""
    seal_key: Annotated[SecretStr, Field(min_length=32)] | None = None
    """The key of sealed addresses, at least 32 characters that nobody can guess; by default one
    that is made once and kept in the state folder."""
    hosts: Annotated[tuple[str, ...], NoDecode, Field(min_length=1)] = LOCAL_HOSTS
    """Host names to answer to, as a comma-separated list; `*` for any."""
    behind_tls: bool = False
    """Whether visitors come over https only: then browsers are told to stay with it."""
    security_contact: Annotated[str, Field(pattern=r"^$|^(mailto:|https://)[!-~]+$")] = ""
    """Whom to write to about a hole, as `mailto:` or `https:`; then `security.txt` says so."""
    metrics: bool = False
    """Whether to serve `/metrics`: to anyone who can reach it."""
    log_format: Format = "text"
    """Whether the log is lines for people, or one JSON object a line."""
    shown_jobs: Path | None = None
    """A store of jobs whose progress `/status/jobs` shows, to anyone who can reach it."""
    search_seconds: Annotated[float, Field(ge=0, le=60)] = 1.0
    """What a search may take that somebody waits for."""
    memory: Annotated[int, Field(ge=1, le=1_000_000)] = 800
    """Megabytes that a worker process may use."""
    searches_waiting: Annotated[int, Field(ge=1, le=1000)] = 4
    """The most positions in hand to be analysed at once, the one under way included."""

    search_at_start: bool = True
    """Whether the search is loaded when the server starts, or when somebody first asks for it."""
    solved_first: Annotated[tuple[str, ...], NoDecode] = KNOWN_GAMES
    """Rules of the games that are solved once the search is loaded, as a comma-separated list."""

    @field_validator("hosts", "solved_first", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(item.strip().lower() for item in value.split(",") if item.strip())
        return value

    @field_validator("state", "shown_jobs", mode="before")
    @classmethod
    def _empty_is_unset(cls, value: object) -> object:
        return None if value == "" else value

    @field_validator("solved_first")
    @classmethod
    def _can_be_searched(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        # They load numpy, which `bullscows --help` does without.
        from bullscows.analysis.analyst import is_searched
        from bullscows.game.question import Question

        for rules in map(Rules.parse, value):
            if not is_searched(Question.of(rules)):
                raise ValueError(f"{rules} is too large to be searched")
        return value
