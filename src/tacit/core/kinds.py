"""The closed vocabularies of a memory (type, scope, actor, trust, state …) and their defaults."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeVar

from tacit.core.errors import InvalidInput


class MemoryType(StrEnum):
    """What kind of statement a memory is."""

    IDENTITY = "identity"
    GOAL = "goal"
    DECISION = "decision"
    TODO = "todo"
    PREFERENCE = "preference"
    FACT = "fact"
    EVENT = "event"
    OBSERVATION = "observation"
    CONSTRAINT = "constraint"


STANDING_TYPES = (MemoryType.CONSTRAINT, MemoryType.PREFERENCE, MemoryType.IDENTITY)
"""The types of memory that may be standing rules: they hold whatever is asked."""


class Scope(StrEnum):
    """Whose memory it is, most specific first."""

    SESSION = "session"
    PROJECT = "project"
    USER = "user"
    ORG = "org"


Owner = tuple[Scope, str]
"""Whose a memory is: a scope and its id."""


def list_owners(
    session: str, project: str | None, user: str | None, org: str | None
) -> tuple[Owner, ...]:
    """The owners whose memories a turn sees, most specific first; what is unnamed is empty."""
    return (
        (Scope.SESSION, session),
        (Scope.PROJECT, project or ""),
        (Scope.USER, user or ""),
        (Scope.ORG, org or ""),
    )


class Actor(StrEnum):
    """Who writes or changes a memory; `system` is Tacit itself."""

    USER = "user"
    OPERATOR = "operator"
    AGENT = "agent"
    TOOL = "tool"
    IMPORT = "import"
    SYSTEM = "system"


class Relation(StrEnum):
    """What the source of an association is to its target."""

    UPDATES = "updates"
    CAUSED_BY = "caused_by"
    RESULT_OF = "result_of"
    RELATED_TO = "related_to"
    PART_OF = "part_of"
    CONTRADICTS = "contradicts"
    COMPATIBLE_WITH = "compatible_with"


class Action(StrEnum):
    """What a change did."""

    INSERT = "insert"
    UPDATE = "update"
    DELETE = "delete"
    FORGET = "forget"
    RESTORE = "restore"
    SUPERSEDE = "supersede"
    ERASE = "erase"


class Subject(StrEnum):
    """What a change was made to."""

    MEMORY = "memory"
    ASSOCIATION = "association"


class Trust(StrEnum):
    """How far a memory's words may be believed, best first."""

    TRUSTED = "trusted"
    UNVERIFIED = "unverified"
    UNTRUSTED = "untrusted"

    @property
    def rank(self) -> int:
        """A number that grows with trust."""
        return _TRUST_RANK[self]


class State(StrEnum):
    """The state of a memory at a given time; every memory is in exactly one."""

    LIVE = "live"
    FUTURE = "future"
    PAST = "past"
    FORGOTTEN = "forgotten"


class Sort(StrEnum):
    """The orders a list can have; ties are broken by id."""

    RECENT = "recent"
    IMPORTANCE = "importance"
    MOST_ACCESSED = "most_accessed"
    CREATED = "created"


_TRUST_RANK = MappingProxyType({Trust.UNTRUSTED: 0, Trust.UNVERIFIED: 1, Trust.TRUSTED: 2})

PERSONS = frozenset({Actor.USER, Actor.OPERATOR})
AGENTS = frozenset({Actor.AGENT, Actor.TOOL})

LEARNED_BY, QUOTE, TURN, STANDS = "learned_by", "quote", "turn", "stands"
"""Keys in the metadata of a learned memory: the rule, the quoted words, and the turn."""

DOUBTED = "doubted"
"""The key of a learned memory whose words turned out to be somebody else's, as it seems."""

RULE_CONFIDENCE = 0.9
"""A rule that no person wrote explicitly must have been learned with this confidence."""

DEFAULT_IMPORTANCE: Mapping[MemoryType, float] = MappingProxyType(
    {
        MemoryType.IDENTITY: 1.0,
        MemoryType.GOAL: 0.9,
        MemoryType.CONSTRAINT: 0.9,
        MemoryType.DECISION: 0.8,
        MemoryType.TODO: 0.8,
        MemoryType.PREFERENCE: 0.7,
        MemoryType.FACT: 0.6,
        MemoryType.EVENT: 0.4,
        MemoryType.OBSERVATION: 0.3,
    }
)

DEFAULT_CONFIDENCE: Mapping[Actor, float] = MappingProxyType(
    {
        Actor.USER: 1.0,
        Actor.OPERATOR: 1.0,
        Actor.IMPORT: 1.0,
        Actor.AGENT: 0.8,
        Actor.TOOL: 0.8,
        Actor.SYSTEM: 0.8,
    }
)


_Choice = TypeVar("_Choice", bound=StrEnum)


def check_choice(field: str, kinds: type[_Choice], value: Any) -> _Choice:
    """The member of an enum that a value names, or an error that lists the choices."""
    try:
        return kinds(value)
    except ValueError:
        raise InvalidInput(field, f"{value!r} is none of {', '.join(kinds)}") from None
