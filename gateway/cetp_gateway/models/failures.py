"""What went wrong on the vendor's side, as ModelFailed with a sentence for the user: what, why, what to do next.

The vendor's own words may be quoted, shortened and without anything that looks like a key.
"""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.models.redaction import quotable
from cetp_gateway.models.vendor_error import OUT_OF_CREDIT, STATUS_OF_TYPE, VendorError, retry_after
from cetp_gateway.models.vendors import Vendor

KIND_OF_STATUS: Final[Mapping[int, ModelFailure]] = {
    401: ModelFailure.AUTH,
    403: ModelFailure.AUTH,
    408: ModelFailure.UNREACHABLE,
    429: ModelFailure.RATE_LIMITED,
}
"""Other statuses: from 500 on the vendor is overloaded, below it has refused the request."""
CONTEXT_WORDS: Final = (
    "context length",
    "context_length",
    "context window",
    "too long",
    "too large",
    "too many tokens",
)
NO_TOOLS_WORDS: Final = (
    "does not support tools",
    "does not support function calling",
    "does not support tool calling",
    "not support tool use",
    "support tool use",
    "tools is not supported",
    "tools are not supported",
    "tool calling is not supported",
    "tool choice requires",
    "tool_choice is not supported",
    "function calling is not enabled",
)
"""How vendors and servers say that a model takes no tools."""


class ToolsRefused(ModelFailed):
    """The model takes no tools; without them it would answer."""


class Failures:
    """Makes the failures of one model.

    Args:
        key: never shown, wherever the vendor repeats it.
    """

    def __init__(self, vendor: Vendor, *, base_url: str, model: str, key: str) -> None:
        self._vendor = vendor
        self._title = vendor.title
        self._address = _shown_address(base_url)
        self.model = model
        self._key = key

    def status(self, status: int, error: VendorError, headers: Mapping[str, str]) -> ModelFailed:
        """An answer that was not 2xx."""
        return self._failed(status, error, f"status {status}", retry_after(headers))

    def in_stream(self, error: VendorError) -> ModelFailed:
        """An error that came inside an answer of status 200."""
        status = error.status or STATUS_OF_TYPE.get(error.type, 500)
        return self._failed(status, error, "said within its answer", None)

    def _failed(self, status: int, error: VendorError, where: str, wait: float | None) -> ModelFailed:
        kind = _kind(status, error)
        text = (
            f"{self._title} {self._what(kind)} ({where}).{self._quote(error)} {self._next(kind, status, error, wait)}"
        )
        said = error.message.lower().replace("`", "")
        if kind is ModelFailure.REFUSED_REQUEST and any(words in said for words in NO_TOOLS_WORDS):
            return ToolsRefused(kind, text)
        return ModelFailed(kind, text, retry_after_s=wait)

    def unreachable(self, detail: str = "") -> ModelFailed:
        """No connection came about. `detail` is ours, not a library's."""
        hint = self._vendor.start_hint or "Check the network, and model.base_url if you have set it."
        return ModelFailed(
            ModelFailure.UNREACHABLE, f"{self._title} does not answer at {self._address}{detail}. {hint}"
        )

    def silent(self, seconds: float) -> ModelFailed:
        """Nothing came for too long."""
        return ModelFailed(
            ModelFailure.UNREACHABLE,
            f"{self._title} has said nothing for {seconds:g} s. Try again, or raise model.timeout_s.",
        )

    def broken(self, detail: str) -> ModelFailed:
        """The answer ended early or is no answer. `detail` ends the sentence `Its answer …`."""
        return ModelFailed(
            ModelFailure.BROKEN_ANSWER, f"{self._title}: the answer {detail}. Nothing of it was kept. Ask again."
        )

    def setup(self, sentence: str) -> ModelFailed:
        return ModelFailed(ModelFailure.SETUP, sentence)

    def no_key(self) -> ModelFailed:
        """A key is needed and there is none."""
        return ModelFailed(ModelFailure.AUTH, f"{self._title} needs an API key and none is set. {self._set_key()}")

    def _what(self, kind: ModelFailure) -> str:
        words = {
            ModelFailure.AUTH: "did not accept the API key" if self._key else "wants an API key and none is set",
            ModelFailure.RATE_LIMITED: "takes no more requests for the moment",
            ModelFailure.OVERLOADED: "is overloaded or out of order",
            ModelFailure.UNREACHABLE: "gave up waiting for the request",
        }
        return words.get(kind, "refused the request")

    def _quote(self, error: VendorError) -> str:
        text = quotable(error.message, [self._key])
        return f" It says: {text}{'' if text.endswith(('.', '!', '?', '…')) else '.'}" if text else ""

    def _next(self, kind: ModelFailure, status: int, error: VendorError, wait: float | None) -> str:
        """What the user can do."""
        if kind is ModelFailure.AUTH:
            return self._set_key()
        if kind is ModelFailure.REFUSED_REQUEST:
            return self._mending(status, error)
        return f"Try again in {max(round(wait), 1)} s." if wait is not None else "Try again in a moment."

    def _mending(self, status: int, error: VendorError) -> str:
        """How the request could be made acceptable."""
        if error.type in OUT_OF_CREDIT or status == 402:
            return f"Its account has no credit left: see to that at {self._title}."
        if status == 413 or any(words in error.message.lower() for words in CONTEXT_WORDS):
            return "Start a new session, or lower agent.max_history or model.max_tools."
        if status == 404:
            return self._not_found()
        if 300 <= status < 400:
            return f"It points elsewhere: check model.base_url ({self._address})."
        return f"Asking the same again will not help; check model.name ({self.model or 'not set'}) and the tools."

    def _not_found(self) -> str:
        if self._vendor.name == "ollama":
            return f"Fetch the model with `ollama pull {self.model}`, or set model.name to one you have."
        return f"Check model.name ({self.model or 'not set'}) and model.base_url ({self._address})."

    def _set_key(self) -> str:
        names = " or ".join([*self._vendor.key_variables, "CETP_MODEL_API_KEY"])
        return f"Set {names} to a valid key and restart."


def _kind(status: int, error: VendorError) -> ModelFailure:
    if error.type in OUT_OF_CREDIT:
        return ModelFailure.REFUSED_REQUEST
    if status == 400 and "api key not valid" in error.message.lower():
        return ModelFailure.AUTH  # Gemini's way of saying 401.
    if status >= 500:
        return ModelFailure.OVERLOADED
    return KIND_OF_STATUS.get(status, ModelFailure.REFUSED_REQUEST)


def _shown_address(base_url: str) -> str:
    """The address without user, password and query."""
    try:
        parts = urlsplit(base_url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "its address"
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"
