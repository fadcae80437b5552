"""What somebody pasted of a block: found by its layout, whichever session it comes from."""

import re

from tacit.memory import MemoryType, Scope
from tacit.structure.templates import (
    FRAME_RULES,
    FRAME_TITLE,
    INJECTION_BLOCK_PREFIX,
    KNOWN_FACTS,
    PINNED,
    PREFACE,
    RELEVANT,
)

_TYPES = "|".join(MemoryType)
_LABEL = rf"\[(?:{'|'.join(type.capitalize() for type in MemoryType)})\]"
_REMARKS = r"(?: \((?:shortened|untrusted|conflict: [^\n]*?)\))*"
_FIXED = (PREFACE, FRAME_TITLE, *FRAME_RULES, KNOWN_FACTS, PINNED, RELEVANT)

_HEADER = re.compile(rf"{re.escape(INJECTION_BLOCK_PREFIX)}(?: ?#[0-9a-f]{{8}})?")
_PARTS = re.compile(
    "|".join(
        (
            *(re.escape(words) for words in _FIXED),
            r"═{8,}",
            rf"{_LABEL}[^\n]*?\(importance: \d(?:\.\d+)?\){_REMARKS}",
            rf"- [^\n]*? \((?:{_TYPES}), (?:{'|'.join(Scope)}), confidence \d\.\d\d\){_REMARKS}",
        )
    )
)
_LABELLED = re.compile(rf"^[ \t>*-]*{_LABEL} [^\n]*$", re.MULTILINE)


def without_blocks(text: str) -> str:
    """A text without the lines that only a block has."""
    header = _HEADER.search(text)
    if header is not None:
        before, after = text[: header.start()], _HEADER.sub(" ", text[header.start() :])
        text = before + _LABELLED.sub(" ", after)
    return _PARTS.sub(" ", text)
