"""What can be said of memories that are of no use."""

from pydantic import Field

from tacit.core.kinds import Actor
from tacit.server.models.common import Given, Told
from tacit.server.models.memories import By, Id


class Marking(Given):
    """Who says so: an agent's mark counts in its own turns, one with a user in that user's."""

    by: By = None
    agent: str | None = Field(default=None, description="The agent that marks.")
    user: str | None = Field(default=None, description="The user in whose turns it counts.")


class Irrelevant(Marking):
    """A memory that was of no use in a turn."""

    memory: Id


class IrrelevantFor(Marking):
    """A question for which a memory is of no use."""

    text: str = Field(examples=["Why JWT instead of sessions?"])


class MarkShape(Told):
    """The mark, which can be taken back."""

    mark: Id


class MarkedShape(Told):
    """That a memory is marked, since when and by whom; the words of the question are not kept."""

    id: Id
    memory: Id
    at: str
    by: Actor
    agent: str | None
    user: str | None
