"""A person's word that a memory was of no use for a query."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The memory, and the query's terms as packed codes, so that similar ones are recognised."""

    id: str
    memory: str
    terms: bytes
    at: datetime
