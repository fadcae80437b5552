"""A wish: what somebody wants to see of the memories, as the address of the page says it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self, cast

from tacit.core.errors import InvalidInput
from tacit.core.memory.filters import Filters, check_filters
from tacit.core.memory.kinds import MemoryType, Sort
from tacit.ui.pages.memories.conditions import CONDITIONS, Condition, Shape

TEXT, MEANING, SORT, AFTER, SKIPPED = "text", "meaning", "sort", "after", "skipped"
ANY = "any"
YES, NO = "yes", "no"


class Way(StrEnum):
    """How a text is looked for."""

    WORDS = "words"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Words and conditions, in which order, and after which memory the page begins."""

    text: str = ""
    way: Way = Way.WORDS
    conditions: Mapping[str, str] = field(default_factory=dict)
    sort: Sort = Sort.RECENT
    after: str | None = None
    skipped: int = 0

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Self:
        """What an address says; what it cannot mean is left out."""
        return cls(
            text=query.get(TEXT, ""),
            way=Way.MEANING if query.get(MEANING) == YES else Way.WORDS,
            conditions={each.name: query[each.name] for each in CONDITIONS if query.get(each.name)},
            sort=_sort(query.get(SORT, "")),
            after=query.get(AFTER) or None,
            skipped=_whole(query.get(SKIPPED, "")),
        )

    @property
    def query(self) -> dict[str, str]:
        """What the address says of it; what is usual goes without saying."""
        said = {
            TEXT: self.text,
            MEANING: YES if self.way is Way.MEANING else "",
            **self.conditions,
            SORT: "" if self.sort is Sort.RECENT else str(self.sort),
            AFTER: self.after or "",
            SKIPPED: str(self.skipped or ""),
        }
        return {name: value for name, value in said.items() if value}

    @property
    def is_by_meaning(self) -> bool:
        """Whether something is searched, rather than listed."""
        return self.way is Way.MEANING and bool(self.text.strip())

    @property
    def is_free(self) -> bool:
        """Whether it asks for nothing in particular."""
        return not self.text.strip() and not self.conditions

    @property
    def more(self) -> int:
        """How many conditions there are besides those that are always in sight."""
        return sum(each.name in self.conditions for each in CONDITIONS if not each.is_first)

    def with_text(self, text: str, way: Way) -> Self:
        """The same wish for another text, from the first page on."""
        return replace(self, text=text, way=way, after=None, skipped=0)

    def with_condition(self, name: str, value: str) -> Self:
        """The same wish with another condition, from the first page on; an empty one is none."""
        others = {key: said for key, said in self.conditions.items() if key != name}
        return replace(
            self,
            conditions={**others, name: value} if value else others,
            after=None,
            skipped=0,
        )

    def filters(self) -> Filters:
        """What the client is asked for; says which condition makes no sense."""
        asked = {
            each.name: meant(each, self.conditions[each.name])
            for each in CONDITIONS
            if each.name in self.conditions
        }
        if self.text.strip() and not self.is_by_meaning:
            asked["contains"] = self.text.strip()
        check_filters(asked)
        return cast(Filters, asked)


def meant(condition: Condition, said: str) -> Any:
    """The value of a condition."""
    if condition.shape is Shape.NUMBER:
        return _number(condition.name, said)
    if condition.shape is Shape.YES_OR_NO:
        return said == YES
    if condition.name == "types":
        return tuple(said.split(","))
    if condition.name == "state":
        return None if said == ANY else said
    return said


def refused(error: InvalidInput) -> str:
    """What is wrong with a condition, by the name that a person knows it by."""
    names = {each.name: each.label for each in CONDITIONS} | {"contains": "Search"}
    return f"{names.get(error.field, error.field.capitalize())}: {error.problem}"


def chosen_types(said: str) -> list[str]:
    """The types that a condition names, those that there are."""
    return [each for each in said.split(",") if each in set(MemoryType)]


def _sort(said: str) -> Sort:
    return Sort(said) if said in set(Sort) else Sort.RECENT


def _whole(said: str) -> int:
    return int(said) if said.isdecimal() and len(said) < 10 else 0


def _number(name: str, said: str) -> float:
    try:
        return float(said)
    except ValueError:
        raise InvalidInput(name, "give a number from 0 to 1") from None
