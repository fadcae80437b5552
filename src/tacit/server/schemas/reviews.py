"""Changes that wait for a person, and what was learned from conversations."""

from typing import Annotated

from fastapi import Path
from pydantic import Field

from tacit.server.schemas.common import RequestModel, with_example
from tacit.server.schemas.memories import By


class ExtractRequest(RequestModel):
    """A message."""

    model_config = with_example(text="I always use tabs. Should I use tabs?")

    text: str


ReviewId = Annotated[str, Path(examples=["01890a5d-ac96-774b-bcce-b302099a8057"])]


class DecideReviewRequest(RequestModel):
    """The reason and the actor."""

    model_config = with_example(reason="she moved in March")

    reason: str = Field("", examples=["she moved in March"])
    by: By = None
