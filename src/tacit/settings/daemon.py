"""What steers the daemon behind the hooks of coding CLIs."""

from dataclasses import dataclass

from tacit.settings.checking import settle
from tacit.settings.definition import Group, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class DaemonSettings:
    """How long a daemon stays."""

    idle_minutes: float = setting(
        30.0,
        "Idle (minutes)",
        "A daemon that had nothing to do for so long stops; the next hook starts another.",
        Group.DAEMON,
        low=0.01,
        high=10_080,
    )

    def __post_init__(self) -> None:
        settle(self)
