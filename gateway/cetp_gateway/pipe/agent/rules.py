"""The owner's rules about domains. Plain functions of text.

A browser finds out itself where a name leads, so a public name for a private address is not seen here; the host's own
list of domains is the place to forbid all but a few. Above: `browser`. Below: settings.
"""

from typing import Final

from cetp_gateway.builtin.web.addresses import is_public
from cetp_gateway.builtin.web.url import HostRule, host_rule
from cetp_gateway.settings.pipe import PipeSettings

_LOCAL_ENDINGS: Final = (
    ".localhost",
    ".local",
    ".internal",
    ".intranet",
    ".lan",
    ".home",
    ".corp",
    ".home.arpa",
    ".fritz.box",
)


class DomainRules:
    """Answers by the domain alone (pipe 9.1)."""

    def __init__(self, settings: PipeSettings) -> None:
        self._allowed = host_rule(settings.allowed_hosts)
        self._denied = host_rule(settings.denied_hosts)
        self._private = host_rule(settings.allow_private_hosts)

    def objection(self, domain: str) -> str:
        """Why nothing may be done on this domain, for the model and its owner; empty when it may."""
        host = host_of(domain)
        if _any(self._denied, domain, host):
            return f"{domain} is closed to the browser (pipe.denied_hosts)."
        if is_private(host) and not _any(self._private, domain, host):
            return f"{domain} is within the owner's own network, which is closed (pipe.allow_private_hosts)."
        if not _any(self._allowed, domain, host):
            return f"{domain} is not among the hosts that the browser may open (pipe.allowed_hosts)."
        return ""


def host_of(domain: str) -> str:
    """A domain without its port, IPv6 without brackets."""
    if domain.startswith("["):
        return domain[1:].partition("]")[0]
    return domain.partition(":")[0]


def is_private(host: str) -> bool:
    """Whether a host is, as far as its name says, one of the owner's network or of this machine."""
    name = host.removesuffix(".")
    if ":" in name or name.rpartition(".")[2].isdecimal():
        return not is_public(name)
    return "." not in name or name.endswith(_LOCAL_ENDINGS)


def _any(rule: HostRule, domain: str, host: str) -> bool:
    return rule(domain) or rule(host)
