"""Checks of the last days: hooks without an answer, and turns without a part of memory."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from tacit.cli.doctor.findings import DoctorFinding, Installation, ok_finding, warning_finding
from tacit.cli.doctor.store_access import open_store_unchanged, store_place, workspaces_to_check
from tacit.cli.output import format_count
from tacit.core.errors import InvalidInput
from tacit.core.receipt import Receipt
from tacit.core.times import parse_time
from tacit.runtime.clock import system_clock
from tacit.runtime.files import default_log_path, read_start
from tacit.runtime.prompt_spool import PromptSpool
from tacit.store.protocols.store import Store

_DAYS = 7
_MOST_CAUSES = 3

# Hooks, as the log of the daemon tells


_LOG_FILES = ("daemon.log.3", "daemon.log.2", "daemon.log.1", "daemon.log")
_LOG_BYTES = 4 * 1024 * 1024
_LINE = re.compile(r"(\S+Z) (?:\w+) +(.*)")
_ANSWERED = re.compile(r"an event of [\w-]+ took \d+ ms")
_UNANSWERED = (
    re.compile(r"the hook (took longer than .*), and was given up"),
    re.compile(r"the hook (failed: .*)"),
    re.compile(r"an event of [\w-]+ was (?:left alone|not handled): (.*)"),
    re.compile(r"the daemon (refused an event \(\d+\))"),
)
_IN_DAEMON = ("while the daemon handled it", "left alone", "not handled")
"""Events that the daemon counts too, once it is through with them."""


def check_hooks(installation: Installation) -> Iterator[DoctorFinding]:
    """How many hooks got no answer in the last days, and why; how many prompts wait."""
    answered = unanswered = 0
    causes: Counter[str] = Counter()
    for message in _recent_messages(default_log_path().parent):
        answered += _ANSWERED.match(message) is not None
        for cause in (found[1] for each in _UNANSWERED if (found := each.match(message))):
            causes[cause] += 1
            unanswered += not any(part in message for part in _IN_DAEMON)
    if causes:
        lost = causes.total()
        yield warning_finding(
            "hooks",
            f"{_share(lost, answered + unanswered, 'hook')} got no answer in the last {_DAYS}"
            f" days: {_describe(causes)}",
            f"their prompts are recorded later; if it happens often, see {default_log_path()}, and"
            " give hooks more time with TACIT_HOOKS_SECONDS",
        )
    elif answered:
        yield ok_finding("hooks", f"{format_count(answered, 'event')} answered in {_DAYS} days")
    waiting = len(_spool(installation).prompts())
    if waiting:
        yield ok_finding("hooks", f"{format_count(waiting, 'prompt')} to be recorded by the daemon")


def _spool(installation: Installation) -> PromptSpool:
    return PromptSpool.of_database(store_place(installation), os.environ)


def _recent_messages(folder: Path) -> Iterator[str]:
    """The messages of the last days in the log and those before it."""
    since = _since()
    for name in _LOG_FILES:
        try:
            lines = read_start(folder / name, _LOG_BYTES).decode(errors="replace").splitlines()
        except OSError:
            continue
        for line in lines:
            found = _LINE.match(line)
            if found and _is_after(found[1], since):
                yield found[2]


def _is_after(written: str, since: datetime) -> bool:
    try:
        return parse_time("at", written) >= since
    except InvalidInput:
        return False


# Turns, as their receipts tell


_MOST_TURNS = 2_000
_PAGE = 100


def check_turns(installation: Installation) -> Iterator[DoctorFinding]:
    """How many turns of the last days went without a part of memory, and which part."""
    turns = degraded = 0
    causes: Counter[str] = Counter()
    with open_store_unchanged(installation) as store:
        for receipt in () if store is None else _recent_receipts(store):
            turns += 1
            degraded += bool(receipt.degraded)
            causes.update(receipt.degraded)
    if degraded:
        yield warning_finding(
            "turns",
            f"{_share(degraded, turns, 'turn')} of the last {_DAYS} days went without a part of"
            f" memory: {_describe(causes)}",
            "see one with tacit last; if parts are late, give turns more time: tacit settings set"
            " deadline_ms 500",
        )
    elif turns:
        yield ok_finding("turns", f"{format_count(turns, 'turn')} in {_DAYS} days, all complete")


def _recent_receipts(store: Store) -> Iterator[Receipt]:
    """The receipts of the last days, up to a limit in each workspace."""
    since = _since()
    for name in workspaces_to_check(store)[0]:
        after = None
        for _ in range(_MOST_TURNS // _PAGE):
            with store.read(name) as unit:
                page = unit.receipts.recent(None, _PAGE, after)
            recent = [each for each in page if each.at >= since]
            yield from recent
            if len(recent) < _PAGE:
                break
            after = page[-1].id


def _since() -> datetime:
    return system_clock() - timedelta(days=_DAYS)


def _share(count: int, total: int, noun: str) -> str:
    whole = max(count, total)
    return f"{count:,} of {format_count(whole, noun)} ({count / whole:.0%})"


def _describe(causes: Counter[str]) -> str:
    """The commonest causes with their counts."""
    told = [f"{count:,} × {cause}" for cause, count in causes.most_common(_MOST_CAUSES)]
    more = len(causes) - len(told)
    return "; ".join([*told, *([f"and {more} other causes"] if more > 0 else [])])
