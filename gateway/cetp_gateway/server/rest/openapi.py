"""The description of the REST side (OpenAPI 3.1), made from the route table alone.

Schemas come from the very types that decode requests and encode answers.
"""

from collections.abc import Sequence
from typing import Any, get_args

import msgspec

from cetp_gateway._version import __version__
from cetp_gateway.server.requests.errors import Problem
from cetp_gateway.server.rest.routes import Access, Parameter, Route, Text

_MEANINGS = {
    200: "As asked",
    400: "The request is not usable; the answer names the place",
    401: "A token is missing or wrong",
    403: "Not allowed",
    404: "There is no such thing",
    408: "The body did not arrive in time",
    409: "Not now: something else is in the way",
    413: "The body is larger than the limit",
    422: "The arguments do not fit",
    424: "The app on the phone wants its user first",
    429: "Too often",
    500: "The gateway or the model failed",
    502: "Whoever had to answer failed",
    503: "Not available now",
    504: "No answer in time",
}
_REF = "#/components/schemas/{name}"

Json = dict[str, Any]


def describe(routes: Sequence[Route]) -> Json:
    """The whole document."""
    schemas = _Schemas(routes)
    paths: dict[str, Json] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "CETP gateway", "version": __version__, "license": {"name": "Apache-2.0"}},
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


class _Schemas:
    """The JSON Schema of every type of the table; named ones stand in the components."""

    def __init__(self, routes: Sequence[Route]) -> None:
        types = list({repr(kind): kind for route in routes for kind in _types(route)}.values())
        schemas, self.components = msgspec.json.schema_components(types, ref_template=_REF)
        self._by_type = {repr(kind): schema for kind, schema in zip(types, schemas, strict=True)}

    def of(self, kind: Any) -> Json:
        return self._by_type[repr(kind)]


def _types(route: Route) -> list[Any]:
    answers = [kind for kinds in route.responses.values() for kind in _alternatives(kinds)]
    kinds = [route.request, *answers, *(parameter.type for parameter in route.parameters), Problem]
    return [kind for kind in kinds if kind not in (None, Text)]


def _alternatives(kinds: Any) -> tuple[Any, ...]:
    return kinds if isinstance(kinds, tuple) else (kinds,)


def _operation(route: Route, schemas: _Schemas) -> Json:
    operation: Json = {
        "summary": route.summary,
        "operationId": _operation_id(route),
        "responses": {str(status): body for status, body in sorted(_responses(route, schemas).items())},
    }
    if route.parameters:
        operation["parameters"] = [_parameter(parameter, schemas) for parameter in route.parameters]
    if route.request is not None:
        content_type = "text/plain" if route.request is str else "application/json"
        operation["requestBody"] = {
            "required": _needs_body(route.request),
            "content": {content_type: {"schema": schemas.of(route.request)}},
        }
    if route.access is Access.TOKEN:
        operation["security"] = [{"token": []}]
    return operation


def _operation_id(route: Route) -> str:
    words = [word.strip("{}") for word in route.path.replace(".", "/").split("/") if word]
    return "_".join([route.method.lower(), *words])


def _responses(route: Route, schemas: _Schemas) -> dict[int, Json]:
    kinds: dict[int, tuple[Any, ...]] = {}
    for status in {*route.refusals, *_implied(route)}:
        kinds[status] = (Problem,)
    for status, own in route.responses.items():
        kinds[status] = (*kinds.get(status, ()), *_alternatives(own))
    return {status: _response(status, kind, schemas) for status, kind in kinds.items()}


def _implied(route: Route) -> set[int]:
    """Every route can meet a Host or Origin that may not call (403) or a repeated header (400)."""
    statuses = {400, 403}
    if route.access is Access.TOKEN:
        statuses.add(401)
    if route.request is not None:
        statuses |= {408, 413}
    return statuses


def _response(status: int, kind: Any, schemas: _Schemas) -> Json:
    if Text in _alternatives(kind):
        return {"description": _MEANINGS[status], "content": {"text/plain": {"schema": {"type": "string"}}}}
    either = [schemas.of(one) for one in _alternatives(kind)]
    schema = either[0] if len(either) == 1 else {"anyOf": either}
    return {"description": _MEANINGS[status], "content": {"application/json": {"schema": schema}}}


def _parameter(parameter: Parameter, schemas: _Schemas) -> Json:
    described: Json = {
        "name": parameter.name,
        "in": parameter.where,
        "required": parameter.required or parameter.where == "path",
        "schema": schemas.of(parameter.type),
    }
    return described | ({"description": parameter.description} if parameter.description else {})


def _needs_body(kind: Any) -> bool:
    """A body may be left out when all its fields may."""
    if kind is str or get_args(kind) or not isinstance(kind, type) or not issubclass(kind, msgspec.Struct):
        return True
    return any(field.required for field in msgspec.structs.fields(kind))
