"""Two languages: everything translated, the right plural forms, the right language chosen."""

import re
from collections.abc import Iterator

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from bs4 import BeautifulSoup
from starlette.testclient import TestClient

from app.i18n import CATALOGUES, language_of, languages, preferred
from app.settings import data_folder

KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2)}
JINJA = {"newstyle_gettext": "true", "trim_blocks": "true", "lstrip_blocks": "true"}
FIELDS = re.compile(r"%\(\w+\)[sd]|</?\w+>|\\x7f")

ENGLISH, RUSSIAN = languages()


def extracted() -> Iterator[str | tuple[str, ...]]:
    """All messages of the code and the templates."""
    methods = [("**.py", "python"), ("**.html", "jinja2")]
    for folder in (CATALOGUES.parent, data_folder("templates")):
        for found in extract_from_dir(folder, methods, {"**.html": JINJA}, keywords=KEYWORDS):
            yield found[2]


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    with (CATALOGUES / "ru" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale="ru", abort_invalid=True)


def messages(catalogue: Catalog) -> list[Message]:
    return [message for message in catalogue if message.id]


def forms(text: object) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)  # type: ignore[arg-type]


def test_catalogue_has_exactly_the_messages_in_use(catalogue: Catalog):
    ids = {forms(message) for message in extracted()}
    assert {forms(message.id) for message in messages(catalogue)} == ids
    assert not catalogue.obsolete


def test_no_message_is_untranslated_or_fuzzy(catalogue: Catalog):
    for message in messages(catalogue):
        assert all(forms(message.string)), message.id
        assert not message.fuzzy, message.id
        assert len(forms(message.string)) == (3 if message.pluralizable else 1), message.id


def test_translations_keep_the_fields(catalogue: Catalog):
    for message in messages(catalogue):
        fields = sorted(FIELDS.findall(forms(message.id)[-1]))
        for form in forms(message.string):
            assert sorted(FIELDS.findall(form)) == fields, message.id


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 коров"),
        (1, "1 корова"),
        (2, "2 коровы"),
        (5, "5 коров"),
        (11, "11 коров"),
        (21, "21 корова"),
    ],
)
def test_russian_plurals(number: int, words: str):
    form = RUSSIAN.ngettext("%(number)d cow", "%(number)d cows", number)
    assert form % {"number": number} == words


def test_numbers_are_written_as_the_language_does():
    assert (ENGLISH.integer(26274), ENGLISH.decimal(5.2131)) == ("26,274", "5.213")
    assert RUSSIAN.decimal(5.2131) == "5,213"
    assert re.fullmatch(r"26\s274", RUSSIAN.integer(26274))


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", "en"),
        ("ru", "ru"),
        ("ru-RU,ru;q=0.9,en;q=0.8", "ru"),
        ("en-GB,ru;q=0.9", "en"),
        ("ru;q=0.3,en;q=0.8", "en"),
        ("de,ru;q=0.5,en;q=0.4", "ru"),
        ("ru;q=0,en;q=0.1", "en"),
        ("fr, *;q=0.5", "en"),
        ("ru;q=nan,\x00,;;;=", "en"),
        ("ru" * 5000, "en"),
    ],
)
def test_language_is_negotiated(header: str, code: str):
    assert preferred(header).code == code


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/", "en"),
        ("/ru", "ru"),
        ("/ru/", "ru"),
        ("/ru/play", "ru"),
        ("/rules", "en"),
        ("/x/ru/", "en"),
    ],
)
def test_language_stands_in_the_path(path: str, code: str):
    assert language_of(path).code == code


@pytest.mark.parametrize(
    ("headers", "query", "status"),
    [
        ({}, "", 200),
        ({"Accept-Language": "en"}, "", 200),
        ({"Accept-Language": "ru"}, "", 307),
        ({"Accept-Language": "ru"}, "?lang=en", 200),
        ({"Accept-Language": "ru", "Sec-Fetch-Site": "same-origin"}, "", 200),
        ({"Accept-Language": "ru", "Sec-Fetch-Site": "cross-site"}, "", 307),
    ],
)
def test_start_page_is_negotiated(
    client: TestClient, headers: dict[str, str], query: str, status: int
):
    response = client.get(f"/{query}", headers=headers)
    assert response.status_code == status
    assert "Accept-Language" in response.headers["vary"]
    if status == 307:
        assert response.headers["location"] == "/ru/"


@pytest.mark.parametrize("path", ["/", "/trees", "/about", "/play/small-bulls-cows/0/0.1"])
def test_each_page_links_to_its_translation(client: TestClient, path: str):
    for language in languages():
        page = BeautifulSoup(client.get(language.prefix + path).text, "html.parser")
        assert page.html is not None
        assert page.html["lang"] == language.code
        alternates = {a["hreflang"]: a["href"] for a in page.select("link[rel=alternate]")}
        assert alternates == {"en": path, "ru": f"/ru{path}"}
        switch = page.select("#languages a")
        assert len(switch) == 1
        assert client.get(str(switch[0]["href"])).status_code == 200


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize(
    ("path", "linked"),
    [
        ("/play/%00/0", "/play/%00/0"),
        ("/play/%0a%7f/0?a=%00&b", "/play/%0A%7F/0?a=%00&b"),
        ("/play/a%3Fb%23c%25d/0?e", "/play/a%3Fb%23c%25d/0?e"),
        ("/%D1%85/%22%3C", "/%D1%85/%22%3C"),
        ("//evil.example/0", "/evil.example/0"),
        ("/%5Cevil.example", "/%5Cevil.example"),
    ],
)
def test_links_to_translations_are_addresses(
    client: TestClient, prefix: str, path: str, linked: str
):
    page = BeautifulSoup(client.get(f"http://testserver{prefix}{path}").text, "html.parser")
    other = "" if prefix else "/ru"
    assert [a["href"] for a in page.select("#languages a")] == [other + linked]


@pytest.mark.parametrize("path", ["/", "/trees", "/trees/small-mastermind", "/about", "/nothing"])
def test_russian_page_has_no_english_sentence(client: TestClient, path: str):
    page = BeautifulSoup(client.get(f"/ru{path}").text, "html.parser")
    for tag in page.select("[lang=en], code, pre, [translate=no]"):
        tag.decompose()
    assert not re.findall(r"\b[A-Za-z]{3,} [a-z]{2,} [a-z]{2,}\b", page.get_text(" "))
