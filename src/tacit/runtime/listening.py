"""Listening for others: a socket, its address, and whether they can reach it."""

import ipaddress
import socket

from tacit.core.errors import InvalidInput


def bound(host: str, port: int) -> socket.socket:
    """The socket to listen on; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except socket.gaierror as error:
        listening.close()
        problem = f"{host} is no address of this machine ({error.strerror})"
        raise InvalidInput("host", f"{problem}; 127.0.0.1 is this machine alone") from error
    except OSError as error:
        listening.close()
        raise InvalidInput(
            "port",
            f"cannot listen on {host}:{port} ({error.strerror});"
            " stop what listens there, or name another with --port",
        ) from error
    return listening


def address(listening: socket.socket) -> str:
    """Where a socket listens, as an address for HTTP."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def reached(url: str) -> str:
    """How this machine itself reaches an address; one that is for everybody is no place to ask."""
    return url.replace("0.0.0.0", "127.0.0.1").replace("[::]", "[::1]")


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can reach a host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
