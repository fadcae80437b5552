"""TOML from a file, read in a time that its size bounds, or refused with the line.

Reading a key takes as long as the square of its parts, and what walks over values calls itself for
each level. Files that people write have a few of either.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

from tacit.core.errors import ConfigError

_LONGEST_LINE = 10_000
_DEEPEST = 32
"""Both the parts of a key and the levels of a value."""

_NAME = r"""(?:(?<![\w-])[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_DEEP_KEY = re.compile(rf"(?:{_NAME}[ \t]*+\.[ \t]*+){{{_DEEPEST},}}+")
_POSITION = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")


def parse_toml(path: Path, text: str) -> dict[str, Any]:
    """What a text says as the content of a file; ConfigError where it cannot be read."""
    _refuse_long_lines(path, text)
    _refuse_deep_keys(path, text)
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(_syntax(path, text, error)) from error
    if _is_deep(content):
        raise ConfigError(f"{path}: is nested too deeply; make it flatter")
    return content


def decoded(path: Path, data: bytes) -> str:
    """The content of a file as text, without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8 text; save it as UTF-8") from error


def _refuse_long_lines(path: Path, text: str) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > _LONGEST_LINE:
            limit = f"longer than {_LONGEST_LINE:,} characters"
            raise ConfigError(f"{path}, line {number}: is {limit}; write it on several lines")


def _refuse_deep_keys(path: Path, text: str) -> None:
    if found := _DEEP_KEY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        problem = f"has a key of more than {_DEEPEST} parts; make it flatter"
        raise ConfigError(f"{path}, line {line}: {problem}")


def _is_deep(content: Any) -> bool:
    """Whether something is deeper than anything that is meant, found without calling itself."""
    level: list[Any] = [content]
    for _ in range(2 * _DEEPEST):  # a header and a key below it
        inside = [each.values() if isinstance(each, dict) else each for each in level]
        level = [part for each in inside for part in each if isinstance(part, dict | list)]
        if not level:
            return False
    return True


def _syntax(path: Path, text: str, error: Exception) -> str:
    reason = str(error)
    found = _POSITION.search(reason)
    if found is None:
        return f"{path}: is not valid TOML: {reason}"
    line = found["line"] or len(text.splitlines())
    column = f" (column {found['column']})" if found["column"] else " (at the end of the file)"
    return f"{path}, line {line}: is not valid TOML: {reason[: found.start()]}{column}"
