"""What can be said about receipts."""

from tacit.server.models.common import Given
from tacit.server.models.memories import Id


class Irrelevant(Given):
    """A memory that was of no use in a turn."""

    memory: Id
