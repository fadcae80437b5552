"""Actions on many memories at once, their result, and how each is undone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Protocol, Self

from tacit.api.client.remote import RemoteTacit
from tacit.core.errors import LimitExceeded, NotAllowed, TacitError, Unanswered
from tacit.core.kinds import State
from tacit.core.memory import Memory
from tacit.writing.draft import Status, Written


@dataclass(frozen=True, slots=True)
class ChangedMemory:
    """A changed memory: its values before and after."""

    id: str
    before: Mapping[str, Any] = field(default_factory=dict, hash=False)
    after: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkResult:
    """How many memories changed, already matched, await review, failed, or were not tried."""

    done: tuple[ChangedMemory, ...] = ()
    unchanged: int = 0
    queued: int = 0
    failures: tuple[str, ...] = ()
    untried: int = 0

    def __add__(self, other: Self) -> Self:
        return type(self)(
            done=self.done + other.done,
            unchanged=self.unchanged + other.unchanged,
            queued=self.queued + other.queued,
            failures=self.failures + other.failures,
            untried=self.untried + other.untried,
        )

    @property
    def tried(self) -> int:
        """How many were processed."""
        return len(self.done) + self.unchanged + self.queued + len(self.failures)

    @property
    def is_complete(self) -> bool:
        """Whether nothing failed and nothing is left."""
        return not self.failures and not self.untried

    def to_text(self, past_tense: str) -> str:
        """The result in a sentence or two."""
        parts = [f"{memory_count(len(self.done))} {past_tense}"]
        if self.unchanged:
            parts.append(f"{self.unchanged:,} as wished already")
        if self.queued:
            parts.append(f"{self.queued:,} waiting for a person at Review")
        if self.untried:
            parts.append(f"{self.untried:,} not tried")
        sentence = ", ".join(parts) + "."
        if not self.failures:
            return sentence
        reasons = "; ".join(dict.fromkeys(self.failures))
        return f"{sentence} {len(self.failures):,} failed: {reasons}"


def memory_count(number: int) -> str:
    """A number of memories in words."""
    return "1 memory" if number == 1 else f"{number:,} memories"


_BATCH_SIZE = 200
_FATAL_ERRORS = (Unanswered, NotAllowed, LimitExceeded)
"""Errors that all further steps would meet as well."""

_STAYS_ASSIGNED = "another memory of the user changed with it, so it stays assigned"
_CHANGED_MEANWHILE = "somebody changed it meanwhile, so it was left as it is"


@dataclass(frozen=True, slots=True)
class BulkStep:
    """A step of an action: how many memories it covers, and the function that does it."""

    size: int
    act: Callable[[], BulkResult]


class BulkAction(Protocol):
    """An action on memories; `past_tense` describes them afterwards."""

    @property
    def past_tense(self) -> str:
        """The action in the past tense."""
        ...

    def steps(self, tacit: RemoteTacit, ids: Sequence[str]) -> Iterator[BulkStep]:
        """The steps that do it."""
        ...

    def undo_steps(self, tacit: RemoteTacit, done: Sequence[ChangedMemory]) -> Iterator[BulkStep]:
        """The steps that undo it."""
        ...


@dataclass(frozen=True, slots=True)
class BulkEdit:
    """A change of fields; memories that have the values already are left alone."""

    past_tense: str
    changes: Callable[[Memory], Mapping[str, Any]]

    def steps(self, tacit: RemoteTacit, ids: Sequence[str]) -> Iterator[BulkStep]:
        """Edit each memory."""
        for id in ids:
            yield BulkStep(1, partial(self._edit, tacit, id))

    def undo_steps(self, tacit: RemoteTacit, done: Sequence[ChangedMemory]) -> Iterator[BulkStep]:
        """Restore the earlier values of each memory."""
        for each in done:
            yield BulkStep(1, partial(_restore_values, tacit, each))

    def _edit(self, tacit: RemoteTacit, id: str) -> BulkResult:
        memory = tacit.get(id)
        wanted = self.changes(memory)
        before = {name: getattr(memory, name) for name in wanted}
        if before == dict(wanted):
            return BulkResult(unchanged=1)
        written = tacit.edit(id, **wanted)
        if written.status is Status.QUEUED:
            return BulkResult(queued=1)
        after = {name: getattr(written.memory, name) for name in wanted}
        return BulkResult(done=(ChangedMemory(id, before, after),))


@dataclass(frozen=True, slots=True)
class BulkForget:
    """Forget memories."""

    past_tense: str = "forgotten"

    def steps(self, tacit: RemoteTacit, ids: Sequence[str]) -> Iterator[BulkStep]:
        """Forget them in batches, each in one transaction."""
        return _batch_steps(tacit.memories.forget_all, ids)

    def undo_steps(self, tacit: RemoteTacit, done: Sequence[ChangedMemory]) -> Iterator[BulkStep]:
        """Restore those that this action forgot."""
        return _batch_steps(tacit.memories.restore_all, [each.id for each in done])


@dataclass(frozen=True, slots=True)
class BulkRestore:
    """Restore forgotten memories."""

    past_tense: str = "restored"

    def steps(self, tacit: RemoteTacit, ids: Sequence[str]) -> Iterator[BulkStep]:
        """Restore them in batches, each in one transaction."""
        return _batch_steps(tacit.memories.restore_all, ids)

    def undo_steps(self, tacit: RemoteTacit, done: Sequence[ChangedMemory]) -> Iterator[BulkStep]:
        """Forget again those that this action restored."""
        return _batch_steps(tacit.memories.forget_all, [each.id for each in done])


@dataclass(frozen=True, slots=True)
class BulkAssign:
    """Assign memories to a user."""

    user: str

    @property
    def past_tense(self) -> str:
        """The action in the past tense."""
        return f"assigned to {self.user}"

    def steps(self, tacit: RemoteTacit, ids: Sequence[str]) -> Iterator[BulkStep]:
        """Assign one by one, so that the owner before is known."""
        for id in ids:
            yield BulkStep(1, partial(self._assign, tacit, id))

    def undo_steps(self, tacit: RemoteTacit, done: Sequence[ChangedMemory]) -> Iterator[BulkStep]:
        """Restore the owner of each, unless another memory changed with it."""
        for each in done:
            yield BulkStep(
                1, partial(_restore_values if each.before else _refuse_undo, tacit, each)
            )

    def _assign(self, tacit: RemoteTacit, id: str) -> BulkResult:
        before = tacit.get(id).scope_id
        done = tacit.memories.assign(self.user, ids=[id])
        if done.queued or done.unchanged:
            return BulkResult(queued=done.queued, unchanged=done.unchanged)
        if done.superseded or not done.assigned:
            return BulkResult(done=(ChangedMemory(id),))
        return BulkResult(done=(ChangedMemory(id, {"scope_id": before}, {"scope_id": self.user}),))


def pin_action(pinned: bool) -> BulkEdit:
    """Pin or unpin."""
    return BulkEdit("pinned" if pinned else "unpinned", lambda _: {"pinned": pinned})


def expire_action(now: datetime) -> BulkEdit:
    """Let memories expire now; expired ones are left alone."""

    def changes(memory: Memory) -> Mapping[str, Any]:
        is_over = memory.state(now) is State.PAST
        return {"expires_at": memory.expires_at if is_over else now}

    return BulkEdit("expired", changes)


def importance_action(importance: float) -> BulkEdit:
    """Set the importance."""
    return BulkEdit(f"set to importance {importance:g}", lambda _: {"importance": importance})


def tag_action(tag: str) -> BulkEdit:
    """Add a tag."""

    def changes(memory: Memory) -> Mapping[str, Any]:
        return {"tags": memory.tags if tag in memory.tags else (*memory.tags, tag)}

    return BulkEdit(f"tagged {tag}", changes)


def run_step(step: BulkStep) -> tuple[BulkResult, bool]:
    """Run a step; returns its result, and whether further steps make sense."""
    try:
        return step.act(), True
    except TacitError as error:
        failed = BulkResult(failures=(str(error),) * step.size)
        return failed, not isinstance(error, _FATAL_ERRORS)


def _batch_steps(
    act: Callable[[Sequence[str]], Sequence[Written]], ids: Sequence[str]
) -> Iterator[BulkStep]:
    for start in range(0, len(ids), _BATCH_SIZE):
        piece = ids[start : start + _BATCH_SIZE]
        yield BulkStep(len(piece), partial(_run_batch, act, piece))


def _run_batch(act: Callable[[Sequence[str]], Sequence[Written]], ids: Sequence[str]) -> BulkResult:
    written = act(ids)
    statuses = [each.status for each in written]
    settled = (Status.QUEUED, Status.UNCHANGED)
    return BulkResult(
        done=tuple(ChangedMemory(each.id) for each in written if each.status not in settled),
        unchanged=statuses.count(Status.UNCHANGED),
        queued=statuses.count(Status.QUEUED),
    )


def _refuse_undo(_tacit: RemoteTacit, _done: ChangedMemory) -> BulkResult:
    return BulkResult(failures=(_STAYS_ASSIGNED,))


def _restore_values(tacit: RemoteTacit, done: ChangedMemory) -> BulkResult:
    """Restore the earlier values, unless somebody changed them meanwhile."""
    memory = tacit.get(done.id)
    if any(getattr(memory, name) != value for name, value in done.after.items()):
        return BulkResult(failures=(_CHANGED_MEANWHILE,))
    tacit.edit(done.id, **done.before)
    return BulkResult(done=(done,))
