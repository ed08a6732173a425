"""Direct routes answer as FastAPI does."""

from itertools import product

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.testclient import TestClient

from bullscows_web.web.direct_route import DirectRoute


class Given(BaseModel, extra="forbid", strict=True):
    number: int


async def alone() -> Response:
    return Response("alone")


async def read(request: Request, response: Response, id: int) -> Response:
    return Response(f"{request.method} {response.status_code} {id}")


async def send(request: Request, id: int, given: Given, word: str = "") -> Response:
    return Response(f"{request.method} {id} {given} {word}")


def client_of(kind: type[APIRoute]) -> TestClient:
    router = APIRouter(route_class=kind)
    app = FastAPI()
    for path, endpoint in (("/alone", alone), ("/read/{id}", read), ("/send/{id}", send)):
        router.post(path)(endpoint)
    app.include_router(router)
    return TestClient(app, headers={"Content-Type": "application/json"})


def test_they_answer_as_others_do() -> None:
    direct = client_of(DirectRoute)
    general = client_of(APIRoute)
    paths = ["/alone", "/read/x", "/read/1", "/send/1", "/send/x", "/send/1?word=a&word=b"]
    bodies = ["", "null", "[", "{}", '{"number": 1}', '{"number": "1"}', '{"number": 1, "x": 2}']
    for method, path, body in product(("POST", "HEAD", "OPTIONS"), paths, bodies):
        one, other = (each.request(method, path, content=body) for each in (direct, general))
        assert (one.status_code, one.content) == (other.status_code, other.content)
