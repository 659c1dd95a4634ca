"""`make demo-android`, but for what it compiles: a person sees a question answered by the real apps."""

import os
import subprocess
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


def test_the_demo_shows_a_question_that_is_refused_authorised_and_answered(tmp_path: Path) -> None:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("CETP_", "ANTHROPIC_", "OPENAI_"))}
    ended = subprocess.run(
        [sys.executable, "-m", "support.phone_demo"],
        cwd=TESTS,
        env=kept | {"TMPDIR": str(tmp_path), "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    shown = ended.stdout
    assert ended.returncode == 0, shown + ended.stderr
    assert "AUTH_REQUIRED" in shown
    assert "asks to read your notes" in shown
    assert "due back on Friday" in shown
    assert not list(tmp_path.glob("cetp-demo-*"))
