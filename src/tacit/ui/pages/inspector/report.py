"""What surrounds the account of a turn: what is different, what is amiss, and how it searched."""

from collections.abc import Mapping, Sequence

from tacit.core.memory.record import Memory
from tacit.core.receipt.receipt import Receipt
from tacit.turn.block import shorten
from tacit.ui.kit.bar import bar
from tacit.ui.kit.card import badge, card, notice
from tacit.ui.kit.element import box, heading, say
from tacit.ui.pages.inspector.difference import Change, Difference

MOST_CHANGES = 20
_FEW_CHANGES = 6
_LONGEST = 160
_WHOLE = "total"


def tell_difference(title: str, found: Difference, memories: Mapping[str, Memory]) -> None:
    """Lines that came and went, tokens before and after, and fates that changed."""
    before, after = found.tokens
    with card(classes="difference"):
        with box("spread"):
            heading(title)
            say(f"{before:,} → {after:,} tokens", "tokens")
        if found.is_none:
            say("Nothing is different.", "quiet", "p")
            return
        if found.came or found.went:
            with box("lines", role="region", tabindex="0", aria_label="Lines that went and came"):
                for line in found.went:
                    _line("−", line, "went")
                for line in found.came:
                    _line("+", line, "came")
        else:
            say("The block is the same.", "quiet", "p")
        if found.changes:
            _changes(found.changes, memories)


def tell_degraded(receipt: Receipt) -> None:
    """What was left out or late, if anything was."""
    if receipt.degraded:
        notice("; ".join(receipt.degraded), "warn", "Parts of this turn are missing or were late")


def tell_search(receipt: Receipt) -> None:
    """What was really searched for, and how long each stage took."""
    with box("columns"):
        with card("Searched with"), box("rows", "dl"):
            _row("message", receipt.query or "nothing")
            _row("kind of request", receipt.kind)
            _row("from before", ", ".join(receipt.context) or "nothing")
            if receipt.notes:
                _row("notes", "; ".join(receipt.notes))
            if receipt.unseen is not None and (unseen := receipt.unseen.sentence(receipt.user)):
                _row("not seen", unseen)
            if receipt.pruned:
                _row("blocks that leave", ", ".join(receipt.pruned))
        if receipt.timings_ms:
            with card("Time"), box("timings"):
                _timings(receipt.timings_ms)


def _timings(timings: Mapping[str, float]) -> None:
    whole = timings.get(_WHOLE) or sum(timings.values()) or 1.0
    for name, took in timings.items():
        bar(
            took / whole,
            name,
            tone="neutral" if name == _WHOLE else "accent",
            shown=f"{took:.1f} ms",
        )


def _line(sign: str, text: str, classes: str) -> None:
    with box(f"line {classes}"):
        say(sign, "sign")
        say(text, "text")


def _changes(changes: Sequence[Change], memories: Mapping[str, Memory]) -> None:
    with box("fold", "details", open=len(changes) <= _FEW_CHANGES):
        say(_counted(len(changes)), tag="summary")
        with box("changes", "ul", aria_label="Fates that changed"):
            for change in changes[:MOST_CHANGES]:
                with box(tag="li"):
                    memory = memories.get(change.memory)
                    say(_named(memory) if memory else "a memory that is gone")
                    badge(change.told(), "accent" if change.is_seen else "neutral")
        rest = len(changes) - MOST_CHANGES
        if rest > 0:
            say(f"And {rest:,} more.", "quiet", "p")


def _counted(count: int) -> str:
    return (
        "1 candidate has another fate" if count == 1 else f"{count:,} candidates have another fate"
    )


def _named(memory: Memory) -> str:
    """A memory in short, under its key if it has one."""
    content = shorten(memory.content, _LONGEST)
    return content if memory.key is None else f"{memory.key}: {content}"


def _row(name: str, said: str) -> None:
    say(name, tag="dt")
    say(said, "breaking", "dd")
