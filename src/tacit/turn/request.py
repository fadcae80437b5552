"""What a turn is asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tacit.core.conversation.opening import ChatMessage
from tacit.core.memory.kinds import Actor, MemoryType, Owner, Scope
from tacit.core.messages.parts import text_of
from tacit.core.messages.speaker import is_human
from tacit.language.query.cleaning import cleaned


class Trigger(StrEnum):
    """Who set off a turn."""

    USER = "user"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Who speaks where, what was said before, and what is said now.

    `history` is None where the host keeps it and cannot be asked; `context` are then the last
    messages of it that are known, and `shown` statements that the host shows by itself. `scopes`
    and `types` are the only ones of which memories are thought; None leaves them free. `visible`
    are the messages that the model will see, where that is not the whole history. `chat` is what a
    chat log takes once the turn is committed. `by` is whose words are said now.
    """

    session: str
    history: tuple[object, ...] | None
    incoming: tuple[object, ...]
    context: tuple[object, ...] = ()
    shown: tuple[str, ...] = ()
    agent: str | None = None
    user: str | None = None
    project: str | None = None
    org: str | None = None
    trigger: Trigger = Trigger.USER
    by: Actor = Actor.USER
    scopes: tuple[Scope, ...] | None = None
    types: tuple[MemoryType, ...] | None = None
    visible: tuple[object, ...] | None = None
    chat: ChatMessage | None = None
    text: str = field(init=False)

    def __post_init__(self) -> None:
        """What is said now; messages that arrived together are one."""
        said = "\n".join(text_of(message) for message in self.incoming)
        object.__setattr__(self, "text", cleaned(said))

    @property
    def owners(self) -> tuple[Owner, ...]:
        """Whose memories may be seen; who is not named sees what belongs to nobody by name."""
        return tuple(each for each in self._places if self.scopes is None or each[0] in self.scopes)

    @property
    def _places(self) -> tuple[Owner, ...]:
        return (
            (Scope.SESSION, self.session),
            (Scope.PROJECT, self.project or ""),
            (Scope.USER, self.user or ""),
            (Scope.ORG, self.org or ""),
        )

    def admits(self, type: MemoryType) -> bool:
        """Whether memories of a type are thought of."""
        return self.types is None or type in self.types

    @property
    def speaker(self) -> str:
        """Who speaks; somebody without a name is somebody too."""
        return self.user or ""

    @property
    def is_spoken(self) -> bool:
        """Whether a person set it off and said something."""
        return self.trigger is Trigger.USER and any(map(is_human, self.incoming))

    def is_paused(self, paused: set[Owner]) -> bool:
        """Whether its session or its project is to be left alone."""
        return not paused.isdisjoint(self._places)

    def like(self) -> Sequence[object]:
        """Messages whose shape new ones take."""
        return self.history or self.incoming
