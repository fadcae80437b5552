"""What a browser may load and run on the pages: the least that NiceGUI needs.

Inline scripts run only with the nonce of the answer that they came in, which the tags in NiceGUI's
own template get before any text is filled in: a script that gets into a page has none.
`unsafe-eval` stays, since NiceGUI evaluates its event handlers and Vue compiles the templates of
elements in the browser; so do inline styles, which both set on elements.
"""

import secrets
from typing import Final

from jinja2.ext import Extension
from nicegui.client import templates
from starlette.types import Scope

_BYTES = 16
_STATE: Final = "script_nonce"
_TAG: Final = "<script"


class ScriptNonces(Extension):
    """Gives every script tag that a template itself contains the nonce of the request."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002
        """The source of a template with a nonce in each of its script tags."""
        return source.replace(_TAG, f'{_TAG} nonce="{{{{ request.state.{_STATE} }}}}"')


def install() -> None:
    """Have the template of all pages write the nonces; before the first page is shown."""
    templates.env.add_extension(ScriptNonces)


def policy_of(scope: Scope) -> str:
    """The policy for the answer to one request, whose nonce the page reads from its state."""
    nonce = scope.setdefault("state", {}).setdefault(_STATE, secrets.token_urlsafe(_BYTES))
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' 'nonce-{nonce}' 'unsafe-eval'",
            "script-src-attr 'none'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )
