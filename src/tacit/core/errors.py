"""Everything Tacit raises, in one tree.

TacitError
├── InvalidInput        a value that cannot be accepted; says what would be right
├── NotFound            no such memory in this workspace
├── AlreadyKnown        another memory says exactly this already
├── NameTaken           another agent or user has a session or a conversation of this name
├── ConfigError         a configuration that cannot be used; names the file, the line and the key
│   └── ConfigChanged       somebody else changed the file meanwhile
├── ArchiveError        a file that cannot be imported or written
├── MoveRefused         what is at the target of a move already stands in its way
├── ModelUnavailable    a model cannot be obtained, kept or asked
│   └── ModelLate           it was asked, and has not answered in time
├── EmbedderFailed      an embedder raises, or does not answer as it should
├── NotAllowed          a key is missing, is wrong, or does not allow this
├── LimitExceeded       more than a server takes: too large, or too often
├── Unanswered          a server does not answer, or not as it should
├── PlaceRefused        a folder that is not the user's own, or is open to others
└── StoreError          the database cannot do what was asked
    ├── StoreUnavailable    it cannot be opened or written where it is
    │   └── StoreClosed         it was closed by this process
    ├── NotADatabase        the file is something else
    ├── StoreTooNew         a newer Tacit wrote it
    ├── StoreDamaged        it was one, and is broken
    ├── StoreFull           no room on the disk
    └── StoreBusy           another process holds it for too long

Every message says what was wrong and what to do about it.
"""


class TacitError(Exception):
    """The root: catch it to catch everything that Tacit raises on purpose."""


class InvalidInput(TacitError, ValueError):
    """A value that cannot be accepted."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class NotFound(TacitError, LookupError):
    """No such thing in this workspace."""


class AlreadyKnown(TacitError):
    """Another memory of the workspace says exactly this already."""


class NameTaken(TacitError):
    """Another agent or user has a session or a conversation of this name."""


class ConfigError(TacitError):
    """A configuration that cannot be used; the message names the place and what would be right."""


class ConfigChanged(ConfigError):
    """The file is not any more what its writer had read."""


class ArchiveError(TacitError):
    """A file that cannot be imported or written."""


class MoveRefused(TacitError):
    """What is at the target of a move already stands in its way."""


class ModelUnavailable(TacitError):
    """A model cannot be obtained, kept or asked."""


class ModelLate(ModelUnavailable):
    """A model was asked, and has not answered in time; that may have cost as much."""


class EmbedderFailed(TacitError):
    """An embedder raises, or does not answer as it should."""


class NotAllowed(TacitError):
    """A key is missing, is wrong, or does not allow what was asked."""


class LimitExceeded(TacitError):
    """More than a server takes: too large, or too often."""


class Unanswered(TacitError):
    """A server does not answer, or not as it should."""


class PlaceRefused(TacitError):
    """A folder that is not the user's own, or is open to others."""


class StoreError(TacitError):
    """The database cannot do what was asked."""


class StoreUnavailable(StoreError):
    """The database cannot be opened or written where it is."""


class StoreClosed(StoreUnavailable):
    """This process closed the store; work in the background that finds it so ends quietly."""


class NotADatabase(StoreError):
    """The file is something else."""


class StoreTooNew(StoreError):
    """A newer version of Tacit wrote the database."""


class StoreDamaged(StoreError):
    """The file is a database, and is broken."""


class StoreFull(StoreError):
    """There is no room left on the disk."""


class StoreBusy(StoreError):
    """Another process holds the database for longer than anyone should wait."""
