"""Reads CLAUDE.md files, the memory files of Claude Code, and the memories of a Claude export."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.language.code_fences import LineKind, classify_lines
from tacit.language.redaction.redact import redact_lines
from tacit.writing.archive.markdown_reader import (
    LONGEST_LEAD,
    BlockKind,
    read_passages,
    shift_passage,
    split_blocks,
    split_passages,
)
from tacit.writing.archive.saved_list_reader import is_saved_list, read_saved_list
from tacit.writing.archive.source_file import (
    Passage,
    SourceEntry,
    SourceFile,
    refuse_large_text,
    split_lines,
)

_CHATS, _PROJECTS = "conversations_memory", "project_memories"
_READ_AS = frozenset((_CHATS, _PROJECTS, "account_uuid"))
_TYPES = frozenset(("user", "feedback", "project", "reference"))
_INLINE_CODE = re.compile(r"`[^`]*`")
_IMPORT = re.compile(r"(?<!\S)@(?P<path>[~.\w/-]*[\w/])")
_DOCUMENTS = (".md", ".markdown", ".txt", ".rst", ".json", ".toml", ".yaml", ".yml")
_EMPTY = "is missing; a memory file says something below its front matter"
_NOT_FOLLOWED = "is another file and is not followed; import it by itself"


def is_claude_export(data: Any) -> bool:
    """Whether JSON is the memories.json of a data export."""
    accounts = data if isinstance(data, list) else [data]
    return any(isinstance(each, Mapping) and _CHATS in each for each in accounts)


def is_memory_file(sheet: SourceFile) -> bool:
    """Whether a text is a memory file of Claude Code, by its front matter."""
    return bool(_memory_type(sheet.front.fields))


def read_claude(sheet: SourceFile) -> Iterator[SourceEntry]:
    """Read the entries of any of these files."""
    if sheet.data is not None:
        yield from _read_export(sheet)
    elif is_saved_list(sheet.lines):
        yield from read_saved_list(sheet)
    elif is_memory_file(sheet):
        yield from _read_memory_file(sheet)
    else:
        yield from read_passages(sheet, _split_imports)


def _read_export(sheet: SourceFile) -> Iterator[SourceEntry]:
    """Read an export: one Markdown text for the chats, and one for each project."""
    accounts = sheet.data if isinstance(sheet.data, list) else [sheet.data]
    parts = [part for account in accounts for part in _export_parts(account)]
    texts = [text for _, text, _ in parts if isinstance(text, str)]
    refuse_large_text([line for text in texts for line in split_lines(text)])
    number = 0
    for part, text, owner in parts:
        for entry in _export_part(part, text, owner, sheet):
            number += 1
            yield SourceEntry(number, entry.values, entry.problem)


def _export_parts(account: Any) -> Iterator[tuple[str, Any, dict[str, str]]]:
    fields = account if isinstance(account, Mapping) else {"account": account}
    yield _CHATS, fields.get(_CHATS) or "", {}
    projects = fields.get(_PROJECTS) or {}
    for id, text in projects.items() if isinstance(projects, Mapping) else [("", projects)]:
        yield f"{_PROJECTS} {id}", text, {"scope": "project", "scope_id": str(id)}
    for name, value in fields.items():
        if name not in _READ_AS and value:
            yield name, None, {}


def _export_part(
    part: str, text: Any, owner: Mapping[str, str], sheet: SourceFile
) -> Iterator[SourceEntry]:
    if not isinstance(text, str):
        yield SourceEntry.left_out(0, part, "is left out: it is no text, or not known here")
        return
    try:
        check_field("scope_id", owner.get("scope_id", ""))
    except InvalidInput as error:
        yield SourceEntry(0, None, error)
        return
    for passage in split_passages(redact_lines(split_lines(text))):
        entry = sheet.entry(passage, part=part)
        yield SourceEntry(0, entry.values and {**entry.values, **owner}, entry.problem)


def _read_memory_file(sheet: SourceFile) -> Iterator[SourceEntry]:
    """Read a memory file, which holds one memory; headings split it."""
    fields, above = sheet.front.fields, sheet.front.lines
    told: dict[str, Any] = {"origin": sheet.origin(session=_field(fields, "originSessionId"))}
    if _memory_type(fields) == "feedback":
        told["type"] = "preference"
    for passage in _memory_passages(fields, sheet.body):
        entry = sheet.entry(shift_passage(passage, above), front_matter=fields)
        yield SourceEntry(entry.number, entry.values and {**entry.values, **told}, entry.problem)


def _memory_passages(fields: Mapping[str, Any], lines: Sequence[str]) -> Iterator[Passage]:
    name, blocks = fields["name"], split_blocks(lines)
    if any(block.kind is BlockKind.HEADING for block in blocks):
        yield from split_passages(lines, above=(name,), name=name)
        return
    body = "\n".join(lines).strip() or str(fields.get("description", "")).strip()
    yield Passage(blocks[0].number if blocks else 1, (name,), body, "" if body else _EMPTY)


def _memory_type(fields: Mapping[str, Any]) -> str | None:
    """The type that a memory file names; None if the front matter is something else."""
    name = fields.get("name")
    is_named = isinstance(name, str) and 0 < len(name) <= LONGEST_LEAD
    named = _field(fields, "type") if is_named else None
    return named if named in _TYPES else None


def _field(fields: Mapping[str, Any], name: str) -> str | None:
    """A field that is at the top in some versions and below `metadata` in others."""
    inner = fields.get("metadata")
    value = fields.get(name) or (inner.get(name) if isinstance(inner, dict) else None)
    return value if isinstance(value, str) and value else None


def _split_imports(passage: Passage) -> Iterator[Passage]:
    """The passage, if it says more than which files to read, and an objection for each file."""
    prose = _hide_code(passage.text)
    found = [] if passage.objection else _IMPORT.findall(prose)
    paths = list(dict.fromkeys(found))
    if not paths or _IMPORT.sub("", prose).strip():
        yield passage
        paths = [path for path in paths if path.endswith(_DOCUMENTS)]
    for path in paths:
        yield replace(passage, objection=f"@{path} {_NOT_FOLLOWED}")


def _hide_code(text: str) -> str:
    """The text with the word "code" for each line and span of code."""
    lines = text.split("\n")
    kinds = classify_lines(lines)
    shown = (
        line if kind is LineKind.TEXT else "code" for line, kind in zip(lines, kinds, strict=True)
    )
    return _INLINE_CODE.sub("code", "\n".join(shown))
