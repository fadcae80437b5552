"""What extraction returns: the findings in a message, and the sentences it refused."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from tacit.core.json_value import INLINE, Example, JsonValue
from tacit.core.kinds import MemoryType, Scope


class RefusalReason(StrEnum):
    """Why a sentence that sounded like something to remember was refused."""

    QUESTION = "question"
    HYPOTHETICAL = "hypothetical"
    QUOTATION = "quotation"
    NEGATED = "negated"
    MOMENT = "moment"
    COMPLAINT = "complaint"
    NO_REFERENT = "no_referent"
    PLEASANTRY = "pleasantry"
    IDIOM = "idiom"
    ABOUT_MEMORY = "about_memory"
    CODE = "code"
    LOG = "log"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NOISE = "noise"
    TOO_MANY = "too_many"
    OTHER_LANGUAGE = "other_language"
    """No rules read its language."""
    PASSING = "passing"
    """A model reads it as nothing that will matter later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(JsonValue):
    """One statement worth remembering, in the words it was said in."""

    content: Annotated[str, Example("I always use tabs")]
    type: MemoryType
    confidence: float
    rule: str
    key: str | None = None
    scope: Scope = Scope.USER
    expires_at: datetime | None = None
    sentence: Annotated[str, "Where it stands in the message."] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused(JsonValue):
    """A sentence that sounded like something to remember, and why it was refused."""

    sentence: str
    reason: Annotated[str, Example("question")]


class ClauseOutcome(StrEnum):
    """What the rules did with a clause."""

    TAKEN = "taken"
    REFUSED = "refused"
    NOTHING = "nothing"
    """Nothing in it states anything that they recognise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseReport(JsonValue):
    """A clause of a message: what was taken from it, or why it was refused, or neither."""

    text: Annotated[str, Example("I always use tabs")]
    outcome: ClauseOutcome
    reason: Annotated[str | None, Example("question")] = None
    contents: Annotated[tuple[str, ...], "The contents of the findings that it became."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFinding(JsonValue):
    """A statement that a language model noted of a message."""

    finding: Annotated[Finding, INLINE]
    found_by_rules: Annotated[bool, "Whether the rules took something from the same words."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedNote(JsonValue):
    """What a language model noted and would not be learned, and why."""

    finding: Annotated[Finding, INLINE]
    verdict: Annotated[str, Example("unfounded")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelExtraction(JsonValue):
    """What a language model finds in one message, as it would read it in a turn."""

    name: Annotated[str, "The model."]
    findings: tuple[ModelFinding, ...] = ()
    refused: tuple[RefusedNote, ...] = ()
    tokens: Annotated[int, "How many tokens it took."] = 0
    problem: Annotated[str | None, "Why its answer could not be used, if it could not."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction(JsonValue):
    """Everything that the rules find in one message, and what a model finds if it was asked."""

    findings: tuple[Finding, ...] = ()
    refused: tuple[Refused, ...] = ()
    has_quotes: Annotated[
        bool, "Whether it holds quoted or pasted words: then what is found is not trusted."
    ] = False
    """Whether the message holds, or may hold, words that are not the speaker's own."""
    adopts_text: Annotated[bool, "Whether it asks to keep or follow a text: it is reviewed."] = (
        False
    )
    clauses: Annotated[tuple[ClauseReport, ...], "What became of each clause, in order."] = ()
    model: Annotated[ModelExtraction | None, "What a language model finds, if it was asked."] = None
