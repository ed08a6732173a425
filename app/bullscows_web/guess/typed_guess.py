"""A guess as a visitor writes it, in what way it may be none, and the pages that ask for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bullscows.game.rules import SYMBOLS, CodeError, CodeIndex, Rules
from bullscows.game.scoring import Answer
from bullscows_web.language.catalogues import Language
from bullscows_web.language.words import answer_words, code_rule, symbols

Flaw = Literal["empty", "gap", "length", "symbol", "repeated", "zero", "again", "contradiction"]
"""Flaw of a guess: nothing written; a place left empty; too short or too long; a
character that is no symbol of the game; a symbol twice where none repeats; 0 at the beginning where
no number has it; asked before; in hard mode, not a candidate."""


class GuessError(CodeError):
    """A text that can't be guessed, and in what way."""

    def __init__(
        self,
        rules: Rules,
        flaw: Flaw,
        text: str,
        *,
        part: str = "",
        turn: int = 0,
        answers: tuple[Answer, ...] = (),
    ):
        super().__init__(f"invalid guess {text[:20]!r} in {rules}: {flaw} {part}".rstrip())
        self.rules = rules
        self.flaw = flaw
        self.text = text
        self.part = part
        """The symbol, or the number of the place, that is wrong."""
        self.turn = turn
        """When it was asked before, or the first turn whose answer it contradicts."""
        self.answers = answers
        """The answer at that turn, and what it would be if `text` were the code."""

    def message(self, language: Language) -> str:
        """Return what is wrong with the guess, and what a right one looks like."""
        _ = language.gettext
        rules = self.rules
        if self.flaw == "length":
            return self._wrong_length(language)
        text = {
            "empty": _("Your guess goes here: %(rule)s."),
            "gap": _("Place %(part)s has no peg yet."),
            "symbol": _("“%(part)s” does not occur in this game, which has 0 to %(last)s."),
            "repeated": _("%(part)s appears twice, but no digit repeats in this game: %(rule)s."),
            "zero": _("No number of this game begins with 0."),
            "again": _("You already made this guess at turn %(turn)d."),
            "contradiction": _(
                "Hard mode: guess %(turn)d got %(given)s. If %(code)s were the code, it would have "
                "got %(instead)s."
            ),
        }[self.flaw]
        given = [answer_words(language, rules, answer) for answer in self.answers]
        return text % {
            "rule": code_rule(language, rules),
            "part": self.part,
            "last": symbols(rules)[-1],
            "turn": self.turn,
            "code": "".join(self.text.split()).lower(),
            **dict(zip(("given", "instead"), given, strict=False)),
        }

    def _wrong_length(self, language: Language) -> str:
        wanted = language.ngettext(
            "A guess has %(number)d digit", "A guess has %(number)d digits", self.rules.positions
        )
        text = language.gettext("%(wanted)s; you wrote %(given)s.")
        return text % {"wanted": wanted % {"number": self.rules.positions}, "given": self.part}


@dataclass(frozen=True, kw_only=True)
class CodeForm:
    """Base of pages on which the visitor writes a code."""

    error: GuessError | None = None
    """Why the code that was written cannot be used."""

    @property
    def typed(self) -> str:
        """The text that is no code, to be corrected."""
        return "" if self.error is None else self.error.text


def read(rules: Rules, text: str) -> CodeIndex:
    """Return the code that a text is; raise `GuessError`, which says in what way it is none."""
    if not text:
        raise GuessError(rules, "empty", text)
    if len(text) == rules.positions and "_" in text:
        raise GuessError(rules, "gap", text, part=str(text.index("_") + 1))
    for character in text:
        if character not in symbols(rules):
            raise GuessError(rules, "symbol", text, part=character)
    if len(text) != rules.positions:
        raise GuessError(rules, "length", text, part=str(len(text)))
    for character in text:
        if not rules.repeats and text.count(character) > 1:
            raise GuessError(rules, "repeated", text, part=character)
    if text[0] == SYMBOLS[0] and not rules.leading_zero:
        raise GuessError(rules, "zero", text)
    return rules.parse_code(text)


def read_new(rules: Rules, text: str, made: Sequence[CodeIndex]) -> CodeIndex:
    """Return the guess that a visitor wrote after others; spaces and capitals don't matter.

    Raises `GuessError` if that is no code, or was guessed before.
    """
    text = "".join(text.split()).lower()
    guess = read(rules, text)
    if guess in made:
        raise GuessError(rules, "again", text, turn=made.index(guess) + 1)
    return guess
