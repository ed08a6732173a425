"""Sealed texts: only this server opens them, only whole, and only for what they were sealed for."""

import base64
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows_web.duel.seal import MAX_SEAL, Sealer
from bullscows_web.server.secret_key import SecretKeyError
from bullscows_web.web.errors import BrokenStateError

SEALER = Sealer(lambda: "a key that nobody guesses, of some length")
OTHER = Sealer(lambda: "another key that nobody guesses, as long")

PURPOSES = st.sampled_from(["duel", "friend"])
WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)


@given(PURPOSES, WORDS)
def test_what_was_sealed_opens(purpose: str, text: str) -> None:
    sealed = SEALER.seal(purpose, text)
    assert SEALER.open(purpose, sealed) == text
    assert SEALER.seal(purpose, text) != sealed


@given(WORDS, st.data())
def test_seal_opens_only_as_it_was_made(text: str, data: st.DataObject) -> None:
    sealed = SEALER.seal("duel", text)
    raw = bytearray(base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4)))
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    changed = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    cut = sealed[: data.draw(st.integers(0, len(sealed) - 1))]
    for broken in (changed, cut, OTHER.seal("duel", text), SEALER.seal("friend", text)):
        with pytest.raises(BrokenStateError):
            SEALER.open("duel", broken)


@given(st.one_of(st.text(max_size=300), st.from_regex(rf"\A[A-Za-z0-9_-]{{0,{MAX_SEAL}}}\Z")))
def test_text_of_others_never_opens(text: str) -> None:
    with pytest.raises(BrokenStateError):
        SEALER.open("duel", text)


def test_text_can_not_be_read_in_its_seal() -> None:
    sealed = SEALER.seal("duel", "p4c10n 0123")
    raw = base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
    assert b"0123" not in raw
    assert "0123" not in sealed


def test_missing_key_is_reported_at_first_use() -> None:
    def none() -> str:
        raise SecretKeyError("no key can be kept at /nowhere")

    with pytest.raises(SecretKeyError):
        Sealer(none).seal("duel", "0123")


def test_spare_bits_of_the_last_letter_are_refused() -> None:
    sealed = SEALER.seal("duel", "0123")  # 32 bytes: two bits of the last letter say nothing
    letters = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
    for other in letters:
        if other != sealed[-1]:
            with pytest.raises(BrokenStateError):
                SEALER.open("duel", sealed[:-1] + other)
