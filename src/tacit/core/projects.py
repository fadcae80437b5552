"""Which project a folder belongs to: what the folder claims, and what people decided."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tacit.core.json_value import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout(JsonValue):
    """A folder on a machine, and what it claims to be.

    `remote` is the address that its repository names, and `source` the folder that it is a clone
    or a working tree of. Whoever made the folder wrote these two, so they are only claims.
    `is_foreign` means that the folder belongs to another user of the machine. Without a `host` it
    is on the machine that receives the call.
    """

    path: str
    host: str | None = None
    remote: str | None = None
    source: str | None = None
    is_foreign: bool = False

    @property
    def claim(self) -> str:
        """What the folder claims to be; its own path if it claims nothing."""
        return self.remote or self.source or self.path

    @property
    def own_project(self) -> str:
        """The id of the folder's own project, which no folder can choose."""
        is_claiming = self.claim != self.path
        return f"{self.host}:{self.path}" if self.host and is_claiming else self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectPlace(JsonValue):
    """A folder on a machine, its claim, and the project it belongs to.

    Without a `project` the claim waits for a person, and the folder has its own project.
    """

    host: str
    path: str
    claim: str
    project: str | None
    at: datetime

    @property
    def key(self) -> tuple[str, str, str]:
        """The fields that identify it."""
        return self.host, self.path, self.claim

    @property
    def checkout(self) -> Checkout:
        """The folder with its claim."""
        is_folder = Path(self.claim).is_absolute() or self.claim.startswith("...")
        claims = {"source" if is_folder else "remote": self.claim}
        return Checkout(path=self.path, host=self.host, **claims)  # type: ignore[arg-type]

    @property
    def label(self) -> str:
        """The place as text for people."""
        return f"{self.host}:{self.path}" if self.host else self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectMatch(JsonValue):
    """The project of a folder, and the `offered` one that it claims to be and may join.

    `known_at` are the places of the offered project.
    """

    project: str
    offered: str | None = None
    known_at: tuple[str, ...] = ()
