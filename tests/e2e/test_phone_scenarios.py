"""One set of scenarios for every kind of phone: the virtual one, the real apps on Android's framework, an attached one.

Each test gets new, empty phones and a gateway of its own, and sees only what an owner and an asker see.
"""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from cetp_gateway.testing import ScriptedStep
from support.phone_android import AndroidPhones, android_phones
from support.phone_gateway import house
from support.phone_kind import PhoneKind
from support.phone_packs import NOTES
from support.phone_virtual import VIRTUAL
from support.whole import Frame, call_step

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(240)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def android() -> AsyncIterator[AndroidPhones]:
    async with android_phones() as phones:
        yield phones


@pytest.fixture(params=["virtual", "android"])
def kind(request: pytest.FixtureRequest, android: AndroidPhones) -> PhoneKind:
    chosen = {"virtual": VIRTUAL, "android": android.kind()}[request.param]
    if chosen.missing:
        pytest.skip(chosen.missing)
    return chosen


async def test_a_question_is_answered_from_the_notes_on_a_phone(tmp_path: Path, kind: PhoneKind) -> None:
    steps = [call_step("notes__search_notes", words="books"), ScriptedStep(text="On Friday.")]
    async with kind.phones(1) as (phone,), house(tmp_path, *steps, *steps) as home:
        await phone.install_notes()
        await phone.pair(await home.link())
        await phone.until_connected()
        await home.until_tools(lambda tools: "notes__search_notes" in tools)

        refused = await home.ask("When are my books due?")
        assert "AUTH_REQUIRED" in str(result(refused))
        await phone.authorise(NOTES)
        answered = await home.ask("When are my books due?")
        (found,) = json.loads(result(answered)["output"])["notes"]
        assert found["title"] == "Library books"
        assert answered[-1]["full_response"] == "On Friday."


def result(frames: list[Frame]) -> Frame:
    """What the called tool gave."""
    return next(frame for frame in frames if frame["type"] == "tool_result")
