"""Message catalogues are updated without changing existing entries."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from bullscows_web.language.catalogues import CATALOGUES
from release import words
from release.words import TOLD, main, updated

SHIPPED = (CATALOGUES / "ru" / "LC_MESSAGES" / "messages.po").read_text(encoding="utf-8")
SOME = ("Play", "%(number)d cow", "Trees")


@pytest.fixture(scope="module", autouse=True)
def messages() -> Iterator[None]:
    """All of the code and the templates, read once."""
    found = set(words.extracted())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "extracted", lambda: iter(found))
        yield


@pytest.fixture(scope="module")
def russian() -> str:
    """The catalogue with the messages in use, also while somebody changes one."""
    return updated(SHIPPED, "ru")


def block(catalogue: str, begin: str) -> str:
    (found,) = (one for one in catalogue.split("\n\n") if f'\nmsgid "{begin}"\n' in f"\n{one}")
    return found


def identity(entry: str) -> object:
    (message,) = (one for one in read_po(StringIO(entry), locale="ru") if one.id)
    return message.id


def test_a_complete_catalogue_stays_as_it_is_to_the_byte(russian: str) -> None:
    assert russian == SHIPPED, "run `make words`"


@pytest.mark.parametrize("begin", SOME)
def test_a_message_that_is_new_gets_an_empty_translation_in_its_place(
    russian: str, begin: str
) -> None:
    entry = block(russian, begin)
    others = russian.rstrip("\n").split("\n\n")
    others.remove(entry)
    blocks = updated("\n\n".join(others) + "\n", "ru").rstrip("\n").split("\n\n")
    (place,) = (i for i, one in enumerate(blocks) if one not in others)
    added = blocks.pop(place)
    assert blocks == others
    assert f'msgid "{begin}' < blocks[place][blocks[place].index("msgid ") :]
    assert identity(added) == identity(entry)
    assert [part.partition(" ")[2] for part in added.splitlines() if "msgstr" in part] == ['""'] * (
        3 if "msgid_plural" in entry else 1
    )
    assert ("python-format" in added) == ("%(" in entry)


def test_a_message_that_nobody_uses_goes(russian: str) -> None:
    unused = 'msgid "Zugzwang"\nmsgstr "цугцванг"\n'
    assert updated(russian + "\n" + unused, "ru") == russian


def test_a_language_is_begun_with_all_messages_and_its_plural_forms(
    russian: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(words, "CATALOGUES", tmp_path)
    main(["pl"])
    text = (tmp_path / "pl" / "LC_MESSAGES" / "messages.po").read_text(encoding="utf-8")
    catalogue = read_po(StringIO(text), abort_invalid=True)
    assert (str(catalogue.locale), catalogue.num_plurals) == ("pl", 3)
    ours = read_po(StringIO(russian), locale="ru")
    assert {one.id for one in catalogue} == {one.id for one in ours}
    first, *named = capsys.readouterr().out.splitlines()
    assert first == f"pl: {len(ours)} without translation"
    singulars = (one.id if isinstance(one.id, str) else one.id[0] for one in ours)
    assert len(named) == TOLD
    assert set(named) < {f"  {singular}" for singular in singulars}
    assert updated(text, "pl") == text


def test_a_language_that_nobody_speaks_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["xx"])
    assert "no language that Babel knows: 'xx'" in capsys.readouterr().err
