"""Games in which only the visitor guesses: a friend's encrypted code, or an adversary.

The adversary has no code.  It gives the consistent answer that prolongs the game most or, if the
search is not finished, the one that leaves the most codes.  The URL contains guesses and answers,
for example ``0123:0.1-1456:1.1``, so a reload shows the same game; contradictory turns are
rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from fastapi import APIRouter, Request, Response

from bullscows.analysis.adversary import largest_part
from bullscows.game.history import History, candidates
from bullscows.game.question import Question
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules
from bullscows_web.duel.levels import MAX_TURNS
from bullscows_web.guess.pages import GuessingPage
from bullscows_web.guess.puzzle import RulesDep
from bullscows_web.guess.typed_guess import CodeForm, GuessError, read, read_new
from bullscows_web.search.searcher import Searcher
from bullscows_web.search.service import SearchDep
from bullscows_web.trees.library import LibraryDep
from bullscows_web.trees.position import parse_answer
from bullscows_web.web.caching import NO_STORE
from bullscows_web.web.dependencies import (
    IN_TURN,
    FormDep,
    GuessQuery,
    QueueDep,
    guess_in,
    typed_code,
)
from bullscows_web.web.encrypted_state import CipherDep, StateCipher
from bullscows_web.web.exceptions import BusyError, MalformedError, SearchStoppedError
from bullscows_web.web.frame import address, address_parts, frame_of, redirect
from bullscows_web.web.rendering import respond

router = APIRouter()
in_turn = APIRouter(dependencies=[IN_TURN])

SHARE = 0.6
"""Share of the search time for the adversary's answer to a guess."""
PURPOSE = "friend"
"""Purpose of an encrypted code for a friend."""


def guesses_of(rules: Rules, code: CodeIndex, guesses: str) -> History:
    """Parse guesses of a code; guesses after the code are ignored.

    Raises `GuessError` or `MalformedError` if one is no code of the game, or there are too many.
    """
    found: list[CodeIndex] = []
    for guess in [read(rules, text) for text in _listed(guesses)]:
        if code not in found:
            found.append(guess)
    return History(rules, tuple((guess, rules.respond(guess, code)) for guess in found))


def turns_of(rules: Rules, turns: str) -> History:
    """Read guesses with their answers.

    Raises `GuessError` or `MalformedError` if one is none of the game, there are too many, or no
    code fits all answers.
    """
    parts = [text.partition(":") for text in _listed(turns)]
    pairs = [(read(rules, guess), parse_answer(rules, answer)) for guess, _, answer in parts]
    history = History(rules, tuple(pairs))
    if not len(candidates(rules, history)):
        raise MalformedError("malformed-turns", f"no code fits all {len(pairs)} answers")
    if any(answer == rules.win for _, answer in pairs[:-1]):
        raise MalformedError("malformed-turns", "turns follow the end of the game")
    return history


def _listed(text: str) -> Sequence[str]:
    texts = address_parts(text)
    if len(texts) > MAX_TURNS:
        raise MalformedError("malformed-turns", f"a game has at most {MAX_TURNS} guesses")
    return texts


@dataclass(frozen=True)
class SoloPage(GuessingPage):
    """A game in which only the visitor guesses."""

    history: History
    base: str
    """Its path without moves."""
    least: int = 0
    """Worst case of the best tree of the game."""
    code: CodeIndex | None = None
    """The friend's code; None for the adversary."""

    @property
    def is_adversary(self) -> bool:
        """Whether the opponent is the adversary."""
        return self.code is None

    @property
    def is_found(self) -> bool:
        """Whether the last guess was right."""
        return bool(self.history) and self.history[-1][1] == self.rules.win

    @property
    def is_over(self) -> bool:
        """Whether the secret is found or no guess is left."""
        return self.is_found or len(self.history) >= MAX_TURNS

    @property
    def revealed(self) -> str | None:
        """The code, once the game is over; None before, and if there was none to find."""
        code = self.history[-1][0] if self.is_found else self.code
        return self.rules.text(code) if self.is_over and code is not None else None

    @property
    def turn(self) -> int:
        """The number of the next guess; of a game that is over, of the last."""
        return len(self.history) + (not self.is_over)

    @property
    def moves(self) -> Sequence[str]:
        """The turns as the URL has them; answers are included for the adversary only."""
        guesses = [self.rules.text(guess) for guess in self.history.guesses]
        return self.history.texts if self.is_adversary else guesses

    @property
    def here(self) -> str:  # type: ignore[override]
        """The path of the game."""
        return self.to(len(self.history))

    def to(self, turn: int) -> str:
        """Return the path of the game after its first turns."""
        return "/".join(filter(None, (self.base, "-".join(self.moves[:turn]))))


def guess_to_answer(
    request: Request, page: SoloPage, moves: str, guess: str | None
) -> CodeIndex | Response:
    """Return the guess to answer, or the response if there is none."""
    typed = guess_in(request, page.rules, guess)
    if moves != "-".join(page.moves) or (typed is not None and page.is_over):
        return redirect(request, page.here)
    if typed is None:
        return respond(request, "duel/solo.html", page)
    try:
        return read_new(page.rules, typed, page.history.guesses)
    except GuessError as error:
        wrong = replace(page, error=error)
        return respond(request, "duel/solo.html", wrong, status=422)


def after_turn(request: Request, page: SoloPage, guess: CodeIndex, answer: AnswerIndex) -> Response:
    """Redirect to the game after a turn."""
    return redirect(request, replace(page, history=page.history.after(guess, answer)).here)


# -- the adversary -----------------------------------------------------------------------------


@router.get("/duel/adversary/{rules}")
@router.get("/duel/adversary/{rules}/{turns}")
async def show_adversary(
    request: Request,
    library: LibraryDep,
    search: SearchDep,
    queue: QueueDep,
    rules: RulesDep,
    turns: str = "",
    guess: GuessQuery = None,
) -> Response:
    """Show a game against the adversary; a guess redirects to the game with its answer.

    The answer prolongs the game; if the search fails, it is that of the largest part.
    """

    def opened() -> tuple[SoloPage, CodeIndex | Response]:
        least = min(entry.record.depth for entry in library.of(rules))
        page = SoloPage(turns_of(rules, turns), f"/duel/adversary/{rules}", least)
        return page, guess_to_answer(request, page, turns, guess)

    page, asked = await queue.make(opened)
    if isinstance(asked, Response):
        return asked
    question = Question.of(rules, page.history)
    seconds = SHARE * search.seconds
    reply = partial(Searcher.reply, question=question, guess=asked, seconds=seconds)
    try:
        found = await search.run(request, reply)
    except (BusyError, SearchStoppedError):
        found = await queue.make(lambda: largest_part(question, asked))
    return after_turn(request, page, asked, found.answer)


@router.get("/duel/dodge/{rules}")  # codespell:ignore dodge
@router.get("/duel/dodge/{rules}/{turns}")  # codespell:ignore dodge
def moved(request: Request, rules: str, turns: str = "") -> Response:
    """Redirect from the former address of a game."""
    path = "/".join(filter(None, ("/duel/adversary", rules, turns)))
    return redirect(request, address(path, frame_of(request).query), 301)


# -- a code for a friend -----------------------------------------------------------------------


def encrypt_code(cipher: StateCipher, rules: Rules, code: CodeIndex) -> str:
    """Return the token of a code for a friend."""
    return cipher.encrypt(PURPOSE, f"{rules} {rules.text(code)}")


def decrypt_code(cipher: StateCipher, rules: Rules, token: str) -> CodeIndex:
    """Return the code in the token for a friend; errors as of `StateCipher.decrypt_words`."""
    (code,) = cipher.decrypt_words(PURPOSE, rules, token, 1)
    return rules.parse_code(code)


@dataclass(frozen=True)
class CodePage(CodeForm):
    """Context of the form for a code, or of the link to it."""

    rules: Rules
    link: str = ""
    """The path that the friend gets."""


@in_turn.get("/duel/friend/{rules}")
def write(request: Request, rules: RulesDep) -> Response:
    """Show the form for a code."""
    return respond(request, "duel/friend.html", CodePage(rules))


@in_turn.post("/duel/friend/{rules}")
def encrypt(request: Request, cipher: CipherDep, rules: RulesDep, form: FormDep) -> Response:
    """Encrypt the code; it arrives in the body, so that no URL and no log contains it."""
    try:
        code = read(rules, typed_code(form, rules, "code"))
    except GuessError as error:
        page = CodePage(rules, error=error)
        return respond(request, "duel/friend.html", page, status=422)
    url = f"/duel/friend/{rules}/{encrypt_code(cipher, rules, code)}/link"
    return redirect(request, url, headers=NO_STORE)


@in_turn.get("/duel/friend/{rules}/{token}/link")
def show_link(request: Request, cipher: CipherDep, rules: RulesDep, token: str) -> Response:
    """Show the link for the friend."""
    decrypt_code(cipher, rules, token)
    page = CodePage(rules, link=f"/duel/friend/{rules}/{token}")
    return respond(request, "duel/friend.html", page)


@in_turn.get("/duel/friend/{rules}/{token}")
@in_turn.get("/duel/friend/{rules}/{token}/{guesses}")
def show_friend(
    request: Request,
    cipher: CipherDep,
    rules: RulesDep,
    token: str,
    guesses: str = "",
    guess: GuessQuery = None,
) -> Response:
    """Show the game of the friend; a guess redirects to the game after it."""
    code = decrypt_code(cipher, rules, token)
    base = f"/duel/friend/{rules}/{token}"
    page = SoloPage(guesses_of(rules, code, guesses), base, code=code)
    asked = guess_to_answer(request, page, guesses, guess)
    if isinstance(asked, Response):
        return asked
    return after_turn(request, page, asked, rules.respond(asked, code))


router.include_router(in_turn)
