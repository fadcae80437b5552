"""Redacting a text."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tacit.language.redaction.assignments import assigned
from tacit.language.redaction.blocks import private_keys
from tacit.language.redaction.marker import marker, markers
from tacit.language.redaction.names import HINTS, names
from tacit.language.redaction.neighbours import neighbours
from tacit.language.redaction.numbers import listed_codes, numbers
from tacit.language.redaction.places import loose_places, solid_places
from tacit.language.redaction.private import PRIVATE, without_private
from tacit.language.redaction.sentences import SentenceReader
from tacit.language.redaction.span import Span
from tacit.language.redaction.tokens import encoded_tokens, tokens
from tacit.language.redaction.value import ValueReader

_ROUNDS = 8
_MARGIN = 5_000
"""No secret is longer, but for what begins with a line that says so."""
_STRETCH = re.compile(r"(?<!\S)\S{12,}")
_ALL_HINTS = (
    *HINTS,
    " -",
    "basic",
    "cookie",
    "identified",
    "wifi:",
    "login",
    "log in",
    "secure",
    "zugangs",
    "anmelde",
    "identifiant",
    "acceso",
    "mailgun",
    "net use ",
    "private-lines:",
)
"""Without one of these no secret stands in a line, but for those that are known by their look."""
_HINTS = tuple(filter(str.isascii, _ALL_HINTS))


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without secrets, and the kinds of those that were in it, in its order."""

    text: str
    kinds: tuple[str, ...] = ()


def redact(text: str) -> Redacted:
    """The text with a marker in place of each secret, and without what is marked as private."""
    return _redact(text)


def redact_pieces(texts: Sequence[str]) -> list[str]:
    """Texts one after the other, without the key or the list of codes that goes across them.

    A text that was a part of one becomes a marker; what else it holds is for `redact` to find.
    """
    kept, starts = list(texts), [0]
    for text in texts:
        starts.append(starts[-1] + len(text) + 1)
    joined = "\n".join(texts)
    spans = [*private_keys(joined), *listed_codes(joined, joined.lower())]
    for span in sorted(spans, reverse=True):
        place = bisect_right(starts, span.start) - 1
        while place < len(kept) and starts[place] < span.end:
            text, first = kept[place], starts[place]
            before, after = text[: max(0, span.start - first)], text[max(0, span.end - first) :]
            kept[place] = before + marker(span.name) + after
            place += 1
    return kept


def redact_lines(lines: Sequence[str]) -> list[str]:
    """The lines of one text, as many as before, without the secrets that the text has.

    Each line of a secret of several lines is a marker, and one of a private element is empty.
    """
    return _redact("\n".join(lines), keeps_lines=True).text.split("\n") if lines else []


def _redact(text: str, *, keeps_lines: bool = False) -> Redacted:
    kinds: dict[str, None] = {}
    for _ in range(_ROUNDS):
        bare = without_private(text, keeps_lines=keeps_lines)
        if bare != text:
            kinds[PRIVATE] = None
        spans = _spans(bare)
        if not spans and bare == text:
            break
        kinds |= dict.fromkeys(span.name for span in spans)
        text = _replaced(bare, spans, keeps_lines=keeps_lines)
    return Redacted(text, tuple(kinds))


def redact_start(text: str, characters: int) -> Redacted:
    """The first characters of a text without secrets, not cut within a marker.

    A secret across the cut is not recognised by its first half, so more is read than is kept. What
    ends where reading ended may be such a half; it is never kept, however short markers have made
    the text.
    """
    read = text[: characters + _MARGIN]
    redacted = redact(read)
    is_whole = len(read) == len(text)
    known = len(redacted.text) if is_whole else max(len(redacted.text) - _MARGIN, 0)
    return Redacted(clip(redacted.text, min(characters, known)), redacted.kinds)


def clip(redacted: str, characters: int) -> str:
    """The first characters of a text that was redacted, without a marker that would be cut."""
    for start, end in markers(redacted):
        if start < characters < end:
            return redacted[:start]
    return redacted[:characters]


def _spans(text: str) -> list[Span]:
    """The secrets in a text, in its order; where two patterns meet, the first has it."""
    found = list(_found(text))
    if not found:
        return []
    opaque, chosen = _opaque(text), []
    taken = bytearray(opaque)
    for span in found:
        if not opaque[span.sign] and taken.find(1, span.start, span.end) < 0:
            taken[span.start : span.end] = b"\x01" * (span.end - span.start)
            chosen.append(span)
    return sorted(chosen)


def _found(text: str) -> Iterator[Span]:
    """What every pattern finds; most are not tried, since nothing speaks for them."""
    lowered = _lowered(text)
    yield from private_keys(text)
    stretches = [found.span() for found in _STRETCH.finditer(text)]
    if stretches:
        for start, end in stretches:
            yield from encoded_tokens(text, start, end)
            yield from tokens(text, start, end)
        solid = " ".join(lowered[start:end] for start, end in stretches)
        for place in solid_places():
            if place.mark in solid:
                yield from place.found(text, lowered)
    if any(map(lowered.__contains__, _HINTS if text.isascii() else _ALL_HINTS)):
        for place in loose_places():
            yield from place.found(text, lowered)
        yield from _named(text, lowered)
    for start, end in stretches:
        yield from neighbours(text, start, end)
    yield from numbers(text, lowered)


def _named(text: str, lowered: str) -> Iterator[Span]:
    """What stands under the name of a secret; a name inside of a secret is none."""
    last, values = 0, ValueReader(text)
    sentences = SentenceReader(values)
    for name in names(text, lowered):
        if name.start < last or not values.may_read(name.end):
            continue
        value = assigned(values, name)
        for each in [value] if value else sentences.told(name):
            last = max(last, each.end)
            yield Span(each.start, each.end, str(name.kind), name.start)


def _opaque(text: str) -> bytearray:
    """Which characters belong to markers that are there already."""
    taken = bytearray(len(text))
    for start, end in markers(text):
        taken[start:end] = b"\x01" * (end - start)
    return taken


def _replaced(text: str, spans: Iterable[Span], *, keeps_lines: bool) -> str:
    parts: list[str] = []
    last = 0
    for span in spans:
        breaks = text.count("\n", span.start, span.end) if keeps_lines else 0
        parts += [text[last : span.start], "\n".join([marker(span.name)] * (1 + breaks))]
        last = span.end
    return "".join([*parts, text[last:]])


def _lowered(text: str) -> str:
    """The text in lower case, character by character, so that places in it are the same."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)
