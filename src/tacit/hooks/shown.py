"""What a client puts into its context by itself: the instructions that people wrote for it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from os.path import normpath
from pathlib import Path

from tacit.hooks.project import root_of

_MOST_STATEMENTS = 400
_MOST_BYTES = 200 * 1024
_DEPTH = 5
_IMPORT = re.compile(r"(?<![\w`])@((?:~/|\.{0,2}/)?[\w./-]*\w)")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_COMMENT, _COMMENT_END = "<!--", "-->"
_RULE = re.compile(r"^[ \t]*([-*_])[ \t]*(?:\1[ \t]*){2,}$", re.MULTILINE)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_OPENING = re.compile(r"^\s*(?:(?:[-*+•]|\d+[.)]|#{1,6}|>)(?:\s+|$))+(?:\[[ xX]\]\s+)?")
_LINK = re.compile(r"!?\[([^\[\]]{0,500})\]\([^)]{0,500}\)")
_EMPHASIS = re.compile(r"(\*\*|__|`)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-z])")


def shown_by(client: str, folder: Path, home: Path, own: Path | None = None) -> tuple[str, ...]:
    """The statements that a client shows in a folder without us, in the order of its files.

    `own` is where the client's settings are, if not in their usual folder of the home.
    """
    sources = _SOURCES.get(client)
    if sources is None:
        return ()
    found: dict[str, None] = {}
    budget = _MOST_BYTES
    for file in _with_imports(client, sources(folder, own or home / _OWN[client]), home):
        if file.size > budget:
            continue
        budget -= file.size
        found.update(dict.fromkeys(_statements(file)))
        if len(found) >= _MOST_STATEMENTS:
            break
    return tuple(found)[:_MOST_STATEMENTS]


def _of_claude(folder: Path, own: Path) -> Iterator[Path]:
    yield own / "CLAUDE.md"
    yield from _rules(own)
    for place in (*reversed(folder.parents), folder):
        yield place / "CLAUDE.md"
        yield place / ".claude" / "CLAUDE.md"
        yield place / "CLAUDE.local.md"
        yield from _rules(place / ".claude")


def _rules(folder: Path) -> Iterator[Path]:
    """Rules for everything; those for some files only are shown when such a file is opened."""
    try:
        paths = sorted((folder / "rules").rglob("*.md"))
    except OSError:
        return
    yield from (path for path in paths if not _is_for_some_files(path))


def _is_for_some_files(path: Path) -> bool:
    front = _FRONT_MATTER.match(_text(path))
    return front is not None and re.search(r"^paths\s*:", front[1], re.MULTILINE) is not None


def _of_codex(folder: Path, own: Path) -> Iterator[Path]:
    for place in (own, *_from_the_root(folder)):
        override = place / "AGENTS.override.md"
        yield override if override.is_file() else place / "AGENTS.md"


def _of_gemini(folder: Path, own: Path) -> Iterator[Path]:
    for place in (own, *_from_the_root(folder)):
        yield place / "GEMINI.md"


def _from_the_root(folder: Path) -> Iterator[Path]:
    """The folders from the root of the project down to this one."""
    root = root_of(folder)
    for place in (*reversed(folder.parents), folder):
        if place == root or root in place.parents:
            yield place


_SOURCES: Mapping[str, Callable[[Path, Path], Iterator[Path]]] = {
    "claude-code": _of_claude,
    "codex": _of_codex,
    "gemini": _of_gemini,
}
_OWN = {"claude-code": ".claude", "codex": ".codex", "gemini": ".gemini"}
_IMPORTING = frozenset({"claude-code", "gemini"})


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it is now: while size and time stay, so do its words."""

    path: Path
    size: int
    changed: int


def _file(path: Path) -> _File | None:
    try:
        found = path.stat()
        return _File(path, found.st_size, found.st_mtime_ns) if path.is_file() else None
    except (OSError, ValueError):
        return None


def _with_imports(client: str, sources: Iterator[Path], home: Path) -> Iterator[_File]:
    """The files, each followed by those that it names with an @."""
    seen: set[Path] = set()
    depth = _DEPTH if client in _IMPORTING else 0
    for path in sources:
        yield from _imported(path, home, depth, seen)


def _imported(path: Path, home: Path, depth: int, seen: set[Path]) -> Iterator[_File]:
    file = _file(path)
    if path in seen or file is None:
        return
    seen.add(path)
    yield file
    for name in _imports(file) if depth else ():
        named = home / name[2:] if name.startswith("~/") else path.parent / name
        yield from _imported(Path(normpath(named)), home, depth - 1, seen)


@lru_cache(maxsize=512)
def _imports(file: _File) -> tuple[str, ...]:
    return tuple(_IMPORT.findall(_text(file.path)))


@lru_cache(maxsize=512)
def _statements(file: _File) -> tuple[str, ...]:
    bare = _without_comments(_FRONT_MATTER.sub("", _text(file.path)))
    text = _RULE.sub("", bare)
    return tuple(
        sentence
        for paragraph in _paragraphs(text)
        for sentence in _SENTENCE.split(paragraph)
        if any(letter.isalpha() for letter in sentence)
    )


def _without_comments(text: str) -> str:
    """The text with a space for each comment; one that is not closed stays."""
    kept: list[str] = []
    last, start = 0, text.find(_COMMENT)
    while start >= 0 and (end := text.find(_COMMENT_END, start + len(_COMMENT))) >= 0:
        kept.append(text[last:start])
        last = end + len(_COMMENT_END)
        start = text.find(_COMMENT, last)
    return " ".join([*kept, text[last:]])


def _paragraphs(text: str) -> Iterator[str]:
    """The text without its markup; lines that belong together are one."""
    together: list[str] = []
    is_code = False
    for line in (*text.splitlines(), ""):
        is_blank = not line.strip()
        is_fence = not is_blank and _FENCE.match(line) is not None
        is_code ^= is_fence
        opens = is_blank or is_fence or is_code or _OPENING.match(line) is not None
        if opens and together:
            yield " ".join(together)
            together = []
        if is_blank:
            continue
        plain = "" if is_fence else _plain(line)
        if plain:
            together.append(plain)
        if line.lstrip().startswith("#") and together:
            yield together.pop()


def _plain(line: str) -> str:
    return _EMPHASIS.sub("", _LINK.sub(r"\1", _OPENING.sub("", line))).strip()


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES).decode(errors="replace")
    except OSError:
        return ""
