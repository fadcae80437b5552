"""What is found in conversations, and what becomes of it."""

from pydantic import Field

from tacit.core.kinds import MemoryType, Scope
from tacit.server.models.common import Given, Told, example
from tacit.writing.learning.lesson import Verdict


class LessonShape(Told):
    """A statement that was found in a conversation, and what became of it."""

    content: str = Field(examples=["I always use tabs"])
    type: MemoryType
    rule: str = Field(description="What found it: the name of a rule, or `llm`.")
    verdict: Verdict
    session: str = Field(examples=["s1"])
    memory: str | None = Field(
        description="The memory that holds it now or said it before; of a proposal, its review."
    )
    superseded: list[str] = Field(description="The memories that it replaced.")


class LearnedShape(Told):
    """What came of reading what was said."""

    turns: int = Field(description="So many turns were read.")
    lessons: list[LessonShape]
    tokens: int = Field(description="So many tokens a language model took.")


class Extracting(Given):
    """A message."""

    model_config = example(text="I always use tabs. Should I use tabs?")

    text: str


class FindingShape(Told):
    """A statement that the rules would take."""

    content: str = Field(examples=["I always use tabs"])
    type: MemoryType
    confidence: float
    rule: str
    key: str | None
    scope: Scope
    expires_at: str | None
    sentence: str = Field(description="Where it stands in the message.")


class RefusedShape(Told):
    """A sentence that sounded like something to remember, and why it is left."""

    sentence: str
    reason: str = Field(examples=["question"])


class ExtractionShape(Told):
    """All that the rules make of a message."""

    findings: list[FindingShape]
    refused: list[RefusedShape]
    has_quotes: bool = Field(
        description="Whether it holds quoted or pasted words: then what is found is not trusted."
    )
