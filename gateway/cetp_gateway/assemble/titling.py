"""A session's title, asked of the model."""

from cetp_gateway.api import ModelProvider, ModelRequest, UserMessage
from cetp_gateway.sessions import NameTitle

_TITLE_PROMPT = (
    "Give the conversation a title of at most six words, in the language of its first message. "
    "Answer with the title alone."
)


def title_namer(model: ModelProvider) -> NameTitle:
    async def name_title(question: str, answer: str) -> str:
        said = UserMessage(f"{question}\n\n---\n\n{answer[:2000]}")
        return (await model.complete(ModelRequest(system=_TITLE_PROMPT, messages=(said,)))).text

    return name_title
