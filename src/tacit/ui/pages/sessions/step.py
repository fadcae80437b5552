"""A turn on the timeline of a session."""

from collections.abc import Sequence

from nicegui.element import Element

from tacit.core.conversation.block import Block
from tacit.core.receipt.candidate import Candidate
from tacit.core.receipt.reason import reason_of
from tacit.core.receipt.receipt import Receipt
from tacit.turn.block import describe_trust
from tacit.ui.addresses import memory_at, receipt_at
from tacit.ui.kit.card import badge
from tacit.ui.kit.element import box, heading, link, say
from tacit.ui.kit.moment import moment
from tacit.ui.pages.sessions.course import Step
from tacit.ui.visit import Visit
from tacit.ui.words import Words

_SHOWN = 5


def show_step(visit: Visit, step: Step, blocks: Sequence[Block], words: Words) -> Element:
    """When it was, what was asked and injected, and its block."""
    state = "none" if step.block is None else step.block.state
    anchor = f"turn-{step.turn}" if step.is_counted else None
    made = box(f"step {state}", "li", id=anchor, tabindex="-1")
    with made, box("card"):
        with box("spread"):
            with box("row"):
                heading(step.name, 3)
                badge(step.told.word, step.told.tone, title=step.told.meaning)
                if step.receipt is not None:
                    moment(step.receipt.at)
            if step.receipt is not None:
                link("Why: open in the Inspector", receipt_at(visit, step.receipt.id))
        if step.receipt is not None:
            _receipt(visit, step.receipt, blocks, words)
        if step.outcome:
            say(step.outcome, "quiet", "p")
        if step.block is not None:
            _block(step.block)
    return made


def _receipt(visit: Visit, receipt: Receipt, blocks: Sequence[Block], words: Words) -> None:
    if receipt.query:
        say(receipt.query, "query breaking", "blockquote")
    if receipt.injected:
        say(_cost(receipt), "quiet", "p")
        _list(visit, receipt.injected[:_SHOWN], words)
        if rest := receipt.injected[_SHOWN:]:
            with box(tag="details"):
                say(f"{len(rest):,} more", tag="summary")
                _list(visit, rest, words)
    if receipt.pruned:
        turns = {block.id: block.turn for block in blocks}
        named = [f"turn {turns[id]}" if id in turns else id for id in receipt.pruned]
        say(f"Took out the block of {', '.join(named)} to make room.", "quiet", "p")
    if receipt.degraded:
        with box("row"):
            badge("Reduced", "warn", title="This turn went on without a part of memory.")
            say("; ".join(receipt.degraded), "quiet breaking")


def _cost(receipt: Receipt) -> str:
    count = len(receipt.injected)
    took = receipt.timings_ms.get("total")
    told = [
        f"{count:,} {'memory' if count == 1 else 'memories'} injected",
        f"{receipt.tokens:,} tokens",
        *([f"{took:,.0f} ms"] if took is not None else []),
        *([f"for {receipt.agent}"] if receipt.agent else []),
        *([f"{receipt.user} spoke"] if receipt.user else []),
    ]
    return ", ".join(told)


def _list(visit: Visit, candidates: Sequence[Candidate], words: Words) -> None:
    with box("injected", "ul"):
        for candidate in candidates:
            _injected(visit, candidate, words)


def _injected(visit: Visit, candidate: Candidate, words: Words) -> None:
    memory = words.known.get(candidate.memory)
    with box(tag="li"):
        badge(candidate.type, "neutral", title=reason_of(candidate))
        if memory is None:
            say("A memory that is no longer there", "quiet")
        else:
            link(memory.content, memory_at(visit, memory.id), "memory breaking")
            if (doubt := describe_trust(memory.trust, memory.source)) is not None:
                badge(doubt, "warn")


def _block(block: Block) -> None:
    with box(tag="details"):
        say(f"The block as the model saw it, #{block.id}", tag="summary")
        if block.placement.text:
            label = f"Block {block.id}"
            text = block.placement.text
            say(text, "block-text", "pre", tabindex="0", role="region", aria_label=label)
        else:
            say("Its words are erased, or another agent's own.", "quiet", "p")
