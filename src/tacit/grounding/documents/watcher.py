"""The watcher: one thread that sees every change in the folders whose documents are used."""

import logging
import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tacit.core.errors import StoreClosed

_log = logging.getLogger("tacit.documents")

_DEBOUNCE_MS = 400
_STEP_MS = 50
_LOOK_MS = 500
"""So often it looks whether folders came or went."""

_LOOKS = 10
"""After so many looks it asks whether others were added meanwhile, by another process too."""

_PAUSE = 1.0
_LAST_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedWorkspace:
    """What is watched for one workspace, and its callbacks."""

    roots: Callable[[], tuple[str, ...]]
    catch_up: Callable[[Callable[[], bool]], object]
    """Brings everything up to date; asks whether it should stop."""
    changed: Callable[[frozenset[str]], object]


class Watcher:
    """Watches the documents of workspaces from their first use until it is closed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._followed: dict[str, WatchedWorkspace] = {}
        self._closed = threading.Event()
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None

    def follow(self, workspace: str, followed: WatchedWorkspace) -> None:
        """Watch a workspace; does nothing if it is watched already."""
        with self._lock:
            if workspace in self._followed or self._closed.is_set():
                return
            self._followed[workspace] = followed
            self._wake.set()
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._work, name="tacit-documents", daemon=True
                )
                self._thread.start()

    def look_again(self) -> None:
        """Take note that folders were added or removed."""
        self._wake.set()

    def close(self) -> None:
        """Stop watching."""
        with self._lock:
            self._closed.set()
            self._wake.set()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(_LAST_SECONDS)

    def _work(self) -> None:
        while not self._closed.is_set():
            try:
                self._watch()
            except StoreClosed:
                return
            except Exception as error:
                _log.warning("documents are not watched for now: %s", error)
                self._closed.wait(_PAUSE)

    def _watch(self) -> None:
        """Watch until the set of folders changes."""
        from watchfiles import watch  # takes as long to import as all of memory

        self._wake.clear()
        named = self._named()
        there = _existing_folders(named)
        self._catch_up()
        if not there:
            self._wake.wait(_PAUSE)
            return
        seen = watch(
            *there,
            watch_filter=None,
            debounce=_DEBOUNCE_MS,
            step=_STEP_MS,
            rust_timeout=_LOOK_MS,
            stop_event=self._wake,
            yield_on_timeout=True,
            raise_interrupt=False,
            ignore_permission_denied=True,
        )
        for count, changes in enumerate(seen):
            if count == 0:  # what changed between looking and watching
                self._catch_up()
            elif changes:
                self._tell(frozenset(path for _, path in changes))
            is_time = count % _LOOKS == _LOOKS - 1
            if _existing_folders(named) != there or (is_time and self._named() != named):
                return

    def _named(self) -> frozenset[str]:
        return frozenset(root for each in self._all() for root in each.roots())

    def _catch_up(self) -> None:
        for each in self._all():
            each.catch_up(self._closed.is_set)

    def _tell(self, paths: frozenset[str]) -> None:
        for each in self._all():
            own = frozenset(_select_below(paths, each.roots()))
            if own:
                each.changed(own)

    def _all(self) -> list[WatchedWorkspace]:
        with self._lock:
            return list(self._followed.values())


def _existing_folders(roots: Iterable[str]) -> frozenset[str]:
    return frozenset(root for root in roots if Path(root).is_dir())


def _select_below(paths: Iterable[str], roots: tuple[str, ...]) -> list[str]:
    return [
        path
        for path in paths
        if any(path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)
    ]
