"""Redact texts, JSON values and the fields of a memory: each secret becomes a marker."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from tacit.core.errors import InvalidInput
from tacit.core.fields import Origin, check_field
from tacit.language.redaction.lock_codes import find_lock_codes
from tacit.language.redaction.named_secrets import (
    NAME_HINTS,
    SentenceReader,
    find_assigned_value,
    find_secret_names,
    secret_kind_of_field,
)
from tacit.language.redaction.numbers import find_listed_codes, find_numbers, number_kind_of_field
from tacit.language.redaction.patterns import (
    find_encoded_tokens,
    find_private_keys,
    find_random_strings,
    find_tokens,
    load_loose_places,
    load_solid_places,
)
from tacit.language.redaction.seed_phrases import find_seed_phrases
from tacit.language.redaction.values import SecretSpan, ValueReader

# Remove elements that somebody marked as private, with everything in them.
#
# Whatever looks like the tag counts as the tag, because leaving out too much is better than too
# little: spaces within it, unseen characters, letters and brackets of other scripts, and brackets
# as
# HTML, JSON and URLs encode them.


_LOOKALIKES = {
    "<": "≺＜﹤‹«❮❰〈⟨⟪〈《˂ᐸ",
    ">": "≻＞﹥›»❯❱〉⟩⟫〉》˃ᐳ",
    "p": "рρРΡᴩ",
    "r": "гᴦ",
    "i": "іıιІΙɩ",
    "v": "ѵνᴠ",
    "a": "аαАΑɑ",
    "t": "тτТΤᴛ",
    "e": "еεЕΕє",
}
"""Lookalikes that normalisation does not know."""
_UNSEEN = "\0"
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
_MOST_KEPT = 65_536

_LESS = r"(?:\\?<|&(?:amp;){0,4}(?:lt|#0{0,6}60|#x0{0,6}3c);?|\\u003c|\\x3c|%3c)"
_MORE = r"(?:\\?>|&(?:amp;){0,4}(?:gt|#0{0,6}62|#x0{0,6}3e);?|\\u003e|\\x3e|%3e)"
_BRACKET = re.compile(rf"[{_LOOKALIKES['<']}]|{_LESS}", re.IGNORECASE)
_GAP = r"[\s\0]{0,20}"
_NAME = _GAP.join(("p", "r", "[i1l|]", "v", "a", "t", "e"))
_TAG = re.compile(
    rf"{_LESS}{_GAP}(?P<end>(?:[/\\]|%2f)?){_GAP}{_NAME}{_GAP}(?:\s[^<>]{{0,200}})?/?{_GAP}{_MORE}",
    re.IGNORECASE,
)
_MAX_NESTING = 8

PRIVATE = "private"
"""The kind of secret that was marked as private."""


def remove_private(text: str, *, keeps_lines: bool = False) -> str:
    """Remove private elements; one that is not closed hides the rest of the text.

    With `keeps_lines`, the lines of an element are left empty.
    """
    if not _BRACKET.search(text):
        return text
    for _ in range(_MAX_NESTING):
        bare = _remove_elements(text, keeps_lines)
        if bare == text:
            return text
        text = bare
    first = next((tag.start() for tag in _find_tags(text) if not tag["end"]), len(text))
    return text[:first] + "\n" * (text.count("\n", first) if keeps_lines else 0)


def _remove_elements(text: str, keeps_lines: bool) -> str:
    """Remove elements once; the remaining parts may form another tag where they meet."""
    kept: list[str] = []
    depth, last = 0, 0
    for tag in _find_tags(text):
        if not tag["end"]:
            if depth == 0:
                kept.append(text[last : tag.start()])
                last = tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                kept.append("\n" * (text.count("\n", last, tag.end()) if keeps_lines else 0))
                last = tag.end()
    if depth:
        return "".join(kept) + "\n" * (text.count("\n", last) if keeps_lines else 0)
    return "".join([*kept, text[last:]])


def _find_tags(text: str) -> list[re.Match[str]]:
    """Find the tags in a text."""
    is_plain = text.isascii() and "\0" not in text
    return list(_TAG.finditer(text if is_plain else text.translate(_LOOKS)))


class _Looks(dict[int, str]):
    """What each character looks like, as one character, computed on first use."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        looks = self._looks(character)
        if len(self) < _MOST_KEPT:
            self[code] = looks
        return looks

    @staticmethod
    def _looks(character: str) -> str:
        if character.isascii():
            is_seen = character.isprintable() or character.isspace()
            return character if is_seen else _UNSEEN
        kind = unicodedata.category(character)
        if kind in ("Cf", "Cc", "Mn", "Me") or character in _FILLERS:
            return _UNSEEN
        for plain, others in _LOOKALIKES.items():
            if character in others:
                return plain
        first = unicodedata.normalize("NFKD", character)[:1]
        return first if first.isascii() and first.isprintable() else character


_LOOKS = _Looks()


# Plain views: widths, scripts, unseen characters, terminal colours and Markdown must not hide a
# secret.


_DIGIT_ZEROS = (
    *(0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66),
    *(0xE50, 0xED0, 0xF20, 0x1040, 0x17E0, 0x1810),
)
_SPACES = "\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"
_ALIKE = {
    **{zero + digit: str(digit) for zero in _DIGIT_ZEROS for digit in range(10)},
    **{0xFF00 + code - 0x20: chr(code) for code in range(0x21, 0x7F)},
    **dict.fromkeys(map(ord, _SPACES), " "),
    **dict.fromkeys(map(ord, _DASHES), "-"),
}
_CODES = re.compile(
    r"\x1b(?:\[[0-9;:?]{0,40}[ -/]?[@-~]|\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)|[@-Z\\^_])"
    r"|\x9b[0-9;:?]{0,40}[@-~]"
    r"|(?:\\(?:x1b|u001b|033|e)|\^\[|␛)\[[0-9;:?]{0,40}[A-Za-z]"
    r"|\[(?:\d{1,3}(?:;\d{1,3}){0,4})?[mK]"
    r"|\\(?=[_*~`\[\]().!#<>&-])"
    r"|[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]+",
    re.IGNORECASE,
)


class PlainView(NamedTuple):
    """A view of a text, and the place of each character in it; None if places are the same."""

    text: str
    places: Sequence[int] | None = None

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """Return where the characters from `start` up to `end` stand in the text."""
        if self.places is None or start == end:
            return start, end
        return self.places[start], self.places[end - 1] + 1


def to_plain_views(text: str) -> Iterator[PlainView]:
    """Yield the views of a text; removing a code may join two words, so both ways count."""
    plain = text if text.isascii() else text.translate(_ALIKE)
    if not _CODES.search(plain):
        yield PlainView(plain)
        return
    yield _remove_codes(plain, "")
    if _has_codes_between_words(plain):
        yield _remove_codes(plain, " ")


def _has_codes_between_words(text: str) -> bool:
    return any(
        not found[0].startswith("\\") or len(found[0]) > 1 for found in _CODES.finditer(text)
    )


def _remove_codes(text: str, instead: str) -> PlainView:
    pieces: list[str] = []
    places: list[int] = []
    last = 0
    for found in _CODES.finditer(text):
        gap = "" if found[0] == "\\" else instead
        pieces += (text[last : found.start()], gap)
        places += (*range(last, found.start()), *([found.start()] * len(gap)))
        last = found.end()
    pieces.append(text[last:])
    places += range(last, len(text))
    return PlainView("".join(pieces), places)


# Markers.


_MARKER = re.compile(r"\[redacted: [a-z0-9-]{1,40}\]")


def format_marker(kind: str) -> str:
    """Format the marker that replaces a secret of this kind."""
    return f"[redacted: {kind}]"


def find_markers(text: str) -> Iterator[tuple[int, int]]:
    """Find the markers in a text."""
    return (found.span() for found in _MARKER.finditer(text))


def split_at_redactions(text: str) -> list[str]:
    """The parts of a text before, between and after its markers."""
    return _MARKER.split(text)


# Texts.


_ROUNDS = 8
_MARGIN = 5_000
"""The maximum length of a secret, except for private keys."""
_STRETCH = re.compile(r"(?<!\S)\S{12,}")
_ALL_HINTS = (
    *NAME_HINTS,
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
"""A line without any of these holds no secret, except those recognised by their form."""
_HINTS = tuple(filter(str.isascii, _ALL_HINTS))


@dataclass(frozen=True, slots=True)
class RedactedText:
    """A text without secrets, and the kinds of secrets that were in it, in order."""

    text: str
    kinds: tuple[str, ...] = ()


def redact(text: str) -> RedactedText:
    """Replace each secret by a marker, and remove what is marked as private."""
    return _redact(text)


def redact_pieces(texts: Sequence[str]) -> list[str]:
    """Redact a key, a seed phrase or a list of codes that spans several consecutive texts.

    A text that was part of one becomes a marker; `redact` finds what else it holds.
    """
    kept, starts = list(texts), [0]
    for text in texts:
        starts.append(starts[-1] + len(text) + 1)
    joined = "\n".join(texts)
    lowered = _lower_text(joined)
    spans = [
        *find_private_keys(joined),
        *find_listed_codes(joined, lowered),
        *find_seed_phrases(joined, lowered),
    ]
    for span in sorted(spans, reverse=True):
        place = bisect_right(starts, span.start) - 1
        while place < len(kept) and starts[place] < span.end:
            text, first = kept[place], starts[place]
            before, after = text[: max(0, span.start - first)], text[max(0, span.end - first) :]
            kept[place] = before + format_marker(span.name) + after
            place += 1
    return kept


def redact_lines(lines: Sequence[str]) -> list[str]:
    """Redact the lines of one text and keep their number.

    Each line of a secret of several lines becomes a marker, and each line of a private element is
    empty.
    """
    return _redact("\n".join(lines), keeps_lines=True).text.split("\n") if lines else []


def _redact(text: str, *, keeps_lines: bool = False) -> RedactedText:
    kinds: dict[str, None] = {}
    for _ in range(_ROUNDS):
        bare = remove_private(text, keeps_lines=keeps_lines)
        if bare != text:
            kinds[PRIVATE] = None
        spans = _choose_spans(bare)
        if not spans and bare == text:
            break
        kinds |= dict.fromkeys(span.name for span in spans)
        text = _replace_spans(bare, spans, keeps_lines=keeps_lines)
    return RedactedText(text, tuple(kinds))


def redact_start(text: str, characters: int) -> RedactedText:
    """Redact the first characters of a text, not cut within a marker.

    A secret across the cut is not recognised by its first half, so more is read than is kept. The
    end of what was read may be such a half; it is never kept, however short markers have made the
    text.
    """
    read = text[: characters + _MARGIN]
    redacted = redact(read)
    is_whole = len(read) == len(text)
    known = len(redacted.text) if is_whole else max(len(redacted.text) - _MARGIN, 0)
    return RedactedText(clip_redacted(redacted.text, min(characters, known)), redacted.kinds)


def clip_redacted(redacted: str, characters: int) -> str:
    """Cut a redacted text to this many characters, not within a marker."""
    for start, end in find_markers(redacted):
        if start < characters < end:
            return redacted[:start]
    return redacted[:characters]


def _choose_spans(text: str) -> list[SecretSpan]:
    """Choose the secrets in a text, in order; where two overlap, the first one found wins."""
    found = [
        span._replace(start=start, end=end, sign=view.locate(span.sign, span.sign + 1)[0])
        for view in to_plain_views(text)
        for span in _find_spans(view.text)
        for start, end in (view.locate(span.start, span.end),)
    ]
    if not found:
        return []
    opaque, chosen = _marked_characters(text), []
    taken = bytearray(opaque)
    for span in found:
        if not opaque[span.sign] and taken.find(1, span.start, span.end) < 0:
            taken[span.start : span.end] = b"\x01" * (span.end - span.start)
            chosen.append(span)
    return sorted(chosen)


def _find_spans(text: str) -> Iterator[SecretSpan]:
    """Yield what every detector finds; most detectors are skipped for lack of hints."""
    lowered = _lower_text(text)
    yield from find_private_keys(text)
    stretches = [found.span() for found in _STRETCH.finditer(text)]
    if stretches:
        for start, end in stretches:
            yield from find_encoded_tokens(text, start, end)
            yield from find_tokens(text, start, end)
        solid = " ".join(lowered[start:end] for start, end in stretches)
        for place in load_solid_places():
            if place.mark in solid:
                yield from place.find_spans(text, lowered)
    if any(map(lowered.__contains__, _HINTS if text.isascii() else _ALL_HINTS)):
        for place in load_loose_places():
            yield from place.find_spans(text, lowered)
        yield from _find_named_secrets(text, lowered)
    for start, end in stretches:
        yield from find_random_strings(text, start, end)
    yield from find_numbers(text, lowered)
    yield from find_lock_codes(text, lowered)
    yield from find_seed_phrases(text, lowered)


def _find_named_secrets(text: str, lowered: str) -> Iterator[SecretSpan]:
    """Yield the values of named secrets; a name inside a secret does not count."""
    last, values = 0, ValueReader(text)
    sentences = SentenceReader(values)
    for name in find_secret_names(text, lowered):
        if name.start < last or not values.may_read(name.end):
            continue
        value = find_assigned_value(values, name)
        for each in [value] if value else sentences.find_values(name):
            last = max(last, each.end)
            yield SecretSpan(each.start, each.end, str(name.kind), name.start)


def _marked_characters(text: str) -> bytearray:
    """Return which characters belong to existing markers."""
    taken = bytearray(len(text))
    for start, end in find_markers(text):
        taken[start:end] = b"\x01" * (end - start)
    return taken


def _replace_spans(text: str, spans: Iterable[SecretSpan], *, keeps_lines: bool) -> str:
    parts: list[str] = []
    last = 0
    for span in spans:
        breaks = text.count("\n", span.start, span.end) if keeps_lines else 0
        parts += [text[last : span.start], "\n".join([format_marker(span.name)] * (1 + breaks))]
        last = span.end
    return "".join([*parts, text[last:]])


def _lower_text(text: str) -> str:
    """Convert to lower case character by character, so that positions stay the same."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


# JSON values.


_LARGEST_NUMBER = 10**20


def redact_json(value: Any) -> Any:
    """Redact the texts in a JSON value; the name of a field tells what its value is."""
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, Mapping):
        return {name: _redact_field(name, each) for name, each in value.items()}
    if isinstance(value, list):
        return _redact_list(value)
    if isinstance(value, tuple):
        return tuple(_redact_list(value))
    return value


def _redact_field(name: Any, value: Any) -> Any:
    kind = _kind_of_field(name, value) if isinstance(name, str) else None
    return redact_json(value) if kind is None else format_marker(kind)


def _kind_of_field(name: str, value: Any) -> str | None:
    if isinstance(value, str):
        return number_kind_of_field(name, value) or secret_kind_of_field(name, value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < _LARGEST_NUMBER:
        return number_kind_of_field(name, str(value))
    return None


def _redact_list(values: Sequence[Any]) -> list[Any]:
    """Redact each item; consecutive texts may be the lines of a key."""
    if all(isinstance(each, str) for each in values):
        values = redact_pieces(values)
    return [redact_json(each) for each in values]


# Fields of a memory.


_ORIGIN_FIELDS = ("speaker", "author", "file", "url")


def redact_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Redact the checked fields of a memory, and remove what is private.

    Identifiers, such as the key and the session, stay as they are.
    """
    return {
        name: _FIELD_REDACTORS[name](value)
        if name in _FIELD_REDACTORS and value is not None
        else value
        for name, value in values.items()
    }


def _redact_content(content: str) -> str:
    kept = redact(content).text
    if kept == content:
        return content
    if not kept.strip():
        raise InvalidInput("content", "is all <private>, which is never stored; nothing is left")
    return str(check_field("content", kept))


def _redact_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    kept = (redact(tag).text for tag in tags)
    return tuple(check_field("tags", [tag for tag in kept if tag.strip()]))


def _redact_metadata(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    kept = redact_json(metadata)
    return metadata if kept == metadata else dict(check_field("metadata", kept))


def _redact_origin(origin: Origin) -> Origin:
    given = {name: told for name in _ORIGIN_FIELDS if (told := getattr(origin, name)) is not None}
    kept: dict[str, Any] = {name: redact(told).text or None for name, told in given.items()}
    return origin if kept == given else replace(origin, **kept)


_FIELD_REDACTORS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "content": _redact_content,
        "tags": _redact_tags,
        "metadata": _redact_metadata,
        "origin": _redact_origin,
    }
)
