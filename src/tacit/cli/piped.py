"""Text that is given on the command line, or by standard input."""

import sys

from tacit.core.errors import InvalidInput

_STDIN = "-"


def given(field: str, argument: str) -> str:
    """An argument, or for `-` what standard input says."""
    if argument != _STDIN:
        return argument
    try:
        return sys.stdin.buffer.read().decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} of standard input is not UTF-8; convert it first"
        raise InvalidInput(field, problem) from None
