"""Who sends a request and in which conversation, as far as headers and the path say."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from starlette.datastructures import Headers

from tacit.api.model_calls.formats.format import ModelRequest
from tacit.core.fields import check_field
from tacit.core.json_value import JsonValue
from tacit.core.messages import parts_of, text_of_part
from tacit.settings.proxy import ProxySettings

CLAUDE_CODE = "claude-code"
CODEX = "codex"

_PATH_NAMES: Mapping[str, str] = {"u": "user", "p": "project", "s": "session", "o": "org"}

_SESSION_HEADERS = (
    "x-session-id",
    "x-session-affinity",
    "x-opencode-session",
    "x-litellm-session-id",
    "x-litellm-trace-id",
    "x-openwebui-chat-id",
    "x-sm-conversation-id",
)
_VENDOR_SESSION = re.compile(r"x-[a-z0-9]+(?:-[a-z0-9]+)*-session-id")
_USER_HEADERS = ("x-openwebui-user-id", "x-sm-user-id")
_CODEX_HEADERS = ("thread-id", "session-id", "conversation_id", "session_id")
_CODEX_METADATA = "x-codex-turn-metadata"
_CLAUDE_SESSION = "x-claude-code-session-id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Names(JsonValue):
    """Whom and what a request names; `agent` is a client that is known."""

    session: str | None = None
    user: str | None = None
    project: str | None = None
    org: str | None = None
    agent: str | None = None
    names_agent: bool = False
    """Whether the agent is named, and not only known by its requests."""
    is_turn: bool = True
    """False if the client says that no person spoke: it makes a title, or compacts."""

    @property
    def is_coding_client(self) -> bool:
        """Whether the session is that of a coding CLI, whose hooks may serve it too."""
        return self.agent in (CLAUDE_CODE, CODEX)


def split_path_names(path: str) -> tuple[dict[str, str], str]:
    """The names at the beginning of a path (`/u/ann/p/shop/…`), each once, and the rest of it."""
    named: dict[str, str] = {}
    rest = path
    while (found := _PATH_NAME.match(rest)) is not None and _PATH_NAMES[found[1]] not in named:
        named[_PATH_NAMES[found[1]]] = unquote(found[2])
        rest = rest[found.end() :]
    return named, rest


_PATH_NAME = re.compile(r"/([upso])/([^/]+)(?=/)")


def read_names(
    headers: Headers, path_names: Mapping[str, str], settings: ProxySettings, asked: ModelRequest
) -> Names:
    """Whom a request names: by our headers, the path, known clients' headers, and its body."""
    own = {
        "session": headers.get(settings.session_header),
        "user": headers.get(settings.user_header),
        "project": headers.get(settings.project_header),
        "org": headers.get(_ORG_HEADER),
        "agent": headers.get(_AGENT_HEADER),
    }
    client = _read_client(headers, asked)
    named = {
        "session": client.session,
        "user": _first(headers, _USER_HEADERS) or asked.user,
        "agent": client.agent,
        **path_names,
        **{name: _decode(value) for name, value in own.items() if value},
    }
    checked = {name: check_field(name, value) for name, value in named.items() if value is not None}
    return Names(**checked, names_agent=bool(own["agent"]), is_turn=client.is_turn)


_ORG_HEADER = "Tacit-Org"
_AGENT_HEADER = "Tacit-Agent"


def _decode(value: str) -> str:
    """A header's value; what is not ASCII is percent-encoded as UTF-8."""
    return unquote(value.strip())


def _read_client(headers: Headers, asked: ModelRequest) -> Names:
    """What a known client says of its session."""
    metadata = headers.get(_CODEX_METADATA)
    if metadata is not None or "codex" in headers.get("originator", ""):
        return Names(
            agent=CODEX,
            session=_first(headers, _CODEX_HEADERS),
            is_turn=_codex_kind(metadata) in (None, "turn"),
        )
    session = headers.get(_CLAUDE_SESSION) or asked.session
    if session is not None:
        return Names(agent=CLAUDE_CODE, session=session, is_turn=asked.has_tools)
    vendor = (value for name, value in headers.items() if _VENDOR_SESSION.fullmatch(name))
    return Names(session=_first(headers, _SESSION_HEADERS) or next(vendor, None))


def _codex_kind(metadata: str | None) -> str | None:
    try:
        fields = json.loads(metadata or "{}")
    except ValueError:
        return None
    kind = fields.get("request_kind") if isinstance(fields, dict) else None
    return kind if isinstance(kind, str) else None


def _first(headers: Headers, names: tuple[str, ...]) -> str | None:
    return next((value for name in names if (value := headers.get(name))), None)


# Requests of clients that nobody asked for


_TASKS = re.compile(
    r"\s*(?:### Task:"
    r"|CRITICAL: Respond with TEXT ONLY\. Do NOT call any tools"
    r"|Your task is to create a detailed summary of the conversation"
    r"|Please write a (?:concise )?title for (?:this|the) conversation"
    r"|Provide a concise, \d-word-or-less title for the conversation"
    r"|You are performing a CONTEXT CHECKPOINT COMPACTION)",
    re.IGNORECASE,
)


def is_client_task(message: object) -> bool:
    """Whether a client asks on its own in a part: for a title, tags, suggestions or a summary."""
    texts = (text_of_part(part) for part in parts_of(message))
    return any(text is not None and _TASKS.match(text) for text in texts)
