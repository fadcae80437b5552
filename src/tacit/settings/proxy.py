"""The settings of the table `proxy`: which providers are behind it, and what a request may take."""

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from tacit.core.errors import InvalidInput
from tacit.settings.definition import SettingGroup, check_settings, setting


class MemoryMode(StrEnum):
    """What memory does with a request."""

    ON = "on"
    OFF = "off"
    OBSERVE = "observe"
    """Record what is said, and inject nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxySettings:
    """How requests to model providers are forwarded."""

    openai_upstream: str = setting(
        "https://api.openai.com",
        "OpenAI Upstream",
        "Where requests to /openai/ go: OpenAI, or a server that speaks its language.",
        SettingGroup.PROXY,
    )
    anthropic_upstream: str = setting(
        "https://api.anthropic.com",
        "Anthropic Upstream",
        "Where requests to /anthropic/ go.",
        SettingGroup.PROXY,
    )
    memory: MemoryMode = setting(  # noqa: RUF009
        MemoryMode.ON,
        "Memory",
        "on; off: requests are only forwarded; observe: what is said is recorded, and nothing is"
        " injected. The header Tacit-Memory decides for one request.",
        SettingGroup.PROXY,
    )
    session_header: str = setting(
        "Tacit-Session",
        "Session Header",
        "The header that names the conversation.",
        SettingGroup.PROXY,
    )
    user_header: str = setting(
        "Tacit-User",
        "User Header",
        "The header that names the user.",
        SettingGroup.PROXY,
    )
    project_header: str = setting(
        "Tacit-Project",
        "Project Header",
        "The header that names the project.",
        SettingGroup.PROXY,
    )
    keep_text: bool = setting(
        False,
        "Keep Text",
        "Append blocks to a message that is a plain text instead of making it a list of parts;"
        " for servers that refuse lists.",
        SettingGroup.PROXY,
    )
    max_body_mb: int = setting(
        64,
        "Largest Body (MB)",
        "A request with a larger body is refused.",
        SettingGroup.PROXY,
        low=1,
        high=1_024,
    )
    concurrent_requests: int = setting(
        512,
        "Concurrent Requests",
        "How many requests of a process may be under way; more are refused.",
        SettingGroup.PROXY,
        low=1,
        high=100_000,
    )
    connect_seconds: float = setting(
        10.0,
        "Connect (seconds)",
        "How long a connection to the provider may take.",
        SettingGroup.PROXY,
        low=0.1,
        high=600,
    )
    first_byte_seconds: float = setting(
        600.0,
        "First Byte (seconds)",
        "How long the provider may take until its response begins.",
        SettingGroup.PROXY,
        low=1,
        high=86_400,
    )
    idle_seconds: float = setting(
        300.0,
        "Idle (seconds)",
        "How long a response that has begun may pause.",
        SettingGroup.PROXY,
        low=1,
        high=86_400,
    )

    def __post_init__(self) -> None:
        check_settings(self)
        for name in ("openai_upstream", "anthropic_upstream"):
            check_upstream(name, getattr(self, name))
        for name in ("session_header", "user_header", "project_header"):
            _check_header(name, getattr(self, name))


def check_upstream(name: str, url: str) -> str:
    """Check the URL of a provider."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidInput(name, f"{url!r} is not a URL; write it like https://api.openai.com")
    if parts.query or parts.fragment or parts.username is not None:
        raise InvalidInput(name, "must have no query and no user; clients send their own key")
    return url


def _check_header(name: str, header: str) -> None:
    if not header or not header.replace("-", "").isalnum() or not header.isascii():
        raise InvalidInput(name, f"{header!r} is not the name of a header, such as X-Session-Id")
