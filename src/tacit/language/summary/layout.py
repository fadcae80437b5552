"""How a summary is written: a line for what someone said, under headings where there are kinds."""

from collections.abc import Sequence
from itertools import groupby

from tacit.language.summary.worth import Group, Valued


class Room:
    """Characters that are left, counted as `written` uses them up."""

    def __init__(self, characters: int) -> None:
        self._left = characters + 1
        self._lines: set[tuple[Group, int]] = set()
        self._groups: set[Group] = set()

    def fits(self, values: Sequence[Valued]) -> bool:
        """Whether there is room for all of these."""
        return self._cost(values) <= self._left

    def take(self, values: Sequence[Valued]) -> None:
        """Give room to these, which fit."""
        self._left -= self._cost(values)
        self._lines |= {(value.group, value.sentence.turn) for value in values}
        self._groups |= {value.group for value in values}

    def _cost(self, values: Sequence[Valued]) -> int:
        lines = {(value.group, value.sentence.turn): value for value in values}
        openings = sum(len(_opening(lines[line])) for line in lines.keys() - self._lines)
        headings = {value.group for value in values} - self._groups
        texts = sum(len(value.sentence.text) + 1 for value in values)
        return texts + openings + sum(len(heading) + 1 for heading in headings)


def written(values: Sequence[Valued]) -> str:
    """Chosen sentences as text; a heading would say nothing where all are facts."""
    groups = {group: [each for each in values if each.group is group] for group in Group}
    shown = {group: held for group, held in groups.items() if held}
    headed = shown.keys() != {Group.FACT}
    lines: list[str] = []
    for group, held in shown.items():
        lines += [str(group)] if headed else []
        lines += _lines(held)
    return "\n".join(lines)


def cut(value: Valued, characters: int) -> str:
    """The beginning of a sentence for which there is too little room, up to a whole word."""
    line = _opening(value) + value.sentence.text
    kept, _, _ = line[: max(characters, 0)].rpartition(" ")
    return f"{kept}…" if len(kept) > len(_opening(value)) else ""


def _lines(values: Sequence[Valued]) -> list[str]:
    return [
        _opening(said[0]) + " ".join(each.sentence.text for each in said)
        for _, turn in groupby(values, key=lambda value: value.sentence.turn)
        if (said := list(turn))
    ]


def _opening(value: Valued) -> str:
    return f"- {value.sentence.speaker}: " if value.sentence.speaker else "- "
