"""The types of the browser's scripts, which their comments tell: all of them are right."""

import shutil
import subprocess

import pytest

from bullscows_web.server.settings import data_folder

pytestmark = pytest.mark.process

SCRIPTS = sorted((data_folder("static") / "scripts").glob("*.js"))
STRICT = (
    *("--allowJs", "--checkJs", "--noEmit", "--strict"),
    *("--moduleDetection", "force"),  # none shares its names with another
    *("--target", "es2022", "--module", "es2022", "--moduleResolution", "node"),
    *("--lib", "es2022,dom,dom.iterable", "--skipLibCheck"),  # the libraries are not ours
)
WRONG = "/** @param {number} n */\nexport const twice = (n) => 2 * n;\ntwice('2');\n"


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What TypeScript's compiler (Debian: node-typescript) says of all scripts and a wrong one.

    All are checked at once: what takes long is to read the libraries.
    """
    compiler = shutil.which("tsc")
    if compiler is None:
        pytest.skip("no tsc is installed")
    wrong = tmp_path_factory.mktemp("scripts") / "wrong.js"
    wrong.write_text(WRONG, encoding="utf-8")
    command = [compiler, *STRICT, *map(str, (*SCRIPTS, wrong))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def test_types_of_all_scripts_are_right(complaints: list[str]):
    assert SCRIPTS
    assert [line for line in complaints if "wrong.js" not in line] == []


def test_wrong_type_is_found(complaints: list[str]):
    assert [line for line in complaints if "wrong.js(3,7): error TS2345" in line]
