"""Memory for LiteLLM: a callback of its proxy and of `acompletion`, and a `completion` of its own.

Blocks are in the request to the provider; the caller keeps a history without them.
"""

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tacit.api.base import BaseTacit
from tacit.api.model_calls.memory import CallMemory, ModelCall
from tacit.api.model_calls.names import current_names

try:
    import litellm
    from litellm.integrations.custom_logger import CustomLogger
except ImportError as error:
    needed = "memory for LiteLLM needs more than is installed"
    raise ImportError(f"{needed}; run: pip install 'tacit[litellm]'") from error

if TYPE_CHECKING:
    from tacit.api.async_tacit import AsyncTacit

Names = Mapping[str, str | None]
FindNames = Callable[[Mapping[str, Any], Any], Names]
"""Finds the names of a call by its data and by the key of the proxy, which is None elsewhere."""

_CHATS = ("completion", "acompletion")
_NO_USER = "default_user_id"
"""Whom LiteLLM names where a key belongs to nobody."""

_RUNNING_AT_MOST = 1_000


class TacitLogger(CustomLogger):
    """Memory in the chats of LiteLLM's proxy and of `litellm.acompletion`.

    A call belongs to the user and the session that `find_names` finds in it, unless others are
    named here or by `identify`.
    """

    def __init__(
        self,
        tacit: "BaseTacit | AsyncTacit",
        *,
        session: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        agent: str | None = None,
        find_names: "FindNames | None" = None,
        keeps_text: bool = False,
    ) -> None:
        super().__init__()
        self._memory = CallMemory(
            tacit, session=session, user=user, project=project, org=org, agent=agent
        )
        self._session = session
        self._user = user
        self._find_names = find_names or find_usual_names
        self._keeps_text = keeps_text
        self._calls: dict[str, ModelCall] = {}
        self._lock = threading.Lock()

    async def async_pre_call_hook(
        self, user_api_key_dict: Any, cache: Any, data: dict[str, Any], call_type: Any
    ) -> dict[str, Any]:
        """Put blocks into a request to the proxy."""
        del cache
        return await self._place(data, call_type, user_api_key_dict)

    async def async_pre_call_deployment_hook(
        self, kwargs: dict[str, Any], call_type: Any
    ) -> dict[str, Any]:
        """Put blocks into a call of `acompletion`, unless the proxy has done so."""
        return await self._place(kwargs, getattr(call_type, "value", call_type), None)

    async def async_log_success_event(
        self, kwargs: dict[str, Any], response_obj: Any, start_time: Any, end_time: Any
    ) -> None:
        """Record a reply; one that calls tools leaves the turn open."""
        del start_time, end_time
        if kwargs.get("stream") and kwargs.get("async_complete_streaming_response") is None:
            return
        with self._lock:
            call = self._calls.pop(_id_of(kwargs), None)
        if call is not None:
            whole = kwargs.get("async_complete_streaming_response") or response_obj
            await call.aend(_reply_of(whole))

    def completion(self, *, messages: list[Any], **arguments: Any) -> Any:
        """`litellm.completion` with memory; LiteLLM has no hook that could change its messages.

        A stream is an iterator of its chunks.
        """
        names = self._names({"messages": messages, **arguments}, None)
        call = self._memory.begin(messages, keeps_text=self._keeps_text, **names)
        response = litellm.completion(messages=call.messages, **arguments)
        if arguments.get("stream"):
            return call.stream(response)
        call.end(_reply_of(response))
        return response

    async def _place(self, data: dict[str, Any], call_type: Any, key: Any) -> dict[str, Any]:
        messages, id = data.get("messages"), _id_of(data)
        with self._lock:
            known = self._calls.get(id)
        is_placed = known is not None and known.messages == messages
        if call_type not in _CHATS or not isinstance(messages, list) or is_placed:
            return data
        names = self._names(data, key)
        call = await self._memory.abegin(messages, keeps_text=self._keeps_text, **names)
        with self._lock:
            while len(self._calls) >= _RUNNING_AT_MOST:  # calls that failed
                self._calls.pop(next(iter(self._calls)), None)
            self._calls[id] = call
        return {**data, "messages": call.messages}

    def _names(self, data: Mapping[str, Any], key: Any) -> dict[str, Any]:
        """The names of a call, where neither its context nor this memory names others."""
        try:
            found: dict[str, Any] = dict(self._find_names(data, key))
        except Exception as error:
            self._memory.warn("find_names", error)
            found = {}
        named = current_names()
        if self._session or named.session:
            found["session"] = None
        if self._user or named.user:
            found["user"] = None
        return found


def find_usual_names(data: Mapping[str, Any], key: Any) -> dict[str, str | None]:
    """The session that LiteLLM was told, and the user of the key or of the request.

    A key that belongs to a user serves this user alone: what its requests name besides are users
    of this user, so that no key reads the memories of another.
    """
    metadata = data.get("metadata")
    told = {**(metadata if isinstance(metadata, Mapping) else {}), **data}
    owner = _text(getattr(key, "user_id", None))
    named = _text(getattr(key, "end_user_id", None)) or _text(data.get("user"))
    users = [each for each in (owner, named) if each not in (None, _NO_USER)]
    return {
        "session": _text(told.get("litellm_session_id")) or _text(told.get("session_id")),
        "user": "/".join(dict.fromkeys(map(str, users))) or None,
    }


def _reply_of(response: Any) -> object:
    """The message of a response as a dict; classes of LiteLLM hide their fields."""
    choices = getattr(response, "choices", None)
    return choices[0].message.model_dump() if choices else response


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _id_of(data: Mapping[str, Any]) -> str:
    """The id by which LiteLLM knows a call from its beginning to its end."""
    logging = data.get("litellm_logging_obj")
    return str(data.get("litellm_call_id") or getattr(logging, "litellm_call_id", ""))
