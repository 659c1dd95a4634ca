"""A JMESPath query (jmespath.org) over a JSON text, or over its lines when each is JSON."""

import json
import sys
from typing import Any


def main() -> None:
    """Read `{"text", "query"}`, write the result as JSON."""
    import jmespath  # noqa: PLC0415
    from jmespath.exceptions import JMESPathError  # noqa: PLC0415

    asked = json.load(sys.stdin)
    data = _read(asked["text"])
    try:
        found = jmespath.search(asked["query"], data)
    except JMESPathError as error:
        _refuse(f"query: {error}")
    sys.stdout.write(json.dumps(found, ensure_ascii=False, separators=(",", ":")))


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            return [json.loads(line) for line in lines] if len(lines) > 1 else _refuse(f"The text is no JSON: {error}.")
        except ValueError:
            return _refuse(f"The text is no JSON: {error}.")


def _refuse(reason: str) -> None:
    sys.stderr.write(reason[:1000])
    sys.exit(3)


if __name__ == "__main__":
    main()
