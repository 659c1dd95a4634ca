"""`python -m android.apk link MODULE FLAVOUR FRAMEWORK.jar TABLES OUT`: what Maven calls before it compiles."""

import sys
from pathlib import Path

from . import module, resources
from .tools import StepFailed


def main() -> int:
    match sys.argv[1:]:
        case ["link", name, flavour, framework, tables, out]:
            resources.link(module.read(name), flavour, Path(framework), Path(tables), Path(out))
            return 0
        case _:
            print(__doc__, file=sys.stderr)
            return 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except StepFailed as failure:
        sys.exit(f"error: {failure}")
