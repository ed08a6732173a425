"""Addresses of clients, as limits count them."""

from __future__ import annotations

from ipaddress import ip_address, ip_network


def network(address: str) -> str:
    """Return the network that counts as one client: an IPv4 address, or /64 of IPv6."""
    try:
        found = ip_address(address)
    except ValueError:  # a socket file, or a test
        return address
    return str(ip_network((found, 64), strict=False)) if found.version == 6 else address
