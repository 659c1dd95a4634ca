"""Links between the project's own texts lead somewhere."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from cetp_spec import data

CHECKOUT = data.root().parent
LINK = re.compile(r"""\]\(([^)#\s]+)(?:#[^)]*)?\)|src="([^"]+)\"""")


def texts() -> Iterator[Path]:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    yield from (CHECKOUT / name for name in listed.stdout.splitlines())


def test_every_relative_link_leads_to_a_file_or_folder() -> None:
    broken = [
        f"{text.relative_to(CHECKOUT)}: {target}"
        for text in texts()
        for target in (found[1] or found[2] for found in LINK.finditer(text.read_text("utf-8")))
        if "://" not in target and not (text.parent / target).exists()
    ]
    assert broken == []
