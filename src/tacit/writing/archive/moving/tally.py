"""How many rows there are, and what all of them say, in one checksum; before and after."""

from dataclasses import dataclass
from hashlib import sha256

from tacit.writing.archive.moving.report import MovedKind


class Tally:
    """Counts rows and hashes them in the order in which they are added."""

    def __init__(self) -> None:
        self.count = 0
        self._hash = sha256()

    def add(self, form: bytes) -> None:
        """Take a row into account."""
        self.count += 1
        self._hash.update(len(form).to_bytes(8) + form)

    @property
    def checksum(self) -> str:
        """The checksum of all rows so far."""
        return self._hash.hexdigest()


@dataclass(frozen=True, slots=True)
class Copied:
    """What a kind looked like at the source when it was copied, and how many rows were new."""

    seen: Tally
    new: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A kind on both sides after it was copied."""

    kind: str
    copied: Copied
    source: Tally
    target: Tally

    @property
    def changed(self) -> bool:
        """Whether the source is no longer what was copied."""
        return self.source.checksum != self.copied.seen.checksum

    def moved(self) -> MovedKind:
        """As the report tells it."""
        return MovedKind(
            name=self.kind,
            source=self.source.count,
            target=self.target.count,
            copied=self.copied.new,
            source_checksum=self.source.checksum,
            target_checksum=self.target.checksum,
        )
