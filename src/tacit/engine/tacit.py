"""Tacit: the memories of one workspace, in one store."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, Unpack

from tacit import archive, writing
from tacit.archive import Format, ImportReport, Place
from tacit.choice import choice
from tacit.config import Config, LiveConfig
from tacit.conversation import EventKind, EventPage, OpenTurn, Session
from tacit.embedding import Embedder, embedder_named
from tacit.engine.answers import Answers
from tacit.engine.configuration import live_configuration
from tacit.engine.conflicts import Reader, conflicts
from tacit.engine.conversations import PLACES, Conversations, make_request, owner_of
from tacit.engine.embedding import Embedding, spoken
from tacit.engine.events import events_after, told_of
from tacit.engine.graph import around
from tacit.engine.keys import Keyring
from tacit.engine.tidying import Tidying
from tacit.errors import InvalidInput, NotFound
from tacit.files.locations import default_database
from tacit.history import Level
from tacit.memory import (
    Actor,
    Association,
    AuditEntry,
    Draft,
    Fields,
    Graph,
    Memory,
    MemoryType,
    Relation,
    Review,
    Scope,
    Sort,
    State,
    check,
)
from tacit.query import Question
from tacit.receipt import Receipt
from tacit.runtime.clock import Clock, system_clock
from tacit.runtime.ids import NewId, new_id
from tacit.runtime.worker import Worker
from tacit.search import Filter, Mode, Searcher, SearchResult, listed
from tacit.selection import Conflict
from tacit.settings import changed
from tacit.store import Query, Stats, Store, Unit, open_store
from tacit.summary import Summarizer
from tacit.turn import (
    Compaction,
    Ended,
    Means,
    Prepared,
    Reset,
    SessionReport,
    Trigger,
    Turn,
)
from tacit.writing import Author, Erasure, Written

if TYPE_CHECKING:
    from tacit.client import RemoteTacit

Result = TypeVar("Result")

_SHORTEST_ENDING = 4
_DEEPEST = 4


class Tacit:
    """Remembers, finds again, changes and forgets, in the name of one workspace.

    `by` says who asks: "user" and "operator" are persons, "agent", "tool" and "import" are not.
    What a person wrote is changed by persons only; anyone else's wish becomes a review.
    """

    def __init__(
        self,
        store: Store,
        workspace: str,
        *,
        embedder: Embedder | None = None,
        config: Config | LiveConfig | None = None,
        clock: Clock = system_clock,
        new_id: NewId = new_id,
        searcher: Searcher | None = None,
        worker: Worker | None = None,
    ) -> None:
        self._store = store
        self._workspace: str = check("workspace", workspace)
        self._embedder = embedder
        self._embedding = Embedding(store, self._workspace, embedder)
        self._is_view = searcher is not None
        self._searcher = searcher or Searcher(store, embedder)
        self._worker = worker or Worker("tacit-jobs")
        self._config = config or Config()
        self._clock = clock
        self._new_id = new_id
        means = Means(
            store=store,
            workspace=self._workspace,
            searcher=self._searcher,
            worker=self._worker,
            tidy=Tidying(store, self._workspace, clock, self._worker),
            clock=clock,
            new_id=new_id,
        )
        self._conversations = Conversations(means, self._current)

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        workspace: str = "default",
        *,
        embedder: Embedder | str | None = None,
        config: LiveConfig | Path | str | None = None,
        clock: Clock = system_clock,
    ) -> Self:
        """Open a store, making it where there is none.

        A path names a file, a postgresql:// URL a database on a server. Without either it is the
        user's own file, shared by every program that names none; ":memory:" is one that lasts as
        long as the process, to test with. The embedder is one of
        your own or a name: "minilm" (the default, which the environment variable TACIT_EMBEDDER
        changes), an endpoint's URL, or "none". `config` names a tacit.toml; else TACIT_CONFIG does,
        or there is one in the current folder or in the user's configuration folder. The next turn
        sees a change of the file.
        """
        check("workspace", workspace)
        if embedder is None or isinstance(embedder, str):
            embedder = embedder_named(embedder or os.environ.get("TACIT_EMBEDDER") or "minilm")
        live = config if isinstance(config, LiveConfig) else live_configuration(config)
        settings = live.current().postgres
        store = open_store(default_database() if path is None else path, settings)
        tacit = cls(store, workspace, embedder=embedder, config=live, clock=clock)
        tacit._embedding.notice_other_models()
        return tacit

    @classmethod
    def connect(
        cls,
        url: str | None = None,
        key: str | None = None,
        *,
        workspace: str | None = None,
        timeout: float = 30.0,
    ) -> "RemoteTacit":
        """The same calls for a memory that `tacit serve` offers; nothing is sent before the first.

        The environment variables TACIT_URL and TACIT_KEY say what is not given, and without those
        it is the server of this machine. A key for one workspace needs no `workspace`. A call, with
        all its tries, takes `timeout` seconds at most.
        """
        from tacit.client import RemoteTacit

        return RemoteTacit.connect(url, key, workspace=workspace, timeout=timeout)

    @property
    def workspace(self) -> str:
        """The tenant that every call reads and writes."""
        return self._workspace

    @property
    def embedder_name(self) -> str | None:
        """The model that vectors are made by, if there is one."""
        return None if self._embedder is None else self._embedder.model.name

    @property
    def worker(self) -> Worker:
        """Where work is done that may wait, one piece after the other."""
        return self._worker

    def describe(self) -> Mapping[str, object]:
        """Where memories are, for people."""
        return self._store.describe()

    def in_workspace(self, name: str) -> "Tacit":
        """The same store for another tenant, with the same connections, model and settings.

        It costs next to nothing and need not be closed; it ends with the one it came from.
        """
        return Tacit(
            self._store,
            name,
            embedder=self._embedder,
            config=self._config,
            clock=self._clock,
            new_id=self._new_id,
            searcher=self._searcher,
            worker=self._worker,
        )

    def remember(
        self, content: str, *, by: Actor | str = Actor.USER, **fields: Unpack[Fields]
    ) -> Written:
        """Keep a statement; said again, it is recognised."""
        return self.remember_all([{"content": content, **fields}], by=by)[0]

    def remember_all(
        self, drafts: Iterable[str | Mapping[str, Any]], *, by: Actor | str = Actor.USER
    ) -> list[Written]:
        """Keep many statements in one transaction: all of them, or none."""
        if isinstance(drafts, str | Mapping):
            raise InvalidInput("drafts", "expected a list of texts or objects, not a single one")
        checked = [_draft(number, draft) for number, draft in enumerate(drafts)]
        embedded = self._embedding.of_new(checked)
        return self._write(by, lambda author: writing.remember_all(author, checked, embedded))

    def get(self, id: str) -> Memory:
        """One memory; a forgotten one is not found."""
        checked: str = check("id", id)
        memory = self._read(lambda unit: unit.memories.get([checked])).get(checked)
        if memory is None:
            raise NotFound(f"there is no memory {checked} in workspace {self.workspace!r}")
        if memory.forgotten:
            raise NotFound(f"memory {checked} was forgotten; restore brings it back")
        return memory

    def list(
        self,
        *,
        state: State | str | None = State.LIVE,
        types: Iterable[MemoryType | str] | None = None,
        scope: Scope | str | None = None,
        scope_id: str | None = None,
        agent: str | None = None,
        key: str | None = None,
        tag: str | None = None,
        pinned: bool | None = None,
        sort: Sort | str = Sort.RECENT,
        limit: int = 50,
        after: str | None = None,
    ) -> list[Memory]:
        """A page of memories; `after` is the id of the last one of the page before.

        `state=None` lists every state; `agent` lists what that agent may see.
        """
        named = {
            "state": state,
            "scope": scope,
            "scope_id": scope_id,
            "agent": agent,
            "key": key,
            "tag": tag,
            "pinned": pinned,
            "sort": sort,
            "limit": limit,
        }
        filters = {name: check(name, value) for name, value in named.items() if value is not None}
        query = Query(
            **{"state": None, **filters},
            now=self._clock(),
            types=None if types is None else check("types", types),
            after=None if after is None else check("id", after),
        )
        return self._read(lambda unit: _page(unit, query))

    def search(
        self,
        text: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        types: Iterable[MemoryType | str] | None = None,
        scope: Scope | str | None = None,
        scope_id: str | None = None,
        agent: str | None = None,
        min_confidence: float = 0.0,
        **settings: Any,
    ) -> SearchResult:
        """The memories that matter most for a text, best first.

        `settings` are those of `SearchSettings`, such as `max_results`. The modes `recent`,
        `important` and `typed` list by time, by importance and by type instead.
        """
        filter = Filter(
            now=self._clock(),
            types=None if types is None else check("types", types),
            scope=None if scope is None else check("scope", scope),
            scope_id=None if scope_id is None else check("scope_id", scope_id),
            agent=None if agent is None else check("agent", agent),
            min_confidence=check("confidence", min_confidence),
        )
        chosen = changed(self._current().search, settings)
        way = choice("mode", Mode, mode)
        if way is Mode.HYBRID:
            asked = check("text", text)
            return self._searcher.search(self.workspace, Question.of(asked), filter, chosen)
        return self._read(lambda unit: listed(unit, way, filter, chosen.max_results))

    def edit(self, id: str, *, by: Actor | str = Actor.USER, **changes: Any) -> Written:
        """Change the fields that are named; None empties a field that can be empty."""
        checked = check("id", id)
        embedded = self._embedding.of_change(checked, changes)

        def work(author: Author) -> Written:
            written = writing.edit(author, checked, changes)
            fresh = embedded.get(spoken(written.memory))
            if fresh is not None and written.status is writing.Status.UPDATED:
                author.unit.vectors.put(written.id, *fresh)
            return written

        return self._write(by, work)

    def forget(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        """Hide a memory from every read; `restore` brings it back."""
        checked = check("id", id)
        return self._write(by, lambda author: writing.forget(author, checked))

    def restore(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        """Bring back what was forgotten."""
        checked = check("id", id)
        return self._write(by, lambda author: writing.restore(author, checked))

    def erase(self, id: str, *, by: Actor | str = Actor.USER) -> Erasure:
        """Remove a memory and all traces of its words for good; says what went and what is left."""
        checked = check("id", id)
        removed = self._write(by, lambda author: writing.erase(author, checked))
        return Erasure(memory=checked, removed=removed, not_reached=self._store.purge())

    def forget_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        """Hide many memories in one transaction: all of them, or none."""
        checked = _ids(ids)
        return self._write(by, lambda author: [writing.forget(author, id) for id in checked])

    def restore_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        """Bring many memories back in one transaction: all of them, or none."""
        checked = _ids(ids)
        return self._write(by, lambda author: [writing.restore(author, id) for id in checked])

    def link(
        self,
        source: str,
        target: str,
        relation: Relation | str = Relation.RELATED_TO,
        *,
        weight: float = 0.5,
        by: Actor | str = Actor.USER,
    ) -> Association:
        """Relate two memories; a repeat changes the weight."""
        values = {"source": source, "target": target, "relation": relation, "weight": weight}
        edge = Association.from_dict(values)
        return self._write(by, lambda author: writing.link(author, edge))

    def unlink(
        self,
        source: str,
        target: str,
        relation: Relation | str = Relation.RELATED_TO,
        *,
        by: Actor | str = Actor.USER,
    ) -> None:
        """Remove an association."""
        ends = check("id", source), check("id", target)
        kind = check("relation", relation)
        self._write(by, lambda author: writing.unlink(author, *ends, kind))

    def links(self, id: str) -> Sequence[Association]:
        """The associations at a memory, in both directions."""
        memory = self.get(id)
        return self._read(lambda unit: unit.associations.of(memory.id))

    def graph(
        self, id: str, *, depth: int = 1, limit: int = 100, agent: str | None = None
    ) -> Graph:
        """The memories around one that are so many steps away at most, nearest first.

        `agent` leaves out what is another agent's own.
        """
        memory = self.get(id)
        size = check("limit", limit)
        if not 1 <= depth <= _DEEPEST:
            raise InvalidInput("depth", f"expected a whole number from 1 to {_DEEPEST}")
        find = partial(around, depth=depth, limit=size, agent=agent, now=self._clock())
        return self._read(lambda unit: find(unit, memory.id))

    def check_visible(self, ids: Iterable[str], agent: str) -> None:
        """Refuse ids of memories that are another agent's own, as if they were not there."""
        known = self._read(lambda unit: unit.memories.get(_ids(ids)))
        for memory in known.values():
            if memory.agent not in (None, agent):
                raise NotFound(f"there is no memory {memory.id} in workspace {self.workspace!r}")

    def history(self, id: str) -> Sequence[AuditEntry]:
        """Every change of a memory, oldest first; forgotten and erased ones have one too."""
        checked = check("id", id)
        entries = self._read(lambda unit: unit.audit.of(checked))
        if not entries:
            raise NotFound(f"there is no memory {checked} in workspace {self.workspace!r}")
        return entries

    def reviews(self, *, limit: int = 50, after: str | None = None) -> Sequence[Review]:
        """Changes that wait for a person, oldest first."""
        size = check("limit", limit)
        last = None if after is None else check("id", after)
        return self._read(lambda unit: unit.reviews.pending(last, size))

    def conflicts(
        self, *, limit: int = 50, after: str | None = None, agent: str | None = None
    ) -> Sequence[Conflict]:
        """Live memories that cannot all be current, though somebody may see them together.

        `after` is the id of the last conflict of the page before; `agent` leaves out what is
        another agent's own.
        """
        size, now = check("limit", limit), self._clock()
        who = check("agent", agent)
        return self._read(
            lambda unit: conflicts(Reader(unit=unit, now=now, agent=who), size, after)
        )

    def resolve(
        self,
        *,
        keep: str | None = None,
        supersede: Iterable[str] = (),
        keep_both: Iterable[str] = (),
        reason: str = "",
        by: Actor | str = Actor.USER,
    ) -> Sequence[Written]:
        """End a conflict: `keep` replaces those to `supersede`, or all of `keep_both` are right.

        What became of each memory but `keep`; what only a person may decide becomes a review.
        """
        losers, right = _ids(supersede), _ids(keep_both)
        why = check("reason", reason)
        if (keep is None) == (not right) or (keep is None and losers):
            raise InvalidInput("keep", "give keep and supersede, or else keep_both")
        if keep is None:
            return self._write(by, lambda author: writing.keep_all(author, right, why))
        winner = check("id", keep)
        return self._write(by, lambda author: writing.supersede(author, winner, losers, why))

    def find_id(self, ending: str) -> str:
        """The one id that ends like this; people do not like to type whole ids."""
        if len(ending) < _SHORTEST_ENDING:
            problem = f"{ending!r} is too short; give at least {_SHORTEST_ENDING} last characters"
            raise InvalidInput("id", problem)
        ids = self._read(lambda unit: unit.memories.ending(ending.lower(), 2))
        if not ids:
            raise NotFound(
                f"no memory in workspace {self.workspace!r} has an id ending {ending!r};"
                " list shows them"
            )
        if len(ids) > 1:
            raise InvalidInput("id", f"several memories end in {ending!r}; give more of the id")
        return ids[0]

    def stats(self) -> Stats:
        """What the workspace holds, and where."""
        now = self._clock()
        counts = self._read(lambda unit: unit.counts(now))
        return Stats(workspace=self.workspace, counts=counts, store=self._store.describe())

    def export_to(self, target: Place, *, embeddings: bool = False) -> int:
        """Write everything as JSON Lines, to a path or a binary file; returns how many lines."""
        now = self._clock()
        with archive.writing(target) as file:
            return self._read(partial(archive.export, target=file, now=now, embeddings=embeddings))

    def import_from(
        self,
        source: Place,
        *,
        format: Format | str = Format.AUTO,
        by: Actor | str = Actor.IMPORT,
        progress: Callable[[int], None] = lambda _: None,
        **defaults: Unpack[Fields],
    ) -> ImportReport:
        """Take in lines of text or JSON from a path or a binary file.

        What is known is recognised, so after an interruption it is just run again. `defaults`
        are for lines that say nothing themselves; `progress` hears of bytes done.
        """
        importer = archive.Importer(self.workspace, defaults)
        with archive.reading(source) as file:
            for lines in archive.read_chunks(file, choice("format", Format, format)):
                records = importer.parse(lines)
                embedded = self._embedding.of_new(
                    [each for _, each in records if isinstance(each, Draft)]
                )
                work = partial(importer.write, records=records, embedded=embedded)
                importer.settle(self._write(by, work))
                progress(sum(line.size for line in lines))
        self._store.settle(self._workspace)
        return importer.report

    def embed_missing(self, *, progress: Callable[[int, int], None] = lambda *_: None) -> int:
        """Give every memory that has none a vector of this embedder's model; returns how many.

        After a change of model the words are searched meanwhile, and vectors are never mixed.
        """
        return self._embedding.fill(progress)

    def turn(
        self,
        *,
        session: str,
        text: Any,
        history: Sequence[Any] | None = (),
        agent: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        trigger: Trigger | str = Trigger.USER,
        **settings: Any,
    ) -> Turn:
        """Begin a turn: find what the agent should know for what is said now.

        `text` is what was said: text, a message, or several that arrived together. `history` are
        the messages before it, in OpenAI's shape, Anthropic's or our own; None where the host keeps
        them. `settings` are those of `InjectionSettings`, for this turn only.
        """
        asked = {
            "session": session,
            "text": text,
            "history": history,
            "agent": agent,
            "user": user,
            "project": project,
            "org": org,
            "trigger": trigger,
        }
        return self._conversations.turn(make_request(asked), settings)

    def preview(self, *, session: str, text: Any, **asked: Any) -> Prepared:
        """What `turn` would give, with the same arguments, without any effect.

        `scopes` and `types`, if given, are the only ones of which memories are thought.
        """
        named = {name: asked.pop(name) for name in PLACES if name in asked}
        request = make_request({"session": session, "text": text, **named})
        return self._conversations.preview(request, asked)

    def find_turn(self, id: str) -> OpenTurn | Receipt:
        """A turn by the id of its receipt: open, or over."""
        return self._conversations.find_turn(id)

    def commit_turn(self, id: str) -> Ended:
        """End a turn that any process began.

        `Turn.commit` does the same for who holds the turn.
        """
        return self._conversations.commit(id)

    def roll_back_turn(self, id: str) -> bool:
        """Leave no trace of a turn that any process began; tells whether it was open."""
        return self._conversations.roll_back(id)

    def warm(self) -> None:
        """Load the model and the workspace, so that the first turn need not wait for them."""
        self._conversations.warm()

    def sessions(self, *, limit: int = 50, after: str | None = None) -> Sequence[Session]:
        """The sessions that were active last, newest first.

        `after` is the `cursor` of the last one of the page before.
        """
        return self._conversations.sessions(limit, after)

    def session(self, id: str, *, agent: str | None = None) -> SessionReport:
        """What is known of a session: its blocks, its ledger and its last receipts.

        With an `agent`, blocks that hold another agent's own memories come without their words.
        """
        return self._conversations.session(id, agent)

    def reset_memory_injection_tracking(self, session: str) -> Reset:
        """Let a session be shown everything again; says how many memories that frees."""
        return self._conversations.reset(session)

    def clear(self, session: str) -> Reset:
        """The history of a session begins anew: all may come again, open turns never happened."""
        return self._conversations.clear(session)

    def compact(
        self,
        *,
        session: str,
        history: Sequence[Any],
        agent: str | None = None,
        level: Level | str | None = None,
        summarizer: Summarizer | None = None,
        wait: bool = True,
        **settings: Any,
    ) -> Compaction:
        """Make room in a history: its oldest part is summed up, as far as it fills the window.

        From .80 of `context_window` on the oldest 30% go, from .85 half, and from .95 half at once
        and without a summary; `level` decides instead. With `wait=False` a summary that is not
        urgent is written in the background and used by a later call.
        """
        return self._conversations.compact(
            session,
            history,
            agent=agent,
            level=level,
            summarizer=summarizer,
            wait=wait,
            overrides=settings,
        )

    def fork(self, session: str, into: str) -> Session:
        """Begin a branch of a session: it sees the blocks, and what it is shown is its own."""
        return self._conversations.fork(session, into)

    def pause(self, *, session: str | None = None, project: str | None = None) -> None:
        """Leave a session or a project alone: nothing is read for it and nothing is written."""
        self._conversations.pause(owner_of(session, project))

    def resume(self, *, session: str | None = None, project: str | None = None) -> bool:
        """Serve it again; tells whether it was paused."""
        return self._conversations.resume(owner_of(session, project))

    def receipts(
        self, *, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Sequence[Receipt]:
        """The accounts of the last turns, newest first; `after` goes on with those before it."""
        return self._conversations.receipts(session, limit, after)

    def receipt(self, id: str) -> Receipt:
        """The account of one turn."""
        return self._conversations.receipt(id)

    def mark_irrelevant(self, receipt: str, memory: str) -> None:
        """Say that a memory was of no use in a turn; for similar questions it counts less."""
        self._conversations.mark_irrelevant(receipt, memory)

    def events(self, *, after: int = 0, limit: int = 100) -> EventPage:
        """What happened in the workspace after an event, by any program, oldest first."""
        size = check("limit", limit)
        return self._read(lambda unit: events_after(unit, after, size))

    def note(self, kind: EventKind | str, data: Mapping[str, Any]) -> int:
        """Tell those who watch the workspace of something; returns the event's number."""
        what = choice("kind", EventKind, kind)
        with self._store.write(self._workspace) as unit:
            return unit.events.append(what, self._clock(), data)

    def prune_events(self, keep: int) -> int:
        """Drop all events but the newest; returns how many."""
        with self._store.write(self._workspace) as unit:
            return unit.events.prune(keep)

    def workspaces(self) -> Sequence[str]:
        """Every workspace of the store that was ever written to, by name."""
        return self._store.workspaces()

    @property
    def keys(self) -> Keyring:
        """The keys of the store, for every workspace."""
        return Keyring(self._store, self._clock)

    @property
    def answers(self) -> Answers:
        """Answers to requests that may come again."""
        return Answers(self._store, self._workspace, self._clock)

    def close(self) -> None:
        """Let go of the store; one that came from another leaves that to it."""
        if not self._is_view:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _current(self) -> Config:
        """The settings of now."""
        return self._config.current() if isinstance(self._config, LiveConfig) else self._config

    def _read(self, work: Callable[[Unit], Result]) -> Result:
        with self._store.read(self._workspace) as unit:
            return work(unit)

    def _write(self, by: Actor | str, work: Callable[[Author], Result]) -> Result:
        actor = check("by", by)
        changes: list[AuditEntry] = []
        with self._store.write(self._workspace) as unit:
            now = self._clock()
            result = work(
                Author(unit=unit, by=actor, now=now, new_id=self._new_id, noted=changes.append)
            )
            if changes:
                told = told_of(changes)
                unit.events.append(EventKind.MEMORIES_CHANGED, now, {"by": str(actor), **told})
            return result


def _ids(ids: Iterable[str]) -> list[str]:
    if isinstance(ids, str):
        raise InvalidInput("ids", "expected a list of ids, not a single one")
    return [check("id", each) for each in ids]


def _page(unit: Unit, query: Query) -> list[Memory]:
    if query.after is not None and not unit.memories.get([query.after]):
        raise NotFound(f"there is no memory {query.after} to go on after; start from the top")
    return unit.memories.find(query)


def _draft(number: int, draft: str | Mapping[str, Any]) -> Draft:
    if isinstance(draft, str):
        draft = {"content": draft}
    if not isinstance(draft, Mapping):
        raise InvalidInput(f"drafts[{number}]", "expected text or an object with a content")
    return Draft.of(draft)
