"""The address to listen on, checked before the server loads anything."""

from __future__ import annotations

import errno
import socket

UNBOUND = 4
"""Exit code of a server that cannot listen on its address."""


class AddressError(OSError):
    """An address that cannot be bound."""

    def __init__(self, host: str, port: int, error: OSError) -> None:
        is_port = error.errno in (errno.EADDRINUSE, errno.EACCES)
        option = "--port" if is_port else "--host"
        super().__init__(
            f"cannot listen on {host} port {port}: {error.strerror}; choose another with {option}"
        )


def check_address(host: str, port: int) -> None:
    """Bind an address and release it.

    Raises
    ------
    AddressError
        If the port is used or not permitted, or the host is no address of this machine.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in found:
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                probe.bind(address)
    except OSError as error:
        raise AddressError(host, port, error) from error
