"""Where the specification's data lies: beside this package in a checkout, inside it once it is installed.

Knows files and folders only; what they mean is the work of `schemas`, `vectors` and `requirements`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent


@cache
def root() -> Path:
    """The folder that holds `contract.json`, `schemas/` and `vectors/`.

    Raises:
        FileNotFoundError: neither place has them; the package was copied without its data.
    """
    places = (_PACKAGE / "data", _PACKAGE.parent)
    for place in places:
        if (place / "contract.json").is_file():
            return place
    raise FileNotFoundError(f"contract.json is in neither {places[0]} nor {places[1]}: reinstall cetp-toolkit")


def schemas_folder() -> Path:
    """The folder of `NAME.schema.json` files."""
    return root() / "schemas"


def vectors_folder() -> Path:
    """The folder of vector files; whole conversations lie in its `conversations/`."""
    return root() / "vectors"


def read_json(path: Path) -> Any:
    """The JSON in a file of ours (UTF-8)."""
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def contract() -> dict[str, Any]:
    """Every fixed name of CETP v1, as `contract.json` has it. Read only: all callers share it."""
    content: dict[str, Any] = read_json(root() / "contract.json")
    return content
