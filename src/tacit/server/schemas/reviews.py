"""Changes that wait for a person, and what was learned from conversations."""

from pydantic import Field

from tacit.server.schemas.common import RequestModel, with_example
from tacit.server.schemas.memories import By


class ExtractRequest(RequestModel):
    """A message."""

    model_config = with_example(text="I always use tabs. Should I use tabs?")

    text: str
    with_model: bool = Field(
        False, description="Also ask the language model; its tokens need the role write."
    )


class DecideReviewRequest(RequestModel):
    """The reason and the actor."""

    model_config = with_example(reason="she moved in March")

    reason: str = Field("", examples=["she moved in March"])
    by: By = None
