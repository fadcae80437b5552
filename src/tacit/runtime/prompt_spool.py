"""Prompts that memory did not take in time: files that wait to be recorded and learned.

Each database has a folder of its own among the user's running processes. It holds a limited number
of prompts, without secrets and private text; the oldest go first.
"""

import json
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Self

from tacit.core.errors import InvalidInput, PlaceRefused
from tacit.core.json_value import JsonValue
from tacit.language.redaction.redact import redact_start
from tacit.runtime.files import database_identity
from tacit.runtime.own_folder import all_runtime_folders, ensure_own_folder, runtime_folder

MOST_PROMPTS = 50
MOST_BYTES = 1024 * 1024
_LONGEST_PROMPT = 50_000
_PROMPT_FILES = "*.prompt"

_log = logging.getLogger("tacit.hooks")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpooledPrompt(JsonValue):
    """A prompt that waits: what was said, to which client, where, and why it was not recorded."""

    id: str
    at: datetime
    client: str
    workspace: str
    session: str
    prompt: str
    user: str | None = None
    folder: str | None = None
    cause: str = ""

    @property
    def file_name(self) -> str:
        """The name of its file; names sort by time."""
        key = sha256(self.id.encode()).hexdigest()[:16]
        return f"{self.at:%Y%m%dT%H%M%S%f}-{key}.prompt"


class PromptSpool:
    """The waiting prompts of one database, and the sessions that are known to be paused."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def of_database(cls, location: str, environment: Mapping[str, str]) -> Self:
        """The spool of a database: a file, or a server's URL with or without a password."""
        return cls(runtime_folder(environment) / _folder_name(location))

    @classmethod
    def all_of_database(cls, location: str, environment: Mapping[str, str]) -> list[Self]:
        """The spools of a database in every usual folder of running processes."""
        name = _folder_name(location)
        return [cls(folder / name) for folder in all_runtime_folders(environment)]

    def add(self, prompt: SpooledPrompt) -> bool:
        """Keep a prompt, redacted; False if nothing is left of it or its session is paused."""
        text = redact_start(prompt.prompt, _LONGEST_PROMPT).text
        if not text.strip() or self.is_paused(prompt.workspace, prompt.session):
            return False
        written = json.dumps({**prompt.to_dict(), "prompt": text}).encode()
        self._ensure_folder()
        path = self._folder / prompt.file_name
        _write_private(path.with_suffix(".part"), written)
        path.with_suffix(".part").replace(path)
        self._drop_oldest()
        return True

    def prompts(
        self, workspace: str | None = None, session: str | None = None
    ) -> list[SpooledPrompt]:
        """The waiting prompts, the oldest first; of a workspace and a session if they are named."""
        found = (_read_prompt(path) for path in self._files())
        return [
            each
            for each in found
            if each and workspace in (None, each.workspace) and session in (None, each.session)
        ]

    def has(self, prompt: SpooledPrompt) -> bool:
        """Whether a prompt still waits."""
        return (self._folder / prompt.file_name).exists()

    def remove(self, prompt: SpooledPrompt) -> bool:
        """Remove a prompt; returns whether it was there."""
        try:
            (self._folder / prompt.file_name).unlink()
        except OSError:
            return False
        return True

    def is_paused(self, workspace: str, session: str) -> bool:
        """Whether a session was paused when it was last seen."""
        return self._pause_marker(workspace, session).exists()

    def mark_paused(self, workspace: str, session: str, *, is_paused: bool) -> None:
        """Note whether a session is paused: then none of its prompts is kept, nor stays.

        Where that cannot be noted, no prompt can be kept either.
        """
        marker = self._pause_marker(workspace, session)
        with suppress(OSError, PlaceRefused):
            if not is_paused:
                marker.unlink(missing_ok=True)
                return
            for each in self.prompts(workspace, session):
                self.remove(each)
            self._ensure_folder()
            _write_private(marker, b"")

    def _files(self) -> list[Path]:
        """The files of prompts, the oldest first; none in a folder that cannot be read."""
        with suppress(OSError):
            return sorted(self._folder.glob(_PROMPT_FILES))
        return []

    def _ensure_folder(self) -> None:
        ensure_own_folder(self._folder.parent)
        ensure_own_folder(self._folder)

    def _pause_marker(self, workspace: str, session: str) -> Path:
        key = sha256(f"{workspace}\0{session}".encode()).hexdigest()[:32]
        return self._folder / f"{key}.paused"

    def _drop_oldest(self) -> None:
        """Keep to the limits of number and size."""
        files = [(path, path.stat().st_size) for path in self._files()]
        dropped = 0
        while len(files) > MOST_PROMPTS or sum(size for _, size in files) > MOST_BYTES:
            files.pop(0)[0].unlink(missing_ok=True)
            dropped += 1
        if dropped:
            _log.warning("too many prompts wait to be recorded: dropped the oldest %d", dropped)


def _folder_name(location: str) -> str:
    key = sha256(database_identity(location).encode(errors="surrogateescape")).hexdigest()
    return f"spool-{key[:16]}"


def _write_private(path: Path, content: bytes) -> None:
    with suppress(FileNotFoundError):
        path.unlink()
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, content)
    finally:
        os.close(file)


def _read_prompt(path: Path) -> SpooledPrompt | None:
    """The prompt in a file; a file that is damaged is removed."""
    try:
        return SpooledPrompt.from_dict(json.loads(path.read_bytes()))
    except OSError:
        return None
    except (ValueError, TypeError, InvalidInput):
        path.unlink(missing_ok=True)
        return None
