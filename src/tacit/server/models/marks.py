"""What can be said of memories that are of no use."""

from pydantic import Field

from tacit.server.models.common import Given, Told
from tacit.server.models.memories import Id


class Irrelevant(Given):
    """A memory that was of no use in a turn."""

    memory: Id


class IrrelevantFor(Given):
    """A question for which a memory is of no use."""

    text: str = Field(examples=["Why JWT instead of sessions?"])


class MarkShape(Told):
    """The mark, which can be taken back."""

    mark: Id


class MarkedShape(Told):
    """That a memory is marked, and since when; the words of the question are not kept."""

    id: Id
    memory: Id
    at: str
