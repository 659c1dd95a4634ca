"""A question of an agent is seen and answered on the command line."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

from support.served import served
from support.wire_client import wire


async def test_the_command_line_shows_a_question_and_answers_or_declines_it(tmp_path: Path) -> None:
    asked = '{"question": "Which colour?", "choices": ["blue", "green"]}'
    async with served(tmp_path, CETP_SERVER_REQUIRE_PAIRING="false") as gateway:
        at = SimpleNamespace(port=int(gateway.url.rpartition(":")[2]))
        assert (await gateway.cetp("questions")).out == "The agent asks nothing.\n"
        async with wire(at, "?session_id=s") as screen:  # type: ignore[arg-type]
            await screen.introduce("cetp.questions")
            for words, says in ((("answer", "2"), "The person answered: green"), (("decline",), "does not want")):
                calling = asyncio.create_task(gateway.cetp("call", "ask_user", asked))
                request = (await screen.until("ask_user_request"))[-1]
                listed = await gateway.cetp("questions")
                assert request["request_id"] in listed.out
                assert "2. green" in listed.out
                done = await gateway.cetp("questions", words[0], request["request_id"][:6], *words[1:])
                assert done.code == 0, done.err
                assert says in (await calling).out
        late = await gateway.cetp("questions", "answer", request["request_id"], "blue")
        assert late.code == 1
        assert "No question that waits" in late.err
