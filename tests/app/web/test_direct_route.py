"""Direct routes answer as FastAPI does, except for bodies that are not labelled as JSON."""

from itertools import product
from typing import Annotated

import pytest
from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.testclient import TestClient

from bullscows_web.web.direct_route import DirectRoute


class Given(BaseModel, extra="forbid", strict=True):
    number: int


async def alone() -> Response:
    return Response("alone")


async def read(
    request: Request, id: int, word: Annotated[str, Query(alias="w", max_length=3)] = "none"
) -> Response:
    return Response(f"{request.method} {id} {word}")


async def send(request: Request, id: int, given: Given) -> Response:
    return Response(f"{request.method} {id} {given}")


async def headed(request: Request, response: Response) -> Response:
    return Response(f"{request.method} {response.status_code}")


def client_of(kind: type[APIRoute]) -> TestClient:
    router, app = APIRouter(route_class=kind), FastAPI()
    for name, endpoint in (("/alone", alone), ("/headed", headed), ("/read/{id}", read)):
        router.get(name)(endpoint)
    router.post("/send/{id}")(send)
    app.include_router(router)
    return TestClient(app, raise_server_exceptions=False)


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS"])
def test_they_answer_as_others_do(method: str) -> None:
    direct, general = client_of(DirectRoute), client_of(APIRoute)
    paths = ["/alone", "/headed", "/read/x", *(f"/read/1?{q}" for q in ("", "w=a&w=b", "w=long"))]
    bodies = ["", "null", "[", "{}", '{"number": 1}', '{"number": "1"}', '{"number": 1, "x": 2}']
    for path, body in product([*paths, "/send/1", "/send/x"], bodies):
        answers = [
            client.request(method, path, content=body, headers={"Content-Type": "application/json"})
            for client in (direct, general)
        ]
        assert answers[0].status_code < 500
        assert answers[0].status_code == answers[1].status_code
        assert answers[0].content == answers[1].content


def test_a_body_that_is_not_labelled_as_json_is_refused() -> None:
    direct = client_of(DirectRoute)
    for kind, status in (("text/plain", 415), ("", 415), ("application/x+json; a=b", 200)):
        response = direct.post("/send/1", content='{"number": 1}', headers={"Content-Type": kind})
        assert response.status_code == status
