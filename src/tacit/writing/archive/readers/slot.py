"""The slot before a saved memory: [when it was saved], as chats write it when asked for all."""

import re
from datetime import datetime

from tacit.writing.archive.readers.wording import marker_width

_SLOT = re.compile(r"\[(?P<saved>[^\]]{1,60})\](?P<dash>\s*[-–—]\s|[.:]?\s)\s*(?P<words>\S.*)")
_WRITTEN = ("%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%Y/%m/%d")
_LONGEST = 40


def parted(line: str) -> tuple[str, str]:
    """What the slot of a line says, and the words after it; without a slot, all the words."""
    words = line[marker_width(line) :].strip()
    found = _SLOT.fullmatch(words)
    if found is None or not found["saved"].strip():
        return "", words
    has_dash = bool(found["dash"].strip(" .:"))
    is_slot = has_dash or moment_of(found["saved"]) is not None
    return (found["saved"].strip(), found["words"]) if is_slot else ("", words)


def moment_of(words: str) -> datetime | None:
    """The date or time that some words are, in English or by ISO 8601; None if they are none."""
    told = words.strip()
    if len(told) > _LONGEST or not any(map(str.isdigit, told)):
        return None
    try:
        return datetime.fromisoformat(told)
    except ValueError:
        pass
    for written in _WRITTEN:
        try:
            return datetime.strptime(told, written)
        except ValueError:
            continue
    return None
