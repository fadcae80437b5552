"""The plan of an installation: every file as it is and as it would be, before any is touched."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from tacit.core.errors import ConfigError
from tacit.integrations.hooks.installing.client import Target
from tacit.integrations.hooks.installing.part import is_empty
from tacit.integrations.hooks.installing.record import (
    Entry,
    Record,
    digest,
    read_record,
    record_file,
)
from tacit.integrations.hooks.installing.splice import Spliced, cut
from tacit.runtime.files.reading import read_whole

_CONTEXT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One file: its bytes before and after, None where there is no file."""

    path: Path
    shown: Path
    before: bytes | None
    after: bytes | None
    folders: tuple[Path, ...] = ()
    """Those to remove after it if they are empty, the innermost first."""

    @property
    def kind(self) -> str:
        """What happens to the file, in a word."""
        if self.before is None:
            return "create"
        return "remove" if self.after is None else "change"

    def diff(self) -> Iterator[str]:
        """The lines of a unified diff."""
        old, new = (
            [] if each is None else each.decode(errors="replace").splitlines()
            for each in (self.before, self.after)
        )
        source = "/dev/null" if self.before is None else str(self.shown)
        target = "/dev/null" if self.after is None else str(self.shown)
        return unified_diff(old, new, source, target, n=_CONTEXT, lineterm="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What would be done, and the record of it, which is written with it."""

    changes: tuple[Change, ...]
    record: Change


def plan_install(targets: Sequence[Target], *, mcp: bool) -> Plan:
    """What puts everything in that is not there as it should be."""
    return _plan(targets, lambda target, record: _install(target, record, mcp=mcp))


def plan_uninstall(targets: Sequence[Target]) -> Plan:
    """What takes everything out, and removes what was made for it."""
    return _plan(targets, _uninstall)


@dataclass(frozen=True, slots=True)
class _Step:
    """A change, and the entry of its file from then on."""

    change: Change
    entry: Entry | None


def _plan(targets: Sequence[Target], step: Callable[[Target, Record], _Step | None]) -> Plan:
    place = record_file()
    kept = _bytes(place)
    record = old = read_record(kept)
    changes: list[Change] = []
    for target in targets:
        made = step(target, old)
        if made is not None:
            changes.append(made.change)
            record = record.changed(made.change.path, made.entry)
    written = record.written() if record != old else kept
    return Plan(
        changes=tuple(changes),
        record=Change(path=place, shown=place, before=kept, after=written, folders=(place.parent,)),
    )


def _install(target: Target, record: Record, *, mcp: bool) -> _Step | None:
    path = target.path.resolve()
    before = _bytes(path)
    text = _text(target.path, before)
    there = [part for part in target.parts if part.is_there(text, target.path)]
    wanted = [part for part in target.parts if mcp or not part.is_server or part in there]
    if all(part.is_current(text, target.path) for part in wanted):
        return None
    known = record.of(path) if there else None
    spliced = Spliced(_clean(target, text, known))
    for part in wanted:
        spliced = part.add(spliced, target.path)
    made = (before is None) if known is None else known.made
    folders = tuple(map(str, missing_folders(path))) if known is None else known.folders
    entry = Entry(digest=digest(spliced.text), spans=spliced.spans, made=made, folders=folders)
    after = spliced.text.encode()
    return _Step(Change(path=path, shown=target.path, before=before, after=after), entry)


def _uninstall(target: Target, record: Record) -> _Step | None:
    path = target.path.resolve()
    before = _bytes(path)
    text = _text(target.path, before)
    if not any(part.is_there(text, target.path) for part in target.parts):
        return None
    known = record.of(path)
    clean = _clean(target, text, known)
    goes = known is not None and known.made and is_empty(clean)
    change = Change(
        path=path,
        shown=target.path,
        before=before,
        after=None if goes else clean.encode(),
        folders=tuple(map(Path, known.folders)) if known is not None and goes else (),
    )
    return _Step(change, None)


def _clean(target: Target, text: str, known: Entry | None) -> str:
    """The text without what is ours: to the byte if nobody changed it since."""
    if known is not None and known.digest == digest(text):
        return cut(text, known.spans)
    for part in target.parts:
        text = part.remove(text, target.path)
    return text


def missing_folders(path: Path) -> Iterator[Path]:
    """The folders that a file needs and that are not there, the innermost first."""
    for folder in path.parents:
        if folder.exists():
            return
        yield folder


def _bytes(path: Path) -> bytes | None:
    try:
        return read_whole(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        problem = f"cannot be read ({error.strerror}); check the path and its permissions"
        raise ConfigError(f"{path}: {problem}") from error


def _text(path: Path, content: bytes | None) -> str:
    try:
        return "" if content is None else content.decode()
    except UnicodeDecodeError as error:
        line = (content or b"").count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}, line {line}: is not UTF-8; save it as UTF-8") from error
