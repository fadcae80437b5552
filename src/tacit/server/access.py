"""Who asks, and what they may: the dependencies that every route begins with."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import Depends, Header, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from tacit.api.calls.access import CallerAccess
from tacit.api.calls.erasure import Eraser
from tacit.api.tacit import Tacit
from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.keys import Key, Role
from tacit.core.kinds import Actor, Scope
from tacit.core.memory import Memory
from tacit.core.permissions import Viewer
from tacit.core.receipt import Receipt
from tacit.runtime.addresses import client_address
from tacit.server.problems import KEY_INVALID, KEY_MISSING, NOT_ALLOWED, TOO_MANY, Refusal
from tacit.server.service import Service

WORKSPACE = "Tacit-Workspace"
_DEFAULT = "default"
_CHALLENGE = "Bearer"
_ENCODED = re.compile(r"(?:[\x00-\x24\x26-\x7f]|%[0-9A-Fa-f]{2})*")

_WHOSE = {"scope", "scope_id", "agent"}
"""The fields that say who sees a memory."""

_bearer = HTTPBearer(
    auto_error=False,
    scheme_name="key",
    description="A key made by `tacit keys add`; not needed on loopback where there are no keys.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Somebody with a role in a workspace; without a key, the owner of the machine."""

    service: Service
    workspace: str
    role: Role
    key: Key | None = None

    @property
    def tacit(self) -> Tacit:
        """The memory of the workspace."""
        return self.service.tacit(self.workspace)

    @property
    def name(self) -> str:
        """What tells callers apart: the id of their key. Without keys all are one."""
        return "" if self.key is None else self.key.id

    @property
    def is_for_all(self) -> bool:
        """Whether every workspace, and the server itself, is theirs; no user's key is so wide."""
        return self.key is None or (self.key.workspace is None and self.key.user is None)

    @property
    def own_agent(self) -> str | None:
        """The agent whose key it is, if it is one's."""
        return None if self.key is None else self.key.agent

    @property
    def own_user(self) -> str | None:
        """The user whom their key is bound to, if it is bound to one."""
        return None if self.key is None else self.key.user

    @property
    def speaks_for_users(self) -> bool:
        """Whether what they send as a person's words is a person's."""
        return self.key is None or self.key.speaks_for_users

    @property
    def own(self) -> CallerAccess:
        """What they reach of sessions, turns, receipts, contexts and events."""
        return self.tacit.reached_by(self._reach)

    @property
    def erasures(self) -> Eraser:
        """What they may erase."""
        return self.tacit.erasures_of(self._reach)

    @property
    def _reach(self) -> Viewer:
        return Viewer(agent=self.own_agent, user=self.own_user)

    def refuse_bound(self, what: str) -> None:
        """Refuse what concerns others too to keys that are an agent's or a user's."""
        if self.own.reach.is_bound:
            raise Refusal(NOT_ALLOWED, f"{what}; this needs a key without an agent and a user")

    def actor(self, by: Actor | None) -> Actor:
        """In whose name they write: an agent in its own, others as they say, else as the user.

        An agent whose key was made to speak for users writes as a user where it says so.
        """
        is_asked_for = self.key is not None and not self.key.speaks_by_upgrade
        as_user = self.speaks_for_users and is_asked_for
        return self._named(by, Actor.AGENT, as_user=as_user)

    def speaker(self, by: Actor | None) -> Actor:
        """Whose words they send in a turn: a person's only if they speak for users."""
        usual = Actor.USER if self.speaks_for_users else Actor.AGENT
        return self._named(by, usual, as_user=self.speaks_for_users)

    def _named(self, by: Actor | None, usual: Actor, *, as_user: bool) -> Actor:
        if self.own_agent is None:
            return by or Actor.USER
        named = by or usual
        if named is Actor.AGENT or (named is Actor.USER and as_user):
            return named
        hint = "; one made with --speaks-for-users can" if named is Actor.USER else ""
        detail = f"this is an agent's key, which cannot write as {named}{hint}"
        raise Refusal(NOT_ALLOWED, detail)

    @property
    def viewer(self) -> Viewer:
        """Who looks at memories."""
        return Viewer(agent=self.own_agent, user=self.own_user)

    def check_visible(self, *ids: str) -> None:
        """Refuse memories that are another agent's or user's own, as if they were not there."""
        if self.viewer.is_bound:
            self.tacit.check_visible(ids, self.viewer)

    def visible(self, id: str) -> str:
        """The id of a memory that they may know of."""
        self.check_visible(id)
        return id

    def visible_memories(self, found: Mapping[str, Memory]) -> list[Memory]:
        """Those of some memories that they may know of."""
        hidden = self.own.hidden_memories(list(found))
        return [memory for id, memory in found.items() if id not in hidden]

    def told(self, receipt: Receipt) -> Receipt:
        """A receipt as they may read it: a user is not told how much others have."""
        if self.own_user is None or receipt.unseen is None:
            return receipt
        return replace(receipt, unseen=replace(receipt.unseen, others=0))

    def owned_memory(self, id: str) -> str:
        """The id of a memory that they may erase: who is bound, their own only."""
        if self.viewer.is_bound:
            self.tacit.check_visible([id], self.viewer, is_owner=True)
        return id

    def check_admin(self, what: str) -> None:
        """Refuse who may not do what concerns all of a workspace."""
        if not self.role.allows(Role.ADMIN):
            raise Refusal(NOT_ALLOWED, what)
        self.refuse_user("this concerns everybody")

    def refuse_user(self, what: str) -> None:
        """Refuse what concerns others too to who is bound to a user."""
        if self.own_user is not None:
            detail = f"this key is bound to user {self.own_user!r}, and {what}"
            raise Refusal(NOT_ALLOWED, detail)

    def check_sessions(self, fields: Mapping[str, Any]) -> None:
        """Refuse fields of a memory that name sessions of others."""
        if not self.own.reach.is_bound:
            return
        if fields.get("scope") == Scope.SESSION and fields.get("scope_id"):
            self.own.claim(fields["scope_id"])
        origin = fields.get("origin")
        if isinstance(origin, Mapping) and origin.get("session"):
            self.own.claim(origin["session"])

    def looks_at_own(self, scope: Scope | None, scope_id: str | None, session: str | None) -> bool:
        """Whether filters name no session of others, as an owner or as an origin."""
        named = [session, scope_id if scope is Scope.SESSION else None]
        return all(each is None or self.own.is_reached(each) for each in named)

    def agent(self, named: str | None) -> str | None:
        """For which agent they ask: an agent for itself."""
        if self.own_agent is not None and named not in (None, self.own_agent):
            raise Refusal(NOT_ALLOWED, f"this is the key of agent {self.own_agent!r}")
        return self.own_agent or named

    def user(self, named: str | None) -> str | None:
        """For which user they ask: who is bound to one for that one."""
        if self.own_user is not None and named not in (None, self.own_user):
            raise Refusal(NOT_ALLOWED, f"this key is bound to user {self.own_user!r}")
        return self.own_user or named

    def seeing(self, agent: str | None, user: str | None) -> dict[str, Any]:
        """What a call that shows memories is asked: who looks at them."""
        return {"agent": self.agent(agent), "user": self.user(user)}

    def owned(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a new memory: where nobody else is named, it is their user's."""
        if self.own_user is None or given.get("scope", Scope.USER) is not Scope.USER:
            return dict(given)
        return {**given, "scope_id": self.user(given.get("scope_id") or None)}

    def check_moved(self, memory: Memory, changes: Mapping[str, Any]) -> None:
        """Refuse to give away or to take what is not their own."""
        named = _WHOSE & changes.keys()
        moved = {name for name in named if changes[name] != getattr(memory, name)}
        if "agent" in moved and self.own_agent is not None and memory.agent is None:
            raise Refusal(NOT_ALLOWED, "a memory that all agents share does not become one's own")
        if self.own_user is None or not moved:
            return
        if not self.viewer.owns(memory):
            self.refuse_user("a memory that is shared keeps its owner")
        scope = changes.get("scope", memory.scope)
        if scope is Scope.USER:
            self.user(changes.get("scope_id", memory.scope_id))


def service_of(request: Request) -> Service:
    """The service behind a request."""
    service: Service = request.app.state.service
    return service


async def caller_of(
    request: Request,
    _credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)] = None,
    _workspace: Annotated[
        str | None,
        Header(
            alias=WORKSPACE,
            description="The workspace to work in; a key for one workspace needs none. What is not"
            " ASCII in its name, and every %, is percent-encoded as UTF-8 (RFC 3986).",
            examples=["default"],
        ),
    ] = None,
) -> Caller:
    """Who asks, and where."""
    return await identify(request)


async def identify(request: Request) -> Caller:
    """Find out who asks, once for a request."""
    known: Caller | None = getattr(request.state, "caller", None)
    if known is None:
        known = request.state.caller = await _identified(request)
    return known


async def check_again(request: Request) -> None:
    """Refuse a request whose key was revoked while its body was read."""
    caller = await identify(request)
    if caller.key is None:
        if await _are_keys_needed(caller.service):
            raise _missing()
        return
    credentials = await _bearer(request)
    token = "" if credentials is None else credentials.credentials
    is_known, key = caller.service.keyholders.remembered(token)
    if not is_known:
        key = await run_in_threadpool(caller.service.key, token)
    if key is None:
        raise _unknown()


async def _identified(request: Request) -> Caller:
    service = service_of(request)
    key = await _key(request, service)
    if key is not None:
        _limit(service, key.id)
    own = None if key is None else key.workspace
    named = _workspace(request.headers.get(WORKSPACE))
    if own is not None and named not in (None, own):
        raise Refusal(NOT_ALLOWED, f"the key is for another workspace; leave {WORKSPACE} out")
    chosen: str = own or check_field("workspace", _DEFAULT if named is None else named)
    role = Role.ADMIN if key is None else key.role
    return Caller(service=service, workspace=chosen, role=role, key=key)


def _workspace(header: str | None) -> str | None:
    """The name that the header holds, percent-encoded (RFC 3986)."""
    if header is None:
        return None
    if _ENCODED.fullmatch(header):
        with suppress(UnicodeDecodeError):
            return unquote(header, errors="strict")
    problem = f"write {WORKSPACE} in ASCII, and the rest percent-encoded as UTF-8: caf%C3%A9"
    raise InvalidInput("workspace", problem)


async def _key(request: Request, service: Service) -> Key | None:
    """The key of a request; None where none is needed.

    Before anything is looked up, the request counts for the address that it comes from.
    """
    credentials = await _bearer(request)
    if credentials is not None:
        return await _held(credentials.credentials, _address(request, service), service)
    _limit(service, _address(request, service))
    if await _are_keys_needed(service):
        raise _missing()
    return None


def _missing() -> Refusal:
    detail = "send a key: Authorization: Bearer tacit_…; tacit keys add makes one"
    return Refusal(KEY_MISSING, detail, WWW_Authenticate=_CHALLENGE)


def _unknown() -> Refusal:
    detail = "the key is unknown or was revoked; tacit keys list shows those in use"
    return Refusal(KEY_INVALID, detail, WWW_Authenticate=f'{_CHALLENGE} error="invalid_token"')


async def _held(token: str, address: str, service: Service) -> Key:
    """The key that a token opens; so many tokens of an address are looked at as it may ask.

    Valid ones do not count, so that only guesses are limited.
    """
    is_known, key = service.keyholders.remembered(token)
    if is_known and key is not None:
        return key
    guesses = f"guesses {address}"
    _limit(service, guesses)
    if not is_known:
        key = await run_in_threadpool(service.key, token)
    if key is None:
        raise _unknown()
    service.limiter.give_back(guesses)
    return key


async def _are_keys_needed(service: Service) -> bool:
    is_known, needed = service.keyholders.remembers_whether_needed()
    return needed if is_known else await run_in_threadpool(service.keyholders.are_needed)


def _address(request: Request, service: Service) -> str:
    peer = request.client.host if request.client else ""
    forwarded = request.headers.getlist("x-forwarded-for")
    return client_address(peer, forwarded, service.config.server.proxy_networks)


def _limit(service: Service, name: str) -> None:
    """Refuse a key or an address that exceeds its limit."""
    allowed = service.config.server.requests_per_minute / service.share
    wait = service.limiter.wait(name, allowed)
    if wait:
        raise Refusal(
            TOO_MANY, "ask less often, or raise requests_per_minute", Retry_After=f"{wait}"
        )


@dataclass(frozen=True, slots=True)
class Allowed:
    """Lets in who has a role; for calls about the server, in every workspace.

    What concerns all users of a workspace is not for who is bound to one of them.
    """

    role: Role
    for_all: bool = False
    for_every_user: bool = False

    async def __call__(self, caller: Annotated[Caller, Depends(caller_of)]) -> Caller:
        """The caller, if they may."""
        if not caller.role.allows(self.role):
            raise Refusal(NOT_ALLOWED, f"this needs a key with the role {self.role}")
        if self.for_all or self.for_every_user:
            caller.refuse_user("this concerns everybody")
        if self.for_all and not caller.is_for_all:
            raise Refusal(NOT_ALLOWED, "this needs a key for every workspace")
        if self.for_all and self.role is Role.ADMIN and caller.own_agent is not None:
            detail = "this is an agent's key, which makes no keys and changes no settings"
            raise Refusal(NOT_ALLOWED, detail)
        return caller


Reader = Annotated[Caller, Depends(Allowed(Role.READ))]
Writer = Annotated[Caller, Depends(Allowed(Role.WRITE))]
Admin = Annotated[Caller, Depends(Allowed(Role.ADMIN))]
WorkspaceAdmin = Annotated[Caller, Depends(Allowed(Role.ADMIN, for_every_user=True))]
ServerReader = Annotated[Caller, Depends(Allowed(Role.READ, for_all=True))]
ServerAdmin = Annotated[Caller, Depends(Allowed(Role.ADMIN, for_all=True))]
