"""The ledger of a session: what it was shown, and what may be shown again."""

from collections.abc import Sequence, Set

from tacit.core.conversation.entry import Entry
from tacit.ui.addresses import memory_at
from tacit.ui.kit.card import badge, card, notice
from tacit.ui.kit.element import box, link, say
from tacit.ui.kit.moment import moment
from tacit.ui.kit.table import table
from tacit.ui.pages.sessions.course import again
from tacit.ui.visit import Visit
from tacit.ui.words import Words

_ABOUT = (
    "What the model was shown here, and whether it may be shown again. Where a client keeps the"
    " history by itself, as coding CLIs do, it may come again after the re-injection delay too."
)


def show_ledger(
    visit: Visit, ledger: Sequence[Entry], entries: Sequence[Entry], words: Words, turns: Set[int]
) -> None:
    """The last `entries` of a ledger, with links to those `turns` that are on the page."""
    with card("Ledger", _ABOUT):
        if not entries:
            say("Nothing was shown in this session yet.", "quiet", "p")
            return
        with table("Ledger", ("Memory", "Last shown", "May come again"), "ledger"):
            for entry in entries:
                _entry(visit, entry, words, is_shown=entry.turn in turns)
        total = len({entry.memory for entry in ledger})
        if total > len(entries):
            notice(f"The last {len(entries):,} of {total:,} memories are listed.", "neutral")


def _entry(visit: Visit, entry: Entry, words: Words, *, is_shown: bool) -> None:
    memory = words.known.get(entry.memory)
    told = again(entry, memory)
    with box(tag="tr"):
        with box("breaking", "th", scope="row"):
            if memory is None:
                say("No longer there", "quiet")
            else:
                link(memory.content, memory_at(visit, memory.id), "memory")
        with box(tag="td"):
            if is_shown:
                link(f"Turn {entry.turn}", f"#turn-{entry.turn}")
            else:
                say(f"Turn {entry.turn}")
        with box(tag="td"), box("row"):
            badge(told.word, told.tone)
            say(told.meaning, "quiet")
            if memory is not None and entry.pruned_at is not None:
                moment(entry.pruned_at)
