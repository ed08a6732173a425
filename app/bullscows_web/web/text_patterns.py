"""Regular expressions of the texts in the API, and messages about texts that do not match.

The OpenAPI description contains the expressions.  A message names the wrong part of a text, says
what to write there, and where to get one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SHOWN = 40
"""Maximum number of characters of a text that a message quotes."""


@dataclass(frozen=True)
class Form:
    """The notation of one kind of text."""

    pattern: str
    """Regular expression of the whole text."""
    name: str
    """Its name, with an article."""
    wanted: str
    """Instruction what to write, or where to get one."""
    separator: str = ""
    """Separator of its parts, if it has parts."""
    parts: tuple[Form, ...] = ()
    """The notations of the parts in order; if there is one, it can be repeated."""

    def complaint(self, text: str) -> str:
        """Return the message about a text that does not match the pattern."""
        for form, part in self._split(text):
            if not re.fullmatch(form.pattern, part):
                return form.complaint(part)
        return f"{text[:SHOWN]!r} is not {self.name}: {self.wanted}"

    def _split(self, text: str) -> list[tuple[Form, str]]:
        """Return the parts with their forms; none if there are too many or too few."""
        parts = text.split(self.separator) if self.separator else []
        if len(self.parts) == 1:
            return [(self.parts[0], part) for part in parts]
        forms = self.parts[: len(parts)]
        return list(zip(forms, parts, strict=True)) if 1 < len(parts) == len(forms) else []


_NAME = r"[a-z0-9]+(-[a-z0-9]+)*"
_TOKEN = r"[0-9a-z]{1,12}"
_ANSWER = r"[0-8]\.[0-8]"
_ANSWERS = rf"{_ANSWER}(-{_ANSWER}){{0,99}}"

TREE = Form(rf"^{_NAME}$", "the name of a tree", "GET /api/v1/trees lists them")
TOKEN = Form(
    rf"^{_TOKEN}$", "a relabelling", "write 0 for none, or 1 to 12 of the characters 0-9 and a-z"
)
ANSWER = Form(rf"^{_ANSWER}$", "an answer", "write bulls.cows, for example 0.1")
ANSWERS = Form(
    rf"^({_ANSWERS})?$",
    "a list of answers",
    "write at most 100 with - between them, for example 0.1-1.1",
    "-",
    (ANSWER,),
)
SESSION = Form(
    rf"^{_NAME}~{_TOKEN}(~{_ANSWERS})?$",
    "the id of a session",
    "write tree~relabelling, and ~answers if there are any, for example avg-bulls-cows~k3~0.1-1.1; "
    "POST /api/v1/sessions starts a game and returns one",
    "~",
    (TREE, TOKEN, ANSWERS),
)
RULES = Form(
    r"^p[1-8]c([1-9]|1[0-6])[nrz]b?$",
    "a game",
    "write p, 1 to 8 positions, c, 1 to 16 symbols, and n for no repeats, r for repeats or z for "
    "no repeats and no leading 0, and b after it for bulls only, for example p4c10n",
)
CODE = Form(
    r"^[0-9a-f]{1,8}$", "a code", "write 1 to 8 of the symbols 0-9 and a-f, for example 0123"
)
DATE = Form(
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "a date", "write year-month-day, for example 2026-11-21"
)
MATCH = Form(
    r"^[a-z2-7]{29}$", "the id of a match", "POST /api/v1/matches creates one and returns its id"
)
KEY = Form(
    r"^[!-~]{16,64}$",
    "an idempotency key",
    "draw a UUID for the request, or write 16 to 64 other characters that nobody can guess",
)
_CRITERION = "(average|last|movers|worst)"
OBJECTIVE = Form(
    rf"^({_CRITERION}(,{_CRITERION}){{0,3}}|weights:[0-9]{{1,9}}(,[0-9]{{1,9}}){{0,47}})$",
    "an objective",
    "write average, last, movers or worst, several with commas between them, strongest first; "
    "or weights: and the cost of each turn, for example weights:0,0,1",
)

_ALL = (TREE, ANSWERS, SESSION, RULES, CODE, DATE, MATCH, KEY, OBJECTIVE)
_FORMS = {form.pattern: form for form in _ALL}


def complaint(pattern: str, text: str) -> str | None:
    """Return the message about a text that does not match a pattern; None for other patterns."""
    form = _FORMS.get(pattern)
    return form.complaint(text) if form else None
