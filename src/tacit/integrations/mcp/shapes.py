"""What the tools answer, as data."""

from typing import Annotated

from pydantic import BaseModel, Field, PlainSerializer

from tacit.language.structure.neutral import neutralised

Stored = Annotated[str, PlainSerializer(neutralised)]
"""Somebody's words: as data too they are one line that cannot pass for structure."""


class Shape(BaseModel):
    """An answer of a tool."""


class MemoryShape(Shape):
    """A memory, as far as an agent needs to know it."""

    id: str
    content: Stored = Field(description="Shortened if it is very long; explain shows it whole.")
    type: str
    key: Stored | None
    scope: str = Field(description="Whose it is: session, project, user or org.")
    source: str = Field(description="Who wrote it: user, operator, agent, tool, import, system.")
    trust: str = Field(description="trusted, unverified, or untrusted: the words of strangers.")
    importance: float
    age: str = Field(description="How long ago it was written.")
    created_at: str


class HitShape(MemoryShape):
    """A memory that was found."""

    score: float = Field(description="From 0 to 1; how well it fits what was asked.")


class Found(Shape):
    """What a search gives, best first."""

    hits: list[HitShape]
    degraded: list[str] = Field(description="What the search had to do without, and why.")


class Listed(Shape):
    """A page of memories."""

    memories: list[MemoryShape]
    cursor: str | None = Field(description="Give it to list for the next page; null at the end.")


class Kept(Shape):
    """What became of a statement."""

    status: str = Field(description="created, known, updated, restored, or queued for a person.")
    id: str | None = Field(description="The memory's id; null if a person must accept it first.")
    content: Stored = Field(description="As it is kept; secrets are left out.")
    superseded: list[str] = Field(description="Memories that it replaced.")
    review: str | None = Field(description="What waits for a person, if anything does.")


class Hidden(Shape):
    """What became of the wish to forget."""

    status: str = Field(description="forgotten, unchanged, or queued for a person.")
    id: str
    review: str | None


class Candidate(Shape):
    """A memory that a turn thought of, and what became of it."""

    id: str
    content: Stored
    type: str
    fate: str
    reason: str


class Mention(Shape):
    """A turn that thought of a memory."""

    receipt: str
    session: Stored
    turn: int
    at: str
    query: Stored
    fate: str
    reason: str


class Account(Shape):
    """Why a message would bring what it brings, or when a memory came up."""

    block: str | None = Field(default=None, description="The block that the message would bring.")
    skipped: str | None = Field(default=None, description="Why nothing was looked for, if so.")
    injected: list[Candidate] = []
    left_out: list[Candidate] = []
    below_floor: int = Field(default=0, description="How many more were not relevant enough.")
    memory: MemoryShape | None = None
    turns: list[Mention] = []
    degraded: list[str] = []
    notes: list[str] = []
