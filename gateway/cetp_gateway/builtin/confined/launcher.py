"""The program that stands between the gateway and what it runs: it confines itself, then becomes the other program.

Run by path as a process of its own, `python -I launcher.py PLAN`, so that nothing has to happen between fork and exec
in the gateway, which has threads. It imports nothing of ours. PLAN is JSON; see `world.Plan`. Stays behind as the
parent: when the program has ended, or the gateway has asked with SIGTERM or is gone, nothing is left that it started.
"""

import ctypes
import json
import os
import resource
import signal
import struct
import sys
from contextlib import suppress
from types import FrameType
from typing import Any

NO_EXEC = 126
"""Exit code: the program could not be started."""
NOT_CONFINED = 125
"""Exit code: what the plan asks for could not be had; nothing was run."""

_CLONE_NEWUSER, _CLONE_NEWNET, _CLONE_NEWPID = 0x10000000, 0x40000000, 0x20000000
_SET_DEATH_SIGNAL, _DROP_CAPABILITY, _SET_SUBREAPER, _NO_NEW_PRIVILEGES = 1, 24, 36, 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH = 1
_IS_LINUX = sys.platform == "linux"
_libc = ctypes.CDLL(None, use_errno=True)


def main() -> int:
    """Do what the plan says; the exit code is the program's, or 128 and the number of the signal that ended it."""
    plan = json.loads(sys.argv[1])
    parent = os.getppid()
    if _IS_LINUX:
        _libc.prctl(_SET_DEATH_SIGNAL, signal.SIGTERM)
        _libc.prctl(_SET_SUBREAPER, 1)
        if os.getppid() != parent:
            return NOT_CONFINED
    signal.signal(signal.SIGTERM, _stop)
    if plan["namespaces"]:
        _unshare(network=plan["network"])
    # Behind it: a limit of processes holds for a namespace when it is set within it.
    _set_limits(plan["limits"])
    child = os.fork()
    if child == 0:
        _be_first(plan)
    code = _wait_for(child)
    _sweep()
    return code


def _stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    _sweep()
    os._exit(128 + number)


def _set_limits(limits: dict[str, int]) -> None:
    for name, wanted in limits.items():
        kind = getattr(resource, name)
        _, most = resource.getrlimit(kind)
        value = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        # macOS refuses some that Linux knows.
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (value, value))


def _unshare(*, network: bool) -> None:
    """Own processes, own network without any device, own users, of whom there is one."""
    uid, gid = os.getuid(), os.getgid()
    _check(_libc.unshare(_CLONE_NEWUSER | _CLONE_NEWPID | (0 if network else _CLONE_NEWNET)))
    for file, line in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{file}", "w") as out:  # noqa: PTH123
            out.write(line)


def _be_first(plan: dict[str, Any]) -> None:
    """The first process of its world: when it ends, the kernel ends the others. Never returns."""
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if _IS_LINUX:
            _libc.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
        if plan["namespaces"]:
            program = os.fork()
            if program:
                os._exit(_wait_for(program))
        _be_the_program(plan)
    except BaseException as error:  # noqa: BLE001  (a child must not go on as its parent)
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
        os._exit(NOT_CONFINED)


def _be_the_program(plan: dict[str, Any]) -> None:
    os.chdir(plan["folder"])
    os.umask(0o077)
    if _IS_LINUX:
        _drop_rights()
    if plan["landlock"] is not None:
        _restrict(plan["landlock"]["handled"], plan["landlock"]["rules"])
    if plan["script"]:
        _be_the_script(plan["script"], plan["arguments"])
    try:
        os.execve(plan["program"], plan["arguments"], plan["environment"])  # noqa: S606
    except OSError as error:
        os.write(2, f"{plan['program']}: {error.strerror}\n".encode())
        os._exit(NO_EXEC)


def _be_the_script(path: str, arguments: list[str]) -> None:
    """A script of ours needs no second interpreter."""
    import runpy  # noqa: PLC0415

    sys.argv = [path, *arguments]
    code = 0
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException as error:  # noqa: BLE001
        os.write(2, f"{type(error).__name__}: {error}"[:2000].encode("utf-8", "replace"))
        code = 1
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _drop_rights() -> None:
    _check(_libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    for capability in range(64):
        _libc.prctl(_DROP_CAPABILITY, capability, 0, 0, 0)


def _restrict(handled: list[int], rules: list[tuple[str, int]]) -> None:
    attributes = struct.pack(f"={len(handled)}Q", *handled)
    ruleset = _check(_libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0))
    for path, rights in rules:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("=Qi", rights, beneath)
        _check(_libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0))
        os.close(beneath)
    _check(_libc.syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _wait_for(child: int) -> int:
    """Reap whatever ends until the child does."""
    while True:
        pid, status = os.wait()
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def _sweep() -> None:
    """End what is left: whatever was started ends up as a child of its subreaper. Systems without that lose those that
    have left their group.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    me = os.getpid()
    while True:
        try:
            with open(f"/proc/{me}/task/{me}/children") as file:  # noqa: PTH123
                children = [int(pid) for pid in file.read().split()]
        except OSError:
            os.killpg(0, signal.SIGTERM)
            return
        if not children:
            return
        for pid in children:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.wait()


def _check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


if __name__ == "__main__":
    # Without the interpreter's own end: nothing is open that would need it.
    os._exit(main())
