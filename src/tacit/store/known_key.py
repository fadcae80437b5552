"""What every backend says of a key that cannot be added."""

from tacit.core.errors import AlreadyKnown
from tacit.core.keys import Key


def already_known(key: Key) -> AlreadyKnown:
    """The error of a key whose name or id another one has."""
    return AlreadyKnown(
        f"there is a key named {key.name!r} already; choose another name, or revoke that one first"
    )
