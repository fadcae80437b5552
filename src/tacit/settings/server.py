"""The settings of the processes: the tables `server`, `postgres` and `daemon`."""

from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network

from tacit.core.errors import InvalidInput
from tacit.runtime.addresses import Networks
from tacit.settings.definition import SettingGroup, check_settings, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """The limits of a server, in force from the next request on."""

    max_body_kb: int = setting(
        8_192,
        "Largest Body (KB)",
        "A request with a larger body is refused; without a history or a batch, beyond 1024 too.",
        SettingGroup.SERVER,
        low=1,
        high=1_048_576,
    )
    max_batch: int = setting(
        1_000,
        "Largest Batch",
        "So many memories are taken in one request.",
        SettingGroup.SERVER,
        low=1,
        high=100_000,
    )
    requests_per_minute: int = setting(
        6_000,
        "Requests per Minute",
        "Of one key, and of one address without a valid key; 0 for no limit.",
        SettingGroup.SERVER,
        low=0,
        high=10_000_000,
    )
    trusted_proxies: str = setting(
        "",
        "Trusted Proxies",
        "Addresses and networks, with commas between, whose X-Forwarded-For names the client.",
        SettingGroup.SERVER,
    )
    threads: int = setting(
        4,
        "Threads",
        "So many requests are worked on at once, the others wait; read at its start.",
        SettingGroup.SERVER,
        low=1,
        high=1_000,
    )
    waiting_requests: int = setting(
        128,
        "Waiting Requests",
        "So many requests of a process are worked on or wait for that; more get 503.",
        SettingGroup.SERVER,
        low=1,
        high=100_000,
    )
    event_streams: int = setting(
        64,
        "Event Streams",
        "So many listen to events at once.",
        SettingGroup.SERVER,
        low=0,
        high=10_000,
    )
    events_kept: int = setting(
        10_000,
        "Events Kept",
        "So many events of a workspace are kept, for those who come back.",
        SettingGroup.SERVER,
        low=100,
        high=10_000_000,
    )
    answer_hours: int = setting(
        24,
        "Answers Kept (hours)",
        "So long the answer to an idempotency key is known.",
        SettingGroup.SERVER,
        low=1,
        high=8_760,
    )
    drain_seconds: int = setting(
        30,
        "Drain (seconds)",
        "So long a server that is told to stop finishes what it has begun; read at its start.",
        SettingGroup.SERVER,
        low=0,
        high=3_600,
    )

    def __post_init__(self) -> None:
        check_settings(self)
        _networks(self.trusted_proxies)

    @property
    def proxy_networks(self) -> Networks:
        """The networks of the proxies that are trusted."""
        return _networks(self.trusted_proxies)


@lru_cache
def _networks(text: str) -> Networks:
    return tuple(_network(part.strip()) for part in text.split(",") if part.strip())


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        example = "10.0.0.1, 192.168.0.0/16"
        raise InvalidInput(
            "trusted_proxies", f"{text!r} is no address and no network; write them like {example}"
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresSettings:
    """What steers a PostgreSQL store; where memories are in a file, nothing."""

    partitions: int = setting(
        16,
        "Partitions",
        "Partitions of each table, by hash of the workspace; read once, when the schema is made.",
        SettingGroup.POSTGRES,
        low=1,
        high=256,
    )
    pool_size: int = setting(
        10,
        "Pool Size",
        "Connections that a process opens at most.",
        SettingGroup.POSTGRES,
        low=1,
        high=500,
    )
    pool_timeout_ms: int = setting(
        5_000,
        "Pool Timeout (ms)",
        "How long one waits for a free connection, and a writer for others in its workspace.",
        SettingGroup.POSTGRES,
        low=1,
        high=600_000,
    )
    prepared_statements: bool = setting(
        True,
        "Prepared Statements",
        "Let the server keep plans of repeated queries; off for pools that cannot.",
        SettingGroup.POSTGRES,
    )
    row_security: bool = setting(
        False,
        "Row Security",
        "A second wall: the server itself hides the rows of other workspaces.",
        SettingGroup.POSTGRES,
    )
    resident_memories: int = setting(
        100_000,
        "Resident Memories",
        "Up to so many memories a workspace is searched in memory, beyond by the server's indexes.",
        SettingGroup.POSTGRES,
        low=0,
        high=100_000_000,
    )

    def __post_init__(self) -> None:
        check_settings(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class DaemonSettings:
    """How long a daemon stays."""

    idle_minutes: float = setting(
        30.0,
        "Idle (minutes)",
        "A daemon that had nothing to do for so long stops; the next hook starts another.",
        SettingGroup.DAEMON,
        low=0.01,
        high=10_080,
    )

    def __post_init__(self) -> None:
        check_settings(self)
