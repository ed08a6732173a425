"""The pictures of the pages: all there, described, and small."""

import re

from benchmarks.pages.screenshots import FOLDER, PAGE, PICTURES, SCHEMES, SIZES, file_name, lines
from tests import ROOT

MOST_BYTES = 3_600_000


def test_page_of_pictures_is_the_one_that_the_command_writes():
    assert PAGE.read_text(encoding="utf-8") == "\n".join(lines()) + "\n"


def test_every_picture_exists_and_no_other():
    expected = {
        file_name(picture, width, scheme)
        for picture in PICTURES
        for width in SIZES
        for scheme in SCHEMES
    }
    assert {file.name for file in FOLDER.iterdir()} == expected
    assert all((FOLDER / name).read_bytes()[8:12] == b"WEBP" for name in expected)
    assert sum((FOLDER / name).stat().st_size for name in expected) < MOST_BYTES


def test_pictures_of_the_readme_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert pictures
    assert all((ROOT / picture).is_file() for picture in pictures)
