"""Deeds: what is done with many memories at once, and how each is put back as it was."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Protocol

from tacit.api.client.remote import RemoteTacit
from tacit.core.errors import LimitExceeded, NotAllowed, TacitError, Unanswered
from tacit.core.memory.kinds import State
from tacit.core.memory.record import Memory
from tacit.ui.pages.memories.outcome import Done, Outcome
from tacit.writing.outcome import Status, Written

_AT_ONCE = 200
_HOPELESS = (Unanswered, NotAllowed, LimitExceeded)
"""What the next ones would meet as well."""

_KEPT = "another memory of the user changed with it, so it stays assigned"
_MEANWHILE = "somebody changed it meanwhile, so it was left as it is"


@dataclass(frozen=True, slots=True)
class Step:
    """A piece of a deed: how many memories it is about, and what is done with them."""

    size: int
    act: Callable[[], Outcome]


class Deed(Protocol):
    """Something that is done with memories; `past` is what they are then."""

    @property
    def past(self) -> str:
        """In the past tense."""
        ...

    def steps(self, tacit: RemoteTacit, ids: Sequence[str]) -> Iterator[Step]:
        """What to do, one piece after another."""
        ...

    def back(self, tacit: RemoteTacit, done: Sequence[Done]) -> Iterator[Step]:
        """What to do to have it as it was."""
        ...


@dataclass(frozen=True, slots=True)
class Editing:
    """A change of fields; what has them already is left alone."""

    past: str
    changes: Callable[[Memory], Mapping[str, Any]]

    def steps(self, tacit: RemoteTacit, ids: Sequence[str]) -> Iterator[Step]:
        """Change each."""
        for id in ids:
            yield Step(1, partial(self._edit, tacit, id))

    def back(self, tacit: RemoteTacit, done: Sequence[Done]) -> Iterator[Step]:
        """Give each the values that it had."""
        for each in done:
            yield Step(1, partial(_give_back, tacit, each))

    def _edit(self, tacit: RemoteTacit, id: str) -> Outcome:
        memory = tacit.get(id)
        wanted = self.changes(memory)
        before = {name: getattr(memory, name) for name in wanted}
        if before == dict(wanted):
            return Outcome(unchanged=1)
        written = tacit.edit(id, **wanted)
        if written.status is Status.QUEUED:
            return Outcome(queued=1)
        after = {name: getattr(written.memory, name) for name in wanted}
        return Outcome(done=(Done(id, before, after),))


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Hiding memories."""

    past: str = "forgotten"

    def steps(self, tacit: RemoteTacit, ids: Sequence[str]) -> Iterator[Step]:
        """Forget them, many in one transaction."""
        return _together(tacit.forget_all, ids)

    def back(self, tacit: RemoteTacit, done: Sequence[Done]) -> Iterator[Step]:
        """Restore those that were not forgotten before."""
        return _together(tacit.restore_all, [each.id for each in done])


@dataclass(frozen=True, slots=True)
class Restoring:
    """Bringing forgotten memories back."""

    past: str = "restored"

    def steps(self, tacit: RemoteTacit, ids: Sequence[str]) -> Iterator[Step]:
        """Restore them, many in one transaction."""
        return _together(tacit.restore_all, ids)

    def back(self, tacit: RemoteTacit, done: Sequence[Done]) -> Iterator[Step]:
        """Forget those again that were forgotten before."""
        return _together(tacit.forget_all, [each.id for each in done])


@dataclass(frozen=True, slots=True)
class Assigning:
    """Giving memories to a user."""

    user: str

    @property
    def past(self) -> str:
        """In the past tense."""
        return f"assigned to {self.user}"

    def steps(self, tacit: RemoteTacit, ids: Sequence[str]) -> Iterator[Step]:
        """Assign each, so that its owner before is known."""
        for id in ids:
            yield Step(1, partial(self._assign, tacit, id))

    def back(self, tacit: RemoteTacit, done: Sequence[Done]) -> Iterator[Step]:
        """Give each to the owner that it had, unless another memory changed with it."""
        for each in done:
            yield Step(1, partial(_give_back if each.before else _keep, tacit, each))

    def _assign(self, tacit: RemoteTacit, id: str) -> Outcome:
        before = tacit.get(id).scope_id
        done = tacit.assign(self.user, ids=[id])
        if done.queued or done.unchanged:
            return Outcome(queued=done.queued, unchanged=done.unchanged)
        if done.superseded or not done.assigned:
            return Outcome(done=(Done(id),))
        return Outcome(done=(Done(id, {"scope_id": before}, {"scope_id": self.user}),))


def pinning(pinned: bool) -> Editing:
    """Always in view from now on, or not any more."""
    return Editing("pinned" if pinned else "unpinned", lambda _: {"pinned": pinned})


def expiring(now: datetime) -> Editing:
    """Over from this moment on; what is over already stays as it is."""

    def changes(memory: Memory) -> Mapping[str, Any]:
        is_over = memory.state(now) is State.PAST
        return {"expires_at": memory.expires_at if is_over else now}

    return Editing("expired", changes)


def weighing(importance: float) -> Editing:
    """Another importance."""
    return Editing(f"set to importance {importance:g}", lambda _: {"importance": importance})


def tagging(tag: str) -> Editing:
    """One more tag."""

    def changes(memory: Memory) -> Mapping[str, Any]:
        return {"tags": memory.tags if tag in memory.tags else (*memory.tags, tag)}

    return Editing(f"tagged {tag}", changes)


def run(step: Step) -> tuple[Outcome, bool]:
    """Do one step; what became of it, and whether it makes sense to go on."""
    try:
        return step.act(), True
    except TacitError as error:
        failed = Outcome(failures=(str(error),) * step.size)
        return failed, not isinstance(error, _HOPELESS)


def _together(
    act: Callable[[Sequence[str]], Sequence[Written]], ids: Sequence[str]
) -> Iterator[Step]:
    for start in range(0, len(ids), _AT_ONCE):
        piece = ids[start : start + _AT_ONCE]
        yield Step(len(piece), partial(_counted, act, piece))


def _counted(act: Callable[[Sequence[str]], Sequence[Written]], ids: Sequence[str]) -> Outcome:
    written = act(ids)
    statuses = [each.status for each in written]
    settled = (Status.QUEUED, Status.UNCHANGED)
    return Outcome(
        done=tuple(Done(each.id) for each in written if each.status not in settled),
        unchanged=statuses.count(Status.UNCHANGED),
        queued=statuses.count(Status.QUEUED),
    )


def _keep(_tacit: RemoteTacit, _done: Done) -> Outcome:
    return Outcome(failures=(_KEPT,))


def _give_back(tacit: RemoteTacit, done: Done) -> Outcome:
    """Put the old values back, unless somebody has changed them meanwhile."""
    memory = tacit.get(done.id)
    if any(getattr(memory, name) != value for name, value in done.after.items()):
        return Outcome(failures=(_MEANWHILE,))
    tacit.edit(done.id, **done.before)
    return Outcome(done=(done,))
