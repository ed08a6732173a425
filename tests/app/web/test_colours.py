"""Colours differ for every kind of colour vision, and follow the theme that the user chose."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

pytestmark = pytest.mark.large

STYLES = Path(__file__).parents[3] / "static" / "styles"
SITE = (STYLES / "site.css").read_text()
LEAST = 15.0
"""Smallest distance in CIELAB of two colours with different meanings.

Colours under about 10 are confused at a glance.
"""

Colour = npt.NDArray[np.float64]

SIMULATED = {
    "normal": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
"""Matrices of Machado, Oliveira and Fernandes (2009) for linear RGB, at full severity."""

TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ @ np.ones(3)


def linear(hexadecimal: str) -> Colour:
    parts = np.array([int(hexadecimal[place : place + 2], 16) for place in (0, 2, 4)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(rgb: Colour) -> Colour:
    xyz = TO_XYZ @ np.clip(rgb, 0, 1) / WHITE
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def difference(one: Colour, other: Colour) -> float:
    return float(np.linalg.norm(one - other))


def least(vision: str, colours: list[str]) -> float:
    """Return the smallest difference of two of the colours, as simulated for a kind of vision."""
    seen = [lab(np.array(SIMULATED[vision]) @ linear(colour)) for colour in colours]
    return min(difference(one, other) for one, other in combinations(seen, 2))


@pytest.mark.parametrize("vision", SIMULATED)
def test_pegs_of_mastermind_differ(vision: str):
    """Round pegs and shapes have the same colours."""
    colours = re.findall(r"^\.s[0-5] \{ fill: #(\w{6}); \}", SITE, re.MULTILINE)
    assert len(colours) == 6
    assert least(vision, colours) >= LEAST


@pytest.mark.parametrize("vision", SIMULATED)
def test_bulls_cows_and_errors_differ_in_the_palette_for_colour_blind_players(vision: str):
    palette = SITE.partition('[data-palette="safe"] {')[2].partition("}")[0]
    pattern = r"--(?:accent|cow|alarm): light-dark\(#(\w{6}), #(\w{6})\)"
    light, dark = zip(*re.findall(pattern, palette), strict=True)
    assert len(light) == 3
    assert min(least(vision, list(light)), least(vision, list(dark))) >= LEAST


@pytest.mark.parametrize("path", sorted(STYLES.glob("*.css")), ids=lambda path: path.name)
def test_colours_follow_the_chosen_theme_and_contrast(path: Path):
    """`light-dark()` follows the chosen theme; a query asks for that of the system only."""
    assert "prefers-color-scheme" not in path.read_text()
