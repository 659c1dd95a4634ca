"""`/api/provider/models`: the models that can be chosen, in OpenAI's form."""

import asyncio
from typing import Literal

import msgspec

from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.rest.routes import Asked, Route

TIMEOUT_S = 12.0
"""Existing clients wait 15 s for this answer."""


class ModelEntry(msgspec.Struct, frozen=True):
    """One model."""

    id: str
    owned_by: str
    object: Literal["model"] = "model"


class ModelList(msgspec.Struct, frozen=True):
    """The models of the configured provider."""

    data: list[ModelEntry]
    object: Literal["list"] = "list"


async def show(asked: Asked[None]) -> ModelList:
    model = asked.service.runtime.model
    try:
        async with asyncio.timeout(TIMEOUT_S):
            names = await model.models()
    except TimeoutError:
        raise HttpError(504, f"{model.provider} did not list its models within {TIMEOUT_S:g} s.") from None
    return ModelList([ModelEntry(name, model.provider) for name in names])


ROUTES = (
    Route(
        method="GET",
        path="/api/provider/models",
        summary="The models of the configured provider",
        handler=show,
        responses={200: ModelList},
        refusals=(502, 504),
    ),
)
