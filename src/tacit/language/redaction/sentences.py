"""Secrets that are told in a sentence: "the wifi password is …", "das Passwort lautet …"."""

import re
from collections.abc import Callable, Iterator
from itertools import islice

from tacit.language.redaction.assignments import is_sure
from tacit.language.redaction.names import Kind, Name
from tacit.language.redaction.value import Value, ValueReader
from tacit.language.redaction.values import (
    is_hard,
    is_hex,
    is_number,
    is_password,
    is_phrase,
    is_plain,
    is_quality,
    is_stop,
    is_strong,
    is_token,
    is_unlike_words,
)
from tacit.language.redaction.vocabulary import alternatives

_WINDOW = 100
_FEW, _MNEMONIC = 3, 12
_SIGNS = (":", "=", "：")
_LINK = re.compile(
    r"""
    (?<!\S)(?:is|was|are|be|equals|remains|stays|ist|war|lautet|lautete|heißt|heisst|bleibt|est|était
      |sera|reste|c['’]est|es|era|será|sigue\ siendo|é|è)
      (?:\s(?:now|still|currently|just|simply|actually|set\ to|the\ following|this|jetzt|nun|noch
      |einfach|weiterhin|maintenant|toujours|ahora)){0,2}
      \s{0,2}[:=]?\s{1,3}
  | (?P<change>(?<!\S)(?:from|to|von|auf|de|à|a|en|into|zu)\s{1,3})
  | ['’]s\s{1,3}
  | \s?[:：=→]\s{1,3}
  | [是为は는은]\s{0,2}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ON = re.compile(
    r"""
    \s{1,3}(?:for|of|to|on|at|in|into|from|with|behind|that|which|you|we|i|he|she|they|used|needed
      |here|below|there|again|now|and|und|für|fuer|vom|von|zum|zur|zu|auf|beim|bei|im|der|die|das
      |den|des|mit|pour|de|du|sur|dans|que|qui|c['’]est|para|del|en|da|do|no|com
      |(?:was\s|has\sbeen\s|got\s|wurde\s)?(?:changed|set|reset|updated|rotated|geändert)
      |api|admin|root|wifi|wlan|secreta|secrète|privée)\b
  | \s{1,3}["'(]
  | [,;]\s{1,2}(?:it|which|das|es|er|c)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""How a sentence goes on after a name that is not part of a longer one ("key fingerprint")."""

_CHANGED = re.compile(
    r"\b(?:set|chang\w*|reset|updat\w*|rotat\w*|switch\w*|änder\w*|geändert|setz\w*|gesetzt|cambi\w*)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")
_UNIT = re.compile(rf"[\s-]?{alternatives('units')}\b", re.IGNORECASE)
_BACKWARDS = frozenset({"is", "as", "was", "ist", "als", "es", "est", "como", "comme"})
_QUOTES = "\"'`“”„«»"
_MOST_BETWEEN = 6
_MOST_LINKS = 3
_PHRASE = re.compile(r"[^\W\d_]{2,64}(?:[ -][^\W_]{1,64}){0,63}")


class SentenceReader:
    """Reads what the sentences of a text tell; what stands at a place is judged once."""

    def __init__(self, values: ValueReader) -> None:
        self._values = values
        self._judged: dict[tuple[int, bool, Kind, bool], Value | None] = {}

    def told(self, name: Name) -> Iterator[Value]:
        """The secrets that a sentence tells after their name, or before it."""
        found = list(_after(self._values.text, name, self._at))
        beside = None if found else _beside(self._values, name) or _before(self._values.text, name)
        yield from found or filter(None, [beside])

    def _at(self, link: re.Match[str], name: Name) -> Value | None:
        is_given = link[0].strip() in _SIGNS
        place = (link.end(), is_given, name.kind, name.is_feeble)
        if place not in self._judged:
            self._judged[place] = _value(self._values, link.end(), name, is_given=is_given)
        return self._judged[place]


def _value(values: ValueReader, at: int, name: Name, *, is_given: bool) -> Value | None:
    """The secret that stands after a link, if one does."""
    phrase = _phrase(values.text, at, name, is_given=is_given)
    value = phrase or values.at(at)
    is_one = value is not None and (phrase is not None or _is_told(values.text, name, value))
    return value if is_one else None


def _after(
    text: str, name: Name, value_at: Callable[[re.Match[str], Name], Value | None]
) -> Iterator[Value]:
    goes_on = _ON.match(text, name.end) or _LINK.match(text, name.end)
    if not goes_on and not _LINK.match(text, name.end + 1):
        return
    stop = _SENTENCE_END.search(text, name.end, name.end + _WINDOW)
    until = stop.start() if stop else min(len(text), name.end + _WINDOW)
    for link in islice(_LINK.finditer(text, name.end, until + 1), _MOST_LINKS):
        if link["change"] and not _CHANGED.search(
            text[max(0, name.start - _WINDOW // 2) : link.start()]
        ):
            continue
        value = value_at(link, name)
        if value is not None:
            yield value
            if not link["change"]:
                return


def _is_told(text: str, name: Name, value: Value) -> bool:
    if name.is_feeble:
        return is_sure(name.kind, value)
    if not name.is_password:
        return is_token(value.look) and len(value.text) >= 12
    if value.is_quoted:
        is_short_phrase = name.kind is Kind.PASSPHRASE and is_phrase(value.look, least=2)
        return is_password(value.look, is_quoted=True) or is_short_phrase
    if is_number(value.look):
        return not _UNIT.match(text, value.end)
    return is_strong(value.look)


def _phrase(text: str, at: int, name: Name, *, is_given: bool) -> Value | None:
    """Several words that are a passphrase; the sentence may go on after it."""
    found = _PHRASE.match(text, at) if name.is_password else None
    parts = found[0].split() if found else []
    if found is None or (name.kind is Kind.PASSWORD and not _is_odd(parts)):
        return None
    is_long = is_given and len(parts) > _FEW
    if is_quality(parts[0]) or (is_plain(parts[0]) and not is_long):
        return None
    if len(parts) >= _MNEMONIC:
        return Value(found[0], at)
    if name.is_feeble:
        return None
    end = next((place for place, part in enumerate(parts) if is_stop(part)), len(parts))
    words = " ".join(parts[:end])
    return Value(text[at : at + len(words)], at) if is_phrase(words) and end >= _FEW else None


def _is_odd(parts: list[str]) -> bool:
    """Whether words make no sentence: they end in a number, and none binds them."""
    is_loose = not any(is_plain(part) or is_stop(part) for part in parts)
    return is_loose and len(parts) >= _FEW and parts[-1].isdigit()


def _beside(values: ValueReader, name: Name) -> Value | None:
    """password …, without a word between."""
    is_apart = values.text[name.end : name.end + 1].isspace()
    value = values.at(name.end + 1) if is_apart else None
    if value is None or (name.is_feeble and is_hex(value.look)):
        return None
    is_odd = is_hard(value.look) or (name.is_password and is_unlike_words(value.look))
    return value if is_odd and is_sure(name.kind, value) else None


def _before(text: str, name: Name) -> Value | None:
    """… is the password"""
    first = max(0, name.start - _WINDOW)
    near = text[first : name.start]
    words = near.split()
    for at in range(len(words) - 1, max(0, len(words) - _MOST_BETWEEN), -1):
        if words[at].lower() in _BACKWARDS:
            told = words[at - 1].strip(_QUOTES)
            rest = near.rsplit(None, len(words) - at + 1)[0] if at > 1 else ""
            value = Value(told, text.index(told, first + len(rest)))
            return value if is_hard(told) and is_sure(name.kind, value) else None
    return None
