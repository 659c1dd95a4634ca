"""The programs that the host build needs, and the Debian packages that bring them."""

import os
import shutil
import subprocess

PACKAGES = {
    "javac": "openjdk-17-jdk-headless",
    "mvn": "maven",
    "aapt2": "aapt",
    "apksigner": "apksigner",
    "zipalign": "zipalign",
    "dexdump": "dexdump",
}
_PATIENCE = 900


class NotInstalled(Exception):
    """Programs are missing and cannot be installed from here; the text says what to do."""


def provide() -> None:
    """Install what is missing; quick when nothing is.

    Raises:
        NotInstalled: this user or this system cannot install it.
    """
    missing = [program for program in PACKAGES if shutil.which(program) is None]
    if not missing:
        return
    packages = sorted({PACKAGES[program] for program in missing})
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise NotInstalled(
            f"the Android build needs {', '.join(missing)}; "
            f"on Debian or Ubuntu: sudo apt-get install {' '.join(packages)}; "
            "elsewhere: a JDK of 17 or newer, Maven 3.8 or newer, and the build tools of the Android SDK on the PATH"
        )
    _install(packages)


def _install(packages: list[str]) -> None:
    print("Installing", *packages, flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *packages]):
        done = subprocess.run(
            ["apt-get", *command],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
        if done.returncode != 0:
            raise NotInstalled(f"apt-get {command[0]} failed:\n{done.stdout[-2000:]}")
