"""Whether a host is this very machine, by the word alone: nothing is looked up. Below every room."""

import ipaddress


def is_loopback(host: str) -> bool:
    """`localhost`, or an address of the loopback interface, also in IPv6's way of writing IPv4; without brackets."""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback
