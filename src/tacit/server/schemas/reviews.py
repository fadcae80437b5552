"""Changes that wait for a person, and what was learned from conversations."""

from typing import Annotated

from fastapi import Path
from pydantic import Field

from tacit.core.kinds import MemoryType, Scope
from tacit.server.schemas.common import RequestModel, ResponseModel, with_example
from tacit.server.schemas.memories import By, MemoryResponse, ReviewResponse
from tacit.writing.learning.lesson import Verdict


class LessonResponse(ResponseModel):
    """A statement found in a conversation, and what became of it."""

    content: str = Field(examples=["I always use tabs"])
    type: MemoryType
    rule: str = Field(description="What found it: the name of a rule, or `llm`.")
    verdict: Verdict
    session: str = Field(examples=["s1"])
    memory: str | None = Field(
        description="The memory that holds it now or said it before; of a proposal, its review."
    )
    superseded: list[str] = Field(description="The memories that it replaced.")


class LearnedResponse(ResponseModel):
    """What was learned from the queued turns."""

    turns: int = Field(description="So many turns were read.")
    lessons: list[LessonResponse]
    tokens: int = Field(description="So many tokens a language model took.")


class ExtractRequest(RequestModel):
    """A message."""

    model_config = with_example(text="I always use tabs. Should I use tabs?")

    text: str


class FindingResponse(ResponseModel):
    """A statement that the rules would learn."""

    content: str = Field(examples=["I always use tabs"])
    type: MemoryType
    confidence: float
    rule: str
    key: str | None
    scope: Scope
    expires_at: str | None
    sentence: str = Field(description="Where it stands in the message.")


class RefusedSentenceResponse(ResponseModel):
    """A sentence that resembles a statement, and why it was refused."""

    sentence: str
    reason: str = Field(examples=["question"])


class ExtractionResponse(ResponseModel):
    """What the rules find in a message."""

    findings: list[FindingResponse]
    refused: list[RefusedSentenceResponse]
    has_quotes: bool = Field(
        description="Whether it holds quoted or pasted words: then what is found is not trusted."
    )


ReviewId = Annotated[str, Path(examples=["01890a5d-ac96-774b-bcce-b302099a8057"])]


class ReviewReportResponse(ResponseModel):
    """A pending change and its memories."""

    review: ReviewResponse
    memory: MemoryResponse | None = Field(description="The memory as it is now, if it is there.")
    other: MemoryResponse | None = Field(
        description="The one that would take its place, or be related to it."
    )
    present: str | None = Field(description="What is said now.")
    wished: str | None = Field(description="What would be said instead.")


class DecideReviewRequest(RequestModel):
    """The reason and the actor."""

    model_config = with_example(reason="she moved in March")

    reason: str = Field("", examples=["she moved in March"])
    by: By = None
