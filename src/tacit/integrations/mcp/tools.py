"""The MCP tools: remember, forget, undo, search, list, profile, changes and explain."""

from collections.abc import Callable
from itertools import islice
from typing import Annotated, Any, Literal

from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from tacit.core.changes import Change
from tacit.core.errors import InvalidInput, NotAllowed, NotFound
from tacit.core.explanations import explain_candidate
from tacit.core.kinds import Actor, MemoryType, Scope
from tacit.core.memory import Memory
from tacit.core.profile import PROFILE_SECTIONS
from tacit.core.receipt import UNFIT, Fate, Receipt
from tacit.core.receipt import Candidate as Considered
from tacit.core.times import to_rfc3339
from tacit.integrations.mcp.caller import CallerView, McpCaller, MemorySource, current_caller
from tacit.integrations.mcp.responses import (
    ChangesToolResponse,
    ExplainedCandidate,
    ExplainToolResponse,
    ForgetToolResponse,
    ListToolResponse,
    MemoryMention,
    ProfileMemory,
    ProfileToolResponse,
    RememberToolResponse,
    SearchToolResponse,
    ToolChange,
    ToolEpisode,
    ToolHit,
    ToolMemory,
    ToolResponse,
    UndoToolResponse,
    format_age,
    format_changes,
    format_explanation,
    format_forget,
    format_list,
    format_profile,
    format_remember,
    format_search,
    format_undo,
)
from tacit.runtime.clock import Clock, system_clock
from tacit.search.results import EpisodeHit
from tacit.turn.block import shorten

_LONGEST_CONTENT = 1_000
"""How many characters of a memory are shown in lists; `explain` shows all."""

_MOST_CANDIDATES = 20
_MOST_TURNS = 10
_DEADLINE_MS = 10_000
"""Long enough for the first call, which waits for the model to be loaded."""

_NO_SESSION = "mcp"
"""The session where none is named; no session's memories are considered then."""

Types = Annotated[
    list[MemoryType] | None,
    Field(max_length=9, description="Only these types; leave it out for all."),
]
Session = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=200,
        description="The id of a session of this project; its own memories count too.",
    ),
]
Id = Annotated[str, Field(description="A memory's id, as search and list show it.")]
Content = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2_000,
        description="One statement, complete in itself; no secrets.",
    ),
]
Type = Annotated[MemoryType, Field(description="What kind of statement it is.")]
OwnerScope = Annotated[
    Literal["project", "user", "session"],
    Field(description="Whose it is: this project's, the user's in all projects, or one session's."),
]
Key = Annotated[
    str | None,
    Field(
        max_length=200,
        pattern=r"^\S+$",
        description="A name like editor.indent for what has one current value: a newer"
        " statement with the same key replaces the older one.",
    ),
]
Importance = Annotated[
    float | None, Field(ge=0, le=1, description="Leave it out to go by the type.")
]
Tags = Annotated[list[str] | None, Field(max_length=10, description="Words to file it under.")]
ExpiresAt = Annotated[
    str | None, Field(description="Gone from then on: a date like 2026-12-31, or a time.")
]

ToolOffer = tuple[str, Callable[..., Any], ToolAnnotations]
"""A tool by its name, with what a client may know of it before it is called."""


class McpTools:
    """The tools, on a store."""

    def __init__(self, tacit: MemorySource, clock: Clock = system_clock) -> None:
        self._tacit = tacit
        self._clock = clock

    def list_offers(self, *, read_only: bool) -> list[ToolOffer]:
        """The tools, without those that write if they are only to read."""
        reading: list[ToolOffer] = [
            ("search", self.search, _read_annotations("Search memory")),
            ("explain", self.explain, _read_annotations("Explain what memory brings")),
            ("list", self.list_, _read_annotations("List memories")),
            ("profile", self.profile, _read_annotations("Tell what is known of the user")),
            ("changes", self.changes, _read_annotations("List what memory did by itself")),
        ]
        writing: list[ToolOffer] = [
            (
                "remember",
                self.remember,
                _write_annotations("Remember a statement", destructive=False),
            ),
            ("forget", self.forget, _write_annotations("Forget a memory", destructive=True)),
            ("undo", self.undo, _write_annotations("Undo a change of memory", destructive=False)),
        ]
        return reading if read_only else [*writing, *reading]

    def remember(
        self,
        content: Content,
        type: Type = MemoryType.FACT,
        scope: OwnerScope = "project",
        key: Key = None,
        importance: Importance = None,
        tags: Tags = None,
        expires_at: ExpiresAt = None,
        session: Session = None,
    ) -> Annotated[CallToolResult, RememberToolResponse]:
        """Keep one statement that will matter in a later session.

        Says whether it is new, was known already, or waits for a person. Secrets are left out.
        """
        view = self._view()
        if scope == "session" and session is None:
            raise InvalidInput("session", "name the session that it belongs to, or another scope")
        owners = dict(view.owners(session))
        given = {"key": key, "importance": importance, "tags": tags, "expires_at": expires_at}
        fields: dict[str, Any] = {name: each for name, each in given.items() if each is not None}
        owner = Scope(scope)
        if owner is Scope.SESSION:
            view.claim(owners[owner])
        if owner is not Scope.USER and (author := view.author) is not None:
            fields["origin"] = {"author": author}
        written = self._tacit.remember(
            content, by=Actor.AGENT, type=type, scope=owner, scope_id=owners[owner], **fields
        )
        review = written.review
        is_proposal = review is not None and review.is_proposal
        result = RememberToolResponse(
            status=str(written.status),
            id=None if is_proposal else written.id,
            content=written.memory.content,
            superseded=list(written.superseded),
            review=None if review is None else review.id,
        )
        return _to_result(format_remember(result), result)

    def forget(self, id: Id) -> Annotated[CallToolResult, ForgetToolResponse]:
        """Hide a memory that an agent wrote and that is wrong by now.

        What a person wrote or said stays: the wish waits for a person, or is refused.
        """
        memory = self._view().memory(id)
        if not memory.explicit and memory.source is not Actor.AGENT:
            raise NotAllowed(
                f"only what an agent wrote is forgotten here, and this is the {memory.source}'s;"
                f" ask the user to run: tacit forget {memory.id}"
            )
        written = self._tacit.forget(memory.id, by=Actor.AGENT)
        review = written.review
        result = ForgetToolResponse(
            status=str(written.status), id=memory.id, review=None if review is None else review.id
        )
        return _to_result(format_forget(result), result)

    def undo(
        self, id: Annotated[str, Field(description="A change's id, as changes shows it.")]
    ) -> Annotated[CallToolResult, UndoToolResponse]:
        """Undo something that memory did by itself and that was wrong: both statements hold again.

        What a person's words did only a person undoes: the wish waits for one.
        """
        if not any(each.id == id for each in self._view().changes()):
            raise NotFound(f"there is no change {id} that you may see; changes shows them")
        written = self._tacit.changes.undo(id, by=Actor.AGENT)
        review = written.review
        result = UndoToolResponse(
            status=str(written.status), id=written.id, review=None if review is None else review.id
        )
        return _to_result(format_undo(result), result)

    def changes(
        self,
        limit: Annotated[int, Field(ge=1, le=100, description="At most so many.")] = 20,
    ) -> Annotated[CallToolResult, ChangesToolResponse]:
        """List what memory replaced, merged, hid or let expire by itself, newest first.

        Look here if something that was known seems to be gone.
        """
        found = islice(self._view().changes(), limit)
        result = ChangesToolResponse(changes=[_to_tool_change(each) for each in found])
        return _to_result(format_changes(result), result)

    def search(
        self,
        text: Annotated[
            str,
            Field(min_length=1, max_length=2_000, description="What to look for, in any words."),
        ],
        limit: Annotated[int, Field(ge=1, le=50, description="At most so many hits.")] = 10,
        types: Types = None,
        session: Session = None,
        said: Annotated[
            bool, Field(description="Also what the user said about it earlier, word for word.")
        ] = False,
    ) -> Annotated[CallToolResult, SearchToolResponse]:
        """Find memories of this project, this user and the organisation, by words and by meaning.

        What matters for a message comes by itself; search for what it did not bring.
        """
        view = self._view()
        searched = view.search(text, types=types, session=session, limit=limit)
        episodes = view.search_said(text, session=session, limit=limit) if said else ()
        hits = [
            ToolHit(score=round(hit.relevance, 4), **self._to_fields(hit.memory))
            for hit in searched.hits
        ]
        result = SearchToolResponse(
            hits=hits,
            said=[_to_tool_episode(each) for each in episodes],
            degraded=list(searched.degraded),
        )
        return _to_result(format_search(result), result)

    def list_(
        self,
        types: Types = None,
        scope: Annotated[
            Scope | None, Field(description="Only this owner's; leave it out for all.")
        ] = None,
        limit: Annotated[int, Field(ge=1, le=100, description="At most so many.")] = 20,
        cursor: Annotated[
            str | None, Field(max_length=200, description="From the page before.")
        ] = None,
        session: Session = None,
    ) -> Annotated[CallToolResult, ListToolResponse]:
        """List memories that you may see: the project's first, then the user's, then everybody's.

        Of each owner the newest come first.
        """
        page = self._view().page(
            types=types, scope=scope, session=session, limit=limit, cursor=cursor
        )
        memories = [ToolMemory(**self._to_fields(memory)) for memory in page.memories]
        result = ListToolResponse(memories=memories, cursor=page.cursor)
        return _to_result(format_list(result), result)

    def profile(
        self,
        limit: Annotated[int, Field(ge=1, le=100, description="At most so many of a kind.")] = 10,
    ) -> Annotated[CallToolResult, ProfileToolResponse]:
        """Tell what is known of the user you work for, by kind, each with its source and day.

        Who they are, the rules they set, what they prefer, facts about them, and open todos.
        """
        profile = self._view().profile(limit)
        result = ProfileToolResponse(
            user=profile.user,
            **{
                section: [self._to_profile_memory(each) for each in getattr(profile, section)]
                for section in PROFILE_SECTIONS
            },
        )
        return _to_result(format_profile(result), result)

    def explain(
        self,
        text: Annotated[
            str | None,
            Field(min_length=1, max_length=8_000, description="A message somebody might send."),
        ] = None,
        memory: Annotated[
            str | None, Field(description="A memory's id: when did it come up of late?")
        ] = None,
        session: Session = None,
    ) -> Annotated[CallToolResult, ExplainToolResponse]:
        """Tell what a message would bring into the context and why the rest stays out.

        With a memory's id instead, tell in which of the last turns it came up, and its fate there.
        Nothing changes.
        """
        if (text is None) == (memory is None):
            raise InvalidInput("text", "give a text or the id of a memory, and only one of them")
        if text is not None:
            result = self._preview(text, session)
        else:
            result = self._explain_memory(str(memory), session)
        return _to_result(format_explanation(result), result)

    def _preview(self, text: str, session: str | None) -> ExplainToolResponse:
        view = self._view()
        caller = view.caller
        prepared = view.tacit.preview(
            session=session or _NO_SESSION,
            scopes=[scope for scope, _ in view.owners(session)],
            text=text,
            history=None,
            agent=caller.name,
            user=caller.user,
            project=caller.project,
            deadline_ms=_DEADLINE_MS,
        )
        receipt = prepared.receipt
        others = [each for each in receipt.candidates if each.fate is not Fate.INJECTED]
        near = [each for each in others if each.fate not in UNFIT]
        return ExplainToolResponse(
            block=prepared.block,
            skipped=None if receipt.skipped is None else str(receipt.skipped),
            injected=_explain_candidates(view, receipt.injected),
            left_out=_explain_candidates(view, near[:_MOST_CANDIDATES]),
            below_floor=len(others) - len(near),
            degraded=list(receipt.degraded),
            notes=list(receipt.notes),
        )

    def _explain_memory(self, id: str, session: str | None) -> ExplainToolResponse:
        view = self._view()
        memory = view.memory(id)
        turns = [
            _to_mention(receipt, each)
            for receipt in view.receipts(session)
            for each in receipt.candidates
            if each.memory == memory.id
        ]
        whole = self._to_fields(memory, len(memory.content))
        return ExplainToolResponse(memory=ToolMemory(**whole), turns=turns[:_MOST_TURNS])

    def _view(self) -> CallerView:
        caller: McpCaller = current_caller.get()
        return CallerView.of(self._tacit, caller)

    def _to_profile_memory(self, memory: Memory) -> ProfileMemory:
        return ProfileMemory(day=memory.said_at.date().isoformat(), **self._to_fields(memory))

    def _to_fields(self, memory: Memory, characters: int = _LONGEST_CONTENT) -> dict[str, Any]:
        told = memory.to_dict()
        return {name: told[name] for name in ToolMemory.model_fields if name in told} | {
            "content": shorten(memory.content, characters),
            "age": format_age(memory.created_at, self._clock()),
        }


def _explain_candidates(
    view: CallerView, considered: tuple[Considered, ...] | list[Considered]
) -> list[ExplainedCandidate]:
    known = view.contents([each.memory for each in considered])
    return [
        ExplainedCandidate(
            id=each.memory,
            content=shorten(known[each.memory], _LONGEST_CONTENT),
            type=each.type,
            fate=str(each.fate),
            reason=explain_candidate(each),
        )
        for each in considered
        if each.memory in known
    ]


def _to_tool_episode(hit: EpisodeHit) -> ToolEpisode:
    said = hit.episode
    return ToolEpisode(
        id=said.id,
        text=said.text,
        said_at=to_rfc3339(said.at),
        by=str(said.role),
        score=round(hit.relevance, 4),
        replaced_at=None if hit.replaced is None else to_rfc3339(hit.replaced.at),
    )


def _to_tool_change(change: Change) -> ToolChange:
    other = change.other
    return ToolChange(
        id=change.id,
        kind=str(change.kind),
        at=to_rfc3339(change.at),
        was=shorten(change.memory.content, _LONGEST_CONTENT),
        now=None if other is None else shorten(other.content, _LONGEST_CONTENT),
        reason=change.reason,
        likelihood=change.likelihood,
        undone=change.undone,
    )


def _to_mention(receipt: Receipt, candidate: Considered) -> MemoryMention:
    return MemoryMention(
        receipt=receipt.id,
        session=receipt.session,
        turn=receipt.turn,
        at=to_rfc3339(receipt.at),
        query=receipt.query,
        fate=str(candidate.fate),
        reason=explain_candidate(candidate),
    )


def _to_result(text: str, result: ToolResponse) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=result.model_dump(mode="json"),
    )


def _read_annotations(title: str) -> ToolAnnotations:
    return ToolAnnotations(title=title, read_only_hint=True, open_world_hint=False)


def _write_annotations(title: str, *, destructive: bool) -> ToolAnnotations:
    return ToolAnnotations(
        title=title,
        read_only_hint=False,
        destructive_hint=destructive,
        idempotent_hint=True,
        open_world_hint=False,
    )
