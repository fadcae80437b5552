"""What a response is grounded in: one system message, one user message, and the account of both."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from tacit.grounding.assembly import Assembled
from tacit.grounding.section import GAP, Part
from tacit.language.prompt_templates import (
    FRAME_RULES,
    FRAME_TITLE,
    REQUEST_TITLE,
    RETRIEVED_TITLE,
    RULER,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """What was decided for a prompt, and what each part of it takes."""

    strategy: str
    reason: str
    used_summary: bool = False
    used_tail: bool = False
    used_qmd: bool = False
    qmd_results: int = 0
    summary_refreshed: bool = False
    summary_turns: int = 0
    tokens: Mapping[str, int] = field(default_factory=dict)
    total_tokens: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """A system and a user message, the same in one text, and where its documents are from."""

    system: str
    user: str
    text: str
    metrics: Metrics
    sources: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()
    """What was left out because it failed."""

    @property
    def messages(self) -> list[dict[str, str]]:
        """Ready to send."""
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "system": self.system,
            "user": self.user,
            "text": self.text,
            "messages": self.messages,
            "metrics": self.metrics.to_dict(),
            "sources": list(self.sources),
            "degraded": list(self.degraded),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            system=values["system"],
            user=values["user"],
            text=values["text"],
            metrics=Metrics.from_dict(values["metrics"]),
            sources=tuple(values["sources"]),
            degraded=tuple(values["degraded"]),
        )


def sectioned(system: str, assembled: Assembled) -> str:
    """The same in one text: what binds first, memory and documents apart, the request last."""
    memory = assembled.body(Part.MEMORY)
    documents = assembled.body(Part.DOCUMENTS)
    said = assembled.body(Part.USER)
    talk = [each.text for each in assembled.sections if each.part in (Part.SUMMARY, Part.TAIL)]
    hint = [each.text for each in assembled.sections if each.part is Part.HINT]
    parts = [
        system,
        _framed(memory) if memory else "",
        f"{RETRIEVED_TITLE}{GAP}{documents}" if documents else "",
        *talk,
        f"{REQUEST_TITLE}{GAP}{said}" if said else "",
        *hint,
    ]
    return GAP.join(part for part in parts if part)


def _framed(memory: str) -> str:
    return GAP.join((f"{FRAME_TITLE}\n{RULER}", memory, "\n".join(FRAME_RULES), RULER))
