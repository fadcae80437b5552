"""The definition of a setting: a field of a frozen dataclass, read once for every door."""

from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from typing import Any, get_args

from tacit.core.errors import InvalidInput
from tacit.core.kinds import MemoryType, Scope


class Kind(StrEnum):
    """What a setting holds."""

    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    CHOICE = "choice"
    TYPES = "types"
    SCOPES = "scopes"
    TEXT = "text"


class Group(StrEnum):
    """What a setting is about, in the order in which groups are shown."""

    CONTEXTUAL = "Contextual search"
    DEDUPLICATION = "Deduplication"
    AMBIENT = "Ambient awareness"
    SELECTION = "Selection"
    BUDGET = "Budget"
    BLOCK = "Block"
    LIMITS = "Limits"
    SEARCH = "Search"
    WRITING = "Writing"
    UPKEEP = "Upkeep"
    POSTGRES = "PostgreSQL"
    SERVER = "Server"
    DAEMON = "Daemon"
    GROUNDING = "Grounding"

    @property
    def is_advanced(self) -> bool:
        """Whether most people never need it."""
        return self is Group.AMBIENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """Values that are allowed but seldom wise, and why."""

    values: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """All there is to know about one setting; `low` and `high` belong to the range.

    One that `needs` another counts only while that one is on. `guidance` says which value suits
    whom; nobody is held to it. `in_project` says whether the file of a project may set it, once the
    user has agreed to that file; only settings that decide how much is shown and in which order
    may be, never those that decide where data goes, who may enter, what is kept or switched off.
    """

    name: str
    kind: Kind
    default: Any
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    help: str
    group: Group
    label: str
    needs: str | None = None
    guidance: str | None = None
    caution: Caution | None = None
    in_project: bool = False


def setting(
    default: Any,
    label: str,
    help: str,
    group: Group,
    *,
    low: float | None = None,
    high: float | None = None,
    needs: str | None = None,
    guidance: str | None = None,
    caution: Caution | None = None,
    in_project: bool = False,
) -> Any:
    """A field that is a setting; its annotation says of which kind."""
    told = {"label": label, "help": help, "group": group}
    advice = {"needs": needs, "guidance": guidance, "caution": caution}
    ends = {} if low is None else {"low": low, "high": high}
    return field(default=default, metadata={**told, **ends, **advice, "in_project": in_project})


@cache
def definitions(settings_class: type) -> tuple[Definition, ...]:
    """The settings of a class, in the order of its fields."""
    return tuple(_definition(each) for each in fields(settings_class))


@cache
def definition(settings_class: type, name: str) -> Definition:
    """The setting with this name, or an error that says which there are."""
    known = {each.name: each for each in definitions(settings_class)}
    if name not in known:
        close = get_close_matches(name, known, n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise InvalidInput(name, f"no such setting{hint}; the settings are {', '.join(known)}")
    return known[name]


def _definition(each: Field[Any]) -> Definition:
    return Definition(
        name=each.name,
        kind=_KINDS.get(each.type, Kind.CHOICE),
        default=each.default,
        low=each.metadata.get("low"),
        high=each.metadata.get("high"),
        choices=_choices(each.type),
        help=each.metadata["help"],
        group=each.metadata["group"],
        label=each.metadata["label"],
        needs=each.metadata["needs"],
        guidance=each.metadata["guidance"],
        caution=each.metadata["caution"],
        in_project=each.metadata["in_project"],
    )


def _choices(annotation: Any) -> tuple[str, ...]:
    (choices, *_) = get_args(annotation) or (annotation,)
    return tuple(choices) if issubclass(choices, StrEnum) else ()


_KINDS: dict[Any, Kind] = {
    bool: Kind.BOOL,
    int: Kind.INT,
    float: Kind.FLOAT,
    str: Kind.TEXT,
    tuple[MemoryType, ...]: Kind.TYPES,
    tuple[Scope, ...]: Kind.SCOPES,
}
