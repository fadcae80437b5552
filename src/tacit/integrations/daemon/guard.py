"""The token that opens a daemon where any user of the machine could reach it."""

import secrets

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_REFUSED = 401


class Guard:
    """Lets nothing through that does not bring the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http" and not self._is_known(Headers(scope=scope)):
            refusal = JSONResponse({"detail": "the daemon is for its user's hooks"}, _REFUSED)
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_known(self, headers: Headers) -> bool:
        brought = headers.get("authorization", "").encode()
        return secrets.compare_digest(brought, self._wanted)
