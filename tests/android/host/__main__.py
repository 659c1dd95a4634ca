"""`python -m android.host setup | test | apk | pictures | check | format`: what `make` calls."""

import sys

from android.apk.tools import StepFailed

from . import build, debian, kotlin_style, pictures


def main() -> int:
    match sys.argv[1:]:
        case ["setup"]:
            debian.provide()
        case ["test"]:
            build.test()
        case ["phone"]:
            build.phone()
        case ["apk"]:
            build.apks()
        case ["pictures"]:
            pictures.draw()
        case ["check"]:
            return 0 if kotlin_style.check(put_right=False) else 1
        case ["format"]:
            return 0 if kotlin_style.check(put_right=True) else 1
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (StepFailed, debian.NotInstalled) as failure:
        sys.exit(f"error: {failure}")
