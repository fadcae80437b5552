"""What steers a PostgreSQL store."""

from dataclasses import dataclass

from tacit.settings.checking import settle
from tacit.settings.definition import Group, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresSettings:
    """What steers a PostgreSQL store; where memories are in a file, nothing."""

    partitions: int = setting(
        16,
        "Partitions",
        "Partitions of each table, by hash of the workspace; read once, when the schema is made.",
        Group.POSTGRES,
        low=1,
        high=256,
    )
    pool_size: int = setting(
        10,
        "Pool Size",
        "Connections that a process opens at most.",
        Group.POSTGRES,
        low=1,
        high=500,
    )
    pool_timeout_ms: int = setting(
        5_000,
        "Pool Timeout (ms)",
        "How long one waits for a free connection, and a writer for others in its workspace.",
        Group.POSTGRES,
        low=1,
        high=600_000,
    )
    prepared_statements: bool = setting(
        True,
        "Prepared Statements",
        "Let the server keep plans of repeated queries; off for pools that cannot.",
        Group.POSTGRES,
    )
    row_security: bool = setting(
        False,
        "Row Security",
        "A second wall: the server itself hides the rows of other workspaces.",
        Group.POSTGRES,
    )
    resident_memories: int = setting(
        100_000,
        "Resident Memories",
        "Up to so many memories a workspace is searched in memory, beyond by the server's indexes.",
        Group.POSTGRES,
        low=0,
        high=100_000_000,
    )

    def __post_init__(self) -> None:
        settle(self)
