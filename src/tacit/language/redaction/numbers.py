"""Find numbers that are secrets: cards, PINs, national ids, backup codes."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from tacit.language.redaction.lock_codes import is_odd_code
from tacit.language.redaction.values import SecretSpan, is_unlike_words, load_pattern

_CARD, _PIN, _ACCESS = "card-number", "pin", "access-code"
_BEFORE, _AFTER, _CLOSE = 100, 60, 30
_ANY = re.compile(r"[0-9][0-9][ -]?[0-9]")
_ODD = re.compile(r"[^\W\d_]{4}[!?#$%&*+_-]{0,2}[0-9]{2}")
"""The middle of a word that ends in digits, as a code may."""

_ODD_WORD = r"(?P<value>[^\s\"'`“”„()\[\]<>{}/:,;]{5,40})"
_GROUPS = re.compile(r"[0-9]{4}[ .·-][0-9]{4}|[0-9]{4}[ .·-][0-9]{6}")
_LETTER = "A-Za-zÀ-ÿА-Яа-я"
_START, _END = f"(?<![{_LETTER}])", f"(?![{_LETTER}])"
"""The boundaries of a name; scripts without spaces have none."""

_PRINTED = re.compile(
    rf"""
    (?<![{_LETTER}\d_.-])
    (?:
      (?:4\d{{3}}|5[1-5]\d\d|2[2-7]\d\d|6(?:011|2\d\d|4[4-9]\d|5\d\d)|35\d\d)
      (?P<gap>[ .·-])\d{{4}}(?P=gap)\d{{4}}(?P=gap)\d{{4}}(?:(?P=gap)\d{{3}})?
    | 3[47]\d\d(?P<amex>[ .·-])\d{{6}}(?P=amex)\d{{5}}
    )
    (?![{_LETTER}\d_-]|[ .]\d)
    """,
    re.VERBOSE,
)
"""A number as it is printed on a card, with the first digits of a brand."""

_WORDS = r"(?:[^\S\n]{1,3}[^\s\d.!?;:=]{1,24}){0,6}?"
_NUMBERED = (
    rf"(?:[\s_-]{{0,2}}(?:code|number|nummer|nr|no|num|numéro|número|kod|koden|код){_END}\.?)?"
)
_BESIDE = r"(?:[ \t]{1,3}to)?[ \t]{1,3}[\"'`(*]{0,2}"
_LINK = r"""
  (?:
    [\"'`*_)\]]{0,3}[ \t]{0,4}(?:[:=：→–—]|-[ ]|->|=>)[\s\"'`*_(\[]{0,8}
  | [ \t]{1,3}
    (?:is|are|was|were|be|ist|sind|war|lautet|lauten|heißt|est|sont|était|sera|es|son|era|será|é|são
      |foi|è|sono|zijn|är|jest|brzmi|это)
    (?:[ \t]{1,3}(?:now|still|currently|again|just|jetzt|nun|noch|wieder|maintenant|toujours|ahora
      |agora|ora|adesso|nu|nog|теперь|teraz)){0,2}
    (?:[ \t](?:the|der|die|das|le|la|el|il|o)(?=[ \t]{1,3}\d))?
    [ \t]{0,3}:?[\s\"'`*_(\[]{1,6}
  | ,?[ \t]{1,3}c['’]est[ \t]{1,3}
  | [ \t]?[はが是为為는은이가][\s\"'「『“:：]{0,3}
  | ['’]s[ \t]{1,3}
  | [ \t](?:do|od|dla)(?:[ \t][^\s\d.!?;:=]{1,20}){1,4}?[ \t]to[ \t]{1,3}
  | [ \t](?:(?:от|для|к)[ \t])?(?:мо|наш|ваш|банковск|кредитн|дебетов)\w{1,4}
    (?:[ \t][^\s\d.!?;:=]{1,20}){1,2}[ \t]{1,3}
  | [ \t](?:от|для|к)[ \t][^\s\d.!?;:=]{2,20}[ \t]{1,3}
  )
"""
_CHANGE = r"""
  (?:chang|set|reset|updat|änder|geänder|setz|gesetz|modifi|cambi|alter|mud|wijzig|ändra|zmieni|измен|смен)
  \w{0,8}
"""
_TO = r"[ \t]{1,3}(?:to|auf|in|à|en|a|para|naar|till|na|на)[ \t]{1,3}"
_OWNER = r"""
  (?:my|our|your|his|her|their|meine?|unsere?|seine?|ihre?|deine?|mon|notre|votre|mi|meu|mio|mijn|min|mój
    |мой|card|bank|sim|phone|door|alarm|atm)[ \t]{1,3}
"""
_GIVEN = (
    r"(?:use|using|enter|type|dial|with|mit|nutze|avec|con|com|met|med)[ \t]{1,3}(?:the[ \t]{1,3})?"
)
"""Words that make a number after "PIN" one to be typed in."""
_IS = r"""
  (?:[ \t]{1,3}(?:is|was|ist|war|est|es|era|é|è|är|jest)[ \t]{1,3}|[ \t]{0,2}[(=–—][ \t]{0,2})
"""
_BOARD = re.compile(
    r"\b(?:gpio|headers?|connectors?|arduino|boards?|chips?|sockets?|counts?|pinout)\b",
    re.IGNORECASE,
)
"""Words that make a pin one of a circuit."""

_OTHER = re.compile(
    r"\b(?:tracking|order|serial|reference|ref|invoice|ticket|booking|shipment|parcel|licen[cs]e|id)\b",
    re.IGNORECASE,
)
"""Words for other numbers in groups of four."""
_UNIT = re.compile(rf"[\s-]?(?:{load_pattern('units')}\b|px\b)|[.,:/]\d", re.IGNORECASE)

_HEAD = re.compile(
    r"""
      [^\n:：]{0,80}?
      (?:
        [:：]
      | (?<!\w)(?:is|are|ist|sind|lautet|lauten|est|sont|es|son|é|são|è|sono|zijn|är|это)(?!\w)
      | [是は는은]
      | (?:(?<=zapasowy)|(?<=zapasowe)|(?<=odzyskiwania))[ \t]to(?!\w)
      )
      \s{0,4}
    | [ \t]{1,3}(?=(?=[a-z]{0,7}-?[a-z]{0,7}\d)[a-z0-9]{4,8}-[a-z0-9]{4,8}(?![a-z0-9]))
    | [^\n:：]{0,60}\n\s{0,8}
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""The text between a name for codes and the first code."""

_CODE = re.compile(
    rf"""
    (?:[ \t>*•–"'`,;|/·-]|\d{{1,2}}[.)][ \t]|\[[ xX]?\][ \t]|(?:and|und|et|y|e|en|och|i|и)[ \t])*+
    (?P<code>
      \d{{4}}[ ]\d{{4}}(?:[ ]\d{{4}}){{0,2}}
    | \d{{3}}[ ]\d{{3}}
    | [A-Za-z0-9]{{3,8}}(?:-[A-Za-z0-9]{{3,8}}){{1,7}}
    | [A-Za-z0-9]{{6,16}}
    )
    (?![{_LETTER}\d_@(/-]|\.\w)
    [ \t"'`,;|/.]{{0,4}}(?:\r?\n[ \t]{{0,8}}){{0,2}}
    """,
    re.VERBOSE,
)
_MOST_CODES = 100
_CODES = ("code", "kod", "codic", "recovery key")
_OTHER_CODES = ("códig", "schlüssel", "код", "码", "代码", "コード", "코드")
"""Every name for codes contains one of these."""


@dataclass(frozen=True, slots=True)
class _NumberKind:
    """A kind of number: its form, and the sentences that announce it."""

    name: str
    hints: list[str]
    other_hints: list[str]
    exact: list[str]
    value: re.Pattern[str]
    said: tuple[re.Pattern[str], ...]
    field: re.Pattern[str]

    def is_hinted_at(self, text: str, lowered: str) -> bool:
        """Whether the text may name this kind."""
        if any(map(lowered.__contains__, self.hints)) or any(map(text.__contains__, self.exact)):
            return True
        return not text.isascii() and any(map(lowered.__contains__, self.other_hints))


def find_numbers(text: str, lowered: str) -> Iterator[SecretSpan]:
    """Find the numbers in a text that are secrets; `lowered` is the text in lower case."""
    if parts := list(_around(_ANY, text)):
        near = "\n".join(text[first:last] for first, last in parts)
        kinds = [kind for kind in _number_kinds() if kind.is_hinted_at(near, near.lower())]
        for first, last in parts:
            for start, end, name, sign in _find_in_part(text[first:last], kinds):
                yield SecretSpan(first + start, first + end, name, first + sign)
    yield from find_listed_codes(text, lowered)
    yield from _find_odd_codes(text, lowered)


def find_listed_codes(text: str, lowered: str) -> Iterator[SecretSpan]:
    """Find the codes that follow their name, such as backup codes."""
    if any(map(lowered.__contains__, _CODES if text.isascii() else (*_CODES, *_OTHER_CODES))):
        for name, phrase in _code_names():
            if phrase in lowered:
                yield from _find_codes_after(text, lowered, phrase, name)


def _around(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text that have numbers, with some text around them."""
    first, last = 0, -1
    for found in pattern.finditer(text):
        if found.start() - _BEFORE > last:
            if last > 0:
                yield first, last
            first = max(0, found.start() - _BEFORE)
        last = found.end() + _BEFORE
    if last > 0:
        yield first, last


def _find_in_part(text: str, kinds: Iterable[_NumberKind]) -> Iterator[SecretSpan]:
    for found in _PRINTED.finditer(text) if _GROUPS.search(text) else ():
        before = max(0, found.start() - _CLOSE)
        if _is_luhn(found[0]) and not _OTHER.search(text, before, found.start()):
            yield SecretSpan(*found.span(), _CARD, found.start())
    for kind in kinds:
        yield from (_find_cards if kind.name == _CARD else _find_named)(text, kind)


def number_kind_of_field(field: str, value: str) -> str | None:
    """Return the kind of number that a field holds, by its name and value."""
    for kind in _number_kinds():
        if kind.field.fullmatch(field) and kind.value.fullmatch(value.strip()):
            return kind.name if kind.name != _CARD or _is_luhn(value) else None
    return None


def _find_named(text: str, kind: _NumberKind) -> Iterator[SecretSpan]:
    for pattern in kind.said:
        for found in pattern.finditer(text):
            start, end = found.span("value")
            if not _UNIT.match(text, end) and (kind.name != _PIN or not _is_on_board(text, start)):
                yield SecretSpan(start, end, kind.name, start)


def _find_odd_codes(text: str, lowered: str) -> Iterator[SecretSpan]:
    """Find access codes that are no numbers: a word with digits at its end or signs in it."""
    kind, said = _odd_codes()
    if not kind.is_hinted_at(text, lowered):
        return
    for first, last in _around(_ODD, text):
        for found in said.finditer(text, first, last):
            value = found["value"].rstrip(".!?")
            if is_odd_code(value):
                start = found.start("value")
                yield SecretSpan(start, start + len(value), kind.name, start)


def _find_cards(text: str, kind: _NumberKind) -> Iterator[SecretSpan]:
    """Find card numbers near a word for a card; the check digit must be right."""
    for found in kind.value.finditer(text):
        first, last = max(0, found.start() - _BEFORE), found.end() + _AFTER
        if _is_luhn(found[0]) and any(each.search(text, first, last) for each in kind.said):
            yield SecretSpan(*found.span(), _CARD, found.start())


def _is_on_board(text: str, at: int) -> bool:
    return _BOARD.search(text, max(0, at - _AFTER), at + _AFTER) is not None


def _find_codes_after(text: str, lowered: str, phrase: str, name: str) -> Iterator[SecretSpan]:
    """Find the codes that follow a phrase, in its line or in those below it."""
    at = lowered.find(phrase)
    while at >= 0:
        at += len(phrase)
        head = _HEAD.match(text, at)
        code = _CODE.match(text, head.end()) if head else None
        for _ in range(_MOST_CODES):
            if code is None or not _is_code(code["code"]):
                break
            yield SecretSpan(*code.span("code"), name, code.start("code"))
            at = code.end()
            code = _CODE.match(text, at)
        at = lowered.find(phrase, at)


def _is_code(code: str) -> bool:
    """Whether a string can be a code and is no word."""
    if not any(map(str.isdigit, code)):
        return False
    return not code.isalnum() or code.isdigit() or is_unlike_words(code)


def _is_luhn(number: str) -> bool:
    """Whether the check digit is right (Luhn)."""
    digits = [int(each) for each in number if each.isdigit()]
    doubled = (2 * each - 9 * (each > 4) for each in digits[-2::-2])
    return len(set(digits)) > 1 and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


@cache
def _number_kinds() -> tuple[_NumberKind, ...]:
    return tuple(_build_number_kind(row) for row in _load_tables()["number"])


@cache
def _odd_codes() -> tuple[_NumberKind, re.Pattern[str]]:
    """The kind of access codes, and the pattern of sentences that tell one that is no number."""
    row = next(row for row in _load_tables()["number"] if row["name"] == _ACCESS)
    kind = next(kind for kind in _number_kinds() if kind.name == _ACCESS)
    return kind, _compile(rf"{_name_pattern(row)}{_NUMBERED}{_WORDS}{_LINK}{_ODD_WORD}")


@cache
def _code_names() -> tuple[tuple[str, str], ...]:
    return tuple(
        (row["name"], phrase) for row in _load_tables()["codes"] for phrase in row["phrases"]
    )


@cache
def _load_tables() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "numbers.toml").read_text("utf-8"))


def _build_number_kind(row: Mapping[str, Any]) -> _NumberKind:
    """Build a kind of number with its patterns from a row of the table."""
    name = _name_pattern(row)
    value = rf"(?<![{_LETTER}\d_.,\#$€£+/-])(?-i:{row['regex']})(?![{_LETTER}\d_-])"
    return _NumberKind(
        name=row["name"],
        hints=[each for each in row["hints"] if each.isascii()],
        other_hints=[each for each in row["hints"] if not each.isascii()],
        exact=row.get("exact", []),
        value=_compile(value),
        said=tuple(map(_compile, _sentence_patterns(row, name, f"(?P<value>{value})"))),
        field=_compile(rf"(?:[\w.-]{{0,40}}[_.-])?{name}{_NUMBERED}"),
    )


def _name_pattern(row: Mapping[str, Any]) -> str:
    """Return the pattern of what a kind of number is called."""
    phrases = sorted(row["phrases"], key=len, reverse=True)
    spoken = [r"[\s_-]{0,2}".join(map(re.escape, each.split())) for each in phrases]
    spoken += [f"(?-i:{re.escape(each)})" for each in row.get("exact", ())]
    spoken += row.get("forms", ())
    return rf"{_START}(?<!\[redacted:\ )(?:{'|'.join(spoken)}){_END}"


def _sentence_patterns(row: Mapping[str, Any], name: str, value: str) -> Iterator[str]:
    """Yield the patterns of sentences that tell a number; for a card its name is enough."""
    if row["name"] == _CARD:
        yield name
        return
    named = f"{name}{_NUMBERED}"
    yield rf"{named}(?:{_WORDS}{_LINK}{f'|{_BESIDE}' if row['adjacent'] else ''}){value}"
    yield rf"{value}{_IS}(?:[^\s\d.!?;]{{1,14}}[ \t]{{1,3}}){{0,3}}?{name}"
    if not row["adjacent"]:
        yield rf"{_START}{_CHANGE}[^\n.!?]{{0,40}}?{named}{_WORDS}{_TO}{value}"
        yield rf"{_START}{_OWNER}{named}{_BESIDE}{value}"
        yield rf"{_START}(?-i:PIN|PUK){_BESIDE}{value}(?![ \t]{{1,3}}[{_LETTER}])"
        yield rf"{_START}{_GIVEN}(?-i:PIN|PUK){_BESIDE}{value}"
        numbered = r"(?:pin[\s_-]?(?:code|number|nummer|kod|koden)|пин-?код)"
        yield rf"{_START}{numbered}{_BESIDE}(?=\d{{4}}(?!\d)){value}"
        yield rf"{_START}puk{_BESIDE}(?=\d{{8}}){value}"


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)
