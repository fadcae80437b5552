"""The plan of an installation: each file before and after, computed first and then applied."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from tacit.core.errors import ConfigChanged, ConfigError
from tacit.integrations.installer.config_parts import is_empty_config
from tacit.integrations.installer.insertions import (
    EditedText,
    FileRecord,
    InstallRecord,
    read_record,
    record_path,
    remove_spans,
    text_digest,
)
from tacit.integrations.installer.targets import ConfigTarget
from tacit.runtime.files import read_file, replace_file

_DIFF_CONTEXT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
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
        return unified_diff(old, new, source, target, n=_DIFF_CONTEXT, lineterm="")


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallPlan:
    """The planned changes, and the change of the record."""

    changes: tuple[FileChange, ...]
    record: FileChange


def plan_install(targets: Sequence[ConfigTarget], *, mcp: bool) -> InstallPlan:
    """Plan the insertion of every part that is missing or outdated."""
    return _build_plan(
        targets, lambda target, record: _plan_target_install(target, record, mcp=mcp)
    )


def plan_uninstall(targets: Sequence[ConfigTarget]) -> InstallPlan:
    """Plan the removal of every part, and of files that were created for it."""
    return _build_plan(targets, _plan_target_uninstall)


@dataclass(frozen=True, slots=True)
class _PlannedChange:
    """A change, and the new record of its file."""

    change: FileChange
    entry: FileRecord | None


def _build_plan(
    targets: Sequence[ConfigTarget],
    step: Callable[[ConfigTarget, InstallRecord], _PlannedChange | None],
) -> InstallPlan:
    place = record_path()
    kept = _read_bytes(place)
    record = old = read_record(kept)
    changes: list[FileChange] = []
    for target in targets:
        made = step(target, old)
        if made is not None:
            changes.append(made.change)
            record = record.with_record(made.change.path, made.entry)
    written = record.to_bytes() if record != old else kept
    return InstallPlan(
        changes=tuple(changes),
        record=FileChange(
            path=place, shown=place, before=kept, after=written, folders=(place.parent,)
        ),
    )


def _plan_target_install(
    target: ConfigTarget, record: InstallRecord, *, mcp: bool
) -> _PlannedChange | None:
    path = target.path.resolve()
    before = _read_bytes(path)
    text = _decode(target.path, before)
    there = [part for part in target.parts if part.is_present(text, target.path)]
    wanted = [part for part in target.parts if mcp or not part.is_server or part in there]
    if all(part.is_current(text, target.path) for part in wanted):
        return None
    known = record.get(path) if there else None
    spliced = EditedText(_remove_ours(target, text, known))
    for part in wanted:
        spliced = part.add(spliced, target.path)
    made = (before is None) if known is None else known.made
    folders = tuple(map(str, missing_folders(path))) if known is None else known.folders
    entry = FileRecord(
        digest=text_digest(spliced.text), spans=spliced.spans, made=made, folders=folders
    )
    after = spliced.text.encode()
    return _PlannedChange(
        FileChange(path=path, shown=target.path, before=before, after=after), entry
    )


def _plan_target_uninstall(target: ConfigTarget, record: InstallRecord) -> _PlannedChange | None:
    path = target.path.resolve()
    before = _read_bytes(path)
    text = _decode(target.path, before)
    if not any(part.is_present(text, target.path) for part in target.parts):
        return None
    known = record.get(path)
    clean = _remove_ours(target, text, known)
    goes = known is not None and known.made and is_empty_config(clean)
    change = FileChange(
        path=path,
        shown=target.path,
        before=before,
        after=None if goes else clean.encode(),
        folders=tuple(map(Path, known.folders)) if known is not None and goes else (),
    )
    return _PlannedChange(change, None)


def _remove_ours(target: ConfigTarget, text: str, known: FileRecord | None) -> str:
    """Remove our parts; to the byte if nobody changed the file since."""
    if known is not None and known.digest == text_digest(text):
        return remove_spans(text, known.spans)
    for part in target.parts:
        text = part.remove(text, target.path)
    return text


def missing_folders(path: Path) -> Iterator[Path]:
    """The missing folders above a file, the innermost first."""
    for folder in path.parents:
        if folder.exists():
            return
        yield folder


def _read_bytes(path: Path) -> bytes | None:
    try:
        return read_file(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        problem = f"cannot be read ({error.strerror}); check the path and its permissions"
        raise ConfigError(f"{path}: {problem}") from error


def _decode(path: Path, content: bytes | None) -> str:
    try:
        return "" if content is None else content.decode()
    except UnicodeDecodeError as error:
        line = (content or b"").count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}, line {line}: is not UTF-8; save it as UTF-8") from error


# Applying a plan: all files or none


def apply_plan(plan: InstallPlan) -> None:
    """Write the record and every file; if one fails, restore those before it."""
    changes = [each for each in (plan.record, *plan.changes) if each.before != each.after]
    for change in changes:
        if _current_bytes(change.path) != change.before:
            problem = "was changed by another program meanwhile; run this again"
            raise ConfigChanged(f"{change.shown}: {problem}")
    made = [folder for change in changes for folder in missing_folders(change.path)]
    done: list[FileChange] = []
    try:
        for change in changes:
            done.append(change)
            _write_file(change.path, change.after)
    except OSError as error:
        for change in reversed(done):
            with suppress(OSError):
                _write_file(change.path, change.before)
        _remove_empty(made)
        problem = f"cannot be written ({error.strerror}); nothing was changed"
        raise ConfigError(f"{done[-1].shown}: {problem}; check its permissions") from error
    for change in changes:
        _remove_empty(change.folders)


def _write_file(path: Path, after: bytes | None) -> None:
    """Replace a file and keep its owner and mode."""
    if after is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    kept = path.stat()
    with replace_file(path) as file:
        file.write(after)
        os.fchmod(file.fileno(), kept.st_mode)
        with suppress(PermissionError):
            os.fchown(file.fileno(), kept.st_uid, kept.st_gid)


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _current_bytes(path: Path) -> bytes | None:
    try:
        return read_file(path)
    except OSError:
        return None
