"""The query behind the table of memories: filters, search text, sorting, and its result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Self, cast

from tacit.api.client.remote import RemoteTacit
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.kinds import Actor, MemoryType, Scope, Sort, State, Trust
from tacit.core.memory import Filters, Memory, check_filters
from tacit.store.query import Query, matches_query


class FilterKind(StrEnum):
    """What kind of value a filter takes."""

    ONE = "one"
    SEVERAL = "several"
    WORD = "word"
    DAY = "day"
    NUMBER = "number"
    YES_OR_NO = "yes or no"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterDefinition:
    """A filter: its name in the address and for the client, and its label.

    `is_first` if it is always visible.
    """

    name: str
    label: str
    kind: FilterKind
    options: Mapping[str, str] = field(default_factory=dict)
    hint: str | None = None
    is_first: bool = False


def _choices(values: Sequence[str], free: str) -> dict[str, str]:
    return {"": free, **{str(each): str(each).capitalize() for each in values}}


FILTERS = (
    FilterDefinition(
        name="types",
        label="Type",
        kind=FilterKind.SEVERAL,
        options={str(each): str(each).capitalize() for each in MemoryType},
        is_first=True,
    ),
    FilterDefinition(
        name="state",
        label="State",
        kind=FilterKind.ONE,
        options={
            "": "Live",
            str(State.FUTURE): "Future",
            str(State.PAST): "Past",
            str(State.FORGOTTEN): "Forgotten",
            "any": "Every state",
        },
        is_first=True,
    ),
    FilterDefinition(
        name="pinned",
        label="Pinned",
        kind=FilterKind.YES_OR_NO,
        options={"": "Pinned or not", "yes": "Pinned", "no": "Not pinned"},
        is_first=True,
    ),
    FilterDefinition(
        name="scope",
        label="Scope",
        kind=FilterKind.ONE,
        options=_choices(tuple(Scope), "Every scope"),
    ),
    FilterDefinition(
        name="scope_id", label="Owner", kind=FilterKind.WORD, hint="The id of the user, project, …"
    ),
    FilterDefinition(
        name="agent", label="Seen by agent", kind=FilterKind.WORD, hint="Its own and everybody's"
    ),
    FilterDefinition(name="key", label="Key", kind=FilterKind.WORD, hint="Such as editor.indent"),
    FilterDefinition(name="tag", label="Tag", kind=FilterKind.WORD),
    FilterDefinition(name="session", label="Said in session", kind=FilterKind.WORD),
    FilterDefinition(
        name="source",
        label="Written by",
        kind=FilterKind.ONE,
        options=_choices(tuple(Actor), "Anybody"),
    ),
    FilterDefinition(
        name="trust",
        label="Trust",
        kind=FilterKind.ONE,
        options=_choices(tuple(Trust), "Any trust"),
    ),
    FilterDefinition(
        name="explicit",
        label="By a person",
        kind=FilterKind.YES_OR_NO,
        options={"": "By a person or not", "yes": "A person's own words", "no": "Not a person's"},
    ),
    FilterDefinition(
        name="expires",
        label="Expiry",
        kind=FilterKind.YES_OR_NO,
        options={"": "With an end or not", "yes": "Has a time to expire", "no": "Does not expire"},
    ),
    FilterDefinition(name="min_importance", label="Importance from", kind=FilterKind.NUMBER),
    FilterDefinition(name="max_importance", label="Importance to", kind=FilterKind.NUMBER),
    FilterDefinition(name="min_confidence", label="Confidence from", kind=FilterKind.NUMBER),
    FilterDefinition(
        name="created_from",
        label="Written from",
        kind=FilterKind.DAY,
        hint="That day or later",
    ),
    FilterDefinition(
        name="created_to",
        label="Written before",
        kind=FilterKind.DAY,
        hint="Before that day begins",
    ),
)


TEXT, MEANING, SORT, AFTER, SKIPPED = "text", "meaning", "sort", "after", "skipped"
ANY = "any"
YES, NO = "yes", "no"


class SearchMode(StrEnum):
    """How a text is searched."""

    WORDS = "words"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListQuery:
    """Search text, filters and order, and the memory after which the page begins."""

    text: str = ""
    mode: SearchMode = SearchMode.WORDS
    conditions: Mapping[str, str] = field(default_factory=dict)
    sort: Sort = Sort.RECENT
    after: str | None = None
    skipped: int = 0

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Read the query of an address; invalid parts are ignored."""
        return cls(
            text=query.get(TEXT, ""),
            mode=SearchMode.MEANING if query.get(MEANING) == YES else SearchMode.WORDS,
            conditions={each.name: query[each.name] for each in FILTERS if query.get(each.name)},
            sort=_parse_sort(query.get(SORT, "")),
            after=query.get(AFTER) or None,
            skipped=_parse_count(query.get(SKIPPED, "")),
        )

    def to_query(self) -> dict[str, str]:
        """The query as part of an address, without default values."""
        values = {
            TEXT: self.text,
            MEANING: YES if self.mode is SearchMode.MEANING else "",
            **self.conditions,
            SORT: "" if self.sort is Sort.RECENT else str(self.sort),
            AFTER: self.after or "",
            SKIPPED: str(self.skipped or ""),
        }
        return {name: value for name, value in values.items() if value}

    @property
    def is_by_meaning(self) -> bool:
        """Whether it searches by meaning rather than listing."""
        return self.mode is SearchMode.MEANING and bool(self.text.strip())

    @property
    def is_unfiltered(self) -> bool:
        """Whether it has no text and no filter."""
        return not self.text.strip() and not self.conditions

    @property
    def hidden_filter_count(self) -> int:
        """How many filters are set that are not always visible."""
        return sum(each.name in self.conditions for each in FILTERS if not each.is_first)

    def with_text(self, text: str, mode: SearchMode) -> Self:
        """The same query with another text, from the first page."""
        return replace(self, text=text, mode=mode, after=None, skipped=0)

    def with_condition(self, name: str, value: str) -> Self:
        """The same query with another filter value, from the first page; "" removes it."""
        others = {key: old for key, old in self.conditions.items() if key != name}
        return replace(
            self,
            conditions={**others, name: value} if value else others,
            after=None,
            skipped=0,
        )

    def filters(self) -> Filters:
        """The filters for the client; raises InvalidInput for an invalid one."""
        asked = {
            each.name: parse_filter(each, self.conditions[each.name])
            for each in FILTERS
            if each.name in self.conditions
        }
        if self.text.strip() and not self.is_by_meaning:
            asked["contains"] = self.text.strip()
        check_filters(asked)
        return cast(Filters, asked)


def parse_filter(filter: FilterDefinition, text: str) -> Any:
    """Parse the value of a filter."""
    if filter.kind is FilterKind.NUMBER:
        return _parse_number(filter.name, text)
    if filter.kind is FilterKind.YES_OR_NO:
        return text == YES
    if filter.name == "types":
        return tuple(text.split(","))
    if filter.name == "state":
        return None if text == ANY else text
    return text


def filter_problem_text(error: InvalidInput) -> str:
    """What is wrong with a filter, by its label."""
    names = {each.name: each.label for each in FILTERS} | {"contains": "Search"}
    return f"{names.get(error.field, error.field.capitalize())}: {error.problem}"


def parse_types(text: str) -> list[str]:
    """The memory types that a filter names, without unknown ones."""
    return [each for each in text.split(",") if each in set(MemoryType)]


def _parse_sort(text: str) -> Sort:
    return Sort(text) if text in set(Sort) else Sort.RECENT


def _parse_count(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _parse_number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidInput(name, "give a number from 0 to 1") from None


PAGE_SIZE = 50
_MAX_HITS = 100
_SEARCH_FILTERS = ("types", "scope", "scope_id", "agent", "min_confidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListResult:
    """Memories in order, their relevance if they were searched, and whether more follow."""

    memories: tuple[Memory, ...] = ()
    relevance: dict[str, float] = field(default_factory=dict)
    has_more: bool = False
    skipped: int = 0
    degraded: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def total(self) -> int | None:
        """The number of all matches, if it is known."""
        return None if self.has_more else self.skipped + len(self.memories)


def find_memories(
    tacit: RemoteTacit, query: ListQuery, filters: Filters, now: datetime
) -> ListResult:
    """Load the memories of a query."""
    if query.is_by_meaning:
        return _search_memories(tacit, query, filters, now)
    try:
        return _list_memories(tacit, query, filters, query.after)
    except NotFound:  # the memory that the page began after is gone for good
        return _list_memories(tacit, query, filters, None)


def _list_memories(
    tacit: RemoteTacit, query: ListQuery, filters: Filters, after: str | None
) -> ListResult:
    found = tacit.list(sort=query.sort, limit=PAGE_SIZE + 1, after=after, **filters)
    return ListResult(
        memories=tuple(found[:PAGE_SIZE]),
        has_more=len(found) > PAGE_SIZE,
        skipped=0 if after is None else query.skipped,
    )


def _search_memories(
    tacit: RemoteTacit, query: ListQuery, filters: Filters, now: datetime
) -> ListResult:
    """Search by meaning; the filters that the search does not know are applied here."""
    named: dict[str, Any] = {name: filters[name] for name in _SEARCH_FILTERS if name in filters}  # type: ignore[literal-required]
    result = tacit.search(query.text.strip(), max_results=_MAX_HITS, **named)
    conditions = Query(**check_filters(filters), now=now)
    hits = [hit for hit in result.hits if matches_query(hit.memory, conditions)]
    return ListResult(
        memories=tuple(hit.memory for hit in hits),
        relevance={hit.memory.id: hit.relevance for hit in hits},
        degraded=result.degraded,
        notes=result.notes,
    )
