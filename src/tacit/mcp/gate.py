"""The gate of a server over HTTP: who comes in, and to which tools."""

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tacit.access import Key, Role
from tacit.engine.keys import Keyring
from tacit.mcp.place import AGENT

_BEARER = "bearer "


class Gate:
    """Lets in who holds a key; without keys, on loopback, everybody on this machine."""

    def __init__(
        self,
        keys: Keyring,
        workspace: str,
        *,
        is_exposed: bool,
        writing: ASGIApp,
        reading: ASGIApp,
    ) -> None:
        self._keys = keys
        self._workspace = workspace
        self._is_exposed = is_exposed
        self._writing = writing
        self._reading = reading

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        answer = await to_thread.run_sync(self._passed, scope)
        await answer(scope, receive, send)

    def _passed(self, scope: Scope) -> ASGIApp:
        token = _token(Headers(scope=scope))
        if token is None:
            is_needed = self._is_exposed or self._keys.any()
            return _refusal(401, _MISSING) if is_needed else self._writing
        key = self._keys.holding(token)
        if key is None:
            return _refusal(401, _UNKNOWN)
        if key.workspace not in (None, self._workspace):
            return _refusal(403, f"the key is not for workspace {self._workspace!r}")
        _name_agent(scope, key)
        return self._writing if key.role.allows(Role.WRITE) else self._reading


_MISSING = "send a key: Authorization: Bearer tacit_…; tacit keys add makes one"
_UNKNOWN = "the key is unknown or was revoked; tacit keys list shows those in use"


def _token(headers: Headers) -> str | None:
    sent = headers.get("authorization", "")
    return sent[len(_BEARER) :].strip() if sent.lower().startswith(_BEARER) else None


def _name_agent(scope: Scope, key: Key) -> None:
    """Whoever holds an agent's key is that agent, whatever else is said."""
    if key.agent is not None:
        MutableHeaders(scope=scope)[AGENT] = key.agent


def _refusal(status: int, problem: str) -> ASGIApp:
    return JSONResponse(
        {"error": problem}, status_code=status, headers={"WWW-Authenticate": "Bearer"}
    )
