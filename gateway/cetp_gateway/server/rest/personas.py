"""`/api/personas`: named additions to the system prompt, chosen when a session is opened."""

from typing import Annotated

import msgspec
from msgspec import Meta

from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.rest.routes import Asked, Parameter, Route
from cetp_gateway.sessions import Persona, Personas

Globs = Annotated[tuple[Annotated[str, Meta(min_length=1, max_length=200)], ...], Meta(max_length=200)]
"""Of public names, as in tools.allowed and tools.denied."""


class PersonaList(msgspec.Struct, frozen=True):
    """All personas, by name."""

    personas: list[Persona]


class PersonaText(msgspec.Struct, frozen=True):
    """What a persona adds to the system prompt."""

    prompt: Annotated[str, Meta(min_length=1)]
    description: Annotated[str, Meta(max_length=500)] = ""
    allowed: Globs = ("*",)
    """Of what the gateway offers, its sessions see these tools alone."""
    denied: Globs = ()
    """Tools that its sessions never see."""


class PersonaDeleted(msgspec.Struct, frozen=True):
    """A persona is gone; sessions that chose it go on without it."""

    deleted: bool
    name: str


async def show_all(asked: Asked[None]) -> PersonaList:
    return PersonaList(await asked.service.runtime.personas.list())


async def show(asked: Asked[None]) -> Persona:
    name = asked.parameters["name"]
    persona = await asked.service.runtime.personas.get(name)
    if persona is None:
        raise _unknown(name)
    return persona


async def write(asked: Asked[PersonaText]) -> Persona:
    name = asked.parameters["name"]
    if not Personas.is_name(name):
        raise HttpError(400, "name: take 1 to 64 letters, digits, blanks and _.+-")
    persona = Persona(name=name, **msgspec.structs.asdict(asked.body))
    await asked.service.runtime.personas.put(persona)
    return persona


async def delete(asked: Asked[None]) -> PersonaDeleted:
    name = asked.parameters["name"]
    personas = asked.service.runtime.personas
    if not await personas.delete(name):
        if await personas.get(name) is not None:
            raise HttpError(409, f"The persona {name} is a file in the data folder's personas; remove it there.")
        raise _unknown(name)
    return PersonaDeleted(deleted=True, name=name)


def _unknown(name: str) -> HttpError:
    return HttpError(404, f"There is no persona {name}.")


_NAME = Parameter(name="name", where="path", type=Annotated[str, Meta(min_length=1, max_length=64)])

ROUTES = (
    Route(
        method="GET",
        path="/api/personas",
        summary="All personas",
        handler=show_all,
        responses={200: PersonaList},
        refusals=(503,),
    ),
    Route(
        method="GET",
        path="/api/personas/{name}",
        summary="One persona",
        handler=show,
        parameters=(_NAME,),
        responses={200: Persona},
        refusals=(404, 503),
    ),
    Route(
        method="PUT",
        path="/api/personas/{name}",
        summary="Create a persona or replace it",
        handler=write,
        parameters=(_NAME,),
        request=PersonaText,
        responses={200: Persona},
        refusals=(503,),
    ),
    Route(
        method="DELETE",
        path="/api/personas/{name}",
        summary="Remove a persona",
        handler=delete,
        parameters=(_NAME,),
        responses={200: PersonaDeleted},
        refusals=(404, 409, 503),
    ),
)
