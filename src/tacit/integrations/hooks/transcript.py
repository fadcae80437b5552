"""What a client's own transcript tells: which files were worked on, and what was compacted.

Transcripts are the clients' own business and change without notice, so whatever is not as expected
is passed over.
"""

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from tacit.runtime.files.reading import opened

_TAIL = 256 * 1024
_LONG_TAIL = 4 * 1024 * 1024
_MOST_FILES = 20
_ARGUMENTS = ("input", "args", "arguments")
_PATHS = ("file_path", "path", "notebook_path", "absolute_path")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_REPLACED = b'{"$set":{"messages":'
_SUMMARY = "<state_snapshot>"
_THANKS = "Got it. Thanks for the additional context!"


def files_touched(transcript: Path, folder: Path) -> tuple[str, ...]:
    """The files that tools worked on lately, the last one first."""
    found: dict[str, None] = {}
    for record in reversed(list(_records(transcript, _TAIL))):
        for path in reversed(list(_paths(record))):
            found.setdefault(_short(path, folder))
    return tuple(found)[:_MOST_FILES]


def compaction(transcript: Path) -> str | None:
    """What tells the last compaction of a Gemini CLI history from others, if there was one."""
    for line in reversed(_lines(transcript, _LONG_TAIL)):
        if line.startswith(_REPLACED):
            summary = _summary(_parsed(line))
            return sha256(summary.encode()).hexdigest()[:16] if summary else None
    return None


def _summary(record: Any) -> str:
    """What a compaction left of the messages before it."""
    try:
        messages = [(each["type"], _said(each["content"])) for each in record["$set"]["messages"]]
    except (KeyError, TypeError):
        return ""
    following = [*messages[1:], ("", "")]
    for (kind, text), (_, next_text) in zip(messages, following, strict=True):
        if kind == "user" and (text.startswith(_SUMMARY) or next_text == _THANKS):
            return text
    return ""


def _said(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text") or "" for part in content if isinstance(part, dict))


def _paths(value: Any, *, given: bool = False) -> Iterator[str]:
    """The paths in what tools were given, wherever that stands."""
    if isinstance(value, list):
        for each in value:
            yield from _paths(each, given=given)
    elif isinstance(value, str) and given:
        yield from _written(value)
    elif isinstance(value, dict):
        for name, each in value.items():
            if given and name in _PATHS and isinstance(each, str):
                yield each
            else:
                yield from _paths(each, given=given or name in _ARGUMENTS)


def _written(text: str) -> Iterator[str]:
    """The paths in arguments that are a text: JSON once more, or a patch."""
    yield from _PATCHED.findall(text)
    if text.startswith("{"):
        yield from _paths(_parsed(text), given=True)


def _short(path: str, folder: Path) -> str:
    try:
        return str(Path(path).relative_to(folder))
    except ValueError:
        return path


def _records(path: Path, size: int) -> Iterator[Any]:
    for line in _lines(path, size):
        record = _parsed(line) if line.lstrip()[:1] in (b"{", b"[") else None
        if record is not None:
            yield record


def _parsed(line: bytes | str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _lines(path: Path, size: int) -> list[bytes]:
    """The last lines of a file, as many as are whole."""
    try:
        with opened(path) as file:
            start = max(file.seek(0, 2) - size, 0)
            file.seek(start)
            lines = file.read(size).splitlines()
    except (OSError, ValueError):
        return []
    return lines[1:] if start else lines
