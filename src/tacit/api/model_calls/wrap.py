"""`tacit.wrap(OpenAI())`: the same client of an SDK, with memory in its model calls.

The copy sends its requests by an HTTP client that stands before the one of the given client, whose
proxies, hooks and transports stay in use. It reads the requests that ask a model, adds blocks,
and reads a copy of the response as it passes. So every method of the SDK has memory, whatever it
makes of the response.
"""

import sys
from types import ModuleType
from typing import Any, cast

import httpx2

from tacit.api.model_calls.formats.format import Provider
from tacit.api.model_calls.http_client import AsyncMemoryClient, MemoryClient
from tacit.api.model_calls.memory import CallMemory
from tacit.api.model_calls.names import Client
from tacit.core.errors import InvalidInput

_CLASSES = {
    Provider.OPENAI: ("OpenAI", "AsyncOpenAI"),
    Provider.ANTHROPIC: ("Anthropic", "AsyncAnthropic"),
}
_NEEDED = {Provider.OPENAI: "openai 3", Provider.ANTHROPIC: "anthropic 2"}
_SIGNING = ("openai.lib.bedrock", "anthropic.lib.aws")
"""Where the SDKs have clients that sign the body of a request before it is sent."""


def wrap_client(memory: CallMemory, client: Client) -> Client:
    """A copy of a client whose model calls have memory; the client itself stays as it is."""
    sdk = _find_sdk(client)
    if any(each.__module__.startswith(_SIGNING) for each in type(client).__mro__):
        raise _refuse(client, "it signs its requests, so that nothing may be added to them")
    given: Any = client
    own = given._client  # noqa: SLF001
    if isinstance(own, MemoryClient | AsyncMemoryClient):
        own = own.own
    if isinstance(own, httpx2.Client):
        return cast(Client, given.copy(http_client=MemoryClient(own, memory, sdk)))
    if isinstance(own, httpx2.AsyncClient):
        return cast(Client, given.copy(http_client=AsyncMemoryClient(own, memory, sdk)))
    raise _refuse(client, f"it is built on httpx; install {_NEEDED[sdk]} or newer, on httpx2")


def _find_sdk(client: object) -> Provider:
    for sdk, names in _CLASSES.items():
        module = sys.modules.get(str(sdk))
        if isinstance(client, _classes_of(module, names)):
            return sdk
    raise _refuse(client, "pass a client of the SDK openai or anthropic")


def _classes_of(module: ModuleType | None, names: tuple[str, ...]) -> tuple[type, ...]:
    found = (getattr(module, name, None) for name in names)
    return tuple(each for each in found if isinstance(each, type))


def _refuse(client: object, why: str) -> InvalidInput:
    return InvalidInput("client", f"{type(client).__name__!r} cannot be wrapped: {why}")
