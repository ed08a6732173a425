"""An application that starts at once, for tests of the server under it."""

import asyncio
import gc

from starlette.types import ASGIApp, Receive, Scope, Send

LARGE = 32 << 20
"""More than all buffers between two processes hold."""


def create_app() -> ASGIApp:
    return _answer


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        for answer in ("lifespan.startup.complete", "lifespan.shutdown.complete"):
            await receive()
            await send({"type": answer})
        return
    if scope["path"] == "/slow":
        await asyncio.sleep(0.5)
    if scope["method"] == "POST":
        while (await receive()).get("more_body"):
            pass
    body = bytes(LARGE) if scope["path"] == "/large" else b"hello"
    if scope["path"] == "/collector":
        body = f"{gc.isenabled()} {gc.get_freeze_count() > 0}".encode()
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": body})
