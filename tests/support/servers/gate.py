"""The server behind a gate that holds answers back until the test releases them.

`/gate/hold?address=A` holds every later answer to A and `/gate/release?address=A` releases them.
Both and `/gate/state` return the held addresses, the waiting answers and those being sent.
"""

import asyncio
from urllib.parse import parse_qs

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from bullscows_web.main import create_app as create_plain_app


class Gate:
    """Holds answers back."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.held: dict[str, asyncio.Event] = {}
        self.waiting: list[str] = []
        self.answering: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer at once, or when the gate opens."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif scope["path"].startswith("/gate/"):
            await self.steer(scope)(scope, receive, send)
        else:
            await self.wait(scope)
            await self.answer(scope, receive, send)

    def steer(self, scope: Scope) -> JSONResponse:
        (address,) = parse_qs(scope["query_string"].decode()).get("address", [""])
        if scope["path"] == "/gate/hold":
            self.held[address] = asyncio.Event()
        elif scope["path"] == "/gate/release":
            self.held.pop(address).set()
        state = {"held": list(self.held), "waiting": self.waiting, "answering": self.answering}
        return JSONResponse(state)

    async def wait(self, scope: Scope) -> None:
        address = scope["path"]
        is_copy = b"purpose" in dict(scope["headers"])  # for offline reading
        if address in self.held and not is_copy:
            self.waiting.append(address)
            await self.held[address].wait()
            self.waiting.remove(address)

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.answering.append(scope["path"])
        try:
            await self.app(scope, receive, send)
        finally:
            self.answering.remove(scope["path"])


def create_app() -> Gate:
    return Gate(create_plain_app())
