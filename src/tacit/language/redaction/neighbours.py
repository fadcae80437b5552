"""Random strings beside which a secret is spoken of, however the sentence goes."""

import re
from collections.abc import Iterator

from tacit.language.redaction.span import Span
from tacit.language.redaction.value import LOOK
from tacit.language.redaction.values import is_hex, is_random, is_token, is_well_mixed
from tacit.language.redaction.vocabulary import words

_BEFORE, _AFTER = 60, 40
_LEAST = 20
_KIND = "key"
_LONE = re.compile(rf"(?<![^\s\"'`“„«(\[{{<,;*])[A-Za-z0-9_+/=-]{{{_LEAST},}}(?![\w@:?&#]|\.\w)")
_WORD = re.compile(r"[^\W\d_]+")
_SPOKEN = words("spoken")
_VENDORS = words("vendors")
_PUBLIC = words("public")


def neighbours(text: str, start: int, end: int) -> Iterator[Span]:
    """Such strings in a stretch, where a word before them in their line tells what they are."""
    if end - start < _LEAST:
        return
    for lone in _LONE.finditer(text, start, end):
        value = lone[0][:LOOK]
        if not is_random(value) or not is_token(value):
            continue
        before = _words(text[max(0, lone.start() - _BEFORE) : lone.start()].rpartition("\n")[2])
        after = _words(text[lone.end() : lone.end() + _AFTER].partition("\n")[0])
        if before.isdisjoint(_PUBLIC) and _is_spoken_of(before, after, value):
            yield Span(*lone.span(), _KIND, lone.start())


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))


def _is_spoken_of(before: frozenset[str], after: frozenset[str], value: str) -> bool:
    """A number can be a digest as well, and needs both: a vendor's name and that of a secret."""
    has_vendor, has_secret = not before.isdisjoint(_VENDORS), not before.isdisjoint(_SPOKEN)
    if is_hex(value):
        return has_vendor and (has_secret or not after.isdisjoint(_SPOKEN))
    return is_well_mixed(value) and (has_vendor or has_secret)
