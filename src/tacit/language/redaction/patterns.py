"""Find secrets by their form: known tokens, private keys, and places where secrets stand.

The prefixes stand in `tokens.toml`, the places (URLs, headers, commands) in `places.toml`. Random
strings count where a word nearby says that they are secret.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tacit.language.redaction import values
from tacit.language.redaction.values import (
    LOOK_LENGTH,
    SecretSpan,
    has_mixed_characters,
    is_hex,
    is_random,
    is_wordy,
    load_words,
    may_be_token,
)

# Tokens with a known prefix.


_KEY_LENGTH = 2
_TOKEN_START = re.compile(
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})|(?<=%[0-9A-Fa-f]{2}))[A-Za-z0-9]"
)
_TOKEN_ENDS = ".-%\\"
_URL_ENCODED = re.compile(r"%(2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aA])")
"""A letter, a digit, a hyphen, a dot or an underscore."""


@dataclass(frozen=True, slots=True)
class TokenFormat:
    """A token format: its prefix, and the pattern of the rest."""

    name: str
    begins: str
    pattern: str

    def match(self, text: str, at: int) -> re.Match[str] | None:
        """Match the rest of a token of this format at this place."""
        if not text.startswith(self.begins, at):
            return None
        return _compile(self.pattern).match(text, at + len(self.begins))


def find_tokens(text: str, start: int, end: int) -> Iterator[SecretSpan]:
    """Find the tokens in a stretch without spaces."""
    last, kinds = start, _token_formats()
    for place in _TOKEN_START.finditer(text, start, end):
        at = place.start()
        for token in kinds.get(text[at : at + _KEY_LENGTH], ()) if at >= last else ():
            body = token.match(text, at)
            if body is not None:
                last = body.end()
                if not is_wordy(body[0][:LOOK_LENGTH]):
                    yield SecretSpan(
                        at, body.start() + len(body[0].rstrip(_TOKEN_ENDS)), token.name, at
                    )
                break


def find_encoded_tokens(text: str, start: int, end: int) -> Iterator[SecretSpan]:
    """Find tokens with URL-encoded letters (`%67` for `g`) in a stretch without spaces."""
    if not _URL_ENCODED.search(text, start, end):
        return
    pieces: list[str] = []
    places: list[int] = []
    last = start
    for found in _URL_ENCODED.finditer(text, start, end):
        pieces += (text[last : found.start()], chr(int(found[1], 16)))
        places += (*range(last, found.start()), found.start())
        last = found.end()
    decoded = "".join([*pieces, text[last:end]])
    places += range(last, end + 1)
    for span in find_tokens(decoded, 0, len(decoded)):
        first, after = places[span.start], places[span.end]
        if _URL_ENCODED.search(text, first, after):
            yield SecretSpan(first, after, span.name, first)


@cache
def _token_formats() -> Mapping[str, tuple[TokenFormat, ...]]:
    """The formats by their first characters."""
    rows = tomllib.loads((files(__package__) / "tokens.toml").read_text("utf-8"))
    found: dict[str, tuple[TokenFormat, ...]] = defaultdict(tuple)
    for name, row in rows.items():
        body = row.get("shape") or f"[A-Za-z0-9{row.get('also', '')}]{{{row['least']},}}"
        for begins in row["begins"]:
            found[begins[:_KEY_LENGTH]] += (TokenFormat(name, begins, body),)
    return dict(found)


_compile = cache(re.compile)


# Private keys in PEM: everything from BEGIN to END, with real line breaks or escaped ones.


_PRIVATE_KEY = "private-key"
_KEY_MARKS = ("private key", "openvpn static")
_KEY_LABEL = (
    r"-{4,5} ?(BEGIN|END) [A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}"
)
_KEY_EDGE = re.compile(_KEY_LABEL, re.IGNORECASE)
_LONE_KEY_LINE = re.compile(r"\s{0,8}([A-Za-z0-9+/]{60,76}={0,2})\s{0,8}\Z")
"""A text that is one line of a key, as a key is wrapped."""
_KEY_BODY = re.compile(r"[A-Za-z0-9+/]{16}")
_KEY_REST = re.compile(
    r"(?:(?:[\s\"',+>|#*]|\\+[nrt])*(?:[A-Za-z-]{2,20}: [^\n\\]{1,80}|[A-Za-z0-9+/=]{24,}+)"
    r"|[^\n]{0,20}\n[^\n]{0,60}?(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{24,}+[^\nA-Za-z0-9+/=]{0,20}(?=\n|\Z))++"
    r"(?:(?:\s|\\+[nrt])*[A-Za-z0-9+/]{2,}={1,2})?"
)


def find_private_keys(text: str) -> Iterator[SecretSpan]:
    """Find PEM blocks, also without their end, or a text that is one line of a key."""
    lone = _LONE_KEY_LINE.match(text)
    if lone is not None and is_random(lone[1]) and has_mixed_characters(lone[1]):
        yield SecretSpan(*lone.span(1), _PRIVATE_KEY, lone.start(1))
    lowered = text.lower()
    if not any(mark in lowered for mark in _KEY_MARKS):
        return
    begun: int | None = None
    head = 0
    for edge in _KEY_EDGE.finditer(text):
        if edge[1].upper() == "BEGIN":
            if begun is not None:
                yield from _unfinished_block(text, begun, head)
            begun, head = edge.start(), edge.end()
        elif begun is not None:
            if _KEY_BODY.search(text, head, edge.start()):
                yield SecretSpan(begun, edge.end(), _PRIVATE_KEY, begun)
            begun = None
    if begun is not None:
        yield from _unfinished_block(text, begun, head)


def _unfinished_block(text: str, start: int, head: int) -> Iterator[SecretSpan]:
    rest = _KEY_REST.match(text, head)
    if rest is not None:
        yield SecretSpan(start, rest.end(), _PRIVATE_KEY, start)


# Secrets recognised by where they stand.


_SECRET_GROUP = "secret"
_WORD_START = r"(?:(?<![A-Za-z0-9\\])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
_VALUE_CHECKS: Mapping[str, Callable[[str], bool]] = {
    "any": lambda _: True,
    "basic": values.is_basic_auth,
    "password": values.may_be_password,
    "random": values.is_random,
    "strong": values.is_strong_password,
    "token": values.may_be_token,
}


@dataclass(frozen=True, slots=True)
class SecretPlace:
    """A kind of place: what it is recognised by, and what a secret must look like there."""

    name: str
    mark: str
    before: int
    pattern: str
    check: Callable[[str], bool]

    @property
    def regex(self) -> re.Pattern[str]:
        """The pattern around the mark, compiled on first use."""
        return _compile(self.pattern)

    def find_spans(self, text: str, lowered: str) -> Iterator[SecretSpan]:
        """Find the secrets at places of this kind; `lowered` is the text in lower case."""
        after = 0
        at = lowered.find(self.mark)
        while at >= 0:
            match = self._match(text, max(after, at - self.before), at)
            after = at + len(self.mark)
            if match is not None:
                group = _SECRET_GROUP if _SECRET_GROUP in self.regex.groupindex else 0
                after = max(after, match.start(group))
                if self.check(match[group][:LOOK_LENGTH]):
                    after = max(after, match.end(group))
                    yield SecretSpan(*match.span(group), self.name, match.start())
            at = lowered.find(self.mark, after)

    def _match(self, text: str, first: int, last: int) -> re.Match[str] | None:
        found = (self.regex.match(text, at) for at in range(first, last + 1))
        return next(filter(None, found), None)


def _from_word(regex: str) -> str:
    """Expand a leading ^ to the start of a word; an escaped line break is no letter."""
    return _WORD_START + regex[1:] if regex.startswith("^") else regex


def _load_places(heading: str) -> tuple[SecretPlace, ...]:
    rows = tomllib.loads((files(__package__) / "places.toml").read_text("utf-8"))[heading]
    return tuple(
        SecretPlace(
            row["name"],
            mark,
            row.get("before", 0),
            _from_word(row["regex"]),
            _VALUE_CHECKS[row.get("check", "any")],
        )
        for row in rows
        for mark in row["marks"]
    )


@cache
def load_solid_places() -> tuple[SecretPlace, ...]:
    """Load the places in a stretch without spaces."""
    return _load_places("solid")


@cache
def load_loose_places() -> tuple[SecretPlace, ...]:
    """Load the places in a line."""
    return _load_places("loose")


# Random strings with a word nearby that says they are secret.


_WORDS_BEFORE, _WORDS_AFTER = 60, 40
_MIN_STRING_LENGTH = 20
_RANDOM_KIND = "key"
_LONE_STRING = re.compile(
    rf"(?<![^\s\"'`“„«(\[{{<,;*])[A-Za-z0-9_+/=-]{{{_MIN_STRING_LENGTH},}}(?![\w@:?&#]|\.\w)"
)
_WORD = re.compile(r"[^\W\d_]+")
_SPOKEN = load_words("spoken")
_VENDORS = load_words("vendors")
_PUBLIC = load_words("public")


def find_random_strings(text: str, start: int, end: int) -> Iterator[SecretSpan]:
    """Find random strings in a stretch whose line names a secret or a vendor before them."""
    if end - start < _MIN_STRING_LENGTH:
        return
    for lone in _LONE_STRING.finditer(text, start, end):
        value = lone[0][:LOOK_LENGTH]
        if not is_random(value) or not may_be_token(value):
            continue
        before = _lower_words(
            text[max(0, lone.start() - _WORDS_BEFORE) : lone.start()].rpartition("\n")[2]
        )
        after = _lower_words(text[lone.end() : lone.end() + _WORDS_AFTER].partition("\n")[0])
        if before.isdisjoint(_PUBLIC) and _is_called_secret(before, after, value):
            yield SecretSpan(*lone.span(), _RANDOM_KIND, lone.start())


def _lower_words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))


def _is_called_secret(before: frozenset[str], after: frozenset[str], value: str) -> bool:
    """Whether the words around say that it is secret; hex may be a digest and needs two hints."""
    has_vendor, has_secret = not before.isdisjoint(_VENDORS), not before.isdisjoint(_SPOKEN)
    if is_hex(value):
        return has_vendor and (has_secret or not after.isdisjoint(_SPOKEN))
    return has_mixed_characters(value) and (has_vendor or has_secret)
