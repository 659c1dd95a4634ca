"""What a person can do to a running virtual phone by typing a line, as on a real one with a finger."""

from collections.abc import Callable
from pathlib import Path

from cetp_gateway.errors import CetpError
from cetp_gateway.phone.loading import load_pack
from cetp_gateway.phone.phone import VirtualPhone


def obey(phone: VirtualPhone, line: str) -> str:
    """Do what the line says; the sentence to show for it, also when nothing could be done."""
    verb, _, object_ = line.strip().partition(" ")
    action = ACTIONS.get(verb)
    if action is None:
        return HELP
    try:
        return action(phone, object_.strip())
    except (ValueError, CetpError) as error:
        return str(error)


def _authorise(phone: VirtualPhone, package: str) -> str:
    phone.authorise(package)
    return f"{package} is authorised"


def _revoke(phone: VirtualPhone, package: str) -> str:
    phone.revoke(package)
    return f"{package} is no longer authorised"


def _install(phone: VirtualPhone, file: str) -> str:
    pack = load_pack(Path(file))
    phone.install(pack)
    return f"{pack.package} is installed"


def _update(phone: VirtualPhone, file: str) -> str:
    pack = load_pack(Path(file))
    phone.update(pack)
    return f"{pack.package} is updated to {pack.version}"


def _uninstall(phone: VirtualPhone, package: str) -> str:
    phone.uninstall(package)
    return f"{package} is gone"


def _apps(phone: VirtualPhone, _: str) -> str:
    return "; ".join(_state(phone, package) for package in phone.catalog.packages) or "no app is installed"


def _state(phone: VirtualPhone, package: str) -> str:
    provider = phone.catalog.provider(package)
    locked = provider.pack.authorisation is not None and not provider.authorised
    return f"{package} {provider.pack.version}, {len(provider.pack.tools)} tools{', not authorised' if locked else ''}"


def _quit(phone: VirtualPhone, _: str) -> str:
    phone.stop()
    return "stopping"


ACTIONS: dict[str, Callable[[VirtualPhone, str], str]] = {
    "authorise": _authorise,
    "revoke": _revoke,
    "install": _install,
    "update": _update,
    "uninstall": _uninstall,
    "apps": _apps,
    "quit": _quit,
}
"""Every command by its verb."""

HELP = "commands: authorise PACKAGE, revoke PACKAGE, install FILE, update FILE, uninstall PACKAGE, apps, quit"
