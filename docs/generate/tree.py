"""The picture of a tree in docs/tree.svg: the first turns of the shipped tree of Bulls & Cows."""

from __future__ import annotations

from bullscows.tree.files import read_tree
from bullscows_web.web.pictures.icicle import LEVELS, Block, Icicle
from docs.generate import ROOT

PICTURE = ROOT / "docs" / "tree.svg"
WIDTH, ROW = 960, 46
COLOURS = {8: "#2c7d59", 9: "#46794a", 10: "#7a7031", 11: "#a4622a", 12: "#b5512f"}
"""By twice the mean turn at which the codes of a position are found; others are the nearest."""


def text() -> str:
    """Return the picture: each position is as wide as its number of codes, turn below turn."""
    tree = read_tree("avg-bulls-cows").tree
    icicle = Icicle(tree, tree.root, (), tree.rules.text)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {ROW * LEVELS}" '
        'font-family="sans-serif" font-size="14" fill="#fff">',
        *map(_drawn, icicle.blocks),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _drawn(block: Block) -> str:
    x = WIDTH * block.x
    y = ROW * block.level
    colour = COLOURS[min(max(block.shade, min(COLOURS)), max(COLOURS))]
    place = f'x="{x:.1f}" y="{y}" width="{max(WIDTH * block.width - 1, 0.5):.1f}"'
    rectangle = f'<rect {place} height="{ROW - 2}" rx="2" fill="{colour}"/>'
    if WIDTH * block.width < 56:
        return rectangle
    below = f"{block.answer}: {block.remaining}" if block.answer else f"{block.remaining} codes"
    return (
        f'{rectangle}<text x="{x + 6:.1f}" y="{y + 19}">{block.guess}</text>'
        f'<text x="{x + 6:.1f}" y="{y + 36}" font-size="11">{below}</text>'
    )
