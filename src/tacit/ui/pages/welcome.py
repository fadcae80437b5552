"""Getting started: from nothing to a first injected memory, and then to one's own agent."""

import shlex
from urllib.parse import quote

from nicegui.element import Element

from tacit.core.errors import InvalidInput
from tacit.core.memory.kinds import MemoryType
from tacit.turn.turn import Prepared
from tacit.ui.addresses import memory_at
from tacit.ui.asking import ask
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import badge, card, notice
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.copying import copying
from tacit.ui.kit.element import box, heading, link, say
from tacit.ui.page import Page
from tacit.ui.rooms import INSPECTOR, WELCOME
from tacit.ui.visit import DEFAULT_WORKSPACE, Visit

_STATEMENT = "We chose JWT over session tokens for the API"
_QUESTION = "How do users of the API log in?"
_SESSION = "getting-started"

_PYTHON = """from tacit import Tacit

with Tacit.connect({url!r}{workspace}) as tacit:
    with tacit.turn(session="s1", history=messages, text=question) as turn:
        reply = llm(turn.messages)  # the block is in there
        turn.commit(reply)"""
_CURL = """curl -s {url}/v1/turns{header} \\
  --json '{{"session": "s1", "text": "How do users of the API log in?", "history": []}}'"""
_CLIS = """tacit install claude-code
tacit install codex
tacit install gemini"""


async def build(visit: Visit) -> None:
    """The three steps."""
    await steps(visit)


async def steps(visit: Visit) -> None:
    """Tell it something, ask for it, and give it to an agent."""
    with box("welcome stack"):
        if visit.may_write:
            with card(classes="step"):
                _telling(visit)
        with card(classes="step"):
            _asking(visit)
        with card(classes="step"):
            _connecting(visit)


def _step(number: int, title: str, text: str) -> None:
    with box("row"):
        badge(str(number), "accent")
        heading(title)
    say(text, "quiet", "p")


def _telling(visit: Visit) -> None:
    _step(1, "Tell it something", "One statement, as you would say it to a colleague.")
    content = Control(Kind.AREA, "Statement", _STATEMENT, rows=2)
    type = Control(Kind.SELECT, "Type", MemoryType.DECISION, options=list(MemoryType))
    outcome = box("stack", aria_live="polite")

    async def remember() -> None:
        content.object_to(None)
        try:
            written = await ask(visit.tacit.remember, content.value or "", type=type.value)
        except InvalidInput as error:
            content.object_to(error.problem)
            return
        outcome.clear()
        with outcome, notice(f"Remembered ({written.status}). Now ask for it.", "good"):
            link("See the memory", memory_at(visit, written.memory.id))

    button("Remember it", remember, Look.PRIMARY)
    outcome.move(target_index=-1)


def _asking(visit: Visit) -> None:
    _step(
        2 if visit.may_write else 1,
        "Ask as an agent would",
        "In other words than it was told. This only looks: no turn happens.",
    )
    text = Control(Kind.TEXT, "Message", _QUESTION)

    async def look() -> None:
        prepared = await ask(
            visit.tacit.preview, session=_SESSION, text=text.value or "", history=None
        )
        outcome.clear()
        with outcome:
            _outcome(visit, prepared, str(text.value))

    button("See what memory adds", look, Look.PRIMARY)
    outcome = box("stack", aria_live="polite")


def _outcome(visit: Visit, prepared: Prepared, text: str) -> None:
    if prepared.block is None:
        with notice("Nothing is injected: no memory is worth it for this message.", "warn"):
            if visit.status.embedder is None:
                say("There is no embedder, so only the same words are found.", tag="p")
            link("See why in the inspector", visit.link(INSPECTOR.path, text=text))
        return
    receipt = prepared.receipt
    took = receipt.timings_ms.get("total", 0.0)
    told = f"{len(receipt.injected)} injected, {receipt.tokens} tokens, {took:.0f} ms"
    say("This is what the model would read before the message:", tag="p")
    say(prepared.block, "passage", "pre", tabindex="0", aria_label="The block")
    with box("row"):
        badge(told, "good")
        link("See why in the inspector", visit.link(INSPECTOR.path, text=text))


def _connecting(visit: Visit) -> None:
    _step(
        3 if visit.may_write else 2,
        "Give it to your agent",
        "From then on it happens by itself, before every turn.",
    )
    url = visit.address
    other = visit.workspace if visit.workspace != DEFAULT_WORKSPACE else None
    with box("columns"):
        _snippet(
            "A Python agent",
            _PYTHON.format(url=url, workspace=f", workspace={other!r}" if other else ""),
        )
        _snippet("Any other language", command(url, other))
        _snippet("A coding CLI", _CLIS)


def command(url: str, workspace: str | None) -> str:
    """A first turn in a shell; a workspace may be named by anything, and is no command."""
    header = f"Tacit-Workspace: {quote(workspace)}" if workspace else ""
    return _CURL.format(url=url, header=f" -H {shlex.quote(header)}" if header else "")


def _snippet(title: str, text: str) -> Element:
    made = box("snippet")
    with made:
        with box("spread"):
            heading(title, 3)
            copying(text, aria_label=f"Copy: {title}")
        say(text, "passage", "pre", tabindex="0", aria_label=title)
    return made


PAGE = Page(WELCOME, build)
