"""Anthropic's memory tool in the database of a `Tacit`: `tools=[TacitMemoryTool(tacit)]`.

Its files are items, exact values by namespace and key: a folder is a namespace, the name of a file
its key. Claude writes and reads them by itself, beside the memories of the workspace.
"""

import asyncio
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from tacit.api.protocols.items import ItemsProtocol
from tacit.core.errors import TacitError
from tacit.core.fields import MAX_LIMIT
from tacit.core.items import StoredItem
from tacit.writing.items import ItemDraft

try:
    from anthropic.lib.tools import (
        BetaAbstractMemoryTool,
        BetaAsyncAbstractMemoryTool,
        ToolError,
    )
except ImportError as error:
    needed = "Anthropic's memory tool needs more than is installed"
    raise ImportError(f"{needed}; run: pip install 'tacit[anthropic]'") from error

if TYPE_CHECKING:
    from tacit.api.async_tacit import AsyncTacit
    from tacit.api.base import BaseTacit

ROOT = "/memories"
"""The folder that Claude knows."""

_NAMESPACE = ("memories",)
_TEXT = "text"
_LISTED_DEPTH = 2
_NUMBER_WIDTH = 6
_AROUND = 2
"""So many lines are shown before and behind a change."""


class TacitMemoryTool(BetaAbstractMemoryTool):
    """The memory tool for `Anthropic`: files in a namespace of their own, one for each person.

    `cache_control` is that of the definition of the tool.
    """

    def __init__(
        self,
        tacit: "BaseTacit | AsyncTacit",
        *,
        namespace: tuple[str, ...] = _NAMESPACE,
        cache_control: Any = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.files = MemoryFiles(_find_items(tacit), namespace)

    def execute(self, command: Any) -> str:
        """Run a command; what goes wrong is told to Claude."""
        return self.files.run(super().execute, command)

    def view(self, command: Any) -> str:
        """A file with numbered lines, or a folder two levels deep."""
        return self.files.view(command)

    def create(self, command: Any) -> str:
        """Write a new file."""
        return self.files.create(command)

    def str_replace(self, command: Any) -> str:
        """Replace a text that a file has once."""
        return self.files.replace(command)

    def insert(self, command: Any) -> str:
        """Insert a text behind a line."""
        return self.files.insert(command)

    def delete(self, command: Any) -> str:
        """Delete a file, or a folder with all in it."""
        return self.files.delete(command)

    def rename(self, command: Any) -> str:
        """Rename or move a file or a folder."""
        return self.files.rename(command)

    def clear_all_memory(self) -> str:
        """Delete all files of the namespace."""
        return self.files.clear()


class AsyncTacitMemoryTool(BetaAsyncAbstractMemoryTool):
    """The memory tool for `AsyncAnthropic`; its commands run in threads."""

    def __init__(
        self,
        tacit: "BaseTacit | AsyncTacit",
        *,
        namespace: tuple[str, ...] = _NAMESPACE,
        cache_control: Any = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._tool = TacitMemoryTool(tacit, namespace=namespace)
        self.files = self._tool.files

    async def execute(self, command: Any) -> str:
        """Run a command; what goes wrong is told to Claude."""
        return await asyncio.to_thread(self._tool.execute, command)

    async def view(self, command: Any) -> str:
        """A file with numbered lines, or a folder two levels deep."""
        return await asyncio.to_thread(self._tool.view, command)

    async def create(self, command: Any) -> str:
        """Write a new file."""
        return await asyncio.to_thread(self._tool.create, command)

    async def str_replace(self, command: Any) -> str:
        """Replace a text that a file has once."""
        return await asyncio.to_thread(self._tool.str_replace, command)

    async def insert(self, command: Any) -> str:
        """Insert a text behind a line."""
        return await asyncio.to_thread(self._tool.insert, command)

    async def delete(self, command: Any) -> str:
        """Delete a file, or a folder with all in it."""
        return await asyncio.to_thread(self._tool.delete, command)

    async def rename(self, command: Any) -> str:
        """Rename or move a file or a folder."""
        return await asyncio.to_thread(self._tool.rename, command)

    async def clear_all_memory(self) -> str:
        """Delete all files of the namespace."""
        return await asyncio.to_thread(self._tool.clear_all_memory)


def _find_items(tacit: "BaseTacit | AsyncTacit") -> ItemsProtocol:
    from tacit.api.async_tacit import AsyncTacit

    own = tacit._wrapped if isinstance(tacit, AsyncTacit) else tacit  # noqa: SLF001
    return own.items


# Files


@dataclass(frozen=True, slots=True)
class FilePath:
    """A path below the root by its names; the root itself has none."""

    names: tuple[str, ...]

    @classmethod
    def of(cls, path: str) -> "FilePath":
        """Read a path as Claude writes it."""
        if path != ROOT and not path.startswith(f"{ROOT}/"):
            raise ToolError(f"Path must start with {ROOT}, got: {path}")
        whole = posixpath.normpath(path)
        if whole != ROOT and not whole.startswith(f"{ROOT}/"):
            raise ToolError(f"Path {path} would escape {ROOT} directory")
        return cls(tuple(whole.removeprefix(ROOT).split("/")[1:]))

    def __str__(self) -> str:
        return "/".join((ROOT, *self.names))


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """Files by path, in the items of a namespace; a folder is there as long as it has files."""

    items: ItemsProtocol
    namespace: tuple[str, ...]
    _lock: Lock = field(default_factory=Lock)

    def run(self, work: Callable[[Any], Any], command: Any) -> str:
        """Run a command after those that are under way; errors of memory are errors of the tool."""
        try:
            with self._lock:
                return str(work(command))
        except TacitError as error:
            raise ToolError(f"{error}") from error

    def view(self, command: Any) -> str:
        """What Claude sees of a file or a folder."""
        path = FilePath.of(command.path)
        text = self._read(path)
        if text is not None:
            return _number_lines(text, command.path, command.view_range)
        found = self._files_in(path)
        if not found and path.names:
            raise ToolError(f"The path {command.path} does not exist. Please provide a valid path.")
        return _list_folder(command.path, path, found)

    def create(self, command: Any) -> str:
        """Write a new file; one that exists stays as it is."""
        path = FilePath.of(command.path)
        self._check_free(path, f"File {command.path} already exists")
        self._put({path: command.file_text})
        return f"File created successfully at: {command.path}"

    def replace(self, command: Any) -> str:
        """Replace a text that the file has exactly once."""
        path, text, old = FilePath.of(command.path), self._text_of(command.path), command.old_str
        count = text.count(old)
        if count == 0:
            missing = f"old_str `{old}` did not appear verbatim in {command.path}."
            raise ToolError(f"No replacement was performed, {missing}")
        if count > 1:
            at = ", ".join(str(text[:place].count("\n") + 1) for place in _find_all(text, old))
            several = f"Multiple occurrences of old_str `{old}` in lines: {at}"
            raise ToolError(f"No replacement was performed. {several}. Please ensure it is unique")
        changed = text.replace(old, command.new_str)
        self._put({path: changed})
        lines, line = changed.split("\n"), text[: text.find(old)].count("\n")
        first, last = max(0, line - _AROUND), min(len(lines), line + _AROUND + 1)
        told = "The memory file has been edited. Here is the snippet showing the change"
        return f"{told} (with line numbers):\n" + _numbered(lines[first:last], first + 1)

    def insert(self, command: Any) -> str:
        """Insert a text behind a line; 0 is before the first."""
        path, text = FilePath.of(command.path), self._text_of(command.path)
        lines, place = text.removesuffix("\n").split("\n") if text else [], command.insert_line
        if not 0 <= place <= len(lines):
            within = f"It should be within the range [0, {len(lines)}]."
            raise ToolError(f"Invalid `insert_line` parameter: {place}. {within}")
        lines.insert(place, command.insert_text.rstrip("\n"))
        self._put({path: "\n".join(lines).removesuffix("\n") + "\n"})
        return f"The file {command.path} has been edited."

    def delete(self, command: Any) -> str:
        """Delete a file, or a folder with all in it."""
        path = FilePath.of(command.path)
        if not path.names:
            raise ToolError(f"Cannot delete the {ROOT} directory itself")
        self._put(dict.fromkeys(self._tree(path, command.path)))
        return f"Successfully deleted {command.path}"

    def rename(self, command: Any) -> str:
        """Rename or move a file or a folder, all of it or nothing."""
        old, new = FilePath.of(command.old_path), FilePath.of(command.new_path)
        if not old.names:
            raise ToolError(f"Cannot rename the {ROOT} directory itself")
        self._check_free(new, f"The destination {command.new_path} already exists")
        moved = self._tree(old, command.old_path)
        if new.names[: len(old.names)] == old.names:
            raise ToolError(f"Cannot move {command.old_path} into itself: {command.new_path}")
        put = {FilePath((*new.names, *p.names[len(old.names) :])): moved[p] for p in moved}
        self._put({**dict.fromkeys(moved), **put})
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear(self) -> str:
        """Delete all files."""
        self.items.erase(self.namespace)
        return "All memory cleared"

    def _read(self, path: FilePath) -> str | None:
        """The text of a file; None if there is none."""
        if not path.names:
            return None
        item = self.items.get(self._folder(path), path.names[-1], refresh=False)
        return None if item is None else str(item.value.get(_TEXT, ""))

    def _text_of(self, path: str) -> str:
        """The text of a file that must be there."""
        found = FilePath.of(path)
        text = self._read(found)
        if text is None and found.names and not self._files_in(found):
            raise ToolError(f"The path {path} does not exist. Please provide a valid path.")
        if text is None:
            raise ToolError(f"The path {path} is not a file.")
        return text

    def _files_in(self, folder: FilePath) -> dict[FilePath, str]:
        """The files in a folder and in those in it, by path."""
        prefix = (*self.namespace, *folder.names)
        found = self._list(prefix)
        texts = {
            FilePath((*item.namespace[len(self.namespace) :], item.key)): str(item.value[_TEXT])
            for item in found
            if _TEXT in item.value
        }
        return {path: texts[path] for path in sorted(texts, key=lambda each: each.names)}

    def _list(self, prefix: tuple[str, ...]) -> list[StoredItem]:
        """All items in a namespace, in calls of no more than a call may list."""
        found: list[StoredItem] = []
        while page := self.items.search(prefix, limit=MAX_LIMIT, offset=len(found)):
            found += [each.item for each in page]
        return found

    def _tree(self, path: FilePath, named: str) -> dict[FilePath, str]:
        """A file, or the files in a folder."""
        text = self._read(path)
        found = self._files_in(path) if text is None else {path: text}
        if not found:
            raise ToolError(f"The path {named} does not exist")
        return found

    def _check_free(self, path: FilePath, problem: str) -> None:
        """Refuse a path that is a file or a folder, or lies in a file."""
        if not path.names or self._read(path) is not None or self._files_in(path):
            raise ToolError(problem)
        for depth in range(1, len(path.names)):
            above = FilePath(path.names[:depth])
            if self._read(above) is not None:
                raise ToolError(f"{above} is a file, not a directory")

    def _put(self, texts: Mapping[FilePath, str | None]) -> None:
        """Write files and remove others (None), all or none."""
        self.items.put_all(
            ItemDraft(
                self._folder(path),
                path.names[-1],
                None if text is None else {_TEXT: text},
                "" if text is None else f"{' '.join(path.names)}\n{text}",
            )
            for path, text in texts.items()
        )

    def _folder(self, path: FilePath) -> tuple[str, ...]:
        return (*self.namespace, *path.names[:-1])


# What Claude reads


def _number_lines(text: str, named: str, span: list[int] | None) -> str:
    lines, first = text.split("\n"), 1
    if span and len(span) == 2:
        first = max(1, span[0])
        lines = lines[first - 1 : len(lines) if span[1] == -1 else span[1]]
    return f"Here's the content of {named} with line numbers:\n{_numbered(lines, first)}"


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{first + at:{_NUMBER_WIDTH}}\t{line}" for at, line in enumerate(lines))


def _list_folder(named: str, folder: FilePath, files: dict[FilePath, str]) -> str:
    """The files and folders two levels deep, with their sizes; hidden ones are left out."""
    sizes: dict[tuple[str, ...], int] = {(): 0}
    folders: set[tuple[str, ...]] = set()
    for path, text in files.items():
        names = path.names[len(folder.names) :]
        for depth in range(len(names) + 1):
            sizes[names[:depth]] = sizes.get(names[:depth], 0) + len(text.encode())
        folders.update(names[:depth] for depth in range(1, len(names)))
    shown = [
        f"{_format_size(size)}\t{'/'.join((named, *names))}" + ("/" if names in folders else "")
        for names, size in sorted(sizes.items())
        if len(names) <= _LISTED_DEPTH and not any(name.startswith(".") for name in names)
    ]
    told = f"Here're the files and directories up to {_LISTED_DEPTH} levels deep in {named}"
    return "\n".join((f"{told}, excluding hidden items:", *shown))


def _format_size(size: int) -> str:
    """A number of bytes with one letter: `1.5K`."""
    power = 0
    while size >= 1024 ** (power + 1) and power < 3:
        power += 1
    value = size / 1024**power
    return f"{int(value) if value == int(value) else format(value, '.1f')}{'BKMG'[power]}"


def _find_all(text: str, part: str) -> list[int]:
    return [place for place in range(len(text)) if text.startswith(part, place)]
