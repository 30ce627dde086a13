"""Where a host is, by its name alone: on this machine, in its network, or elsewhere."""

from ipaddress import IPv4Address, IPv6Address, ip_address
from socket import gethostname, inet_aton
from urllib.parse import urlsplit

_NAMES = ("localhost", "localhost.localdomain", "localhost6", "ip6-localhost", "ip6-loopback")


def is_this_machine(host: str) -> bool:
    """Return whether a host is the machine that asks, in any of the ways to write that.

    >>> is_this_machine("localhost"), is_this_machine("127.1"), is_this_machine("192.168.0.7")
    (True, True, False)
    """
    name = host.removesuffix(".").lower()
    ip = _ip(name)
    if isinstance(ip, IPv6Address):
        ip = ip.ipv4_mapped or ip
    if ip is None:
        return name in (*_NAMES, gethostname().lower()) or name.endswith(".localhost")
    return ip.is_loopback or ip.is_unspecified


def is_local(address: str) -> bool:
    """Return whether the server at an address stands in the local network."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:  # no address, which a run reports
        return False
    ip = _ip(host)
    return bool(host) and "." not in host.removesuffix(".") if ip is None else ip.is_private


def _ip(host: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a host is, also in short as resolvers read it; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return ip_address(inet_aton(host))
    except (OSError, ValueError):
        return None
