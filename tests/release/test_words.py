"""The catalogues of languages: brought up to date without touching what stands."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from app.language.catalogues import CATALOGUES
from release import words
from release.words import TOLD, main, updated

SHIPPED = (CATALOGUES / "ru" / "LC_MESSAGES" / "messages.po").read_text(encoding="utf-8")
RUSSIAN = updated(SHIPPED, "ru")
"""The catalogue with the messages in use, also while somebody changes one."""
SOME = ("Play", "%(number)d cow", "Trees")


def block(begin: str) -> str:
    (found,) = (one for one in RUSSIAN.split("\n\n") if f'\nmsgid "{begin}"\n' in f"\n{one}")
    return found


def identity(told: str) -> object:
    (message,) = (one for one in read_po(StringIO(told), locale="ru") if one.id)
    return message.id


def test_a_complete_catalogue_stays_as_it_is_to_the_byte() -> None:
    assert updated(SHIPPED, "ru") == SHIPPED, "run `make words`"


@pytest.mark.parametrize("begin", SOME)
def test_a_message_that_is_new_gets_an_empty_translation_in_its_place(begin: str) -> None:
    told = block(begin)
    others = RUSSIAN.rstrip("\n").split("\n\n")
    others.remove(told)
    blocks = updated("\n\n".join(others) + "\n", "ru").rstrip("\n").split("\n\n")
    (place,) = (i for i, one in enumerate(blocks) if one not in others)
    added = blocks.pop(place)
    assert blocks == others
    assert f'msgid "{begin}' < blocks[place][blocks[place].index("msgid ") :]
    assert identity(added) == identity(told)
    assert [part.partition(" ")[2] for part in added.splitlines() if "msgstr" in part] == ['""'] * (
        3 if "msgid_plural" in told else 1
    )
    assert ("python-format" in added) == ("%(" in told)


def test_a_message_that_nobody_uses_goes() -> None:
    unused = 'msgid "Zugzwang"\nmsgstr "цугцванг"\n'
    assert updated(RUSSIAN + "\n" + unused, "ru") == RUSSIAN


def test_a_language_is_begun_with_all_messages_and_its_plural_forms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(words, "CATALOGUES", tmp_path)
    main(["pl"])
    text = (tmp_path / "pl" / "LC_MESSAGES" / "messages.po").read_text(encoding="utf-8")
    catalogue = read_po(StringIO(text), abort_invalid=True)
    assert (str(catalogue.locale), catalogue.num_plurals) == ("pl", 3)
    russian = read_po(StringIO(RUSSIAN), locale="ru")
    assert {one.id for one in catalogue} == {one.id for one in russian}
    first, *named = capsys.readouterr().out.splitlines()
    assert first == f"pl: {len(russian)} without translation"
    singulars = (one.id if isinstance(one.id, str) else one.id[0] for one in russian)
    assert len(named) == TOLD
    assert set(named) < {f"  {singular}" for singular in singulars}
    assert updated(text, "pl") == text


def test_a_language_that_nobody_speaks_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["xx"])
    assert "no language that Babel knows: 'xx'" in capsys.readouterr().err
