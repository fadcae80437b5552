"""Episodes: what was said."""

from typing import Annotated

from fastapi import Path
from pydantic import Field

from tacit.server.schemas.memories import By, MemoryRequestFields

EpisodeId = Annotated[str, Path(examples=["01890a5d-ac96-874b-bcce-b302099a8057"])]


class PromoteRequest(MemoryRequestFields):
    """The fields of the memory that an episode becomes; its words are those that were said."""

    content: Annotated[str | None, Field(description="Other words than those that were said.")] = (
        None
    )
    by: By = None
