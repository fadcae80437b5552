"""A statement found in a conversation: who said it where, and the memory that it becomes."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from tacit.core.fields import Origin, is_key_of_person
from tacit.core.kinds import (
    LEARNED_BY,
    PERSONS,
    QUOTE,
    STANDS,
    TURN,
    Actor,
    Owner,
    Scope,
    Trust,
    list_owners,
)
from tacit.core.memory import Memory
from tacit.core.open_turn import CapturedTurn
from tacit.core.vectors import TextVectors
from tacit.language.extraction.findings import Finding
from tacit.language.extraction.worth import MODEL_RULE
from tacit.writing.draft import MemoryDraft, default_trust
from tacit.writing.learning.echoes import InjectedMemory, find_echo


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundStatement:
    """A finding in a queued turn; `near` are similar memories, best first.

    `shown` is what its session was shown before, and `quote` the words it was taken from. A
    statement beside quoted or pasted words may be a part of them: it is not trusted, and changes
    nothing that is known.
    """

    heard: CapturedTurn
    finding: Finding
    quote: str = ""
    beside_quotes: bool = False
    is_adopted: bool = False
    """Whether the speaker asked to keep or follow the text that it stands in."""
    is_alone: bool = False
    """Whether its message says nothing else, so that it is surely meant as it stands."""
    vectors: TextVectors | None = None
    near: tuple[tuple[str, float], ...] = ()
    shown: tuple[InjectedMemory, ...] = field(default=(), repr=False)

    @property
    def owner(self) -> Owner:
        """The owner of the memory; a statement about an unnamed project belongs to its speaker.

        So does what is known of a person, wherever it was said.
        """
        places = dict(self.owners)
        if is_key_of_person(self.finding.key):
            return Scope.USER, places[Scope.USER]
        if self.finding.scope is Scope.PROJECT and not places[Scope.PROJECT]:
            return Scope.USER, places[Scope.USER]
        return self.finding.scope, places[self.finding.scope]

    @property
    def owners(self) -> tuple[Owner, ...]:
        """The owners whose memories the speaker sees."""
        heard = self.heard
        return list_owners(heard.session, heard.project, heard.user, heard.org)

    @property
    def draft(self) -> MemoryDraft:
        """The draft of the memory."""
        finding, (scope, scope_id) = self.finding, self.owner
        said: dict[str, Any] = {LEARNED_BY: finding.rule, TURN: self.heard.id}
        if self.is_alone and not self.beside_quotes:
            said[STANDS] = True
        author = None if scope is Scope.USER else self.heard.user
        return MemoryDraft.of(
            {
                "content": finding.content,
                "type": finding.type,
                "key": finding.key,
                "confidence": finding.confidence,
                "scope": scope,
                "scope_id": scope_id,
                "origin": Origin(session=self.heard.session, author=author, time=self.heard.at),
                "expires_at": finding.expires_at,
                "metadata": said | ({QUOTE: self.quote} if self.quote else {}),
            }
        )

    @property
    def trust(self) -> Trust:
        """The trust of the speaker's words."""
        trust = default_trust(self.heard.by, Origin())
        return min(trust, Trust.UNVERIFIED, key=_rank) if self.beside_quotes else trust

    def find_repeated(self, shown: Iterable[InjectedMemory]) -> str | None:
        """The memory that it repeats of those that were shown, if any."""
        finding = self.finding
        sentence = finding.sentence or finding.content
        is_unmarked = finding.rule == MODEL_RULE
        return find_echo(finding.content, sentence, shown, is_unmarked=is_unmarked)

    def memory(self, id: str, workspace: str, now: datetime) -> Memory:
        """The memory that it becomes: trusted like its speaker, and not explicit."""
        made = self.draft.memory(id=id, workspace=workspace, by=self.heard.by, now=now)
        return replace(made, explicit=False, trust=min(made.trust, self.trust, key=_rank))

    @property
    def actor(self) -> Actor:
        """The actor that learns it: the system, if a person said it."""
        return Actor.SYSTEM if self.heard.by in PERSONS else self.heard.by


def _rank(trust: Trust) -> int:
    return trust.rank
