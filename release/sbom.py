"""The bill of materials: what the project consists of and needs, in CycloneDX's form.

Run by ``make sbom``, which writes `dist/sbom.cdx.json`.  The packages that are installed from the
locks are read by CycloneDX's own tool; the parts in `static/vendor/`, which it can't know, are
added.  The same checkout and packages give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from bullscows import __version__
from release.licences import locked, package_name
from release.vendored import FOLDER, ROOT, VENDORED, Vendored

FILE = ROOT / "dist" / "sbom.cdx.json"

SCOPES = (
    ("required", "requirements-server.lock"),
    ("optional", "requirements.lock"),
    ("optional", "requirements-cluster.lock"),
    ("excluded", "requirements-dev.lock"),
)
"""What a package is for, by the first lock that has it: serving; searching, and building what is
installed; clusters, in the image of analyses too; tests, checks and releases."""


class InvalidBillError(ValueError):
    """A bill that CycloneDX's schema refuses."""


def bill() -> str:
    """Return the bill of materials as JSON.

    Raises
    ------
    InvalidBillError
        If it is none by the schema.
    """
    found = _installed()
    scopes = {name: scope for scope, lock in reversed(SCOPES) for name in locked(lock)}
    packages = [
        {**component, "scope": scopes[name]}
        for component in found["components"]
        if (name := package_name(component["name"])) in scopes
    ]
    root = found["metadata"]["component"]
    root["version"] = __version__
    vendored = [_vendored(part) for part in VENDORED]
    found["components"] = packages + vendored
    found["dependencies"] = _dependencies(found, root["bom-ref"], vendored)
    return _checked(json.dumps(found, indent=1, sort_keys=True) + "\n")


def main(arguments: list[str] | None = None) -> None:
    """Write the bill, and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, default=FILE, help="the file to write")
    file: Path = parser.parse_args(arguments).output
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(bill())
    print(file)


def _installed() -> Any:
    """What CycloneDX finds installed, with nothing of this machine or moment."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"]
    command += ["--no-validate", "--pyproject", "pyproject.toml"]  # the whole is validated
    found = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    return json.loads(found.stdout)


def _vendored(part: Vendored) -> dict[str, Any]:
    return {
        "bom-ref": part.package,
        "type": "library",
        "name": part.name,
        "version": part.version,
        "purl": part.package,
        "scope": "required",
        "licenses": [{"license": {"id": part.licence, "acknowledgement": "declared"}}],
        "components": [_file(name) for name in part.files],
    }


def _file(name: str) -> dict[str, Any]:
    digest = sha256((FOLDER / name).read_bytes()).hexdigest()
    return {
        "type": "file",
        "name": f"static/vendor/{name}",
        "hashes": [{"alg": "SHA-256", "content": digest}],
    }


def _dependencies(found: Any, root: str, vendored: list[dict[str, Any]]) -> list[Any]:
    """Return who needs whom, among the components alone; the root needs what is vendored too."""
    refs = {component["bom-ref"] for component in found["components"]} | {root}
    kept = [
        {"ref": row["ref"], "dependsOn": [ref for ref in row.get("dependsOn", []) if ref in refs]}
        for row in found["dependencies"]
        if row["ref"] in refs
    ]
    for row in kept:
        if row["ref"] == root:
            row["dependsOn"] += [part["bom-ref"] for part in vendored]
    return kept


def _checked(text: str) -> str:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator  # builds a grammar, for seconds

    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if error is not None:
        raise InvalidBillError(str(error))
    return text


if __name__ == "__main__":
    main()
