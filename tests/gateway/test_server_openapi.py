"""The description of REST: valid, complete, and true when a fuzzer holds the running gateway against it."""

import asyncio
from pathlib import Path
from typing import Any

import jsonschema
import schemathesis
import schemathesis.openapi
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import positive_data_acceptance

from cetp_gateway.api import Answered, Arguments, CallContext, Effect, Outcome, ToolSpec
from cetp_gateway.assemble import Parts
from cetp_gateway.server import TABLE
from cetp_gateway.server.rest.openapi import describe
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.entered import entered

EXAMPLES = 12
"""Requests of each kind for each route; always the same ones."""


def test_every_route_is_described_with_its_refusals() -> None:
    document = describe(TABLE)
    described = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert described == {(route.method, route.path) for route in TABLE}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], path
            needs_token = path.startswith("/api/") or path in {"/webhook", "/metrics"}
            assert ("401" in operation["responses"]) is needs_token, (method, path)
            assert ("security" in operation) is needs_token


def test_every_schema_of_the_description_is_valid() -> None:
    document = describe(TABLE)
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    names = [operation["operationId"] for methods in document["paths"].values() for operation in methods.values()]
    assert len(names) == len(set(names))


class Echo:
    """A tool that a fuzzer can reach."""

    spec = ToolSpec(
        name="echo",
        description="Says what it hears.",
        parameters={"type": "object", "properties": {"n": {"type": "integer"}}},
        effect=Effect.READS,
    )

    async def execute(self, arguments: Arguments, _: CallContext) -> Outcome:
        return Answered(str(arguments))


NOT_ALL_THAT_FITS_IS_TAKEN = {
    "/api/config": "text is described, TOML that the gateway can start with is taken",
    "/api/personas/{name}": "names may be of any script, which no portable pattern says",
    "/api/memory": "keys and names may be of any script, which no portable pattern says",
    "/api/memories/import": "as for /api/memory",
    "/api/memories/export": "times are in RFC 3339, which a format describes and no generator follows",
    "/api/cron": "times are cron expressions or words, names of devices those of known ones",
    "/api/cron/{id}": "as for /api/cron",
    "/api/tools/{name}/call": "the longest timeout is a setting",
}


def fuzz(url: str, token: str, path: str) -> int:
    """Send requests that fit the description of a path, and requests that do not; how many. Raises what is wrong."""
    schema = schemathesis.openapi.from_url(f"{url}/openapi.json").include(path=path)
    excluded = [positive_data_acceptance] if path in NOT_ALL_THAT_FITS_IS_TAKEN else []
    sent = 0

    def check(case: Any) -> None:
        nonlocal sent
        sent += 1
        case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, excluded_checks=excluded)

    for result in schema.get_all_operations():
        assert isinstance(result, Ok), result
        operation = result.ok()
        # Unknown words in a query are ignored, which the fuzzer would call a fault.
        misfits = (operation.body or operation.path_parameters) and not operation.query
        for mode in schemathesis.GenerationMode if misfits else (schemathesis.GenerationMode.POSITIVE,):
            fixed = {"name": "echo"} if path.startswith("/api/tools/{name}") else None
            strategy = operation.as_strategy(mode, path_parameters=fixed)
            BOUNDED(given(case=strategy)(check))()
    return sent


BOUNDED = hypothesis_settings(
    max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)


async def test_the_running_gateway_is_what_its_description_says(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(text="x")] * 1000)
    async with entered(tmp_path, model=model, parts=Parts(tools=[Echo()])) as gateway:
        # The route that ends the gateway has its own test.
        for path in sorted({route.path for route in TABLE} - {"/admin/shutdown"}):
            assert await asyncio.to_thread(fuzz, gateway.running.url, gateway.token, path) > 0, path
        assert (await gateway.http.get("/api/health")).json()["status"] == "ok"
