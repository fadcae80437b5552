"""The fields of a memory without the secrets in them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.fields import Origin, check_field
from tacit.language.redaction.text import redact
from tacit.language.redaction.tree import redact_all

_OF_ORIGIN = ("speaker", "file", "url")


def without_secrets(values: Mapping[str, Any]) -> dict[str, Any]:
    """Checked fields with a marker in place of each secret, and without what is private.

    Names by which things are found again, such as the key and the session, stay as they are.
    """
    return {
        name: _REDACTED[name](value) if name in _REDACTED and value is not None else value
        for name, value in values.items()
    }


def _content(content: str) -> str:
    kept = redact(content).text
    if kept == content:
        return content
    if not kept.strip():
        raise InvalidInput("content", "is all <private>, which is never stored; nothing is left")
    return str(check_field("content", kept))


def _tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    kept = (redact(tag).text for tag in tags)
    return tuple(check_field("tags", [tag for tag in kept if tag.strip()]))


def _metadata(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    kept = redact_all(metadata)
    return metadata if kept == metadata else dict(check_field("metadata", kept))


def _origin(origin: Origin) -> Origin:
    given = {name: told for name in _OF_ORIGIN if (told := getattr(origin, name)) is not None}
    kept: dict[str, Any] = {name: redact(told).text or None for name, told in given.items()}
    return origin if kept == given else replace(origin, **kept)


_REDACTED: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {"content": _content, "tags": _tags, "metadata": _metadata, "origin": _origin}
)
