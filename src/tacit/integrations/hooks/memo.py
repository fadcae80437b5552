"""What is kept about a client's session from one event to the next."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from tacit.language.redaction.text import redact_start

NAME = "tacit.host"
"""The session's variable that holds it; workflows cannot set one with such a name."""

_EXCHANGES = 3
_CHARACTERS = 2_000
_MARKS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Memo:
    """The turn that waits for its end, what was said last, and what else the client shows."""

    turn: str | None = None
    prompt: str = ""
    exchanges: tuple[tuple[str, str], ...] = ()
    """The last prompts and replies, as far as they help to understand the next prompt."""
    shown: tuple[str, ...] = ()
    """Lines that were put into the history outside of any turn."""
    marks: tuple[str, ...] = ()
    """What happened and need not be told again."""

    @classmethod
    def of(cls, variables: Mapping[str, Any]) -> Self:
        """What a session's variables hold; what is not as expected counts as nothing."""
        kept = variables.get(NAME)
        if not isinstance(kept, Mapping):
            return cls()
        turn = kept.get("turn")
        return cls(
            turn=turn if isinstance(turn, str) else None,
            prompt=str(kept.get("prompt") or ""),
            exchanges=tuple(
                (str(each[0]), str(each[1]))
                for each in _listed(kept.get("exchanges"))
                if isinstance(each, list) and len(each) == 2
            ),
            shown=tuple(map(str, _listed(kept.get("shown")))),
            marks=tuple(map(str, _listed(kept.get("marks")))),
        )

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)

    def asked(self, turn: str, prompt: str) -> Self:
        """Once a prompt has begun a turn."""
        return replace(self, turn=turn, prompt=redact_start(prompt, _CHARACTERS).text)

    def replied(self, reply: str) -> Self:
        """Once the turn is over."""
        exchange = (self.prompt, redact_start(reply, _CHARACTERS).text)
        return replace(
            self, turn=None, prompt="", exchanges=(*self.exchanges, exchange)[-_EXCHANGES:]
        )

    def abandoned(self) -> Self:
        """Once the turn was abandoned: what was asked in it is not kept either."""
        return replace(self, turn=None, prompt="")

    def cleared(self, shown: Sequence[str]) -> Self:
        """Once the client cleared its history and shows only these lines."""
        return replace(self.abandoned(), exchanges=(), shown=tuple(shown))

    def begun_anew(self, shown: Sequence[str]) -> Self:
        """Once the history began anew with these lines."""
        return replace(self, shown=tuple(shown))

    def marked(self, mark: str) -> Self:
        """Once something happened that may be told again."""
        return replace(self, marks=(*self.marks, mark)[-_MARKS:])

    @property
    def messages(self) -> tuple[Mapping[str, str], ...]:
        """What was said last, as messages."""
        return tuple(
            {"role": role, "content": text}
            for exchange in self.exchanges
            for role, text in zip(("user", "assistant"), exchange, strict=True)
            if text
        )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
