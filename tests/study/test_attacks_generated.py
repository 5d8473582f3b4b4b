"""Requests generated from the routes (schemathesis): none is a failure of ours, whatever it holds."""

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from study.attacking import counts, evil_collection
from study.visitor import HOME, Visitor
from winoglot.study.create import create_study
from winoglot.study.settings import StudySettings
from winoglot.study.web.sessions import Limit, Limits

pytestmark = pytest.mark.slow

MANY = Limit(10**6, 10**6)
NAMES = "able agreed background-0 comment count decision expert item note page person submission task token"
OF_A_TASK = "answer again ambiguous unnatural comment seconds"
# With a valid form these end the session or the study: everything that follows would be refused at once.
ENDING = ("/delete", "/pause", "/researcher/logout", "/researcher/{state}")


def described(app: FastAPI, task: str) -> dict[str, Any]:
    """The routes as OpenAPI. FastAPI does not know the forms' fields, so they are added."""
    names = ["form_token", *NAMES.split(), *(f"{name}-{task}" for name in OF_A_TASK.split())]
    fields = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    found = app.openapi()
    for path in found["paths"].values():
        if "post" in path:
            path["post"]["requestBody"] = {"content": {"application/x-www-form-urlencoded": {"schema": fields}}}
    return found


def test_generated_requests_never_fail(tmp_path: Path) -> None:
    chosen = StudySettings(training=1, problems=4, checks=1)
    storage, token = create_study(evil_collection(), "Study", f"{tmp_path}/study.db", chosen)
    visitor = Visitor(storage, limits=Limits(MANY, MANY, MANY, MANY)).begin()
    task, of_participant = visitor.form("/answer").fields["task"], visitor.signed_form_token()
    visitor.open("/researcher/login").send("/researcher/login", token=token)
    of_researcher = visitor.form("/researcher/logout").fields["form_token"]
    schema = schemathesis.openapi.from_dict(described(visitor.app, task))
    operations = [one.ok() for one in schema.get_all_operations()]
    assert len(operations) > 20
    seen: set[int] = set()
    for operation in operations:

        @settings(max_examples=15, phases=[Phase.generate], database=None)
        @given(operation.as_strategy(), st.booleans(), st.booleans())
        def ask(case: schemathesis.Case, is_ours: bool, by_script: bool) -> None:
            if isinstance(case.body, dict) and is_ours and case.operation.path not in ENDING:
                token = of_researcher if case.path.startswith("/researcher/") else of_participant
                case.body = {**case.body, "form_token": token} | ({"task": task} if by_script else {})
            sent = case.as_transport_kwargs(base_url=HOME)
            sent.pop("cookies", None)
            headers = {**sent.pop("headers", {}), **({"Accept": "application/json"} if by_script else {})}
            reply = visitor.client.request(**sent, headers=headers, follow_redirects=False)
            seen.add(reply.status_code)
            assert reply.status_code < 500, sent
            assert "Traceback" not in reply.text
            assert "default-src 'none'" in reply.headers["content-security-policy"]
            assert reply.headers.get("location", "/").startswith("/")

        ask()
    assert {200, 303, 400, 403, 404} <= seen
    assert counts(storage)["participant"] >= 1
    assert visitor.open("/health").status == 200
    storage.engine.dispose()
