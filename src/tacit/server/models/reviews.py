"""Changes that wait for a person, and what is decided about them."""

from typing import Annotated

from fastapi import Path
from pydantic import Field

from tacit.server.models.common import Given, Told, example
from tacit.server.models.memories import By, MemoryShape, ReviewShape

ReviewId = Annotated[str, Path(examples=["01890a5d-ac96-774b-bcce-b302099a8057"])]


class ReviewReportShape(Told):
    """A wish beside what it is about."""

    review: ReviewShape
    memory: MemoryShape | None = Field(description="The memory as it is now, if it is there.")
    other: MemoryShape | None = Field(
        description="The one that would take its place, or be related to it."
    )
    present: str | None = Field(description="What is said now.")
    wished: str | None = Field(description="What would be said instead.")


class Deciding(Given):
    """Why, and in whose name."""

    model_config = example(reason="she moved in March")

    reason: str = Field("", examples=["she moved in March"])
    by: By = None
