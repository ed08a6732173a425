"""A duel as a value: its terms, the visitor's guesses and the visitor's answers.

The terms are the computer's code and level, encrypted in the URL.  The code is bound at the start
by its commitment, the SHA-256 hash of the code and of 32 drawn characters, the *salt*.  At the end
both are shown, so that anyone can compute the hash again.  The salt also seeds the relabelling of
the computer's strategy.  It would reveal the computer's guesses, so it is shown only together with
the code.

Its URL is ``/duel/p4c10n/TOKEN/0123-0.1-4567``: the visitor's guesses and the
visitor's answers to the computer's.  The computer's answers follow from its encrypted code, its
guesses from its strategy and what it has been answered, so nothing is stored.

Both players get the same number of guesses, and equal turns are a draw.  The player with fewer
guesses moves next; if both have the same number, the player who began.  A corrected answer removes
later guesses of the computer.  The computer then catches up, and the visitor loses no guess.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Literal

import numpy as np

from bullscows.game.history import Correction, History, corrections
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules
from bullscows.tree.nodes import Node
from bullscows_web.duel.levels import (
    MAX_TURNS,
    NAMES,
    LevelName,
    Place,
    Strategy,
    strategy,
)
from bullscows_web.guess.typed_guess import read, read_new
from bullscows_web.trees.library import Library
from bullscows_web.trees.position import parse_answer
from bullscows_web.trees.relabelling import Relabelling
from bullscows_web.web.encrypted_state import StateCipher
from bullscows_web.web.exceptions import BrokenStateError, MalformedError
from bullscows_web.web.frame import address_parts

PURPOSE = "duel"
"""Purpose of the encrypted terms."""

Mover = Literal["visitor", "computer"]
Result = Literal["won", "drawn", "lost"]
"""How a duel ended for the visitor."""


@dataclass(frozen=True)
class Terms:
    """Encrypted state of a duel."""

    rules: Rules
    code: CodeIndex
    """The computer's code."""
    salt: str
    """Random text hashed with the code."""
    level: LevelName
    """How the computer plays."""
    visitor_begins: bool
    """Whether the visitor guesses first."""

    @classmethod
    def draw(cls, rules: Rules, level: LevelName, *, visitor_begins: bool) -> Terms:
        """Return the terms of a new duel: any code is as likely."""
        code = secrets.randbelow(rules.size)
        return cls(rules, code, secrets.token_hex(16), level, visitor_begins)

    @classmethod
    def open(cls, cipher: StateCipher, rules: Rules, token: str) -> Terms:
        """Return the terms in the token of a URL that names a game.

        Raises `BrokenStateError`, `SecretKeyError` or `OtherGameError` if the token is invalid, or
        contains the terms of another game.
        """
        code, salt, level, begins = cipher.decrypt_words(PURPOSE, rules, token, 4)
        name = next((each for each in NAMES if each == level), None)
        if name is None:
            raise BrokenStateError  # of a server with other levels
        return cls(rules, rules.parse_code(code), salt, name, begins == "you")

    def token(self, cipher: StateCipher) -> str:
        """Return the token that `open` reads."""
        begins = "you" if self.visitor_begins else "me"
        parts = (str(self.rules), self.opened, self.level, begins)
        return cipher.encrypt(PURPOSE, " ".join(parts))

    @property
    def opened(self) -> str:
        """The text whose hash is the commitment."""
        return f"{self.rules.text(self.code)} {self.salt}"

    @property
    def commitment(self) -> str:
        """The hash that is shown from the start."""
        return sha256(self.opened.encode()).hexdigest()

    @property
    def relabelling(self) -> Relabelling:
        """How the computer's strategy names places and symbols."""
        drawn = sha256(f"relabelling {self.salt}".encode()).digest()
        return Relabelling.numbered(self.rules, int.from_bytes(drawn, "big"))


@dataclass(frozen=True)
class Duel:
    """A state of a duel; make one with `parse` or `begin`."""

    terms: Terms
    token: str
    """The text of the encrypted terms in the URL."""
    strategy: Strategy
    """How the computer plays, before the relabelling of the terms."""
    guesses: tuple[CodeIndex, ...] = ()
    """The visitor's guesses."""
    answers: tuple[AnswerIndex, ...] = ()
    """The visitor's answers, one for each guess of the computer."""
    refused: AnswerIndex | None = None
    """An answer in the address that no code left to the visitor gives; it and later ones are left
    out of `answers`."""

    @classmethod
    def parse(
        cls, library: Library, cipher: StateCipher, rules: Rules, token: str, moves: str = ""
    ) -> Duel:
        """Parse the parts of a URL; moves after the end are ignored.

        Raises `BrokenStateError`, `SecretKeyError` or `OtherGameError` if the token is invalid or
        belongs to another game. Raises `MalformedError` if there are too many moves, or more
        answers than guesses to answer, or guesses ahead of the first answer; after a correction
        they can be ahead of later answers. Raises `GuessError` or `MalformedError` if a move is no
        guess and no answer of the game.
        """
        terms = Terms.open(cipher, rules, token)
        duel = cls(terms, token, strategy(library, rules, terms.level))
        texts = address_parts(moves)
        guesses = [text for text in texts if "." not in text]
        answers = [text for text in texts if "." in text]
        if max(len(guesses), len(answers)) > MAX_TURNS:
            raise MalformedError(
                "malformed-duel", f"each side of a duel guesses at most {MAX_TURNS} times"
            )
        if not answers and len(guesses) > terms.visitor_begins:  # a corrected duel can have more
            raise MalformedError("malformed-duel", "there are guesses ahead of the first answer")
        for guess in [read(rules, text) for text in guesses]:
            duel = duel.guessed(guess)
        for answer in [parse_answer(rules, text) for text in answers]:
            duel = duel.answered(answer)
        return duel.cut()

    def guessed(self, guess: CodeIndex) -> Duel:
        """Return the duel after a guess of the visitor; none follows the computer's code."""
        if self.terms.code in self.guesses:
            return self
        return replace(self, guesses=(*self.guesses, guess))

    def answered(self, answer: AnswerIndex) -> Duel:
        """Return the duel after an answer of the visitor.

        One that no code left gives is remembered as refused; what follows it is dropped. Raises
        `MalformedError` if the computer has not guessed.
        """
        if self.node is None or self.refused is not None or self.is_over:
            return self
        if not self.is_asked(len(self.answers) + 1):
            raise MalformedError(
                "malformed-duel", "there are more answers than guesses of the computer"
            )
        if answer not in self.possible:
            return replace(self, refused=answer)
        return replace(self, answers=(*self.answers, answer))

    def cut(self) -> Duel:
        """Return the duel without the guesses that follow its end."""
        turn = self.found_by_computer
        return self if turn is None else replace(self, guesses=self.guesses[:turn])

    def correct(self, correction: Correction) -> Duel:
        """Return the duel with one answer corrected; later ones stay while the guesses do."""
        turn = correction.turn
        answer = self.rules.answer_index(*correction.instead)
        known = dict(zip(self.asked, self.answers, strict=True))
        kept = replace(self, answers=self.answers[: turn - 1], refused=None)
        duel = kept.answered(answer)
        while (node := duel.node) and node.guess in known and duel.refused is None:
            if not duel.is_asked(len(duel.answers) + 1):
                break
            after = duel.answered(known[node.guess])
            if after.refused is not None:
                break
            duel = after
        return duel.cut()

    def corrections(self) -> list[Correction]:
        """Return corrections of the visitor's answers, most plausible first.

        A refused answer is one of those that can be wrong.  If none was refused, the right answer
        to the current guess is assumed to be none of those offered.
        """
        asked = self.question
        if asked is None:
            return []
        if self.refused is not None:
            return corrections(self.theirs.after(asked, self.refused))
        parts = self.rules.partition(asked, range(self.rules.size)).items()
        codes = [code for answer, part in parts if answer not in self.possible for code in part]
        return corrections(self.theirs, np.array(codes, dtype=np.int32))

    @property
    def agreed(self) -> Duel:
        """The duel without the answer that was refused."""
        return replace(self, refused=None)

    def before(self, turn: int) -> Duel:
        """Return the duel as it was before either side's guess `turn`."""
        earlier = turn - 1
        return replace(
            self, guesses=self.guesses[:earlier], answers=self.answers[:earlier], refused=None
        )

    def ask(self, text: str) -> Duel:
        """Return the duel after the guess that a visitor wrote; or raise `GuessError`."""
        return self.guessed(read_new(self.rules, text, self.guesses))

    # -- whose turn it is ----------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.terms.rules

    @property
    def found_by_visitor(self) -> int | None:
        """The turn at which the visitor found the computer's code."""
        return self.guesses.index(self.terms.code) + 1 if self.terms.code in self.guesses else None

    @property
    def found_by_computer(self) -> int | None:
        """The turn at which the computer found the visitor's code."""
        won = bool(self.answers) and self.answers[-1] == self.rules.win
        return len(self.answers) if won else None

    @cached_property
    def node(self) -> Node | Place | None:
        """Place of the computer in its strategy; None once it has found the code."""
        return None if self.found_by_computer else self.strategy.walk(self.answers)

    @cached_property
    def asked(self) -> tuple[CodeIndex, ...]:
        """The computer's guesses that were answered."""
        earlier = (self.answers[:turn] for turn in range(len(self.answers)))
        return tuple(self.strategy.walk(answers).guess for answers in earlier)

    @property
    def is_over(self) -> bool:
        """Whether somebody has found the code, and the other has guessed as often."""
        turns = [turn for turn in (self.found_by_visitor, self.found_by_computer) if turn]
        return bool(turns) and min(len(self.guesses), len(self.answers)) >= min(turns)

    @property
    def mover(self) -> Mover | None:
        """The player to guess; None if the duel is over."""
        if self.is_over:
            return None
        mine = len(self.guesses)
        theirs = len(self.answers)
        if mine == theirs:
            return "visitor" if self.terms.visitor_begins else "computer"
        return "visitor" if mine < theirs else "computer"

    def is_asked(self, turn: int) -> bool:
        """Whether the computer makes its guess `turn` before the visitor guesses again."""
        return len(self.guesses) >= turn - (not self.terms.visitor_begins)

    @property
    def result(self) -> Result | None:
        """How it ended; None while it has not."""
        if not self.is_over:
            return None
        mine = self.found_by_visitor
        theirs = self.found_by_computer
        if mine == theirs:
            return "drawn"
        return "won" if theirs is None or (mine is not None and mine < theirs) else "lost"

    # -- what is known -------------------------------------------------------------------------

    @property
    def moves(self) -> str:
        """The moves in the URL, in the order of play."""
        mine = [self.rules.text(guess) for guess in self.guesses]
        theirs = [str(self.rules.answers[answer]) for answer in self.answers]
        first, second = (mine, theirs) if self.terms.visitor_begins else (theirs, mine)
        longest = range(max(len(mine), len(theirs)))
        pairs = [side[turn : turn + 1] for turn in longest for side in (first, second)]
        return "-".join(move for pair in pairs for move in pair)

    @property
    def path(self) -> str:
        """Its URL below `/duel/`."""
        return "/".join(filter(None, (str(self.rules), self.token, self.moves)))

    @cached_property
    def mine(self) -> History:
        """The visitor's guesses with the computer's answers."""
        turns = [(guess, self.rules.respond(guess, self.terms.code)) for guess in self.guesses]
        return History(self.rules, tuple(turns))

    @cached_property
    def theirs(self) -> History:
        """The computer's guesses, as they are shown, with the visitor's answers."""
        show = self.terms.relabelling.show
        pairs = zip(self.asked, self.answers, strict=True)
        return History(self.rules, tuple((show(guess), answer) for guess, answer in pairs))

    @property
    def question(self) -> CodeIndex | None:
        """The computer's current guess, as it is shown."""
        return None if self.node is None else self.terms.relabelling.show(self.node.guess)

    @cached_property
    def possible(self) -> frozenset[AnswerIndex]:
        """The answers that some code left to the visitor gives to that."""
        if self.node is None:
            return frozenset()
        wins = [self.rules.win] if self.node.is_candidate_guess else []
        return frozenset((*self.node.children, *wins))
