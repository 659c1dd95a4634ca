"""The models: can they be reached with this key? Asks for the list of models, which costs nothing, and only where there
is no such list for one word.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec

from cetp_gateway.api import ModelProvider, ModelRequest, UserMessage
from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.finding import Finding, broken, ok, skipped, warning
from cetp_gateway.errors import ModelFailed, ModelFailure, SettingsError
from cetp_gateway.models import chain_of, create_model
from cetp_gateway.settings import ModelSettings

ABOUT: Final = "model"
_WAIT_S: Final = 8.0
_FIXES: Final = {
    ModelFailure.AUTH: "Set a key that is good there: CETP_MODEL_API_KEY, model.api_key_file, or the vendor's own.",
    ModelFailure.RATE_LIMITED: "Wait, or raise the limits at the vendor; model.fallbacks names others to ask.",
    ModelFailure.UNREACHABLE: "Is the network up, and the server started? Look at model.base_url and at a proxy.",
}


async def check_models(case: Case) -> Sequence[Finding]:
    if case.trouble:
        return [skipped(ABOUT, "The settings have to be mended first.")]
    try:
        chain = chain_of(case.settings.model)
    except SettingsError as error:
        return [broken(ABOUT, error.message, "Mend model.fallbacks.")]
    found = await asyncio.gather(*(_check(settings, offline=case.offline) for settings in chain))
    # One model that answers is enough; what is behind it in the chain is for bad days.
    return [found[0], *(_as_fallback(finding) for finding in found[1:])]


async def _check(settings: ModelSettings, *, offline: bool) -> Finding:
    short = msgspec.structs.replace(settings, retries=0, fallbacks=(), max_output_tokens=16, timeout_s=_WAIT_S)
    try:
        model = create_model(short)
    except SettingsError as error:
        return broken(ABOUT, error.message, "Mend the section [model].")
    try:
        if getattr(model, "provider", "") == "offline":
            return ok(ABOUT, "None: the planner that needs no LLM answers. A key or model.base_url chooses a real one.")
        if offline:
            return skipped(ABOUT, f"{model.provider} {model.model} was not asked (--offline).")
        return await _ask(model)
    finally:
        await model.aclose()


async def _ask(model: ModelProvider) -> Finding:
    who = f"{model.provider} {model.model}".strip()
    try:
        async with asyncio.timeout(_WAIT_S):
            return await _listed(model, who)
    except TimeoutError:
        return broken(ABOUT, f"{who} did not answer within {_WAIT_S:g} s.", _FIXES[ModelFailure.UNREACHABLE])
    except ModelFailed as failed:
        return broken(ABOUT, f"{who}: {failed.message}", _FIXES.get(failed.kind, "See model.name and model.base_url."))


async def _listed(model: ModelProvider, who: str) -> Finding:
    try:
        names = await model.models()
    except ModelFailed as failed:
        if failed.kind is not ModelFailure.REFUSED_REQUEST:
            raise
        await model.complete(ModelRequest(system="", messages=(UserMessage("Say yes."),)))
        return ok(ABOUT, f"{who} answers.")
    if names and model.model and not any(model.model in name for name in names):
        near = ", ".join(sorted(names)[:5])
        return warning(ABOUT, f"{who} is not in its server's list of models, with {near}, …", "Look at model.name.")
    return ok(ABOUT, f"{who} can be reached with this key.")


def _as_fallback(finding: Finding) -> Finding:
    state = finding.state.WARNING if finding.state is finding.state.BROKEN else finding.state
    return msgspec.structs.replace(finding, about="fallback", state=state)
