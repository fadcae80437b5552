"""The configuration file as programs change it: atomically, and one writer after the other.

Only the statements that a change concerns are touched, so that comments, order and formatting of
everything else stay byte for byte.
"""

import logging
import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from tomlkit.exceptions import TOMLKitError

from tacit.core.errors import ConfigChanged, ConfigError, InvalidInput
from tacit.core.fields import check_field
from tacit.runtime.files import (
    config_folder,
    decode_text,
    make_private_folder,
    read_file,
    replace_file,
)
from tacit.runtime.trust import TrustRecord, resolve_folder
from tacit.settings.config import CONFIG_FILE_NAME, SettingsTable
from tacit.settings.definition import check_setting, find_definition, find_doubts
from tacit.settings.loader import ConfigDocument, validate_config
from tacit.settings.toml_edit import (
    KeyPath,
    append_table,
    flatten_values,
    remove_table,
    remove_value,
    set_value,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileVersion:
    """The text of a file at some time, and the version (a hash) of this text."""

    text: str
    version: str


def encode_file_text(text: str) -> bytes:
    """A text for the file as bytes; InvalidInput for half a character."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise InvalidInput("text", "has half a character in it; give whole ones") from None


_AGENTS = "agents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A new value of a setting; None removes it, so that a weaker source applies."""

    name: str
    value: Any
    table: SettingsTable = SettingsTable.MEMORY_INJECTION
    agent: str | None = None
    warnings: tuple[str, ...] = field(init=False, default=())
    """The parts of the value that are ignored or doubtful, each with the reason."""

    def __post_init__(self) -> None:
        find_definition(self.table.settings_class, self.name)
        if self.agent is not None and self.table is not SettingsTable.MEMORY_INJECTION:
            raise InvalidInput("agent", f"[{self.table}] is the same for every agent; name none")
        if self.agent is not None:
            object.__setattr__(self, "agent", check_field("agent", self.agent))
        if self.value is not None:
            accepted = check_setting(self.table.settings_class, self.name, self.value)
            missing = find_doubts(self.table.settings_class, self.name, self.value)
            told = tuple(f"{self.table}.{self.name}: {each}" for each in missing)
            object.__setattr__(self, "warnings", told)
            object.__setattr__(self, "value", _to_toml_value(accepted))


@dataclass(frozen=True, slots=True, kw_only=True)
class Revert:
    """Removes all settings of an agent, so that the shared ones apply to it."""

    agent: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "agent", check_field("agent", self.agent))


def apply_changes(text: str, changes: Iterable[Change | Revert]) -> str:
    """The text of a file after some changes, one after the other."""
    for change in changes:
        text = (
            _apply_revert(text, change)
            if isinstance(change, Revert)
            else _apply_change(text, change)
        )
    return text


def _apply_revert(text: str, revert: Revert) -> str:
    content = tomllib.loads(text)
    ids = _agent_ids(content)
    if revert.agent not in ids:
        return text
    table: KeyPath = (_AGENTS, ids.index(revert.agent), str(SettingsTable.MEMORY_INJECTION))
    before = flatten_values(content)
    wanted = {each: kept for each, kept in before.items() if each[: len(table)] != table}
    return _check_result(
        remove_table(text, table), wanted, f"memory_injection of agent {revert.agent!r}"
    )


def _apply_change(text: str, change: Change) -> str:
    content = tomllib.loads(text)
    table = _table_path(content, change)
    before = flatten_values(content)
    wanted = _expected_values(before, (*table, change.name), change.value)
    if _is_same(wanted, before):
        return text
    if change.value is None:
        result = remove_value(text, table, change.name)
    elif _is_new_agent(before, table):
        wanted[*table[:2], "id"] = change.agent
        own = {change.table.value: {change.name: change.value}}
        result = append_table(text, _AGENTS, {"id": change.agent, **own})
    else:
        result = set_value(text, table, change.name, change.value)
    return _check_result(result, wanted, change.name)


def _check_result(text: str, wanted: Mapping[KeyPath, Any], name: str) -> str:
    """Return the text if it holds exactly the expected values."""
    if flatten_values(tomllib.loads(text)) != wanted:
        raise ConfigError(f"{name}: stands where no program can change it; edit the file")
    return text


def _expected_values(
    before: Mapping[KeyPath, Any], place: KeyPath, value: Any
) -> dict[KeyPath, Any]:
    rest = {each: kept for each, kept in before.items() if each != place}
    return rest if value is None else rest | {place: value}


def _table_path(content: Mapping[str, Any], change: Change) -> KeyPath:
    """The path of the table that holds the setting; a new agent comes after the last one."""
    if change.agent is None:
        return change.table.place
    ids = _agent_ids(content)
    number = ids.index(change.agent) if change.agent in ids else len(ids)
    return (_AGENTS, number, change.table.value)


def _agent_ids(content: Mapping[str, Any]) -> list[str]:
    return [each["id"] for each in content.get(_AGENTS, ())]


def _is_same(one: Mapping[KeyPath, Any], other: Mapping[KeyPath, Any]) -> bool:
    """Whether both hold the same values of the same types: true is not 1."""
    return one == other and all(type(one[place]) is type(other[place]) for place in one)


def _is_new_agent(before: Mapping[KeyPath, Any], table: KeyPath) -> bool:
    return table[0] == _AGENTS and (*table[:2], "id") not in before


def _to_toml_value(value: Any) -> Any:
    """A value as TOML can hold it."""
    if isinstance(value, tuple):
        return [str(each) for each in value]
    return str(value) if isinstance(value, str) else value


_log = logging.getLogger("tacit.config")

_MARK = "\ufeff"
_PATIENCE_SECONDS = 10


class ConfigFile:
    """A configuration file that is written only if the whole new content is valid.

    A missing file reads as empty, and the first change creates it. Writers of all threads and
    processes wait for each other. A project's file that the user had agreed to stays trusted, and
    a file that is created here is trusted.
    """

    def __init__(self, path: Path, trust: TrustRecord | None = None) -> None:
        self.path = path
        self._trust = trust or TrustRecord()

    def read(self) -> FileVersion:
        """The text as it is, valid or not."""
        return self._edition(self._bytes())

    def version(self) -> str:
        """The version of the current content, even if it is not text."""
        return _version(self._bytes())

    def write(self, text: str, *, expected: str | None = None) -> FileVersion:
        """Replace the text; if a version is expected, only if the file still has it."""
        return self._replace(lambda _: text, expected)

    def change(
        self, changes: Iterable[Change | Revert], *, expected: str | None = None
    ) -> FileVersion:
        """Set or remove single values; comments, order and formatting of all others stay."""
        wanted = tuple(changes)
        return self._replace(lambda old: self._changed(old, wanted), expected)

    def _changed(self, old: bytes, changes: Iterable[Change | Revert]) -> str:
        text = decode_text(self.path, old)
        ConfigDocument.of(self.path, text)
        try:
            return apply_changes(text, changes)
        except (LookupError, TypeError, ValueError, TOMLKitError) as error:
            validate_config(self.path, text)
            problem = "is written in a way that no program can change; edit it by hand"
            raise ConfigError(f"{self.path}: {problem}") from error

    def _replace(self, make: Callable[[bytes], str], expected: str | None) -> FileVersion:
        path = self.path.resolve()
        with self._alone(path):
            old = self._bytes()
            if expected is not None and expected != _version(old):
                problem = "was changed by someone else meanwhile; read it again"
                raise ConfigChanged(f"{self.path}: {problem}")
            text = make(old).removeprefix(_MARK)
            validate_config(self.path, text)
            new = self._encoded(_MARK + text if old.startswith(_MARK.encode()) else text)
            if new != old:
                self._keep_trust(old, new)
                _write(path, new)
            return self._edition(new)

    def _keep_trust(self, old: bytes, new: bytes) -> None:
        """Extend the user's consent from the old content to the new one, before it is written."""
        is_of_user = resolve_folder(self.path) == resolve_folder(config_folder() / CONFIG_FILE_NAME)
        if self.path.name != CONFIG_FILE_NAME or is_of_user:
            return
        is_new = not old and not self.path.exists()
        if is_new or self._trust.has(self.path, _version(old)):
            try:
                self._trust.add(self.path, _version(new))
            except ConfigError as error:  # it is written all the same, and may need a yes
                _log.warning("%s", error)

    @contextmanager
    def _alone(self, path: Path) -> Iterator[None]:
        """Hold the lock of the file; errors of the disk become a ConfigError."""
        try:
            make_private_folder(path.parent)
            with FileLock(path.with_name(f".{path.name}.lock"), timeout=_PATIENCE_SECONDS):
                yield
        except Timeout:
            raise ConfigError(f"{self.path}: others keep writing it; try again") from None
        except OSError as error:
            problem = f"cannot be written ({error.strerror}); check the folder and its permissions"
            raise ConfigError(f"{self.path}: {problem}") from error

    def _bytes(self) -> bytes:
        try:
            return read_file(self.path)
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise ConfigError(f"{self.path}: cannot be read ({error.strerror})") from error

    def _encoded(self, text: str) -> bytes:
        try:
            return text.encode()
        except UnicodeEncodeError as error:
            problem = "would have half a character; give whole ones"
            raise ConfigError(f"{self.path}: {problem}") from error

    def _edition(self, data: bytes) -> FileVersion:
        return FileVersion(text=decode_text(self.path, data), version=_version(data))


def _version(data: bytes) -> str:
    return sha256(data).hexdigest()


def _write(path: Path, data: bytes) -> None:
    """Replace the file and keep its owner and mode; a new file gets the usual ones."""
    path.touch()
    kept = path.stat()
    with replace_file(path) as file:
        file.write(data)
        os.fchmod(file.fileno(), kept.st_mode)
        with suppress(PermissionError):
            os.fchown(file.fileno(), kept.st_uid, kept.st_gid)
