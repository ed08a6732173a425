"""An application that starts at once, for tests of the server that runs it."""

from starlette.types import ASGIApp, Receive, Scope, Send


def create_app() -> ASGIApp:
    return _answer


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        for answer in ("lifespan.startup.complete", "lifespan.shutdown.complete"):
            await receive()
            await send({"type": answer})
        return
    while (await receive()).get("more_body"):
        pass
    body = b"hello"
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": body})
