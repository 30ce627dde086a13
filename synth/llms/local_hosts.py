"""Where a host is, by its name alone: on this machine, in its network, or elsewhere."""

from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit


def is_this_machine(host: str) -> bool:
    """Return whether a host is the machine that asks.

    >>> is_this_machine("localhost"), is_this_machine("127.0.0.2"), is_this_machine("192.168.0.7")
    (True, True, False)
    """
    ip = _ip(host)
    return host == "localhost" if ip is None else ip.is_loopback or ip.is_unspecified


def is_local(address: str) -> bool:
    """Return whether the server at an address stands in the local network."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:  # no address, which a run reports
        return False
    ip = _ip(host)
    return bool(host) and "." not in host.removesuffix(".") if ip is None else ip.is_private


def _ip(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
