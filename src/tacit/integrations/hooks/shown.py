"""What a client puts into its context by itself: the instructions that people wrote for it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from os.path import normpath
from pathlib import Path
from stat import S_ISREG

from tacit.integrations.hooks.project import root_of
from tacit.runtime.files.reading import files_below, leads_out, read_start

_MOST_STATEMENTS = 400
_MOST_BYTES = 200 * 1024
_MOST_FILES = 200
_DEPTH = 5
_IMPORT = re.compile(r"(?<![\w`])@((?:~/|\.{0,2}/)?[\w./-]{0,300}\w)")
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)[^`\n]{1,300}\1(?!`)")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_FOR_SOME_FILES = re.compile(r"^paths\s*:", re.MULTILINE)
_FENCES = ("```", "~~~")
_INDENTS = ("    ", "\t")
_COMMENT, _COMMENT_END = "<!--", "-->"
_RULE = re.compile(r"^[ \t]*([-*_])[ \t]*(?:\1[ \t]*){2,}$", re.MULTILINE)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_OPENING = re.compile(r"^\s*(?:(?:[-*+•]|\d+[.)]|#{1,6}|>)(?:\s+|$))+(?:\[[ xX]\]\s+)?")
_LINK = re.compile(r"!?\[([^\[\]]{0,500})\]\([^)]{0,500}\)")
_EMPHASIS = re.compile(r"(\*\*|__|`)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-z])")


@dataclass(frozen=True, slots=True)
class _Source:
    """A file that may be there, and the folder that it must not lead out of.

    A repository can carry links, and name files with an @; a client asks before it shows what is
    outside. In the user's own settings both may lead anywhere at home.
    """

    path: Path
    within: Path


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it is now: while size and time stay, so do its words."""

    path: Path
    size: int
    changed: int


def shown_by(client: str, folder: Path, home: Path, own: Path | None = None) -> tuple[str, ...]:
    """The statements that a client shows in a folder without us, in the order of its files.

    `own` is where the client's settings are, if not in their usual folder of the home.
    """
    sources = _SOURCES.get(client)
    if sources is None:
        return ()
    found: dict[str, None] = {}
    budget = _MOST_BYTES
    place = _Place(folder, root_of(folder), _Source(own or home / _OWN[client], home))
    for file in _with_imports(client, sources(place), home):
        if file.size > budget:
            continue
        budget -= file.size
        found.update(dict.fromkeys(_statements(file)))
        if len(found) >= _MOST_STATEMENTS:
            break
    return tuple(found)[:_MOST_STATEMENTS]


@dataclass(frozen=True, slots=True)
class _Place:
    """A folder, the root of its project, and where the user's own settings are."""

    folder: Path
    root: Path
    own: _Source

    def from_the_root(self) -> Iterator[Path]:
        """The folders from the root of the project down to this one."""
        yield from (each for each in self.from_the_top() if each.is_relative_to(self.root))

    def from_the_top(self) -> Iterator[Path]:
        """All folders above this one, and this one."""
        yield from (*reversed(self.folder.parents), self.folder)

    def source(self, path: Path) -> _Source:
        """A file in a folder on the way: of the project, or of a folder above it."""
        return _Source(path, self.root if path.is_relative_to(self.root) else path.parent)

    def of_user(self, name: str) -> _Source:
        """A file of the user's own; settings that are not at home stay in their folder."""
        own = self.own.path
        return _Source(own / name, self.own.within if own.is_relative_to(self.own.within) else own)


def _of_claude(place: _Place) -> Iterator[_Source]:
    yield place.of_user("CLAUDE.md")
    yield from _rules(place.of_user("rules"))
    for folder in place.from_the_top():
        yield place.source(folder / "CLAUDE.md")
        yield place.source(folder / ".claude" / "CLAUDE.md")
        yield place.source(folder / "CLAUDE.local.md")
        yield from _rules(place.source(folder / ".claude" / "rules"))


def _rules(folder: _Source) -> Iterator[_Source]:
    """Rules for everything; those for some files only are shown when such a file is opened."""
    for path in files_below(folder.path, folder.within, ".md"):
        source = _Source(path, folder.within)
        file = _file(source)
        if file is not None and not _is_for_some_files(file):
            yield source


@lru_cache(maxsize=512)
def _is_for_some_files(file: _File) -> bool:
    front = _FRONT_MATTER.match(_text(file.path))
    return front is not None and _FOR_SOME_FILES.search(front[1]) is not None


def _of_codex(place: _Place) -> Iterator[_Source]:
    yield from _override(place.of_user("AGENTS.override.md"), place.of_user("AGENTS.md"))
    for folder in place.from_the_root():
        override = place.source(folder / "AGENTS.override.md")
        yield from _override(override, place.source(folder / "AGENTS.md"))


def _override(override: _Source, usual: _Source) -> Iterator[_Source]:
    yield override if override.path.is_file() else usual


def _of_gemini(place: _Place) -> Iterator[_Source]:
    yield place.of_user("GEMINI.md")
    yield from (place.source(folder / "GEMINI.md") for folder in place.from_the_root())


_SOURCES: Mapping[str, Callable[[_Place], Iterator[_Source]]] = {
    "claude-code": _of_claude,
    "codex": _of_codex,
    "gemini": _of_gemini,
}
_OWN = {"claude-code": ".claude", "codex": ".codex", "gemini": ".gemini"}
_IMPORTING = frozenset({"claude-code", "gemini"})


def _file(source: _Source) -> _File | None:
    try:
        found = source.path.stat()
        is_shown = S_ISREG(found.st_mode) and not leads_out(source.path, source.within)
        return _File(source.path, found.st_size, found.st_mtime_ns) if is_shown else None
    except (OSError, ValueError):
        return None


def _with_imports(client: str, sources: Iterator[_Source], home: Path) -> Iterator[_File]:
    """The files, each followed by those that it names with an @, as many as are read."""
    seen: set[Path] = set()
    depth = _DEPTH if client in _IMPORTING else 0
    found = (file for source in sources for file in _imported(source, home, depth, seen))
    yield from islice(found, _MOST_FILES)


def _imported(source: _Source, home: Path, depth: int, seen: set[Path]) -> Iterator[_File]:
    file = None if source.path in seen else _file(source)
    if file is None:
        return
    seen.add(source.path)
    yield file
    for name in _imports(file) if depth else ():
        named = home / name[2:] if name.startswith("~/") else source.path.parent / name
        found = _Source(Path(normpath(named)), source.within)
        yield from _imported(found, home, depth - 1, seen)


@lru_cache(maxsize=512)
def _imports(file: _File) -> tuple[str, ...]:
    """What a file names with an @ outside of code, into which clients do not look.

    Where code may go on or not, it does: a file that is not counted is only repeated.
    """
    text = _without_comments(_FRONT_MATTER.sub("", _text(file.path))).partition(_COMMENT)[0]
    found: dict[str, None] = {}
    for line in _outside_code(text):
        found.update(dict.fromkeys(_IMPORT.findall(line)))
    return tuple(found)[:_MOST_FILES]


def _outside_code(text: str) -> Iterator[str]:
    """The lines of a text without its code: fences, what is indented, spans of one line or more."""
    fence, in_span = "", False
    for line in text.splitlines():
        written = line.strip()
        run = written[: len(written) - len(written.lstrip(written[:1]))] if written else ""
        if fence:
            fence = "" if run == written and run.startswith(fence) else fence
        elif run.startswith(_FENCES):
            fence = run
        elif not written:
            in_span = False
        elif not in_span and not line.startswith(_INDENTS):
            before, tick, _ = _CODE.sub(" ", line).partition("`")
            in_span = bool(tick)
            yield before


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
        return read_start(path, _MOST_BYTES).decode(errors="replace")
    except OSError:
        return ""
