"""Judges a run: what the journals say was acknowledged against what the store says now."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tacit import FakeEmbedder, Tacit
from tacit.core.memory import Memory
from tacit.core.sessions import BlockState, Session
from tacit.turn.session_view import SessionReport
from tests.fire.context import shown_in, shown_twice
from tests.fire.conversations import Conversation, Conversations
from tests.fire.journal import Attempt, attempts
from tests.fire.worker import SETTINGS, THINGS

_MOST = 1_000


@dataclass(frozen=True)
class Outage:
    """When nothing could answer: from the order to stop until connections were taken again."""

    down: float
    up: float

    def excuses(self, attempt: Attempt, notice: float) -> bool:
        return attempt.begun < self.up + notice and attempt.ended > self.down


@dataclass(frozen=True)
class Verdict:
    """The figures of a run."""

    attempts: Counter[str]
    errors: int
    noticed: float
    slowest: float

    @property
    def turns(self) -> int:
        return self.attempts["commit"]


def judge(
    database: str, folder: Path, outages: Sequence[Outage] = (), notice: float = 0.0
) -> Verdict:
    """Check everything; raises where the store broke a promise."""
    journals = [attempts(path) for path in sorted(folder.glob("*.journal"))]
    tried = [attempt for journal in journals for attempt in journal]
    with Tacit.open(database, embedder=FakeEmbedder()) as tacit:
        _check_memories(tacit, journals)
        _check_contexts(tried)
        for conversation in Conversations(folder).everything():
            _check_next_turn(tacit, conversation)
            _check_session(tacit, conversation.session, tried)
    failed = [attempt for attempt in tried if attempt.error]
    calm = [each for each in failed if not any(out.excuses(each, notice) for out in outages)]
    assert calm == [], calm[:5]
    return Verdict(
        attempts=Counter(attempt.what for attempt in tried if attempt.is_acknowledged),
        errors=len(failed),
        noticed=max((_delay(each, outages) for each in failed), default=0.0),
        slowest=max(each.seconds for each in tried if each.is_acknowledged),
    )


def _delay(failed: Attempt, outages: Sequence[Outage]) -> float:
    """How long after the end of the outage a call began that failed for it."""
    return min((max(failed.begun - each.up, 0.0) for each in outages), default=0.0)


def _check_memories(tacit: Tacit, journals: Sequence[Sequence[Attempt]]) -> None:
    """Every memory says what its last acknowledged write says, or what an unanswered one says."""
    stored = {memory.id: (memory.content, memory.forgotten) for memory in _memories(tacit)}
    for journal in journals:
        for id, possible in _written(journal).items():
            assert stored.get(id) in possible, (id, stored.get(id), possible)


def _written(journal: Sequence[Attempt]) -> dict[str, set[tuple[str, bool]]]:
    """What a worker's memories may say: its contents, each forgotten or not."""
    possible: dict[str, set[tuple[str, bool]]] = {}
    for each in journal:
        if each.what == "remember" and each.is_acknowledged:
            possible[each.result["id"]] = {(each.given["content"], False)}
        elif each.what in ("edit", "forget"):
            id = each.given["id"]
            after = _after(each, possible[id])
            possible[id] = after if each.is_acknowledged else possible[id] | after
    return possible


def _after(change: Attempt, before: set[tuple[str, bool]]) -> set[tuple[str, bool]]:
    if change.what == "edit":
        return {(change.given["content"], False)}
    return {(content, True) for content, _ in before}


def _memories(tacit: Tacit) -> Iterator[Memory]:
    last = None
    while page := tacit.list(state=None, sort="created", limit=_MOST, after=last):
        yield from page
        last = page[-1].id


def _check_contexts(tried: Sequence[Attempt]) -> None:
    """No turn of the run had a memory in front of it twice."""
    begun = [each for each in tried if each.what == "begin" and each.result is not None]
    twice = [each for each in begun if each.result["twice"]]
    assert twice == [], twice[:3]


def _check_next_turn(tacit: Tacit, conversation: Conversation) -> None:
    """The conversation can go on, with what is not in front of the model already."""
    text = f"Which parcels hold {THINGS[0]}?"
    session, history = conversation.session, conversation.history
    with tacit.turn(session=session, text=text, history=history, **SETTINGS) as turn:
        assert turn.receipt.degraded == ()
        assert shown_twice(turn.messages) == []
        turn.commit("So it is.")
    assert sorted(shown_in(turn.history)) == sorted(shown_in(turn.messages))


def _check_session(tacit: Tacit, session: str, tried: Sequence[Attempt]) -> None:
    """Session, blocks, ledger and receipts tell one story, with all that was acknowledged in it."""
    report = tacit.sessions.get(session)
    receipts = {each.id: each for each in tacit.turns.list(session=session, limit=_MOST)}
    entries = defaultdict(set)
    for entry in report.ledger:
        entries[entry.block].add(entry.memory)
    for commit in [each for each in tried if each.what == "commit" and each.is_acknowledged]:
        if commit.given["session"] == session:
            block = commit.given["block"]
            assert receipts[commit.given["receipt"]].block == block, commit
            assert block is None or entries[block] == set(commit.given["memories"]), commit
    check_numbers(report.session, [receipts[id].turn for id in sorted(receipts)])
    check_ledger(report)


def check_numbers(session: Session, numbers: Sequence[int]) -> None:
    assert len(set(numbers)) == len(numbers), (session.id, numbers)
    assert session.turns == max(numbers), (session, numbers)


def check_ledger(report: SessionReport) -> None:
    """What was shown is in blocks that are known, and what is bound stands in one of them."""
    blocks = {block.id: block for block in report.blocks}
    unknown = [entry for entry in report.ledger if entry.block not in blocks]
    assert unknown == [], unknown[:3]
    bound = [entry for entry in report.ledger if entry.pruned_at is None]
    gone = [entry for entry in bound if blocks[entry.block].state is not BlockState.LIVE]
    assert gone == [], gone[:3]
    shown = Counter((entry.memory, entry.content_hash) for entry in bound)
    assert all(count == 1 for count in shown.values()), shown.most_common(3)
