"""Encrypted state: only this server decrypts it, only whole, and only for its own purpose."""

import base64
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows_web.web.encrypted_state import MAX_TOKEN, SecretKeyError, StateCipher
from bullscows_web.web.exceptions import BrokenStateError

pytestmark = pytest.mark.large

CIPHER = StateCipher(lambda: "a key that nobody guesses, of some length")
OTHER = StateCipher(lambda: "another key that nobody guesses, as long")

PURPOSES = st.sampled_from(["duel", "friend"])
WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)


@given(PURPOSES, WORDS)
def test_encrypted_text_decrypts(purpose: str, text: str):
    token = CIPHER.encrypt(purpose, text)
    assert CIPHER.decrypt(purpose, token) == text
    assert CIPHER.encrypt(purpose, text) != token


@given(WORDS, st.data())
def test_state_decrypts_only_as_it_was_made(text: str, data: st.DataObject):
    token = CIPHER.encrypt("duel", text)
    raw = bytearray(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    changed = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    cut = token[: data.draw(st.integers(0, len(token) - 1))]
    for broken in (changed, cut, OTHER.encrypt("duel", text), CIPHER.encrypt("friend", text)):
        with pytest.raises(BrokenStateError):
            CIPHER.decrypt("duel", broken)


@given(st.one_of(st.text(max_size=300), st.from_regex(rf"\A[A-Za-z0-9_-]{{0,{MAX_TOKEN}}}\Z")))
def test_text_of_others_never_opens(text: str):
    with pytest.raises(BrokenStateError):
        CIPHER.decrypt("duel", text)


def test_text_can_not_be_read_in_its_token() -> None:
    token = CIPHER.encrypt("duel", "p4c10n 0123")
    raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    assert b"0123" not in raw
    assert "0123" not in token


def test_missing_key_is_reported_at_first_use() -> None:
    def none() -> str:
        raise SecretKeyError("no key can be kept at /nowhere")

    with pytest.raises(SecretKeyError):
        StateCipher(none).encrypt("duel", "0123")


def test_spare_bits_of_the_last_letter_are_refused() -> None:
    token = CIPHER.encrypt("duel", "0123")  # 32 bytes: two bits of the last letter say nothing
    letters = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
    for other in letters:
        if other != token[-1]:
            with pytest.raises(BrokenStateError):
                CIPHER.decrypt("duel", token[:-1] + other)
