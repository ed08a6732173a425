"""The types of the browser's scripts, which their comments tell: all of them are right."""

import shutil
import subprocess
from pathlib import Path

import pytest

from app.server.settings import data_folder

SCRIPTS = sorted((data_folder("static") / "scripts").glob("*.js"))
STRICT = (
    *("--allowJs", "--checkJs", "--noEmit", "--strict"),
    *("--moduleDetection", "force"),  # none shares its names with another
    *("--target", "es2022", "--module", "es2022", "--moduleResolution", "node"),
    *("--lib", "es2022,dom,dom.iterable"),
)


@pytest.fixture(scope="module")
def compiler() -> str:
    """TypeScript's compiler, as Debian's node-typescript has it."""
    found = shutil.which("tsc")
    if found is None:
        pytest.skip("no tsc is installed")
    return found


def check(compiler: str, *files: Path) -> str:
    """Return what the compiler has to say of scripts; it writes nothing."""
    command = [compiler, *STRICT, *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_types_of_all_scripts_are_right(compiler: str):
    assert check(compiler, *SCRIPTS) == ""


def test_wrong_type_is_found(compiler: str, tmp_path: Path):
    wrong = tmp_path / "wrong.js"
    wrong.write_text("/** @param {number} n */\nexport const twice = (n) => 2 * n;\ntwice('2');\n")
    assert "TS2345" in check(compiler, wrong)
