"""What memories can be narrowed down by at the page: one definition each, for every use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tacit.core.memory.kinds import Actor, MemoryType, Scope, State, Trust


class Shape(StrEnum):
    """What is said of a condition."""

    ONE = "one"
    SEVERAL = "several"
    WORD = "word"
    DAY = "day"
    NUMBER = "number"
    YES_OR_NO = "yes or no"


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A filter: its name in the address and for the client, and how a person reads it.

    `is_first` are those that are always in sight.
    """

    name: str
    label: str
    shape: Shape
    options: Mapping[str, str] = field(default_factory=dict)
    hint: str | None = None
    is_first: bool = False


def _named(values: Sequence[str], free: str) -> dict[str, str]:
    return {"": free, **{str(each): str(each).capitalize() for each in values}}


CONDITIONS = (
    Condition(
        name="types",
        label="Type",
        shape=Shape.SEVERAL,
        options={str(each): str(each).capitalize() for each in MemoryType},
        is_first=True,
    ),
    Condition(
        name="state",
        label="State",
        shape=Shape.ONE,
        options={
            "": "Live",
            str(State.FUTURE): "Future",
            str(State.PAST): "Past",
            str(State.FORGOTTEN): "Forgotten",
            "any": "Every state",
        },
        is_first=True,
    ),
    Condition(
        name="pinned",
        label="Pinned",
        shape=Shape.YES_OR_NO,
        options={"": "Pinned or not", "yes": "Pinned", "no": "Not pinned"},
        is_first=True,
    ),
    Condition(
        name="scope",
        label="Scope",
        shape=Shape.ONE,
        options=_named(tuple(Scope), "Every scope"),
    ),
    Condition(
        name="scope_id", label="Owner", shape=Shape.WORD, hint="The id of the user, project, …"
    ),
    Condition(
        name="agent", label="Seen by agent", shape=Shape.WORD, hint="Its own and everybody's"
    ),
    Condition(name="key", label="Key", shape=Shape.WORD, hint="Such as editor.indent"),
    Condition(name="tag", label="Tag", shape=Shape.WORD),
    Condition(name="session", label="Said in session", shape=Shape.WORD),
    Condition(
        name="source",
        label="Written by",
        shape=Shape.ONE,
        options=_named(tuple(Actor), "Anybody"),
    ),
    Condition(
        name="trust", label="Trust", shape=Shape.ONE, options=_named(tuple(Trust), "Any trust")
    ),
    Condition(
        name="explicit",
        label="By a person",
        shape=Shape.YES_OR_NO,
        options={"": "By a person or not", "yes": "A person's own words", "no": "Not a person's"},
    ),
    Condition(
        name="expires",
        label="Expiry",
        shape=Shape.YES_OR_NO,
        options={"": "With an end or not", "yes": "Has a time to expire", "no": "Does not expire"},
    ),
    Condition(name="min_importance", label="Importance from", shape=Shape.NUMBER),
    Condition(name="max_importance", label="Importance to", shape=Shape.NUMBER),
    Condition(name="min_confidence", label="Confidence from", shape=Shape.NUMBER),
    Condition(
        name="created_from",
        label="Written from",
        shape=Shape.DAY,
        hint="That day or later",
    ),
    Condition(
        name="created_to",
        label="Written before",
        shape=Shape.DAY,
        hint="Before that day begins",
    ),
)
