"""The types in the comments of the browser scripts are right."""

import shutil
import subprocess

import pytest

from bullscows_web.server.settings import data_folder

pytestmark = pytest.mark.process

SCRIPTS = sorted((data_folder("static") / "scripts").glob("*.js"))
STRICT = (
    *("--allowJs", "--checkJs", "--noEmit", "--strict"),
    *("--moduleDetection", "force"),  # no names are shared
    *("--target", "es2022", "--module", "es2022", "--moduleResolution", "node"),
    *("--lib", "es2022,dom,dom.iterable", "--skipLibCheck"),
)
WRONG = "/** @param {number} n */\nexport const twice = (n) => 2 * n;\ntwice('2');\n"


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The errors of the TypeScript compiler, run once over all scripts and a wrong one."""
    compiler = shutil.which("tsc")
    if compiler is None:
        pytest.fail("no tsc is installed (Debian: node-typescript)")
    wrong = tmp_path_factory.mktemp("scripts") / "wrong.js"
    wrong.write_text(WRONG, encoding="utf-8")
    command = [compiler, *STRICT, *map(str, (*SCRIPTS, wrong))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def test_types_of_all_scripts_are_right(errors: list[str]):
    assert SCRIPTS
    assert [line for line in errors if "wrong.js" not in line] == []


def test_wrong_type_is_found(errors: list[str]):
    assert [line for line in errors if "wrong.js(3,7): error TS2345" in line]
