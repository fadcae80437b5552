"""Who calls the MCP server, and which memories, receipts and sessions they may see."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Self
from urllib.parse import unquote

from mcp.server.mcpserver import Context

from tacit.api.calls.access import CallerAccess
from tacit.api.client.remote import RemoteTacit
from tacit.api.tacit import Tacit, find_access, limit_reach
from tacit.core.changes import Change
from tacit.core.episodes import Episode, is_episode_id
from tacit.core.errors import InvalidInput, NameTaken, NotFound
from tacit.core.fields import check_field
from tacit.core.kinds import MemoryType, Owner, Scope
from tacit.core.memory import Memory
from tacit.core.permissions import UNBOUND, Viewer
from tacit.core.profile import Profile
from tacit.core.receipt import Receipt
from tacit.core.sessions import ListedSession
from tacit.search.results import EpisodeHit, Hit, SearchResult

# The caller of a request


AGENT_HEADER, USER_HEADER, PROJECT_HEADER = "Tacit-Agent", "Tacit-User", "Tacit-Project"
"""The headers by which a client over HTTP says who it is and where it works."""

BOUND_AGENT_HEADER, BOUND_USER_HEADER = "Tacit-Bound-Agent", "Tacit-Bound-User"
"""Whom a key is bound to, set by the access check; a client can only narrow it."""

_UNNAMED_AGENT = "mcp"
_SHORT_NAMES = {"codex": "codex", "gemini-cli": "gemini"}
"""Clients that introduce themselves by a longer name than hooks give them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpCaller:
    """An agent that works for a user in a project; the client's name is the default agent.

    `reach` says whom the client's key is bound to.
    """

    agent: str | None = None
    user: str | None = None
    project: str | None = None
    reach: Viewer = UNBOUND
    find_project: Callable[[], str] | None = field(default=None, compare=False)
    """Finds the project where none is named; called for every request."""

    def __post_init__(self) -> None:
        for name in ("agent", "user", "project"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else check_field(name, value))

    @property
    def name(self) -> str:
        """The agent's name; unnamed agents share one name without memories of its own."""
        return self.agent or _UNNAMED_AGENT

    @property
    def owners(self) -> tuple[Owner, ...]:
        """The owners whose memories the caller sees, besides a session's."""
        return (
            (Scope.PROJECT, self.project or ""),
            (Scope.USER, self.user or ""),
            (Scope.ORG, ""),
        )

    def for_request(self, context: "Context[Any, Any]") -> Self:
        """The caller of one request: the client's headers, else the server's options."""
        headers = context.headers or {}
        return replace(
            self,
            agent=_header(headers, AGENT_HEADER) or self.agent or _client_name(context),
            user=_header(headers, USER_HEADER) or self.user,
            project=_header(headers, PROJECT_HEADER) or self.project,
            reach=Viewer(
                agent=_header(headers, BOUND_AGENT_HEADER) or self.reach.agent,
                user=_header(headers, BOUND_USER_HEADER) or self.reach.user,
            ),
        )


current_caller: ContextVar[McpCaller] = ContextVar("asking", default=McpCaller())  # noqa: B039
"""The caller of the request that is being answered."""


def _header(headers: Mapping[str, str], name: str) -> str | None:
    value = headers.get(name.lower())
    return unquote(value) if value else None


def _client_name(context: "Context[Any, Any]") -> str | None:
    """The name by which a client introduced itself, if it can be one of an agent."""
    told = context.session.client_params
    if told is None:
        return None
    name = told.client_info.name
    short = next((known for start, known in _SHORT_NAMES.items() if name.startswith(start)), name)
    try:
        return check_field("agent", short)  # type: ignore[no-any-return]
    except InvalidInput:
        return None


# What a caller sees: the project's memories, the user's and everybody's


MemorySource = Tacit | RemoteTacit
"""A store of this machine, or one that a server offers."""

_PAGE = 50
_MOST_SCANNED = 200
"""How many of the last turns or sessions are scanned for those of the caller."""


@dataclass(frozen=True, slots=True)
class MemoryListPage:
    """Memories of a list, and where the next page begins, if there is one."""

    memories: tuple[Memory, ...]
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class CallerView:
    """A store as one caller sees it."""

    tacit: MemorySource
    caller: McpCaller

    @classmethod
    def of(cls, tacit: MemorySource, caller: McpCaller) -> Self:
        """The view of a caller, with no more of what was said than the client's key reaches."""
        return cls(limit_reach(tacit, caller.reach) if isinstance(tacit, Tacit) else tacit, caller)

    @property
    def author(self) -> str | None:
        """The user who is named as the author of what others share; a remote server knows it."""
        if isinstance(self.tacit, RemoteTacit):
            return None
        return self.caller.reach.user or self.caller.user

    def search(
        self, text: str, *, types: Sequence[MemoryType] | None, session: str | None, limit: int
    ) -> SearchResult:
        """The best hits among all memories that the caller may see."""
        found = [
            self.tacit.search(
                text,
                types=types or None,
                scope=scope,
                scope_id=owner,
                agent=self.caller.name,
                max_results=limit,
            )
            for scope, owner in self.owners(session)
        ]
        hits = sorted((hit for each in found for hit in each.hits), key=_relevance_order)
        degraded = dict.fromkeys(part for each in found for part in each.degraded)
        return SearchResult(hits=tuple(hits[:limit]), degraded=tuple(degraded))

    def search_said(self, text: str, *, session: str | None, limit: int) -> tuple[EpisodeHit, ...]:
        """What the caller's user said, in the caller's project and in none, best first."""
        found = self.tacit.search(
            text,
            scope=None if session is None else Scope.SESSION,
            scope_id=None if session is None else self.check_session(session),
            user=self.caller.user,
            project=self.caller.project,
            episodes=True,
            max_results=limit,
        )
        return found.episodes[:limit]

    def contents(self, ids: Sequence[str]) -> dict[str, str]:
        """The words of those memories and episodes that the caller may see."""
        said = {id: self._find_episode(id) for id in ids if is_episode_id(id)}
        words = {id: episode.text for id, episode in said.items() if episode is not None}
        memories = self.memories([id for id in ids if id not in said])
        return words | {id: memory.content for id, memory in memories.items()}

    def _find_episode(self, id: str) -> Episode | None:
        """An episode of the caller's user, in the caller's project or in none."""
        try:
            episode = self.tacit.episodes.get(id)
        except NotFound:
            return None
        if episode.scope is Scope.SESSION:
            return episode if self._may_use_session(episode.session) else None
        is_own = (episode.user or "") == (self.caller.user or "")
        return episode if is_own and episode.project in (None, self.caller.project) else None

    def page(
        self,
        *,
        types: Sequence[MemoryType] | None,
        scope: Scope | None,
        session: str | None,
        limit: int,
        cursor: str | None,
    ) -> MemoryListPage:
        """A page of the list: owner by owner, of each the newest first."""
        owners = [each for each in self.owners(session) if scope in (None, each[0])]
        if not owners:
            raise InvalidInput("session", "name the session whose memories you want")
        first, after = _parse_cursor(cursor, owners)
        found: list[Memory] = []
        for scope_, owner in owners[first:]:
            found += self.tacit.list(
                types=types or None,
                scope=scope_,
                scope_id=owner,
                agent=self.caller.name,
                limit=limit + 1 - len(found),
                after=after,
            )
            after = None
            if len(found) > limit:
                last = found[limit - 1]
                return MemoryListPage(tuple(found[:limit]), f"{last.scope}/{last.id}")
        return MemoryListPage(tuple(found))

    def profile(self, limit: int) -> Profile:
        """What is known of the caller's user, as far as the caller may see it."""
        return self.tacit.profile(user=self.caller.user, agent=self.caller.name, limit=limit)

    def memory(self, id: str) -> Memory:
        """A memory that the caller may see; NotFound for any other."""
        memory = self.tacit.get(id)
        if not self._may_see(memory):
            raise NotFound(f"there is no memory {id} that you may see; search and list show them")
        return memory

    def memories(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those of some memories that the caller may see; forgotten ones are left out."""
        found = {}
        for id in ids:
            try:
                found[id] = self.memory(id)
            except NotFound:
                continue
        return found

    def receipts(self, session: str | None = None) -> Iterator[Receipt]:
        """The caller's last turns, newest first."""
        after, looked_at = None, 0
        while looked_at < _MOST_SCANNED:
            page = self._list_receipts(session, after)
            yield from filter(self._belongs_to_caller, page)
            if len(page) < _PAGE:
                return
            after, looked_at = page[-1].id, looked_at + len(page)

    def receipt(self, id: str) -> Receipt:
        """The receipt of one of the caller's turns."""
        receipt = self.tacit.turns.get(id)
        if not self._belongs_to_caller(receipt) or not self._is_reached(receipt.session):
            raise NotFound(f"there is no receipt {id} of this project; tacit://receipts lists them")
        return receipt

    def sessions(self) -> Iterator[dict[str, Any]]:
        """The caller's sessions that were active last, newest first."""
        after, looked_at = None, 0
        while looked_at < _MOST_SCANNED:
            page = self._list_sessions(after)
            for session in page:
                last = self.tacit.turns.list(session=session.id, limit=1)
                if last and self._belongs_to_caller(last[0]):
                    yield session.to_dict()
            if len(page) < _PAGE:
                return
            after, looked_at = page[-1].cursor, looked_at + len(page)

    def changes(self) -> Iterator[Change]:
        """What memory did by itself to memories that the caller may see, newest first."""
        after, looked_at = None, 0
        whose = {"agent": self.caller.name, "user": self.caller.user}
        while looked_at < _MOST_SCANNED:
            page = self.tacit.changes.list(limit=_PAGE, after=after, **whose)
            for change in page:
                named = (change.memory, change.other)
                if all(each is None or self._may_see(each) for each in named):
                    yield change
            if len(page) < _PAGE:
                return
            after, looked_at = page[-1].id, looked_at + len(page)

    def check_session(self, id: str) -> str:
        """The id of a session of the caller, or of one that has just begun; NotFound for others."""
        if not self._may_use_session(id):
            raise NotFound(
                f"there is no session {id!r} of this project; tacit://sessions lists them"
            )
        return id

    def claim(self, session: str) -> None:
        """Claim a session for a client whose key is bound."""
        if isinstance(self._own, CallerAccess):
            self._own.claim(session, self.caller.agent, self.caller.user)

    def owners(self, session: str | None) -> tuple[Owner, ...]:
        """The owners whose memories the caller sees, with those of a named session."""
        own = ((Scope.SESSION, self.check_session(session)),) if session else ()
        return (*own, *self.caller.owners)

    def _may_see(self, memory: Memory) -> bool:
        if memory.agent not in (None, self.caller.name):
            return False
        if memory.scope is not Scope.SESSION:
            return memory.owner in self.caller.owners
        return self._may_use_session(memory.scope_id)

    @property
    def _own(self) -> Tacit | CallerAccess | RemoteTacit:
        """What the client's key reaches; a remote server checks that itself."""
        if isinstance(self.tacit, Tacit):
            return find_access(self.tacit, self.caller.reach)
        return self.tacit

    def _list_receipts(self, session: str | None, after: str | None) -> Sequence[Receipt]:
        own = self._own
        found = own.receipts if isinstance(own, CallerAccess) else own.turns.list
        return found(session=session, limit=_PAGE, after=after)

    def _list_sessions(self, after: str | None) -> Sequence[ListedSession]:
        own = self._own
        found = own.sessions if isinstance(own, CallerAccess) else own.sessions.list
        return found(limit=_PAGE, after=after)

    def _is_reached(self, session: str) -> bool:
        return not isinstance(self._own, CallerAccess) or self._own.is_reached(session)

    def _may_use_session(self, session: str) -> bool:
        """Whether a session is the caller's, or has just begun."""
        if isinstance(self._own, CallerAccess):
            try:
                self._own.check_free(session)
            except NameTaken:
                return False
        last = self.tacit.turns.list(session=session, limit=1)
        return not last or self._belongs_to_caller(last[0])

    def _belongs_to_caller(self, receipt: Receipt) -> bool:
        return (receipt.project, receipt.user) == (self.caller.project, self.caller.user)


def _relevance_order(hit: Hit) -> tuple[float, float, str]:
    """Order by relevance, the only value comparable between searches."""
    return -hit.relevance, -hit.score, hit.memory.id


def _parse_cursor(cursor: str | None, owners: Sequence[Owner]) -> tuple[int, str | None]:
    """The owner that a page begins with, and the memory that it goes on after."""
    if cursor is None:
        return 0, None
    scope, slash, after = cursor.partition("/")
    scopes = [str(each) for each, _ in owners]
    if not slash or scope not in scopes:
        problem = f"{cursor!r} is no cursor of this list; leave it out to start from the top"
        raise InvalidInput("cursor", problem)
    return scopes.index(scope), after
