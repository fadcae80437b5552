"""Whose a model call is: by the call itself, by the context it is made in, or by default."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from tacit.core.fields import check_field

Client = TypeVar("Client")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallNames:
    """The session, user, project, organization and agent of a model call."""

    session: str | None = None
    user: str | None = None
    project: str | None = None
    org: str | None = None
    agent: str | None = None

    @classmethod
    def of(cls, **named: str | None) -> "CallNames":
        """Check names; None is no name."""
        return cls(
            **{name: check_field(name, value) for name, value in named.items() if value is not None}
        )

    def or_else(self, others: "CallNames") -> "CallNames":
        """These names, and those of others for what they do not name.

        Who names another user than they do does not speak in their session.
        """
        named = {each.name: getattr(self, each.name) for each in fields(self)}
        taken = {each.name: getattr(others, each.name) for each in fields(self)}
        if self.user is not None and others.user not in (None, self.user):
            taken["session"] = None
        return CallNames(
            **{name: taken[name] if value is None else value for name, value in named.items()}
        )

    @property
    def whose(self) -> dict[str, Any]:
        """The arguments that calls of memory take, without the session."""
        return {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if each.name != "session" and getattr(self, each.name) is not None
        }


_NOBODY = CallNames()
_current: ContextVar[CallNames] = ContextVar("tacit_call_names", default=_NOBODY)


def current_names() -> CallNames:
    """The names that the current context gives to the calls in it."""
    return _current.get()


@contextmanager
def identify(
    *,
    session: str | None = None,
    user: str | None = None,
    project: str | None = None,
    org: str | None = None,
    agent: str | None = None,
) -> Iterator[None]:
    """Say whose the model calls inside are: of wrapped clients and of frameworks.

    It holds in this thread or task, and in tasks that are begun inside; a new thread knows nothing
    of it. Names that it leaves out are those of an `identify` around it, or those that were given
    to the wrapper or the integration.
    """
    named = CallNames.of(session=session, user=user, project=project, org=org, agent=agent)
    token = _current.set(named.or_else(_current.get()))
    try:
        yield
    finally:
        _current.reset(token)
