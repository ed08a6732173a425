"""The licences of all that is installed from the locks or stands in `static/vendor/`.

Run as ``python -m release.licences``; ``--write`` renews `docs/operations/licences.md`.  What
packages state of themselves is read by pip-licenses; the few that state a family only, or nothing,
were read by hand.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

from release.vendored import ROOT, VENDORED

PAGE = ROOT / "docs" / "operations" / "licences.md"

UNSAID = "UNKNOWN"

SPDX = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "GPL-3.0": "GPL-3.0-only",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "MIT license": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "PSFL": "PSF-2.0",
}
"""What packages say instead of the identifiers of SPDX."""

IDENTIFIER = re.compile(r"(0BSD|[A-Za-z]+-[0-9][A-Za-z0-9.-]*|MIT|ISC|Zlib)")

READ = {
    "axe-playwright-python": "MIT AND MPL-2.0",  # axe-core lies within
    "colorama": "BSD-3-Clause",  # for Windows only, and so not always installed
    "jinja2": "BSD-3-Clause",
    "numba": "BSD-2-Clause",
    "partd": "BSD-3-Clause",
    "zict": "BSD-3-Clause",
}
"""Licences that we read in the files of packages which don't name them."""

PARTS = {
    "Serving": "requirements-server.lock",
    "Searching (`engine`) and building": "requirements.lock",
    "Clusters (`cluster`)": "requirements-cluster.lock",
    "Tests, checks and releases": "requirements-dev.lock",
}
"""The locks; a package is told with the first that has it."""

HEAD = """# Licences

What others made, and under which terms we have it. The code of this repository is under
the [MIT licence](../../LICENSE). Written by `python -m release.licences --write`, from what the
installed packages say of themselves; a test holds it against the locks, and lets no terms that ask
for more than a notice into what is served or searched with. Versions and hashes are in the locks.
"""


class UnknownLicenceError(LookupError):
    """A package that does not say its licence in a way that we know."""


def locked(lock: str) -> list[str]:
    """Return the names of the packages of a lock, in order."""
    return sorted(set(re.findall(r"^([a-z0-9-]+)==", (ROOT / lock).read_text(), flags=re.M)))


def package_name(stated: str) -> str:
    """Return the name of a package as locks have it."""
    return re.sub(r"[-_.]+", "-", stated).lower()


def licences() -> dict[str, str]:
    """Return the licence of each package of the locks that is known, as an SPDX expression."""
    command = [sys.executable, "-m", "piplicenses", "--from=all", "--with-system", "--format=json"]
    command += ["--packages", *locked("requirements-dev.lock")]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    rows = json.loads(found.stdout)
    return READ | {
        package_name(row["Name"]): licence(package_name(row["Name"]), row) for row in rows
    }


def licence(name: str, row: dict[str, str]) -> str:
    """Return a package's licence, from the plainest of the ways in which it may be stated."""
    if name in READ:
        return READ[name]
    if row["License-Expression"] != UNSAID:
        return row["License-Expression"]
    for stated in (row["License-Metadata"], row["License-Classifier"]):
        if stated in SPDX or IDENTIFIER.fullmatch(stated):
            return SPDX.get(stated, stated)
    raise UnknownLicenceError(f"{name} says {row}: read it, and name it in READ")


def page() -> str:
    """Return `docs/operations/licences.md`."""
    known, told = licences(), set[str]()
    parts = [HEAD, _vendored()]
    for title, lock in PARTS.items():
        names = [name for name in locked(lock) if name not in told]
        told.update(names)
        rows = [f"| {name} | {known[name]} |" for name in names if name in known]
        parts.append(
            f"## {title}\n\n| package | licence |\n| --- | --- |\n" + "\n".join(rows) + "\n"
        )
    elsewhere = ", ".join(sorted(told - set(known)))
    parts.append(f"For other systems, and so not read: {elsewhere}.\n")
    return "\n".join(parts)


def main(arguments: list[str] | None = None) -> None:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    if parser.parse_args(arguments).write:
        PAGE.write_text(page())
    else:
        print(page(), end="")


def _vendored() -> str:
    rows = [
        f"| {part.name} {part.version} | {part.licence} | {_link(part.files[-1])} |"
        for part in VENDORED
    ]
    head = "| part | licence | text |\n| --- | --- | --- |\n"
    return "## In the browser (`static/vendor/`)\n\n" + head + "\n".join(rows) + "\n"


def _link(file: str) -> str:
    return f"[{Path(file).name}](../../static/vendor/{file})"


if __name__ == "__main__":
    main()
