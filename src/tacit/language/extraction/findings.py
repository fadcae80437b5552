"""What extraction returns: the findings in a message, and the sentences it refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from tacit.core.fields import check_field
from tacit.core.kinds import MemoryType, Scope
from tacit.core.times import to_rfc3339


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One statement worth remembering, in the words it was said in."""

    content: str
    type: MemoryType
    confidence: float
    rule: str
    key: str | None = None
    scope: Scope = Scope.USER
    expires_at: datetime | None = None
    sentence: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Convert to a dictionary for JSON."""
        return {
            "content": self.content,
            "type": str(self.type),
            "confidence": self.confidence,
            "rule": self.rule,
            "key": self.key,
            "scope": str(self.scope),
            "expires_at": None if self.expires_at is None else to_rfc3339(self.expires_at),
            "sentence": self.sentence,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        ends = values["expires_at"]
        return cls(
            content=values["content"],
            type=MemoryType(values["type"]),
            confidence=values["confidence"],
            rule=values["rule"],
            key=values["key"],
            scope=Scope(values["scope"]),
            expires_at=None if ends is None else check_field("expires_at", ends),
            sentence=values["sentence"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A sentence that sounded like something to remember, and why it was refused."""

    sentence: str
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Convert to a dictionary for JSON."""
        return {"sentence": self.sentence, "reason": str(self.reason)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(sentence=values["sentence"], reason=values["reason"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """Everything that the rules find in one message."""

    findings: tuple[Finding, ...] = ()
    refused: tuple[Refused, ...] = ()
    has_quotes: bool = False
    """Whether the message holds, or may hold, words that are not the speaker's own."""

    def to_dict(self) -> dict[str, Any]:
        """Convert to a dictionary for JSON."""
        return {
            "findings": [each.to_dict() for each in self.findings],
            "refused": [each.to_dict() for each in self.refused],
            "has_quotes": self.has_quotes,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            findings=tuple(Finding.from_dict(each) for each in values["findings"]),
            refused=tuple(Refused.from_dict(each) for each in values["refused"]),
            has_quotes=values["has_quotes"],
        )
