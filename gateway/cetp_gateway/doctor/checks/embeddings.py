"""Embeddings: asked for one word when the settings want them."""

import asyncio
from collections.abc import Sequence
from typing import Final

from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.finding import Finding, broken, ok, skipped, warning
from cetp_gateway.errors import ModelFailed, SettingsError
from cetp_gateway.memory.embeddings import Embedder, create_embedder

ABOUT: Final = "embeddings"
_WAIT_S: Final = 10.0
_FIX: Final = "See memory.embedding_base_url, embedding_model and embedding_api_key; until then words alone count."


async def check_embeddings(case: Case) -> Sequence[Finding]:
    try:
        embedder = create_embedder(case.settings.memory)
    except SettingsError as error:
        return [broken(ABOUT, error.message, _FIX)]
    if embedder is None:
        return [skipped(ABOUT, "The memory is searched by words (memory.embedding_provider).")]
    try:
        if case.offline and embedder.provider != "local":
            return [skipped(ABOUT, f"{embedder.provider} {embedder.model} was not asked (--offline).")]
        return [await _ask(embedder)]
    finally:
        await embedder.aclose()


async def _ask(embedder: Embedder) -> Finding:
    who = f"{embedder.provider} {embedder.model}"
    try:
        async with asyncio.timeout(_WAIT_S):
            vectors = await embedder.embed(["yes"])
    except TimeoutError:
        return warning(ABOUT, f"{who} did not answer within {_WAIT_S:g} s.", _FIX)
    except ModelFailed as failed:
        return warning(ABOUT, f"{who}: {failed.message}", _FIX)
    return ok(ABOUT, f"{who} answers with {len(vectors[0])} dimensions.")
