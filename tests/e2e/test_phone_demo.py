"""`make demo-android`, but for what it compiles: a person sees a question answered by the real apps."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from support import android_phone

TESTS = Path(__file__).parents[1]
WITHIN_S = 200

pytestmark = [
    pytest.mark.skipif(not android_phone.READY, reason="the phone has not been built: make android"),
    pytest.mark.timeout(WITHIN_S + 40),
]


async def test_the_demo_shows_a_question_that_is_refused_authorised_and_answered(tmp_path: Path) -> None:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("CETP_", "ANTHROPIC_", "OPENAI_"))}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "support.phone_demo"),
        cwd=TESTS,
        env=kept | {"TMPDIR": str(tmp_path), "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        shown = (await asyncio.wait_for(process.communicate(), WITHIN_S))[0].decode()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, shown
    assert "AUTH_REQUIRED" in shown
    assert "asks to read your notes" in shown
    assert "due back on Friday" in shown
    assert not list(tmp_path.glob("cetp-demo-*"))
