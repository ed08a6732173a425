"""A tree as a page of its own: whole in one file, and little of it is style."""

from bs4 import BeautifulSoup

from bullscows.tree.export import FORMATS, STYLE
from bullscows.tree.files import read_tree
from bullscows.tree.storage import default_folder


def test_page_needs_nothing_else():
    for name in ("avg-bulls-cows", "avg-mastermind"):
        tree = read_tree(default_folder() / f"{name}.json").tree
        text = "".join(FORMATS["html"](tree))
        page = BeautifulSoup(text, "html.parser")
        assert page.select("link, script, img, [src], [href]") == []
        assert "url(" not in text
        assert page.select_one("meta[name=viewport]") is not None
        assert len(STYLE) < 1500
        words = page.select_one("header")
        assert words is not None
        assert f"{tree.total / tree.root.size:.4f}" in words.get_text()
