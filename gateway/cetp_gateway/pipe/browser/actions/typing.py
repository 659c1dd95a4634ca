"""type: text into a field, whole as from an input method, so that any script and any length works."""

from typing import Annotated

from msgspec import Meta
from playwright.async_api import Error

from cetp_gateway.pipe.browser.execution import Execution, Result
from cetp_gateway.pipe.browser.failures import CommandFailed, is_replaced, replaced_meanwhile
from cetp_gateway.pipe.browser.locating import Place, at_element
from cetp_gateway.pipe.browser.params import Located
from cetp_spec.pipe import PipeCode

# The caret to the end of rich text; fields proper are given their whole value instead.
_RICH = "element => element.isContentEditable"
# Fields for days and times stay empty when given anything but their own form.
_TAKEN = """(element, text) => !text || element.value === text
  || !['date', 'time', 'datetime-local', 'month', 'week', 'color'].includes(element.type)"""
_TO_END = """element => {
  element.focus();
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  range.collapse(false);
  const selection = element.ownerDocument.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}"""


class Type(Located, frozen=True, kw_only=True):
    """Of type."""

    text: Annotated[str, Meta(max_length=100_000)]
    clear: bool = True
    submit: bool = False


async def type_text(execution: Execution, params: Type) -> Result:
    """Fill in or add to the field, then press Enter when told to."""

    async def act(place: Place) -> None:
        if params.clear:
            await _fill(execution, place, params.text)
        else:
            await _append(execution, place, params.text)
        if params.submit:
            await _submit(execution, place)

    await at_element(execution, params, act)
    return {}


async def _fill(execution: Execution, place: Place, text: str) -> None:
    await place.element.fill(text, timeout=execution.deadline.left_ms)
    if not await place.element.evaluate(_TAKEN, text):
        sentence = "The field takes another form of text, such as 2026-12-31 or 14:30."
        raise CommandFailed(PipeCode.CMD_NOT_A_FIELD, sentence)


async def _append(execution: Execution, place: Place, text: str) -> None:
    if await place.element.evaluate(_RICH):
        await place.element.evaluate(_TO_END)
        await execution.tab.page.keyboard.insert_text(text)
        return
    before = await _value(execution, place)
    await _fill(execution, place, before + text)


async def _value(execution: Execution, place: Place) -> str:
    try:
        return await place.element.input_value(timeout=execution.deadline.left_ms)
    except Error as error:
        if "Node is not an" in error.message:
            raise CommandFailed(PipeCode.CMD_NOT_A_FIELD, "The element takes no text.") from error
        raise


async def _submit(execution: Execution, place: Place) -> None:
    try:
        await place.element.press("Enter", no_wait_after=True, timeout=execution.deadline.left_ms)
    except Error as error:
        if is_replaced(error):
            # Not to be done again: the text has been typed.
            raise replaced_meanwhile() from error
        raise
