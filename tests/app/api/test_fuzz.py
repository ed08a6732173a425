"""Requests that nobody would write by hand: generated from the API's own description, or mutated.

Every response is what the description promises, or a clear refusal: never a 500.
"""

from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import load_all_checks
from schemathesis.config import SchemathesisConfig
from starlette.testclient import TestClient

from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from tests.conftest import write_small_tree
from tests.support.examples import examples
from tests.support.searching import ThreadExecutor

CONFIG: dict[str, Any] = {
    "request-timeout": 120,  # of a machine that is busy: the largest games take seconds
    "checks": {
        # 422 is also for what no schema can say: how answers and codes depend on a game's rules.
        "positive_data_acceptance": {
            "expected-statuses": ["2xx", "401", "403", "404", "409", "410", "422", "5xx"]
        },
        # 413 and 414 refuse before anything is looked at.
        "negative_data_rejection": {"expected-statuses": ["4xx"]},
        # Starlette's `Allow` names the methods of one route, not of all routes at the path.
        "allow_header_conformance": {"enabled": False},
    },
}

load_all_checks()


APP = create_app()
SCHEMA = schemathesis.openapi.from_dict(APP.openapi(), config=SchemathesisConfig.from_dict(CONFIG))


class SharedExecutor(ThreadExecutor):
    """Stays open: a process that each call had to start would be a 503 on a busy machine."""

    def close(self) -> None:
        """Do nothing."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    """The application described above; it plays a small tree under the name in the examples."""
    trees = tmp_path_factory.mktemp("trees")
    write_small_tree(trees, "avg-bulls-cows", "p3c6n")
    APP.state.settings = Settings(trees_dir=trees, search_timeout=0.02)  # opened by each call
    APP.state.executor = SharedExecutor(trees, 0.02, loaded=True)
    return APP


@SCHEMA.parametrize()
@examples(20, suppress_health_check=list(HealthCheck))
def test_answers_are_as_described(app: FastAPI, case: schemathesis.Case):
    case.call_and_validate(app=app)


@pytest.mark.slow
@SCHEMA.parametrize()
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
def test_thousand_answers_of_each_operation_are_as_described(app: FastAPI, case: schemathesis.Case):
    case.call_and_validate(app=app)


SOUND: dict[str, dict[str, Any]] = {
    "createSession": {"tree": "avg-bulls-cows"},
    "answerSession": {"bulls": 0, "cows": 1},
}


def names(case: schemathesis.Case) -> str:
    """Return the name of a request's operation."""
    return str(case.operation.definition.raw["operationId"])


@pytest.mark.parametrize("count", [8, pytest.param(200, marks=pytest.mark.slow)])
def test_links_lead_on_from_answer_to_answer(app: FastAPI, count: int):
    """Links in responses are followed up to eight steps; each response matches the description."""
    followed = set()

    class Visitor(SCHEMA.as_state_machine()):  # type: ignore[misc]
        def get_call_kwargs(self, case: schemathesis.Case) -> dict[str, Any]:
            return {**super().get_call_kwargs(case), "app": app}

        def before_call(self, case: schemathesis.Case) -> None:
            """Have sound requests name a tree that is there, and frequent answers: few would."""
            is_sound = case.meta is not None and case.meta.generation.mode.is_positive
            if is_sound and isinstance(case.body, dict) and names(case) in SOUND:
                case.body.update(SOUND[names(case)])

        def after_call(self, response: schemathesis.Response, case: schemathesis.Case) -> None:
            if response.status_code < 300:
                followed.add(names(case))

    Visitor.run(
        settings=settings(
            examples(count),
            derandomize=True,
            stateful_step_count=8,
            suppress_health_check=list(HealthCheck),
        )
    )
    wanted = {"createSession", "getSession", "getTree"}
    assert followed >= (wanted if count < 100 else wanted | {"answerSession", "getNode"})


SEEDS = [
    *("/play/small-bulls-cows/j3/0.1-1.1", "/play/small-mastermind/0"),
    *("/ru/play/small-mastermind/5/0.1", "/trees/small-bulls-cows/0.1-1.1"),
    *("/trees/small-mastermind", "/api/v1/trees/small-bulls-cows"),
    "/api/v1/trees/small-bulls-cows/nodes?answers=0.1-1.1",
    *("/api/v1/sessions/small-bulls-cows~j3~0.1-1.1", "/static/docs/docs.js"),
]
PIECES = st.sampled_from(
    [
        *("0.1", "-", "~", "/", "..", "%00", "%2f", "%d9%a0", "%ff", "%", "9.9", "3.0", "?", "#"),
        *("'", "<"),
    ]
) | st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=4)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Draw an address with up to four cuts and insertions."""
    address = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(1, len(address)))
        end = start + draw(st.integers(0, 5))
        address = address[:start] + draw(PIECES) + address[end:]
    return address


@examples(200)
@given(mutated())
def test_mutated_address_is_answered_or_refused(client: TestClient, address: str):
    response = client.get("http://testserver" + address)
    assert response.status_code < 500
    kind = response.headers.get("content-type", "")
    if response.status_code >= 400:
        assert kind.startswith(("text/html", "application/problem+json"))
    if address.startswith("/api/") and response.status_code >= 400:
        assert kind == "application/problem+json"


ODD_TEXTS = ["\0", "٠.١", "0.1\n", "0" * 10_000, "'\"<script>", "\ud7ff", "﷽" * 50, "../" * 20]


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_text_in_any_part_is_refused(client: TestClient, text: str):
    for path in ("/play/{}/0/0.1", "/play/small-mastermind/{}/0.1", "/play/small-mastermind/0/{}"):
        response = client.get("http://testserver" + path.format(escaped(text)))
        assert response.status_code in {404, 414, 422}
        assert "'\"<script>" not in response.text


def escaped(text: str) -> str:
    """Escape a text for one segment of an address."""
    return quote(text, safe="")
