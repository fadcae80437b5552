"""Authentication and authorization: who calls, and what they may do."""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import Depends, Header, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from tacit.api.calls.access import CallerAccess
from tacit.api.calls.episodes import episode_not_found
from tacit.api.calls.erasure import Eraser
from tacit.api.tacit import Tacit, find_access, limit_reach
from tacit.core.episodes import is_episode_id
from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.keys import Key, Role
from tacit.core.kinds import STANDING_TYPES, Actor, MemoryType, Scope
from tacit.core.memory import Memory, is_org_rule
from tacit.core.permissions import Viewer
from tacit.core.receipt import Receipt
from tacit.runtime.addresses import client_address
from tacit.runtime.limits import SlotTimeout
from tacit.server.problems import (
    KEY_INVALID,
    KEY_MISSING,
    NOT_ALLOWED,
    OVERLOADED,
    TOO_MANY,
    RequestRefused,
)
from tacit.server.service import Service
from tacit.writing.draft import Written

WORKSPACE = "Tacit-Workspace"
_DEFAULT = "default"
_CHALLENGE = "Bearer"
_RETRY_SECONDS = "1"
_ENCODED = re.compile(r"(?:[\x00-\x24\x26-\x7f]|%[0-9A-Fa-f]{2})*")

_WHOSE = {"scope", "scope_id", "agent"}
"""The fields that say who sees a memory."""

_WORDS = {"content", "key"}
"""The fields that hold what an author says."""

_OF_RULE: dict[str, Any] = {
    "scope": Scope.USER,
    "scope_id": "",
    "type": MemoryType.FACT,
    "key": None,
    "pinned": False,
}
"""The fields that tell whether a memory is a rule of an organisation, and their defaults."""

ORG_RULES = "rules and pins for a whole organisation need a key with the role admin"

_bearer = HTTPBearer(
    auto_error=False,
    scheme_name="key",
    description="A key made by `tacit keys add`; not needed on loopback where there are no keys.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls, with a role in a workspace; without a key, the owner of the machine."""

    service: Service
    workspace: str
    role: Role
    key: Key | None = None

    @property
    def tacit(self) -> Tacit:
        """The memory of the workspace, and what the caller reaches of what was said there."""
        return limit_reach(self.service.tacit(self.workspace), self._reach)

    @property
    def reading(self) -> Tacit:
        """The memory of the workspace to look at what was said.

        Without keys, the owner of the machine may read what they said without a name.
        """
        return self.service.personal(self.workspace) if self.key is None else self.tacit

    @property
    def name(self) -> str:
        """The id of the caller's key; without keys all callers are the same."""
        return "" if self.key is None else self.key.id

    @property
    def is_server_wide(self) -> bool:
        """Whether the key opens every workspace and the server itself; no user's key does."""
        return self.key is None or (self.key.workspace is None and self.key.user is None)

    @property
    def bound_agent(self) -> str | None:
        """The agent that the key is bound to, if any."""
        return None if self.key is None else self.key.agent

    @property
    def bound_user(self) -> str | None:
        """The user that the key is bound to, if any."""
        return None if self.key is None else self.key.user

    @property
    def speaks_for_users(self) -> bool:
        """Whether the caller may send a person's words."""
        return self.key is None or self.key.speaks_for_users

    @property
    def access(self) -> CallerAccess:
        """The sessions, turns, receipts, contexts and events that the caller may reach."""
        return find_access(self.tacit, self._reach)

    @property
    def eraser(self) -> Eraser:
        """The eraser within the caller's reach."""
        return self.tacit.memories.erasures_of(self._reach)

    @property
    def _reach(self) -> Viewer:
        return Viewer(agent=self.bound_agent, user=self.bound_user)

    def refuse_bound(self, what: str) -> None:
        """Refuse keys bound to an agent or a user."""
        if self.access.reach.is_bound:
            raise RequestRefused(
                NOT_ALLOWED, f"{what}; this needs a key without an agent and a user"
            )

    def actor(self, by: Actor | None) -> Actor:
        """The actor of a write: an agent acts as itself, others as they say, else as the user.

        An agent whose key was made to speak for users writes as a user where it says so.
        """
        is_asked_for = self.key is not None and not self.key.speaks_by_upgrade
        as_user = self.speaks_for_users and is_asked_for
        return self._choose_actor(by, Actor.AGENT, as_user=as_user)

    def speaker(self, by: Actor | None) -> Actor:
        """Whose words a turn holds: a person's only if the caller speaks for users."""
        usual = Actor.USER if self.speaks_for_users else Actor.AGENT
        return self._choose_actor(by, usual, as_user=self.speaks_for_users)

    def _choose_actor(self, by: Actor | None, usual: Actor, *, as_user: bool) -> Actor:
        if self.bound_agent is None:
            return by or Actor.USER
        named = by or usual
        if named is Actor.AGENT or (named is Actor.USER and as_user):
            return named
        hint = "; one made with --speaks-for-users can" if named is Actor.USER else ""
        detail = f"this is an agent's key, which cannot write as {named}{hint}"
        raise RequestRefused(NOT_ALLOWED, detail)

    @property
    def viewer(self) -> Viewer:
        """The viewer of memories: the bound agent and user."""
        return Viewer(agent=self.bound_agent, user=self.bound_user)

    def check_changeable(self, *ids: str) -> None:
        """Check that the caller may see memories, and may change those that are an org's rules."""
        self.check_visible(*ids)
        if not self._may_write_org_rules and self.access.has_org_rule(ids):
            raise RequestRefused(NOT_ALLOWED, ORG_RULES)

    def check_changeable_id(self, id: str) -> str:
        """Check that the caller may see and change a memory; returns its id."""
        self.check_changeable(id)
        return id

    def check_review(self, id: str) -> None:
        """Refuse to accept what makes, changes or ends a rule of a whole org, unless an admin."""
        if self._may_write_org_rules:
            return
        report = self.tacit.reviews.get(id)
        known = report.memory.to_dict() if report.memory else {}
        for each in (known, known | dict(report.review.change)):
            scope, type = each.get("scope"), each.get("type")
            if scope is not None and type is not None:
                self._check_org_rule(
                    Scope(scope), MemoryType(type), pinned=bool(each.get("pinned"))
                )

    @property
    def _may_write_org_rules(self) -> bool:
        return self.role.allows(Role.ADMIN)

    def _check_org_rule(self, scope: Scope, type: MemoryType, *, pinned: bool) -> None:
        if not self._may_write_org_rules and is_org_rule(scope, type, pinned=pinned):
            raise RequestRefused(NOT_ALLOWED, ORG_RULES)

    def _check_value_of_org(self, key: str, scope_id: str) -> None:
        """Refuse a value of a key that would replace a rule of an org."""
        held = self.tacit.list(
            scope=Scope.ORG, scope_id=scope_id, key=key, types=STANDING_TYPES, limit=1
        )
        if held:
            raise RequestRefused(NOT_ALLOWED, ORG_RULES)

    def check_visible(self, *ids: str) -> None:
        """Raise NotFound for memories of another agent or user."""
        if self.viewer.is_bound:
            self.tacit.memories.check_visible(ids, self.viewer)

    def check_visible_id(self, id: str) -> str:
        """Check that the caller may see a memory; returns its id."""
        self.check_visible(id)
        return id

    def check_visible_episode(self, id: str) -> str:
        """Check that the caller may see an episode; returns its id."""
        if not is_episode_id(check_field("id", id)):
            raise episode_not_found(id, self.workspace)
        return self.check_visible_id(id)

    def visible_memories(self, found: Mapping[str, Memory]) -> list[Memory]:
        """The memories, of those found, that the caller may see."""
        hidden = self.access.hidden_memories(list(found))
        return [memory for id, memory in found.items() if id not in hidden]

    def visible_receipt(self, receipt: Receipt) -> Receipt:
        """A receipt as the caller may read it: a user does not see how much others have."""
        if self.bound_user is None or receipt.unseen is None:
            return receipt
        return replace(receipt, unseen=replace(receipt.unseen, others=0))

    def check_erasable(self, id: str) -> str:
        """Check that the caller may erase a memory; a bound one only its own. Returns its id."""
        if self.viewer.is_bound:
            self.tacit.memories.check_visible([id], self.viewer, is_owner=True)
        return id

    def check_admin(self, what: str) -> None:
        """Refuse callers that may not administer the workspace."""
        if not self.role.allows(Role.ADMIN):
            raise RequestRefused(NOT_ALLOWED, what)
        self.refuse_user("this concerns everybody")

    def refuse_user(self, what: str) -> None:
        """Refuse keys bound to a user."""
        if self.bound_user is not None:
            detail = f"this key is bound to user {self.bound_user!r}, and {what}"
            raise RequestRefused(NOT_ALLOWED, detail)

    def check_sessions(self, fields: Mapping[str, Any]) -> None:
        """Refuse memory fields that name sessions of others."""
        if not self.access.reach.is_bound:
            return
        if fields.get("scope") == Scope.SESSION and fields.get("scope_id"):
            self.access.claim(fields["scope_id"])
        origin = fields.get("origin")
        if isinstance(origin, Mapping) and origin.get("session"):
            self.access.claim(origin["session"])

    def may_filter_by(self, scope: Scope | None, scope_id: str | None, session: str | None) -> bool:
        """Whether filters name no session of others."""
        named = [session, scope_id if scope is Scope.SESSION else None]
        return all(each is None or self.access.is_reached(each) for each in named)

    def check_agent(self, named: str | None) -> str | None:
        """The agent to act for; a bound caller acts for its own."""
        if self.bound_agent is not None and named not in (None, self.bound_agent):
            raise RequestRefused(NOT_ALLOWED, f"this is the key of agent {self.bound_agent!r}")
        return self.bound_agent or named

    def check_user(self, named: str | None) -> str | None:
        """The user to act for; a bound caller acts for its own."""
        if self.bound_user is not None and named not in (None, self.bound_user):
            raise RequestRefused(NOT_ALLOWED, f"this key is bound to user {self.bound_user!r}")
        return self.bound_user or named

    def viewer_arguments(self, agent: str | None, user: str | None) -> dict[str, Any]:
        """The viewer arguments of a call that shows memories."""
        return {"agent": self.check_agent(agent), "user": self.check_user(user)}

    def memory_fields(
        self, given: Mapping[str, Any], known: Memory | None = None
    ) -> dict[str, Any]:
        """The fields of a new memory, or of a change, with its owner and its author.

        Rules for a whole organisation need the role admin.
        """
        fields = self.with_owner(given) if known is None else dict(given)
        after = {
            name: fields.get(name, default if known is None else getattr(known, name))
            for name, default in _OF_RULE.items()
        }
        scope, key, scope_id = after["scope"], after.pop("key"), after.pop("scope_id")
        self._check_org_rule(**after)
        if scope is Scope.ORG and key is not None and not self._may_write_org_rules:
            self._check_value_of_org(key, scope_id)
        return fields if scope is Scope.USER else self._with_author(fields, known)

    def _with_author(self, fields: dict[str, Any], known: Memory | None) -> dict[str, Any]:
        """The fields with the user who writes what others share; a bound key names no other."""
        origin = dict(fields.get("origin") or {})
        before = None if known is None else known.origin.author
        named = origin.get("author")
        if named not in (None, before):
            self._check_author(named)
        if known is None or known.scope is Scope.USER or not _WORDS.isdisjoint(fields):
            author = self.bound_user or named
        else:
            author = named or before
        if author is None and "origin" not in fields:
            return fields
        kept = {} if known is None or "origin" in fields else known.origin.to_dict()
        return {**fields, "origin": {**kept, **origin, "author": author}}

    def _check_author(self, named: str) -> None:
        if self.bound_agent is not None and not self.speaks_for_users:
            detail = "this is an agent's key, which names no user as the author of a memory"
            raise RequestRefused(NOT_ALLOWED, detail)
        self.check_user(named)

    def with_owner(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a new memory; without an owner it belongs to the bound user."""
        if self.bound_user is None or given.get("scope", Scope.USER) is not Scope.USER:
            return dict(given)
        return {**given, "scope_id": self.check_user(given.get("scope_id") or None)}

    def check_owner_change(self, memory: Memory, changes: Mapping[str, Any]) -> None:
        """Refuse to change the owner of memories that are not the caller's."""
        named = _WHOSE & changes.keys()
        moved = {name for name in named if changes[name] != getattr(memory, name)}
        if "agent" in moved and self.bound_agent is not None and memory.agent is None:
            raise RequestRefused(
                NOT_ALLOWED, "a memory that all agents share does not become one's own"
            )
        if self.bound_user is None or not moved:
            return
        if not self.viewer.owns(memory):
            self.refuse_user("a memory that is shared keeps its owner")
        scope = changes.get("scope", memory.scope)
        if scope is Scope.USER:
            self.check_user(changes.get("scope_id", memory.scope_id))


def get_service(request: Request) -> Service:
    """The service behind a request."""
    service: Service = request.app.state.service
    return service


async def get_caller(
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
    """The caller of a request."""
    return await identify_caller(request)


async def identify_caller(request: Request) -> Caller:
    """Identify the caller, once per request."""
    known: Caller | None = getattr(request.state, "caller", None)
    if known is None:
        known = request.state.caller = await _identify(request)
    return known


@asynccontextmanager
async def work_slot(caller: Caller) -> AsyncIterator[None]:
    """Hold one of the threads for a caller, who leaves some to others."""
    try:
        async with caller.service.work_slots.hold(caller.name):
            yield
    except SlotTimeout:
        detail = "the server had no thread for this request in time; send it again in a moment"
        raise RequestRefused(OVERLOADED, detail, Retry_After=_RETRY_SECONDS) from None


async def check_still_valid(request: Request) -> None:
    """Refuse a request whose key was revoked while its body arrived."""
    caller = await identify_caller(request)
    if caller.key is None:
        if await _are_keys_needed(caller.service):
            raise _key_missing()
        return
    credentials = await _bearer(request)
    token = "" if credentials is None else credentials.credentials
    is_known, key = caller.service.key_cache.find_cached(token)
    if not is_known:
        key = await run_in_threadpool(caller.service.key, token)
    if key is None:
        raise _key_invalid()


async def _identify(request: Request) -> Caller:
    service = get_service(request)
    key = await _find_key(request, service)
    if key is not None:
        _check_rate(service, key.id)
    own = None if key is None else key.workspace
    named = _parse_workspace(request.headers.get(WORKSPACE))
    if own is not None and named not in (None, own):
        raise RequestRefused(
            NOT_ALLOWED, f"the key is for another workspace; leave {WORKSPACE} out"
        )
    chosen: str = own or check_field("workspace", _DEFAULT if named is None else named)
    role = Role.ADMIN if key is None else key.role
    return Caller(service=service, workspace=chosen, role=role, key=key)


def _parse_workspace(header: str | None) -> str | None:
    """The workspace named in the header, percent-encoded (RFC 3986)."""
    if header is None:
        return None
    if _ENCODED.fullmatch(header):
        with suppress(UnicodeDecodeError):
            return unquote(header, errors="strict")
    problem = f"write {WORKSPACE} in ASCII, and the rest percent-encoded as UTF-8: caf%C3%A9"
    raise InvalidInput("workspace", problem)


async def _find_key(request: Request, service: Service) -> Key | None:
    """The key of a request; None if none is needed.

    Before anything is looked up, the request counts for the address that it comes from.
    """
    credentials = await _bearer(request)
    if credentials is not None:
        return await _look_up_key(
            credentials.credentials, _client_address(request, service), service
        )
    _check_rate(service, _client_address(request, service))
    if await _are_keys_needed(service):
        raise _key_missing()
    return None


def _key_missing() -> RequestRefused:
    detail = "send a key: Authorization: Bearer tacit_…; tacit keys add makes one"
    return RequestRefused(KEY_MISSING, detail, WWW_Authenticate=_CHALLENGE)


def _key_invalid() -> RequestRefused:
    detail = "the key is unknown or was revoked; tacit keys list shows those in use"
    return RequestRefused(
        KEY_INVALID, detail, WWW_Authenticate=f'{_CHALLENGE} error="invalid_token"'
    )


async def _look_up_key(token: str, address: str, service: Service) -> Key:
    """The key of a token; invalid tokens count against the limit of the address.

    Valid ones do not count, so that only guesses are limited.
    """
    is_known, key = service.key_cache.find_cached(token)
    if is_known and key is not None:
        return key
    guesses = f"guesses {address}"
    _check_rate(service, guesses)
    if not is_known:
        key = await run_in_threadpool(service.key, token)
    if key is None:
        raise _key_invalid()
    service.limiter.give_back(guesses)
    return key


async def _are_keys_needed(service: Service) -> bool:
    is_known, needed = service.key_cache.cached_need()
    return needed if is_known else await run_in_threadpool(service.key_cache.are_keys_needed)


def _client_address(request: Request, service: Service) -> str:
    peer = request.client.host if request.client else ""
    forwarded = request.headers.getlist("x-forwarded-for")
    return client_address(peer, forwarded, service.config.server.proxy_networks)


def _check_rate(service: Service, name: str) -> None:
    """Refuse a key or an address that exceeds its limit."""
    allowed = service.config.server.requests_per_minute / service.share
    wait = service.limiter.wait(name, allowed)
    if wait:
        raise RequestRefused(
            TOO_MANY, "ask less often, or raise requests_per_minute", Retry_After=f"{wait}"
        )


@dataclass(frozen=True, slots=True)
class RequireRole:
    """A dependency that requires a role, and for calls about the server a server-wide key.

    What concerns all users of a workspace is not for who is bound to one of them.
    """

    role: Role
    server_wide: bool = False
    for_every_user: bool = False

    async def __call__(self, caller: Annotated[Caller, Depends(get_caller)]) -> Caller:
        """The caller, if allowed."""
        if not caller.role.allows(self.role):
            raise RequestRefused(NOT_ALLOWED, f"this needs a key with the role {self.role}")
        if self.server_wide or self.for_every_user:
            caller.refuse_user("this concerns everybody")
        if self.server_wide and not caller.is_server_wide:
            raise RequestRefused(NOT_ALLOWED, "this needs a key for every workspace")
        if self.server_wide and self.role is Role.ADMIN and caller.bound_agent is not None:
            detail = "this is an agent's key, which makes no keys and changes no settings"
            raise RequestRefused(NOT_ALLOWED, detail)
        return caller


Reader = Annotated[Caller, Depends(RequireRole(Role.READ))]
Writer = Annotated[Caller, Depends(RequireRole(Role.WRITE))]
Admin = Annotated[Caller, Depends(RequireRole(Role.ADMIN))]
WorkspaceAdmin = Annotated[Caller, Depends(RequireRole(Role.ADMIN, for_every_user=True))]
ServerReader = Annotated[Caller, Depends(RequireRole(Role.READ, server_wide=True))]
ServerAdmin = Annotated[Caller, Depends(RequireRole(Role.ADMIN, server_wide=True))]


# Writes


def report_writes(caller: Caller, written: Sequence[Written]) -> list[dict[str, Any]]:
    """Count writes in the metrics and return them as JSON."""
    for each in written:
        caller.service.metrics.count_writes(each.status)
    return [each.to_dict() for each in written]
