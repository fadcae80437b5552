"""What somebody else has changed meanwhile, and what of it a person has changed too."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from tacit.settings.config.tables import Table
from tacit.ui.form.reading import Reading
from tacit.ui.form.words import told

Place: TypeAlias = tuple[Table, str]
"""A setting: its table and its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanwhile:
    """A setting that has another value since it was read; all of it in words."""

    place: Place
    label: str
    was: str
    theirs: str


def meanwhile(before: Reading, now: Reading) -> Iterator[Meanwhile]:
    """Which settings have changed from one reading to a later one."""
    for table, entries in now.tables.items():
        for name, entry in entries.items():
            was = before.tables[table][name].value
            if entry.value != was:
                yield Meanwhile(
                    place=(table, name),
                    label=entry.definition.label,
                    was=told(was),
                    theirs=told(entry.value),
                )


def joined(known: Mapping[Place, Meanwhile], more: Iterable[Meanwhile]) -> dict[Place, Meanwhile]:
    """Changes after changes: of what changed twice, from the first value to the last."""
    all_of_it = dict(known)
    for each in more:
        first = all_of_it.pop(each.place, each)
        if first.was != each.theirs:
            all_of_it[each.place] = replace(each, was=first.was)
    return all_of_it
