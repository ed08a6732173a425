"""Two languages: everything translated, the right plural forms, the right language chosen."""

import re
import shlex
import subprocess
import sys

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from bs4 import BeautifulSoup
from starlette.testclient import TestClient

from bullscows_web.language.catalogues import language_of, languages, preferred
from tests import ROOT
from tests.support.pages import open_pages

FILE = "app/bullscows_web/language/translations/ru/LC_MESSAGES/messages.po"
FIELDS = re.compile(r"%\(\w+\)[sd]|</?\w+>|\\x7f")

ENGLISH, RUSSIAN = languages()


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    with (ROOT / FILE).open("rb") as file:
        return read_po(file, locale="ru", abort_invalid=True)


def messages(catalogue: Catalog) -> list[Message]:
    return [message for message in catalogue if message.id]


def forms(text: object) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The messages in use, extracted as `make words` does."""
    file = tmp_path_factory.mktemp("words") / "messages.pot"
    makefile = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    (options,) = re.findall(r"^EXTRACT := (.*)$", makefile, re.MULTILINE)
    command = [sys.executable, "-m", "babel.messages.frontend", "-q", *shlex.split(options)]
    subprocess.run([*command, "-o", file, "app", "templates"], cwd=ROOT, check=True)
    with file.open("rb") as opened:
        return read_po(opened, abort_invalid=True)


def test_catalogue_has_exactly_the_messages_in_use(catalogue: Catalog, template: Catalog):
    ids = {forms(message.id) for message in messages(template)}
    assert len(ids) > 500
    assert {forms(message.id) for message in messages(catalogue)} == ids, "run `make words`"
    assert not catalogue.obsolete


def test_no_message_is_untranslated_or_fuzzy(catalogue: Catalog):
    for message in messages(catalogue):
        assert all(forms(message.string)), f"translate {message.id!r} in {FILE}"
        assert not message.fuzzy, message.id
        assert len(forms(message.string)) == (3 if message.pluralizable else 1), message.id


def test_translations_keep_the_fields(catalogue: Catalog):
    for message in messages(catalogue):
        fields = sorted(FIELDS.findall(forms(message.id)[-1]))
        for form in forms(message.string):
            assert sorted(FIELDS.findall(form)) == fields, message.id


FOREIGN = re.compile(r"[“”\"]| - |\.\.\.|загадк|плитк|быки-коровы|мастермайнд|куки")
"""Quotation marks and dashes of another language, and second names of what has one already."""


def test_russian_text_has_russian_marks_and_one_name_for_each_thing(catalogue: Catalog):
    for message in messages(catalogue):
        for form in forms(message.string):
            own = re.sub(r"<(cite|span) lang=.*?</\1>|<[^>]*>", "", form)
            assert not FOREIGN.search(own), form


@pytest.mark.parametrize(
    ("number", "words"),
    [
        *((0, "0 коров"), (1, "1 корова"), (2, "2 коровы"), (5, "5 коров"), (11, "11 коров")),
        (21, "21 корова"),
    ],
)
def test_russian_plurals(number: int, words: str):
    form = RUSSIAN.ngettext("%(number)d cow", "%(number)d cows", number)
    assert form % {"number": number} == words


def test_numbers_are_written_as_the_language_does():
    assert (ENGLISH.integer(26274), ENGLISH.decimal(5.2131)) == ("26,274", "5.213")
    assert RUSSIAN.decimal(5.2131) == "5,213"
    assert RUSSIAN.integer(26274) == "26\u202f274", "a narrow space that breaks no line"


@pytest.mark.parametrize(
    ("share", "places", "written"),
    [
        *((0, 0, "0%"), (1, 0, "100%"), (0.5, 0, "50%"), (1 / 5040, 0, "<1%"), (0.0049, 0, "<1%")),
        *((0.0051, 0, "1%"), (5039 / 5040, 0, ">99%"), (0.9951, 0, ">99%"), (0.9949, 0, "99%")),
        *((1 / 5040, 1, "<0.1%"), (5039 / 5040, 1, ">99.9%"), (0.001, 1, "0.1%")),
        *((0.0, 1, "0.0%"), (1.0, 1, "100.0%")),
    ],
)
def test_rounding_makes_neither_nothing_nor_all(share: float, places: int, written: str):
    assert ENGLISH.percent(share, places) == written
    assert RUSSIAN.percent(share, places) == written.replace(".", ",").replace("%", "\u202f%")


@pytest.mark.parametrize(
    ("header", "code"),
    [
        *(("", "en"), ("ru", "ru"), ("ru-RU,ru;q=0.9,en;q=0.8", "ru"), ("en-GB,ru;q=0.9", "en")),
        *(("ru;q=0.3,en;q=0.8", "en"), ("de,ru;q=0.5,en;q=0.4", "ru"), ("ru;q=0,en;q=0.1", "en")),
        *(("fr, *;q=0.5", "en"), ("ru;q=nan,\x00,;;;=", "en"), ("ru" * 5000, "en")),
    ],
)
def test_language_is_negotiated(header: str, code: str):
    assert preferred(header).code == code


@pytest.mark.parametrize(
    ("path", "code"),
    [
        *(("/", "en"), ("/ru", "ru"), ("/ru/", "ru"), ("/ru/play", "ru"), ("/rules", "en")),
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


GUESSING = [
    "/guess/p3c5n/2026-11-21",
    "/guess/p3c5n/k3f9/012-341?hints=on",
    "/guess/p3c5n/k3f9/012?hints=on&check=on&guess=013",
    "/guess/p2c4r/k3f9/00",
    "/guess/p3c5n/k3f9/012-341/reveal",
    "/guess/p3c5n/k3f9/012-210",
]


@pytest.mark.parametrize("path", [*open_pages(), "/play/small-bulls-cows/0/0.1"])
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


ENGLISH_WORDS = re.compile(r"\b[A-Za-z]{2,} [a-z]{2,}(?: [a-z]{2,})?\b")


def english(html: str) -> list[str]:
    """Return what reads like English on a page, names and code aside."""
    page = BeautifulSoup(html, "html.parser")
    for tag in page.select("[lang=en], code, pre, [translate=no]"):
        tag.decompose()
    return ENGLISH_WORDS.findall(page.get_text(" "))


@pytest.mark.parametrize("path", [*open_pages(), "/trees/small-mastermind", "/nothing", *GUESSING])
def test_russian_page_has_no_english_sentence(client: TestClient, path: str):
    assert english(client.get(f"/ru{path}").text) == []


def test_refusal_is_in_russian(client: TestClient):
    headers = {"Accept": "text/html", "Sec-Fetch-Site": "cross-site"}
    response = client.post("/ru/paste", headers=headers)
    assert response.status_code == 403
    assert english(response.text) == []
