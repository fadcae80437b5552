"""A memory as search sees it."""

from typing import NamedTuple


class Indexed(NamedTuple):
    """What filters, ranks and finds a memory; times are microseconds since 1970.

    `terms` are packed codes, `vector` half-precision floats of the model that was asked for.
    """

    id: str
    type: str
    scope: str
    scope_id: str
    agent: str | None
    confidence: float
    importance: float
    trust: str
    updated_at: int
    valid_from: int | None
    valid_to: int | None
    expires_at: int | None
    superseded: bool
    forgotten: bool
    session: str | None
    ordinal: int | None
    speaker: str | None
    terms: bytes
    vector: bytes | None
