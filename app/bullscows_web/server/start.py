"""What `bullscows serve` does before and after the server: read its settings, say what is closed.

Settings that can't be are refused here, in a sentence, before any process of the server begins.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from tempfile import TemporaryDirectory

from pydantic import ValidationError

from bullscows_web.server.settings import LOCAL_HOSTS, Settings

logger = logging.getLogger(__name__)

PREFIX = "BULLSCOWS_"
VARIABLES = frozenset(
    {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    | {f"{PREFIX}{name}" for name in ("JOBS", "CERTIFICATE", "CERTIFICATE_KEY")}
)
"""The variables of the server, of `bullscows jobs`, and of the proxy in ``compose.yaml``."""
COUNTERS = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which prometheus-client is told where several processes count together."""
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def read_settings() -> Settings:
    """Return the settings of the environment.

    Raises
    ------
    ValueError
        With a clause for each variable that is unknown or has an invalid value.
    """
    lines = unknown_variables(os.environ)
    try:
        settings = Settings()
    except ValidationError as error:
        lines += [
            f"{PREFIX}{str(item['loc'][0]).upper()}: {item['msg']}" for item in error.errors()
        ]
        raise ValueError("; ".join(lines)) from error
    if lines:
        raise ValueError("; ".join(lines))
    return settings


def unknown_variables(names: Iterable[str]) -> list[str]:
    """Return a clause for each variable with the prefix of this project that nothing reads."""
    known = sorted(VARIABLES)
    return [
        f"{name} is unknown; the closest known variable is "
        f"{get_close_matches(name.upper(), known, n=1, cutoff=0)[0]}"
        for name in sorted(names)
        if name.upper().startswith(PREFIX) and name.upper() not in VARIABLES
    ]


def announce(settings: Settings, host: str) -> None:
    """Log the host names of the server, its exposure, and whether it shows its metrics."""
    names = ", ".join(settings.hosts)
    if "*" in settings.hosts:
        logger.info("answering to any host name; BULLSCOWS_HOSTS=name,... names those to answer to")
    elif settings.hosts == LOCAL_HOSTS and host not in LOOPBACK:
        logger.warning(
            "listening on %s, but answering to %s only: set BULLSCOWS_HOSTS=name,... to the names "
            "or addresses by which visitors ask",
            host,
            names,
        )
    else:
        logger.info("answering to %s (BULLSCOWS_HOSTS)", names)
    if host not in LOOPBACK:
        logger.info(
            "listening on %s without protection from slow clients or too many connections: fit for "
            "a trusted network; on the internet put a reverse proxy in front "
            "(docs/guides/public-server.md)",
            host,
        )
    if settings.metrics:
        logger.info("showing counters at /metrics to whoever asks: keep visitors from it")
    else:
        logger.info("/metrics is off; BULLSCOWS_METRICS=true shows counters there")
    if settings.shown_jobs is not None:
        logger.info("showing the jobs of %s at /status/jobs", settings.shown_jobs)


@contextmanager
def shared_counters(workers: int) -> Iterator[None]:
    """Let the processes of this server count together, in a folder of this run.

    Each process writes its own files there, and whichever is asked for `/metrics` adds them all
    up, those of processes that have ended included; so does `/status`.  One process needs none.
    """
    if workers == 1:
        yield
        return
    with TemporaryDirectory(prefix="bullscows-metrics-") as folder:
        os.environ[COUNTERS] = folder
        try:
            yield
        finally:
            del os.environ[COUNTERS]
