"""What is remembered: frozen values, their defaults and what they accept."""

from tacit.memory.association import Association
from tacit.memory.audit import AuditEntry
from tacit.memory.draft import DRAFT_FIELDS, Draft, Fields, check_fields, default_trust
from tacit.memory.fields import MAX_CONTENT_BYTES, check, check_all, check_wanted, inside
from tacit.memory.filters import (
    Conditions,
    Filters,
    check_assignable,
    check_conditions,
    check_filters,
)
from tacit.memory.graph import Graph
from tacit.memory.growth import Growth
from tacit.memory.kinds import (
    DEFAULT_CONFIDENCE,
    DEFAULT_IMPORTANCE,
    LEARNED_BY,
    PERSONS,
    QUOTE,
    TURN,
    Action,
    Actor,
    MemoryType,
    Owner,
    Relation,
    Scope,
    Sort,
    State,
    Subject,
    Trust,
)
from tacit.memory.origin import Origin
from tacit.memory.owner import Viewer, owner_of
from tacit.memory.privacy import without_secrets
from tacit.memory.record import IDENTITY, Memory, content_hash, plain
from tacit.memory.review import Review, ReviewReport, proposed_id
from tacit.memory.times import from_micros, rfc3339, to_micros
from tacit.memory.unseen import MOST_UNSEEN, Unseen

__all__ = [
    "DEFAULT_CONFIDENCE",
    "DEFAULT_IMPORTANCE",
    "DRAFT_FIELDS",
    "IDENTITY",
    "LEARNED_BY",
    "MAX_CONTENT_BYTES",
    "MOST_UNSEEN",
    "PERSONS",
    "QUOTE",
    "TURN",
    "Action",
    "Actor",
    "Association",
    "AuditEntry",
    "Conditions",
    "Draft",
    "Fields",
    "Filters",
    "Graph",
    "Growth",
    "Memory",
    "MemoryType",
    "Origin",
    "Owner",
    "Relation",
    "Review",
    "ReviewReport",
    "Scope",
    "Sort",
    "State",
    "Subject",
    "Trust",
    "Unseen",
    "Viewer",
    "check",
    "check_all",
    "check_assignable",
    "check_conditions",
    "check_fields",
    "check_filters",
    "check_wanted",
    "content_hash",
    "default_trust",
    "from_micros",
    "inside",
    "owner_of",
    "plain",
    "proposed_id",
    "rfc3339",
    "to_micros",
    "without_secrets",
]
