"""Everything Tacit raises, in one tree.

TacitError
├── InvalidInput        a value that cannot be accepted; says what would be right
├── NotFound            no such memory in this workspace
├── AlreadyKnown        another memory says exactly this already
├── NameTaken           another agent or user has a session or a conversation of this name
├── ConfigError         a configuration that cannot be used; names the file, the line and the key
│   └── ConfigChanged       someone else changed the file after it was read
├── ArchiveError        a file that cannot be imported or written
├── MoveRefused         the target of a move already holds something that conflicts with it
├── ModelUnavailable    a model cannot be obtained, kept or asked
│   ├── ModelLate           it did not answer in time
│   └── ModelRefused        it does not accept what it was sent
├── EmbedderFailed      an embedder raised an error or gave an invalid answer
├── NotAllowed          a key is missing, is wrong, or does not allow this
├── LimitExceeded       a request is too large, or requests come too often
├── Unanswered          a server gives no answer, or an invalid one
├── ChatLogUnavailable  a chat log cannot be read or written
├── PlaceRefused        a folder that is not the user's own, or is open to others
└── StoreError          the database cannot do what was asked
    ├── StoreUnavailable    it cannot be opened or written
    │   └── StoreClosed         it was closed by this process
    ├── NotADatabase        the file is not a database
    ├── StoreTooNew         a newer Tacit wrote it
    ├── StoreTooOld         a version from before the first release wrote it
    ├── StoreDamaged        it is damaged
    ├── StoreFull           no room on the disk
    └── StoreBusy           another process locks it for too long

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
    """There is no such thing in this workspace."""


class AlreadyKnown(TacitError):
    """Another memory of the workspace says exactly this already."""


class NameTaken(TacitError):
    """Another agent or user has a session or a conversation of this name."""


class ConfigError(TacitError):
    """A configuration that cannot be used; the message names the place and what would be right."""


class ConfigChanged(ConfigError):
    """Someone else changed the file after the writer had read it."""


class ArchiveError(TacitError):
    """A file that cannot be imported or written."""


class MoveRefused(TacitError):
    """The target of a move already holds something that conflicts with it."""


class ModelUnavailable(TacitError):
    """A model cannot be obtained, kept or asked."""


class ModelLate(ModelUnavailable):
    """A model did not answer in time; the request may still have cost tokens."""


class ModelRefused(ModelUnavailable):
    """A model does not accept what it was sent, such as a text that is too long."""


class EmbedderFailed(TacitError):
    """An embedder raised an error or gave an invalid answer."""


class NotAllowed(TacitError):
    """A key is missing, is wrong, or does not allow what was asked."""


class LimitExceeded(TacitError):
    """A request is too large, or requests come too often."""


class Unanswered(TacitError):
    """A server gives no answer, or an invalid one."""


class ChatLogUnavailable(TacitError):
    """The chat log of a conversation cannot be read or written."""


class PlaceRefused(TacitError):
    """A folder that is not the user's own, or is open to others."""


class StoreError(TacitError):
    """The database cannot do what was asked."""


class StoreUnavailable(StoreError):
    """The database cannot be opened or written."""


class StoreClosed(StoreUnavailable):
    """This process closed the store; background work then ends silently."""


class NotADatabase(StoreError):
    """The file is not a database."""


class StoreTooNew(StoreError):
    """A newer version of Tacit wrote the database."""


class StoreTooOld(StoreError):
    """A version from before the first release wrote this database."""


class StoreDamaged(StoreError):
    """The database is damaged."""


class StoreFull(StoreError):
    """There is no room left on the disk."""


class StoreBusy(StoreError):
    """Another process locks the database for too long."""
