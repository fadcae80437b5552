"""The instructions that a client puts into its context itself: CLAUDE.md, AGENTS.md, GEMINI.md."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from os.path import normpath
from pathlib import Path
from stat import S_ISREG

from tacit.integrations.hooks.project import find_root
from tacit.language.code_fences import LineKind, classify_lines
from tacit.language.sentences import split_sentences
from tacit.language.vocabulary import DENIALS, OPPOSITES, PRIVATIVES, word_set
from tacit.runtime.files import find_files, is_outside, read_start
from tacit.statements.words import normalize_text

_MOST_STATEMENTS = 400
_MOST_BYTES = 200 * 1024
_MOST_FILES = 200
_DEPTH = 5
_IMPORT = re.compile(r"(?<![\w`])@((?:~/|\.{0,2}/)?[\w./-]{0,300}\w)")
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)[^`\n]{1,300}\1(?!`)")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_FOR_SOME_FILES = re.compile(r"^paths\s*:", re.MULTILINE)
_INDENTS = ("    ", "\t")
_COMMENT, _COMMENT_END = "<!--", "-->"
_RULE = re.compile(r"^[ \t]*([-*_])[ \t]*(?:\1[ \t]*){2,}$", re.MULTILINE)
_OPENING = re.compile(r"^\s*(?:(?:[-*+•]|\d+[.)]|#{1,6}|>)(?:\s+|$))+(?:\[[ xX]\]\s+)?")
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s|^\s{2,}\S")
_QUOTE = re.compile(r"^\s*(?:(?:[-*+•]|\d+[.)])\s+)?>")
_WORD = re.compile(r"[^\W\d_]+")
_DENYING = (
    DENIALS
    | PRIVATIVES
    | OPPOSITES.keys()
    | word_set("""
        wrong untrue incorrect outdated obsolete deprecated stale former formerly
        falsch unwahr veraltet überholt ehemals vermeiden
        faux fausse obsolète obsolètes périmé dépassé éviter
        falso falsa incorrecto obsoleto obsoleta anticuado evitar
        """)
)
"""Words of a heading that denies what stands below it."""
_LINK = re.compile(r"!?\[([^\[\]]{0,500})\]\([^)]{0,500}\)")
_EMPHASIS = re.compile(r"(\*\*|__|`)")


@dataclass(frozen=True, slots=True)
class _InstructionSource:
    """A file that may exist, and the folder that its links must not leave.

    A repository can contain links and imports (@path); clients ask before they show files outside
    of it. In the user's own settings both may lead anywhere below the home folder.
    """

    path: Path
    within: Path


@dataclass(frozen=True, slots=True)
class _InstructionFile:
    """A file with its size and time, which serve as the key of caches."""

    path: Path
    size: int
    changed: int


def read_instructions(
    client: str, folder: Path, home: Path, own: Path | None = None
) -> tuple[str, ...]:
    """The statements that a client itself shows in a folder, in the order of its files.

    `own` is the folder of the client's settings, if it is not the usual one.
    """
    sources = _SOURCES.get(client)
    if sources is None:
        return ()
    found: dict[str, None] = {}
    budget = _MOST_BYTES
    place = _Location(
        folder, find_root(folder), _InstructionSource(own or home / _SETTINGS_FOLDERS[client], home)
    )
    for file in _with_imports(client, sources(place), home):
        if file.size > budget:
            continue
        budget -= file.size
        found.update(dict.fromkeys(_statements(file)))
        if len(found) >= _MOST_STATEMENTS:
            break
    return tuple(found)[:_MOST_STATEMENTS]


@dataclass(frozen=True, slots=True)
class _Location:
    """A folder, the root of its project, and the folder of the user's settings."""

    folder: Path
    root: Path
    own: _InstructionSource

    def from_the_root(self) -> Iterator[Path]:
        """The folders from the root of the project down to this one."""
        yield from (each for each in self.from_the_top() if each.is_relative_to(self.root))

    def from_the_top(self) -> Iterator[Path]:
        """All folders above this one, and this one."""
        yield from (*reversed(self.folder.parents), self.folder)

    def source(self, path: Path) -> _InstructionSource:
        """A file in one of these folders, inside the project or above it."""
        return _InstructionSource(
            path, self.root if path.is_relative_to(self.root) else path.parent
        )

    def of_user(self, name: str) -> _InstructionSource:
        """A file of the user's settings; links may lead anywhere below the home folder."""
        own = self.own.path
        return _InstructionSource(
            own / name, self.own.within if own.is_relative_to(self.own.within) else own
        )


def _claude_sources(place: _Location) -> Iterator[_InstructionSource]:
    yield place.of_user("CLAUDE.md")
    yield from _rules(place.of_user("rules"))
    for folder in place.from_the_top():
        yield place.source(folder / "CLAUDE.md")
        yield place.source(folder / ".claude" / "CLAUDE.md")
        yield place.source(folder / "CLAUDE.local.md")
        yield from _rules(place.source(folder / ".claude" / "rules"))


def _rules(folder: _InstructionSource) -> Iterator[_InstructionSource]:
    """Rules without a path filter; the others are shown when a matching file is opened."""
    for path in find_files(folder.path, folder.within, ".md"):
        source = _InstructionSource(path, folder.within)
        file = _stat_file(source)
        if file is not None and not _has_path_filter(file):
            yield source


@lru_cache(maxsize=512)
def _has_path_filter(file: _InstructionFile) -> bool:
    front = _FRONT_MATTER.match(_read_text(file.path))
    return front is not None and _FOR_SOME_FILES.search(front[1]) is not None


def _codex_sources(place: _Location) -> Iterator[_InstructionSource]:
    yield from _choose_override(place.of_user("AGENTS.override.md"), place.of_user("AGENTS.md"))
    for folder in place.from_the_root():
        override = place.source(folder / "AGENTS.override.md")
        yield from _choose_override(override, place.source(folder / "AGENTS.md"))


def _choose_override(
    override: _InstructionSource, usual: _InstructionSource
) -> Iterator[_InstructionSource]:
    yield override if override.path.is_file() else usual


def _gemini_sources(place: _Location) -> Iterator[_InstructionSource]:
    yield place.of_user("GEMINI.md")
    yield from (place.source(folder / "GEMINI.md") for folder in place.from_the_root())


_SOURCES: Mapping[str, Callable[[_Location], Iterator[_InstructionSource]]] = {
    "claude-code": _claude_sources,
    "codex": _codex_sources,
    "gemini": _gemini_sources,
}
_SETTINGS_FOLDERS = {"claude-code": ".claude", "codex": ".codex", "gemini": ".gemini"}
_IMPORTING = frozenset({"claude-code", "gemini"})


def _stat_file(source: _InstructionSource) -> _InstructionFile | None:
    try:
        found = source.path.stat()
        is_shown = S_ISREG(found.st_mode) and not is_outside(source.path, source.within)
        return _InstructionFile(source.path, found.st_size, found.st_mtime_ns) if is_shown else None
    except (OSError, ValueError):
        return None


def _with_imports(
    client: str, sources: Iterator[_InstructionSource], home: Path
) -> Iterator[_InstructionFile]:
    """The files, each followed by those that it imports with @, up to a limit."""
    seen: set[Path] = set()
    depth = _DEPTH if client in _IMPORTING else 0
    found = (file for source in sources for file in _follow_imports(source, home, depth, seen))
    yield from islice(found, _MOST_FILES)


def _follow_imports(
    source: _InstructionSource, home: Path, depth: int, seen: set[Path]
) -> Iterator[_InstructionFile]:
    file = None if source.path in seen else _stat_file(source)
    if file is None:
        return
    seen.add(source.path)
    yield file
    for name in _find_imports(file) if depth else ():
        named = home / name[2:] if name.startswith("~/") else source.path.parent / name
        found = _InstructionSource(Path(normpath(named)), source.within)
        yield from _follow_imports(found, home, depth - 1, seen)


@lru_cache(maxsize=512)
def _find_imports(file: _InstructionFile) -> tuple[str, ...]:
    """The imports (@path) of a file outside of code, where clients ignore them.

    Where it is unclear whether code continues, it counts as code: a file that is missed is only
    repeated.
    """
    text = _remove_comments(_FRONT_MATTER.sub("", _read_text(file.path))).partition(_COMMENT)[0]
    found: dict[str, None] = {}
    for line in _lines_outside_code(text):
        found.update(dict.fromkeys(_IMPORT.findall(line)))
    return tuple(found)[:_MOST_FILES]


def _lines_outside_code(text: str) -> Iterator[str]:
    """The lines of a text without fenced, indented and inline code."""
    in_span = False
    lines = text.splitlines()
    for line, kind in zip(lines, classify_lines(lines), strict=True):
        if kind is not LineKind.TEXT:
            continue
        if not line.strip():
            in_span = False
        elif not in_span and not line.startswith(_INDENTS):
            before, tick, _ = _CODE.sub(" ", line).partition("`")
            in_span = bool(tick)
            yield before


@lru_cache(maxsize=512)
def _statements(file: _InstructionFile) -> tuple[str, ...]:
    bare = _remove_comments(_FRONT_MATTER.sub("", _read_text(file.path)))
    stated = "\n".join(_stated_lines(_RULE.sub("", bare).splitlines()))
    return tuple(
        sentence
        for paragraph in _split_paragraphs(stated)
        for sentence in split_sentences(paragraph)
        if any(letter.isalpha() for letter in sentence)
    )


def _stated_lines(lines: list[str]) -> Iterator[str]:
    """The lines of a file, with those left empty that it quotes or denies.

    It denies what stands under a heading, or in a list below a line with a colon, such as "Never:".
    """
    denied_from, is_denied_list, is_quoted = 0, False, False
    for line, kind in zip(lines, classify_lines(lines), strict=True):
        heading = _HEADING.match(line) if kind is LineKind.TEXT else None
        is_quoted = _QUOTE.match(line) is not None or (is_quoted and not _OPENING.match(line))
        is_quoted = is_quoted and bool(line.strip())
        is_item = heading is None and _ITEM.match(line) is not None
        if heading is not None:
            level = len(heading[1])
            if not denied_from or level <= denied_from:
                denied_from = level if _denies(line) else 0
            is_denied_list = False
        elif kind is LineKind.TEXT and line.strip() and not is_item:
            is_denied_list = line.rstrip(" *_").endswith(":") and _denies(line)
        is_denied = (denied_from and heading is None) or (is_denied_list and is_item)
        yield "" if is_denied or is_quoted else line


def _denies(line: str) -> bool:
    return not _DENYING.isdisjoint(_WORD.findall(normalize_text(line).casefold()))


def _remove_comments(text: str) -> str:
    """Replace each comment by a space; an unclosed comment stays."""
    kept: list[str] = []
    last, start = 0, text.find(_COMMENT)
    while start >= 0 and (end := text.find(_COMMENT_END, start + len(_COMMENT))) >= 0:
        kept.append(text[last:start])
        last = end + len(_COMMENT_END)
        start = text.find(_COMMENT, last)
    return " ".join([*kept, text[last:]])


def _split_paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a text without markup, each as one line."""
    together: list[str] = []
    lines = (*text.splitlines(), "")
    for line, kind in zip(lines, classify_lines(lines), strict=True):
        is_blank = not line.strip()
        opens = is_blank or kind is not LineKind.TEXT or _OPENING.match(line) is not None
        if opens and together:
            yield " ".join(together)
            together = []
        if is_blank:
            continue
        plain = "" if kind is LineKind.FENCE else _strip_markup(line)
        if plain:
            together.append(plain)
        if line.lstrip().startswith("#") and together:
            yield together.pop()


def _strip_markup(line: str) -> str:
    return _EMPHASIS.sub("", _LINK.sub(r"\1", _OPENING.sub("", line))).strip()


def _read_text(path: Path) -> str:
    try:
        return read_start(path, _MOST_BYTES).decode(errors="replace")
    except OSError:
        return ""
