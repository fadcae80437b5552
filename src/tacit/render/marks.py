"""Words that structure a prompt: where stored text has them, a backslash goes before.

They are looked for in what the text looks like, so that full-width letters and leading invisible
characters hide nothing.
"""

import re
import unicodedata
from collections.abc import Set
from functools import lru_cache
from itertools import accumulate, chain

from tacit.history.blocks import INJECTION_BLOCK_PREFIX
from tacit.memory import MemoryType
from tacit.render.characters import UNSEEN
from tacit.render.wording import FRAME_TITLE, KNOWN_FACTS, PINNED, RELEVANT

_SPACE = r"[^\S\n]*+"
_HEADERS = "|".join(
    re.escape(header)
    for header in (
        INJECTION_BLOCK_PREFIX,
        KNOWN_FACTS,
        PINNED,
        RELEVANT,
        FRAME_TITLE,
        "[Compaction Summary]",
        "[Tool Result]",
        "[Tool Call:",
        *(f"[{type}]" for type in MemoryType),
    )
)
_ROLE = rf"[*_#>]*+{_SPACE}(?:user|assistant|system|human|tool|developer)[*_]*+{_SPACE}:"
_WRAPPERS = "|".join(
    (
        "system(?:[-_](?:reminder|prompt|message))?",
        "user|assistant|human|developer|tool|instructions?",
        "tools?[-_](?:calls?|uses?|results?|responses?)",
        "functions?(?:[-_](?:calls?|results?|responses?))?|invoke",
        "memory|memories|context|hook[-_]context|private",
        "(?:start|end)_of_turn",
    )
)

_AT_LINE_START = re.compile(
    rf"^(?:[^\S\n]|\0)*+\\*+(?={_HEADERS}|═|{_ROLE}|\#\#\#+{_SPACE}instruction)",
    re.IGNORECASE | re.MULTILINE,
)
_ANYWHERE = re.compile(
    rf"</?(?:[\w-]++:)?(?:{_WRAPPERS})(?:\s[^<>]*+|/)?>"
    r"|<\|[^\s<>|]++\|>|<</?sys>>|\[/?inst\]",
    re.IGNORECASE,
)
# All but ASCII and the letters of large scripts, none of which look like ASCII.
_UNUSUAL = re.compile("[^\t\n -~\u0400-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]")
_BREAKS = frozenset("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")


def marked(text: str) -> str:
    """The text with one backslash more before each structuring word."""
    pieces, start = [], 0
    for place in _places(text):
        pieces.append(text[start:place])
        start = place
    return "\\".join([*pieces, text[start:]])


def bare(text: str) -> str:
    """The reverse of `marked`."""
    pieces, start = [], 0
    for place in _places(text):
        pieces.append(text[start:place].removesuffix("\\"))
        start = place
    return "".join([*pieces, text[start:]])


def _places(text: str) -> list[int]:
    """Where structuring words begin."""
    view = _UNUSUAL.sub(lambda found: _plain(found[0]), text)
    beginning = {found.end() for found in _AT_LINE_START.finditer(view)}
    starts = beginning.union(found.start() for found in _ANYWHERE.finditer(view))
    return _places_in(text, starts) if starts else []


def _places_in(text: str, starts: Set[int]) -> list[int]:
    """The places in a text of those in its view; a character may look like several."""
    ends = accumulate(len(_plain(character)) for character in text)
    return [place for place, start in enumerate(chain([0], ends)) if start in starts]


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    """What a character looks like; NUL for what cannot be seen."""
    if character in _BREAKS:
        return "\n"
    return "\0" if UNSEEN.match(character) else unicodedata.normalize("NFKC", character)
