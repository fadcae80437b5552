"""A turn's account as people see it: its block, every candidate with its fate, and the cost."""

from collections.abc import Iterator, Sequence

from rich.panel import Panel
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli.bars import bar
from tacit.cli.output import SHORT, TYPE_STYLES, console, short, shortened, table
from tacit.cli.visible import visible
from tacit.core.errors import NotFound
from tacit.core.memory import Memory
from tacit.core.receipt import Candidate, CandidateSource, Fate, Receipt
from tacit.turn.block import describe_trust

_CELLS = 5
_REFUSED = "red"
_FATE_STYLES = {
    Fate.INJECTED: "green",
    Fate.BELOW_FLOOR: "bright_black",
    Fate.SEEN_IN_WINDOW: "yellow",
    Fate.SAME_BATCH: "yellow",
    Fate.SAME_CONTENT: "yellow",
    Fate.NEAR_DUPLICATE: "yellow",
}
_LINKS = {
    Fate.INJECTED: "with",
    Fate.CONFLICT_OMITTED: "with",
    Fate.SAME_CONTENT: "of",
    Fate.NEAR_DUPLICATE: "of",
}
_SIGNALS = {
    "dense": "meaning",
    "lexical": "words",
    "neighbours": "around",
    "session": "session",
    "speaker": "speaker",
    "graph": "graph",
    "ranks": "ranks",
}


def last_receipt(tacit: Tacit, session: str | None = None) -> Receipt:
    """The account of the last turn that was committed."""
    found = tacit.receipts(session=session, limit=1)
    if found:
        return found[0]
    if session is None:
        raise NotFound(
            f"there was no turn in workspace {tacit.workspace!r} yet; explain shows what one would"
            " be"
        )
    raise NotFound(f"there was no turn in session {session!r}; tacit sessions lists the sessions")


def print_account(tacit: Tacit, receipt: Receipt, block: str | None, *, everything: bool) -> None:
    """The block, the candidates and a line of figures; `everything` shows those below the floor."""
    _print_block(receipt, block)
    near = [each for each in receipt.candidates if each.fate is not Fate.BELOW_FLOOR]
    shown = receipt.candidates if everything else near
    if shown:
        _print_candidates(tacit, shown)
    hidden = len(receipt.candidates) - len(shown)
    if hidden:
        count = f"{hidden:,} {'candidate' if hidden == 1 else 'candidates'}"
        console().print(f"{count} below the floor; --all shows them", style="bright_black")
    if receipt.hint:
        console().print(visible(_sentence(receipt.hint)), style="yellow", markup=False)
    console().print(_figures(receipt), soft_wrap=True)


def look_up(tacit: Tacit, id: str) -> Memory | None:
    """The memory, unless it was forgotten or erased."""
    try:
        return tacit.get(id)
    except NotFound:
        return None


def described(tacit: Tacit, id: str, memory: Memory | None) -> Text:
    """A memory's type, key and words, or what became of it."""
    if memory is None:
        return Text(f"({_loss(tacit, id)})", style="italic bright_black")
    line = Text(f"{memory.type} ", style=TYPE_STYLES[memory.type])
    if memory.key:
        line.append(f"{visible(memory.key)}: ", style="bold")
    line.append(visible(shortened(memory.content)), style="default")
    doubt = describe_trust(memory.trust, memory.source)
    return line if doubt is None else line.append(f" ({doubt})", style="yellow")


def _loss(tacit: Tacit, id: str) -> str:
    try:
        tacit.find_id(id)
    except NotFound:
        return "erased"
    return "forgotten"


def _print_block(receipt: Receipt, block: str | None) -> None:
    if receipt.block is None:
        console().print("Nothing to inject, so there is no block.", style="bright_black")
    elif not block:
        console().print(f"The words of block {receipt.block} were erased.", style="bright_black")
    else:
        title = f"block {receipt.block}, as the model sees it"
        console().print(
            Panel(Text(visible(block)), title=title, title_align="left", border_style="cyan")
        )


def _print_candidates(tacit: Tacit, candidates: Sequence[Candidate]) -> None:
    signals = [name for name in _SIGNALS if any(each.signals.get(name) for each in candidates)]
    strengths = [each.signals.get(name, 0.0) for each in candidates for name in signals]
    most = max((abs(strength) for strength in strengths), default=0.0) or 1.0
    headings = [_SIGNALS[name] for name in signals]
    drawn = table("fate", "found", "score", "rel.", *headings, "id", "content")
    for each in candidates:
        drawn.add_row(
            Text(each.fate, style=_FATE_STYLES.get(each.fate, _REFUSED)),
            str(each.found),
            *_scores(each),
            *(
                Text(bar(each.signals.get(name, 0.0) / most, _CELLS), style="cyan")
                for name in signals
            ),
            short(each.memory),
            Text("\n").join(_told(tacit, each)),
        )
    console().print(drawn)


def _scores(candidate: Candidate) -> tuple[str, str]:
    """Score and relevance, which only a search gives."""
    if candidate.found is not CandidateSource.CONTEXTUAL:
        return "", ""
    return f"{candidate.score:.3f}", f"{candidate.relevance:.2f}"


def _told(tacit: Tacit, candidate: Candidate) -> Iterator[Text]:
    """What a candidate says and, on a line of its own, why it ended as it did."""
    yield described(tacit, candidate.memory, look_up(tacit, candidate.memory))
    link = _LINKS.get(candidate.fate, "by")
    other = f"{link} {candidate.by[-SHORT:]}" if candidate.by else ""
    why = ": ".join(part for part in (other, candidate.note) if part)
    if why:
        yield Text(visible(why), style="italic bright_black")


def _sentence(hint: str) -> str:
    return f"{hint[0].upper()}{hint[1:]}."


def _figures(receipt: Receipt) -> Text:
    """The turn in one line: what it injected, for what kind of request, at what cost."""
    spent = [f"{name} {took:.1f}" for name, took in receipt.timings_ms.items() if name != "total"]
    parts = [
        receipt.headline,
        f"{receipt.kind} request",
        f"{receipt.tokens:,} tokens, {receipt.characters:,} characters",
        *([f"ms: {', '.join(spent)}"] if spent else []),
    ]
    line = Text(" · ".join(parts))
    if receipt.notes:
        line.append(f" · note: {visible('; '.join(receipt.notes))}")
    if receipt.degraded:
        line.append(f" · degraded: {visible('; '.join(receipt.degraded))}", style="yellow")
    return line
