"""Both lessons: steps with explanations, exercises and rounds, whose guesses are in the URL.

The second lesson teaches the strategy of Goel and Garg for people (5.3): guess the digits that
occur least among the codes left.  Their extension (5.4) is accepted as well: a guess that gets a
different answer from each code.  Two codes are guessed one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import ClassVar, Literal

import numpy as np
from fastapi import APIRouter, HTTPException, Request, Response

from bullscows.game.history import History, narrowed, responses_to
from bullscows.game.rules import SYMBOLS, CodeIndex, Rules
from bullscows.game.symmetry import IndexArray
from bullscows.strategies.least_frequent import LeastFrequent, symbol_counts
from bullscows_web.guess.puzzle import MAX_GUESSES
from bullscows_web.guess.typed_guess import CodeForm, GuessError, read_new
from bullscows_web.language.catalogues import Language
from bullscows_web.trees.position import PastTurn
from bullscows_web.web.dependencies import GuessQuery
from bullscows_web.web.frame import address_parts, redirect
from bullscows_web.web.rendering import respond

router = APIRouter()

LESSONS = 2
STEPS = 5
"""Steps of each lesson; the last one is a round."""
LISTED = 12
"""The most codes left that a round lists."""


@dataclass(frozen=True)
class Exercise:
    """A position in which the visitor guesses."""

    game: str
    """The name of the rules."""
    codes: tuple[str, ...] = ()
    """The codes left, ascending; guesses are judged, not answered."""
    secret: str = ""
    """Of a round: the code to find."""
    opening: tuple[str, ...] = ()
    """Guesses of a round that were made before."""


PLURALS = {"one": 1, "few": 2, "many": 5}
"""Numbers that have these plural forms, or another one of the language."""

EIGHT = ("098", "198", "298", "398", "498", "598", "698", "798")
"""The codes of Goel and Garg's example (5.3)."""
SIX = ("142", "153", "243", "342", "425", "432")
"""Those of the example in 5.4."""

EXERCISES: Mapping[tuple[int, int], Exercise] = MappingProxyType(
    {
        (1, 5): Exercise("p3c6n", secret="415"),
        (2, 3): Exercise("p3c10n", codes=EIGHT[3:]),
        (2, 4): Exercise("p3c10n", codes=SIX),
        (2, 5): Exercise("p3c10n", secret="459", opening=("123", "415")),
    }
)
"""Exercises by lesson and step; other steps explain."""


@dataclass(frozen=True)
class LearnPage(CodeForm):
    """A step of a lesson."""

    lesson: int
    step: int
    guesses: tuple[str, ...] = ()
    """Guesses of the visitor; if they are only judged, the last one."""
    steps: ClassVar[int] = STEPS
    eight: ClassVar[tuple[str, ...]] = EIGHT

    @classmethod
    def parse(cls, lesson: str, step: str, guesses: str) -> LearnPage:
        """Read a URL; raise `LookupError` if there is no such step, or not with such guesses."""
        numbers = {str(number): number for number in range(1, STEPS + 1)}
        page = cls(numbers.get(lesson, 0), numbers.get(step, 0))
        texts = address_parts(guesses)
        if not (1 <= page.lesson <= LESSONS and page.step and len(texts) <= MAX_GUESSES):
            raise LookupError(f"no such step: {lesson!r}, {step!r}")
        try:
            for text in texts:
                page = page.after(text)
        except GuessError as error:
            raise LookupError(str(error)) from None
        if "-".join(page.guesses) != guesses:
            raise LookupError("not the address of a step")
        return page

    def after(self, text: str) -> LearnPage:
        """Return the step after another guess; spaces and capitals don't matter.

        Raises `GuessError` if that is no new code, `LookupError` if there is nothing to guess.
        """
        if self.exercise is None or self.is_found:
            raise LookupError("nothing to guess")
        rules = self.rules
        if not self.exercise.secret:
            return replace(self, guesses=(rules.text(read_new(rules, text, ())),))
        guess = read_new(rules, text, self._history.guesses)
        return replace(self, guesses=(*self.guesses, rules.text(guess)))

    @property
    def exercise(self) -> Exercise | None:
        """The exercise of the step, if it has one."""
        return EXERCISES.get((self.lesson, self.step))

    @cached_property
    def rules(self) -> Rules:
        """The rules of its game."""
        return Rules.parse(self.exercise.game if self.exercise else "p4c10n")

    @property
    def is_found(self) -> bool:
        """Whether the last guess is the secret."""
        return bool(self.guesses and self.exercise and self.guesses[-1] == self.exercise.secret)

    @property
    def is_solved(self) -> bool:
        """Whether the next step can follow: an explanation, or a guess by the rule."""
        if self.exercise is None or self.exercise.secret:
            return self.exercise is None or self.is_found
        return bool(self.guesses) and self.verdicts[-1].follows

    @property
    def start(self) -> str:
        """The path of the step."""
        return f"/learn/{self.lesson}/{self.step}" if self.lesson + self.step > 2 else "/learn"

    @property
    def path(self) -> str:
        """The path of the step with the guesses."""
        return "/".join(filter(None, (self.start, "-".join(self.guesses))))

    @property
    def previous(self) -> str:
        """The path of the step before; from a first step, where the lesson is found."""
        if self.step == 1:
            return "/" if self.lesson == 1 else "/learn"
        return LearnPage(self.lesson, self.step - 1).start

    @property
    def next(self) -> str:
        """The path of the next step; empty at the last one."""
        return LearnPage(self.lesson, self.step + 1).start if self.step < STEPS else ""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many of them have each digit."""
        return {digit: sum(digit in code for code in EIGHT) for digit in SYMBOLS[:10]}

    @cached_property
    def left(self) -> list[str]:
        """The codes left now."""
        return [self.rules.text(code) for code in self._narrowed[-1].tolist()]

    @property
    def listed(self) -> list[str]:
        """The codes left, if they are few enough to list."""
        return self.left if len(self.left) <= LISTED else []

    @cached_property
    def turns(self) -> list[PastTurn]:
        """The turns of a round."""
        return PastTurn.all_of(self._history)

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """Whether the visitor's guesses follow the rule of the second lesson."""
        before = self._narrowed[-len(self.guesses) - 1 :] if self._history else self._narrowed
        codes = map(self.rules.parse_code, self.guesses)
        return [judge(self.rules, left, code) for left, code in zip(before, codes, strict=False)]

    @property
    def solved(self) -> str:
        """The path of an exercise after a guess that solves it at once."""
        guess = self.exercise.secret if self.exercise else ""
        return f"{self.start}/{guess or self.example}"

    def hint(self, language: Language) -> str:
        """Return the hint for the next guess of the first round."""
        known = hints(language)
        if not self.turns:
            return known[""]
        if len(self.left) == 1:
            return known["only"] % {"code": self.left[0]}
        return known[str(self.turns[-1].answer)]

    def judgement(self, language: Language) -> str:
        """Return whether the last guess follows the rule, in a few words."""
        verdict = self.verdicts[-1]
        follows = "follows" if verdict.follows else "breaks"
        return sentences(language)["better" if verdict.reason == "apart" else follows]

    def reason(self, language: Language) -> str:
        """Return why the last guess follows the rule or not."""
        return self.verdicts[-1].reason_in(language, self.guesses[-1], self.better)

    def words(self, language: Language) -> dict[str, dict[str, str]]:
        """Return the sentences of an exercise, with which scripts go on offline."""
        return {
            "hints": hints(language),
            "verdicts": sentences(language),
            "followed": {
                form: language.ngettext(
                    "%(right)s of your %(count)s guesses followed the rule.",
                    "%(right)s of your %(count)s guesses followed the rule.",
                    count,
                )
                for form, count in PLURALS.items()
            },
        }

    @property
    def better(self) -> str:
        """A guess that gives each code of an exercise another answer, if the rule has none."""
        return self.example if (self.lesson, self.step) == (2, 4) else ""

    @property
    def example(self) -> str:
        """A guess that follows the rule of the second lesson."""
        left = tuple(self._narrowed[-1].tolist())
        return self.rules.text(LeastFrequent().choose(self.rules, left, ()))

    @cached_property
    def _history(self) -> History:
        """The turns of a round."""
        if self.exercise is None or not self.exercise.secret:
            return History(self.rules)
        secret = self.rules.parse_code(self.exercise.secret)
        made = map(self.rules.parse_code, (*self.exercise.opening, *self.guesses))
        turns = [(guess, self.rules.respond(guess, secret)) for guess in made]
        return History(self.rules, tuple(turns))

    @cached_property
    def _narrowed(self) -> list[IndexArray]:
        """The codes left, (n,) int32 ascending, at the start and after each turn."""
        if self.exercise and self.exercise.codes:
            codes = map(self.rules.parse_code, self.exercise.codes)
            return [np.array(list(codes), dtype=np.int32)]
        return list(narrowed(self._history))


def hints(language: Language) -> dict[str, str]:
    """Return the hints for the next guess of three digits, by the last answer.

    A hint says how many digits of the last guess stay where they are, how many move, and how many
    are replaced.  Every code that is left follows it, because it gives the same answer.
    """
    _ = language.gettext
    return {
        "": _("Begin with any three different digits, for example 012."),
        "only": _("Only %(code)s fits all answers."),
        "0.0": _("None of these digits is in the secret. Replace all three."),
        "0.1": _("One digit is right, but not in its place. Move one and replace the other two."),
        "0.2": _("Two digits are right, but not in their places. Move two and replace the third."),
        "0.3": _("All three digits are right, but none is in its place. Move all three."),
        "1.0": _("One digit is right and in its place. Keep one and replace the other two."),
        "1.1": _(
            "One digit is in its place, another is elsewhere. Keep one, move one and replace "
            "the third."
        ),
        "1.2": _("All three digits are right, one in its place. Keep one and swap the rest."),
        "2.0": _("Two digits are right and in their places. Keep two and replace the third."),
    }


def steps() -> Iterator[LearnPage]:
    """Yield all steps of all lessons."""
    for lesson, step in product(range(1, LESSONS + 1), range(1, STEPS + 1)):
        yield LearnPage(lesson, step)


@router.get("/learn")
@router.get("/learn/{lesson}/{step}")
@router.get("/learn/{lesson}/{step}/{guesses}")
async def show(
    request: Request,
    lesson: str = "1",
    step: str = "1",
    guesses: str = "",
    guess: GuessQuery = None,
) -> Response:
    """Show a step; a valid `guess` redirects to the step after it, an invalid one is explained."""
    try:
        page = LearnPage.parse(lesson, step, guesses)
        if guess is None:
            return _show(request, page)
        return redirect(request, page.after(guess).path)
    except GuessError as error:
        return _show(request, replace(page, error=error), 422)
    except LookupError as error:
        raise HTTPException(404, str(error)) from None


def _show(request: Request, page: LearnPage, status: int = 200) -> Response:
    template = "learn/page.html"
    return respond(request, template, page, status=status)


# -- the rule of the second lesson -------------------------------------------------------------

Reason = Literal["rarest", "apart", "few", "absent", "frequent", "order"]
"""Why a guess follows the rule or not: its digits occur least; each code has another answer; two
codes or one are left; a digit occurs in no code; a digit occurs more often than one that is not in
the guess; all codes have the same answer."""


@dataclass(frozen=True)
class Verdict:
    """Whether a guess follows the rule, and why."""

    follows: bool
    reason: Reason
    counts: dict[str, int]
    """How many codes left have each digit."""
    most: int
    """The largest number of codes that can be left after the guess."""
    size: int
    """The number of codes left before it."""
    digit: str = ""
    """The digit of the guess that breaks the rule."""
    rarer: str = ""
    """A digit that occurs less often, if the reason is "frequent"."""

    def reason_in(self, language: Language, guess: str, better: str = "") -> str:
        """Return why the guess follows the rule or not, and an example that is `better`, if any."""
        patterns = sentences(language)
        name = "last" if self.reason == "few" and self.size == 1 else self.reason
        said = [patterns[name]]
        if self.size > 2 and self.most > 1:
            said.append(patterns["most"])
        if better and self.reason == "rarest":
            said.append(patterns["example"])
        return " ".join(said) % {
            "digits": ", ".join(guess),
            "digit": self.digit,
            "count": self.counts.get(self.digit),
            "rarer": self.rarer,
            "fewer": self.counts.get(self.rarer),
            "most": self.most,
            "size": self.size,
            "better": better,
        }


def judge(rules: Rules, left: IndexArray, guess: CodeIndex) -> Verdict:
    """Judge a guess at a position of a game without repeats; `left` are its codes, ascending."""
    totals = symbol_counts(rules, tuple(left.tolist())).sum(axis=0).tolist()
    counts = dict(zip(SYMBOLS, totals, strict=False))
    answers = responses_to(rules, guess, left)
    most = int(np.bincount(answers).max())

    def verdict(reason: Reason, *found: str, follows: bool = False) -> Verdict:
        return Verdict(follows, reason, counts, most, len(left), *found)

    if len(left) <= 2:
        return verdict("few", follows=guess in left)
    if most == 1:
        return verdict("apart", follows=True)
    digits = rules.text(guess)
    unused = [digit for digit in counts if counts[digit] and digit not in digits]
    rarer = min(unused, key=counts.__getitem__, default="")
    absent = next((digit for digit in digits if not counts[digit]), "")
    if absent and rarer:
        return verdict("absent", absent)
    worst = max(digits, key=counts.__getitem__)
    if rarer and counts[rarer] < counts[worst]:
        return verdict("frequent", worst, rarer)
    return verdict("rarest", follows=True) if most < len(left) else verdict("order")


def sentences(language: Language) -> dict[str, str]:
    """Return the judgements of a guess, their reasons, and what they add.

    Parts that differ have names, so that scripts fill in the same sentences offline.
    """
    _ = language.gettext
    return {
        "better": _("Better than the rule."),
        "follows": _("Yes, by the rule."),
        "breaks": _("Not by the rule."),
        "rarest": _("The digits %(digits)s occur least."),
        "apart": _("Each code left gets a different answer."),
        "last": _("When one code is left, guess it."),
        "few": _("When two codes are left, guess one of them."),
        "absent": _("%(digit)s is in none of the codes left, so it gives no information."),
        "frequent": _("%(digit)s occurs %(count)s times, but %(rarer)s only %(fewer)s."),
        "order": _("The digits are right, but in this order all codes get the same answer."),
        "most": _("At most %(most)s of the %(size)s codes are left after it."),
        "example": _("Even better is %(better)s: each code left gets a different answer."),
    }
