"""Transactions: several writes of a thread in one, and how long a writer waits for its turn."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any, TypeVar

from tacit.core.errors import StoreBusy
from tacit.runtime.workers import is_time_over, seconds_left
from tacit.store.protocols.store import UnitOfWork

UnitType = TypeVar("UnitType")
Begin = Callable[[str], AbstractContextManager[UnitType]]


class _SharedTransaction:
    """A transaction on one workspace that begins with the first write of its thread."""

    def __init__(self, workspace: str, first: Callable[[UnitOfWork], None]) -> None:
        self._workspace = workspace
        self._first = first
        self._store: object = None
        self.unit: Any = None
        self.failure: BaseException | None = None
        self.afterwards: list[Callable[[], None]] = []
        self.stack = ExitStack()

    def is_for(self, store: object, workspace: str) -> bool:
        """Whether reads and writes of this workspace belong to it."""
        return workspace == self._workspace and self._store in (None, store)

    @contextmanager
    def join(self, store: object, begin: Begin[UnitType]) -> Iterator[UnitType]:
        """Join the transaction; a failure inside one write fails all of them."""
        try:
            if self.unit is None:
                self._store = store
                self.unit = self.stack.enter_context(begin(self._workspace))
                self._first(self.unit)
            yield self.unit
        except BaseException as error:
            self.failure = error
            raise


class _ThreadState(threading.local):
    shared: _SharedTransaction | None = None


_current = _ThreadState()


@contextmanager
def shared_transaction(workspace: str, first: Callable[[UnitOfWork], None]) -> Iterator[None]:
    """Combine everything that this thread writes to a workspace in the block.

    The transaction begins with the first write, before which `first` is called, and ends with the
    block. Other threads and workspaces are not part of it: once it has begun, the block must not
    write to another workspace, nor wait for a thread that writes.
    """
    shared = _current.shared = _SharedTransaction(workspace, first)
    try:
        with shared.stack:
            yield
            if shared.failure is not None:
                raise shared.failure
    finally:
        _current.shared = None
    for call in shared.afterwards:
        call()


def call_after_commit(call: Callable[[], None]) -> None:
    """Call now, or once the transaction that this thread shares is committed."""
    if _current.shared is None:
        call()
    else:
        _current.shared.afterwards.append(call)


def join_write(
    store: object, workspace: str, begin: Begin[UnitType]
) -> AbstractContextManager[UnitType]:
    """The transaction that this thread shares, or one of its own."""
    shared = _current.shared
    if shared is None or not shared.is_for(store, workspace):
        return begin(workspace)
    return shared.join(store, begin)


def join_read(
    store: object, workspace: str, begin: Begin[UnitType]
) -> AbstractContextManager[UnitType]:
    """The transaction that this thread shares, once it has written, or one of its own."""
    shared = _current.shared
    if shared is None or shared.unit is None or not shared.is_for(store, workspace):
        return begin(workspace)
    return nullcontext(shared.unit)


WAIT_SECONDS = 30.0
"""How long a writer waits for others of its process; less if its deadline is earlier."""


@contextmanager
def hold_lock(lock: threading.Lock, seconds: float, place: object) -> Iterator[None]:
    """Hold a lock that must become free within this time and before the deadline."""
    if not lock.acquire(timeout=seconds_left(seconds)):
        raise StoreBusy(
            f"{place}: another thread has been writing for too long; nothing was changed, try again"
        )
    try:
        yield
    finally:
        lock.release()


def refuse_late_commit(place: object) -> None:
    """Raise if the deadline has passed, so that the work is rolled back."""
    if is_time_over():
        raise StoreBusy(f"{place}: the work took longer than its deadline; nothing was changed")
