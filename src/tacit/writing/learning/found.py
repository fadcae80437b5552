"""A statement that was found in what somebody said, and what it is told apart by."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from tacit.core.fields import Origin
from tacit.core.kinds import LEARNED_BY, PERSONS, QUOTE, TURN, Actor, Owner, Scope, Trust
from tacit.core.learning_queue import CapturedTurn
from tacit.core.memory import Memory
from tacit.core.vectors import EmbeddingModel, Vector
from tacit.language.extraction.finding import Finding
from tacit.writing.draft import Draft, default_trust
from tacit.writing.learning.echo import Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A finding in a turn that was heard; `near` are memories that are alike, best first.

    `shown` is what its session was shown before, and `quote` the words that it was taken from.
    What was said beside quoted or pasted words may be a part of them: it is not trusted, and
    changes nothing that is known.
    """

    heard: CapturedTurn
    finding: Finding
    quote: str = ""
    beside_quotes: bool = False
    vector: tuple[EmbeddingModel, Vector] | None = None
    near: tuple[tuple[str, float], ...] = ()
    shown: tuple[Shown, ...] = field(default=(), repr=False)

    @property
    def owner(self) -> Owner:
        """Whose the memory is; what is said of a project that has no name is its speaker's."""
        places = dict(self.owners)
        if self.finding.scope is Scope.PROJECT and not places[Scope.PROJECT]:
            return Scope.USER, places[Scope.USER]
        return self.finding.scope, places[self.finding.scope]

    @property
    def owners(self) -> tuple[Owner, ...]:
        """Whose memories its speaker sees."""
        heard = self.heard
        return (
            (Scope.SESSION, heard.session),
            (Scope.PROJECT, heard.project or ""),
            (Scope.USER, heard.user or ""),
            (Scope.ORG, heard.org or ""),
        )

    @property
    def draft(self) -> Draft:
        """What is to be remembered."""
        finding, (scope, scope_id) = self.finding, self.owner
        said = {LEARNED_BY: finding.rule, TURN: self.heard.id}
        return Draft.of(
            {
                "content": finding.content,
                "type": finding.type,
                "key": finding.key,
                "confidence": finding.confidence,
                "scope": scope,
                "scope_id": scope_id,
                "origin": Origin(session=self.heard.session, time=self.heard.at),
                "expires_at": finding.expires_at,
                "metadata": said | ({QUOTE: self.quote} if self.quote else {}),
            }
        )

    @property
    def trust(self) -> Trust:
        """How far the words of its speaker are trusted."""
        trust = default_trust(self.heard.by, Origin())
        return min(trust, Trust.UNVERIFIED, key=_rank) if self.beside_quotes else trust

    def memory(self, id: str, workspace: str, now: datetime) -> Memory:
        """The memory that it becomes: the words of who spoke, trusted as they are, not explicit."""
        made = self.draft.memory(id=id, workspace=workspace, by=self.heard.by, now=now)
        return replace(made, explicit=False, trust=min(made.trust, self.trust, key=_rank))

    @property
    def actor(self) -> Actor:
        """In whose name it is learned: reading what a person said is the system's own work."""
        return Actor.SYSTEM if self.heard.by in PERSONS else self.heard.by


def _rank(trust: Trust) -> int:
    return trust.rank
