"""The README is short, and its picture is small."""

from tests import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
MOST_WORDS = 750
MOST_BYTES = 300_000


def test_readme_has_at_most_750_words() -> None:
    assert len(README.split()) <= MOST_WORDS


def test_picture_moves_and_is_small() -> None:
    picture = ROOT / "docs" / "game.webp"
    assert "(docs/game.webp)" in README
    content = picture.read_bytes()
    assert len(content) < MOST_BYTES
    assert b"ANIM" in content[:64]
