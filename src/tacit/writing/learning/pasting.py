"""What somebody pasted of a block: found by its layout, whichever session it comes from."""

import re
from collections.abc import Iterator

from tacit.core.kinds import MemoryType, Scope
from tacit.language.structure.templates import (
    FRAME_RULES,
    FRAME_TITLE,
    INJECTION_BLOCK_PREFIX,
    KNOWN_FACTS,
    PINNED,
    PREFACE,
    RELEVANT,
    TEMPLATES,
    Remark,
)

_TYPES = "|".join(MemoryType)
_LABEL = rf"\[(?:{'|'.join(type.capitalize() for type in MemoryType)})\]"
_REMARKED = "|".join(re.escape(each) for each in TEMPLATES if isinstance(each, Remark))
_FIXED = (PREFACE, FRAME_TITLE, *FRAME_RULES, KNOWN_FACTS, PINNED, RELEVANT)

_HEADER = re.compile(rf"{re.escape(INJECTION_BLOCK_PREFIX)}(?: ?#[0-9a-f]{{8}})?")
_WHOLE = "|".join((*(re.escape(words) for words in _FIXED), "═{8,}"))
_OPENINGS = re.compile(rf"(?P<whole>{_WHOLE})|(?P<label>{_LABEL})|(?P<item>- )")
"""What stands alone, and what a line of a memory begins with."""
_ENDINGS = {
    "label": re.compile(r"\(importance: \d(?:\.\d+)?\)"),
    "item": re.compile(rf" \((?:{_TYPES}), (?:{'|'.join(Scope)}), confidence \d\.\d\d\)"),
}
"""What such a line ends with, by what it begins with."""
_REMARKS = re.compile(rf"(?: \((?:{_REMARKED}|conflict: [^\n]*?)\))*")
_LABELLED = re.compile(rf"^[ \t>*-]*{_LABEL} [^\n]*$", re.MULTILINE)


def without_blocks(text: str) -> str:
    """A text without the lines that only a block has."""
    header = _HEADER.search(text)
    if header is not None:
        before, after = text[: header.start()], _HEADER.sub(" ", text[header.start() :])
        text = before + _LABELLED.sub(" ", after)
    return " ".join(_around_parts(text))


def _around_parts(text: str) -> Iterator[str]:
    """What stands before, between and after the parts of blocks."""
    start = 0
    endings: dict[str, _Endings] = {}
    opening = _OPENINGS.search(text)
    while opening is not None:
        name, end = opening.lastgroup or "", opening.end()
        if name in _ENDINGS and name not in endings:
            endings[name] = _Endings(_ENDINGS[name], text)
        after = endings[name].after(end) if name in _ENDINGS else end
        if after is not None:
            yield text[start : opening.start()]
            start = end = after
        opening = _OPENINGS.search(text, end)
    yield text[start:]


class _Endings:
    """The endings of one kind, asked for from the front to the back of a text.

    A line may have many openings and no ending, so nothing is looked for twice.
    """

    def __init__(self, ending: re.Pattern[str], text: str) -> None:
        self._text = text
        self._found = ending.finditer(text)
        self._start, self._end, self._line = 0, 0, 0
        self._step()

    def after(self, place: int) -> int | None:
        """Where the first ending after a place ends, with remarks, if it is in the same line."""
        while self._start < place:
            self._step()
        if self._end < 0 or place < self._line:
            return None
        remarks = _REMARKS.match(self._text, self._end)
        return self._end if remarks is None else remarks.end()

    def _step(self) -> None:
        """Go to the next ending, and to where its line begins."""
        found = next(self._found, None)
        before = self._end
        self._start, self._end = found.span() if found else (len(self._text), -1)
        self._line = max(self._line, self._text.rfind("\n", before, self._start) + 1)
