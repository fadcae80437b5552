"""Values that are given to a name by a sign, as in files, code and commands."""

import re

from tacit.language.redaction.names import Kind, Name, name_of
from tacit.language.redaction.value import Value, ValueReader
from tacit.language.redaction.values import (
    is_hard,
    is_number,
    is_password,
    is_quality,
    is_random,
    is_strong,
    is_token,
)

_SIGN = re.compile(
    r"""
    (?:\\{0,3}["'`”’]|[\])*_])*             # what closes the name
    [ \t]{0,8}
    (?::\s?&?[\w'. \[\]|]{1,30}?\s{0,3}(?==))?   # its type
    (?P<sign>=>|:=|={1,3}|[:：]|->|→|⇒|,(?=\s{0,3}\\{0,3}["'])|\|)
    (?P<gap>[ \t]{0,8}[*_]{0,3}[ \t]{0,8}(?:\n[ \t]{0,20})?)
    """,
    re.VERBOSE,
)
_LINE_START = re.compile(r"(?:\A|\n|\\n)[\s>*#$\"'-]{0,20}(?:[\w-]{1,20}\s{1,3}){0,3}\Z")
_TYPE = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)+\Z")
_LINE_END = re.compile(r"[\"',;]{0,2}[ \t]{0,8}(?:[#;].{0,200})?(?:\n|\Z|\\n)")
_FLAG = re.compile(r"\s{1,3}")
_AROUND = 80


def assigned(values: ValueReader, name: Name) -> Value | None:
    """The secret in `name = value`, `name: value`, `"name": "value"`, `--name value`."""
    text = values.text
    sign = _SIGN.match(text, name.end)
    if sign is None:
        return _flagged(values, name)
    value = values.at(sign.end())
    if value is None:
        return None
    is_doubtful = name.is_feeble or sign["sign"] in ",|" or "\n" in sign["gap"]
    if is_doubtful:
        return value if is_sure(name.kind, value) else None
    if not name.is_password:
        return value if is_token(value.look) or _is_env_secret(text, name, sign, value) else None
    return value if _is_given_password(text, name, sign, value) else None


def holds_secret(field: str, value: str) -> str | None:
    """The kind of secret that a field holds, told by its name and its value."""
    name = name_of(field)
    if name is None:
        return None
    told = Value(value, 0, is_quoted=True)
    if name.is_feeble:
        is_one = is_sure(name.kind, told)
    else:
        is_one = is_password(value, is_quoted=True) if name.is_password else is_token(value)
    return str(name.kind) if is_one else None


def is_sure(kind: Kind, value: Value) -> bool:
    """Whether it is a secret though the place alone does not say so."""
    if kind in (Kind.PASSWORD, Kind.PASSPHRASE):
        return is_strong(value.look)
    return is_random(value.look) and is_token(value.look)


def _is_given_password(text: str, name: Name, sign: re.Match[str], value: Value) -> bool:
    if not is_password(value.look, is_quoted=value.is_quoted):
        return False
    if value.is_quoted or is_hard(value.look):
        return True
    if is_strong(value.look) or is_number(value.look):
        return True
    if _TYPE.match(value.look) and sign["sign"] == ":":
        return False
    is_tight = "=" in sign["sign"] and not sign["gap"] and not text[sign.end() - 2].isspace()
    goes_on = text[value.end : value.end + 1] in tuple("().,[")
    return (is_tight and not goes_on) or _is_line(text, name, value)


def _is_env_secret(text: str, name: Name, sign: re.Match[str], value: Value) -> bool:
    """NAME=words, where the name is one of the environment and the words are no other name."""
    is_env = text[name.start : name.end].isupper() and sign["sign"] == "=" and not sign["gap"]
    if not is_env or len(value.text) < 10 or not is_password(value.look):
        return False
    return value.text.isalnum() or is_strong(value.look)


def _is_line(text: str, name: Name, value: Value) -> bool:
    """Whether name and value are a line by themselves."""
    is_first = _LINE_START.search(text, max(0, name.start - _AROUND), name.start)
    is_whole = is_first and _LINE_END.match(text, value.end)
    return bool(is_whole) and not is_quality(value.look)


def _flagged(values: ValueReader, name: Name) -> Value | None:
    """--password value"""
    gap = _FLAG.match(values.text, name.end)
    if gap is None or not values.text.startswith("-", name.start):
        return None
    value = values.at(gap.end())
    if value is None or value.text.startswith("-"):
        return None
    if value.is_quoted and name.is_password:
        return value if is_password(value.look) else None
    is_one = is_strong(value.look) if name.is_password else is_token(value.look)
    return value if is_one else None
