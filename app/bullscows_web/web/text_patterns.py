"""What the texts of the API look like, and what is said of one that looks otherwise.

A pattern is for programs: it stands in the description of the API.  Whoever sends another text is
told in words which part of it is wrong, what is wanted there, and where to get one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SHOWN = 40
"""The most characters of a text that are repeated."""


@dataclass(frozen=True)
class Form:
    """What one kind of text looks like."""

    pattern: str
    """A regular expression for all of it."""
    name: str
    """What it is called."""
    wanted: str
    """What to write, or where to get one."""
    separator: str = ""
    """What stands between its parts, if it has parts."""
    parts: tuple[Form, ...] = ()
    """The forms of the parts in their order; of a single form there may be any number."""

    def complaint(self, text: str) -> str:
        """Return what is wrong with a text that does not fit the pattern."""
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
ANSWER = Form(rf"^{_ANSWER}$", "an answer", "write bulls.cows, as in 0.1")
ANSWERS = Form(
    rf"^({_ANSWERS})?$",
    "a list of answers",
    "write at most 100 with - between them, as in 0.1-1.1",
    "-",
    (ANSWER,),
)
SESSION = Form(
    rf"^{_NAME}~{_TOKEN}(~{_ANSWERS})?$",
    "the id of a session",
    "write tree~relabelling, and ~answers if there are any, as in avg-bulls-cows~k3~0.1-1.1; "
    "POST /api/v1/sessions starts a game and returns one",
    "~",
    (TREE, TOKEN, ANSWERS),
)
RULES = Form(
    r"^p[1-8]c([1-9]|1[0-6])[nrz]$",
    "a game",
    "write p, 1 to 8 positions, c, 1 to 16 symbols, and n for no repeats, r for repeats or z for "
    "no repeats and no leading 0, as in p4c10n",
)
CODE = Form(r"^[0-9a-f]{1,8}$", "a code", "write 1 to 8 of the symbols 0-9 and a-f, as in 0123")
DATE = Form(
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "a date", "write year-month-day, for example 2026-11-21"
)
_CRITERION = "(average|last|movers|worst)"
OBJECTIVE = Form(
    rf"^({_CRITERION}(,{_CRITERION}){{0,3}}|weights:[0-9]{{1,9}}(,[0-9]{{1,9}}){{0,47}})$",
    "an objective",
    "write average, last, movers or worst, several with commas between them, strongest first; "
    "or weights: and the cost of each turn, as in weights:0,0,1",
)

_FORMS = {form.pattern: form for form in (TREE, ANSWERS, SESSION, RULES, CODE, DATE, OBJECTIVE)}


def complaint(pattern: str, text: str) -> str | None:
    """Return what is wrong with a text that does not fit a pattern; None if no form has it."""
    form = _FORMS.get(pattern)
    return form.complaint(text) if form else None
