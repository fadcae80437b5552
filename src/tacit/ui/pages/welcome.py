"""The getting-started page: remember something, ask for it, and connect an agent."""

import shlex
from urllib.parse import quote

from nicegui.element import Element

from tacit.core.errors import InvalidInput
from tacit.core.kinds import MemoryType
from tacit.turn.commit import Prepared
from tacit.ui.api_calls import call_api
from tacit.ui.kit.buttons import ButtonStyle, button, copy_button
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import badge, card, notice
from tacit.ui.kit.elements import add_text, box, heading, link
from tacit.ui.navigation import INSPECTOR, WELCOME, memory_link
from tacit.ui.page import PageRoute
from tacit.ui.page_context import DEFAULT_WORKSPACE, PageContext

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


async def build_page(context: PageContext) -> None:
    """The three steps."""
    await show_steps(context)


async def show_steps(context: PageContext) -> None:
    """Remember something, ask for it, and connect an agent."""
    with box("welcome stack"):
        if context.may_write:
            with card(classes="step"):
                _show_remember_step(context)
        with card(classes="step"):
            _show_ask_step(context)
        with card(classes="step"):
            _show_connect_step(context)


def _show_step_title(number: int, title: str, text: str) -> None:
    with box("row"):
        badge(str(number), "accent")
        heading(title)
    add_text(text, "quiet", "p")


def _show_remember_step(context: PageContext) -> None:
    _show_step_title(1, "Tell it something", "One statement, as you would say it to a colleague.")
    content = Control(ControlKind.AREA, "Statement", _STATEMENT, rows=2)
    type = Control(ControlKind.SELECT, "Type", MemoryType.DECISION, options=list(MemoryType))
    outcome = box("stack", aria_live="polite")

    async def remember() -> None:
        content.show_problem(None)
        try:
            written = await call_api(context.tacit.remember, content.value or "", type=type.value)
        except InvalidInput as error:
            content.show_problem(error.problem)
            return
        outcome.clear()
        with outcome, notice(f"Remembered ({written.status}). Now ask for it.", "good"):
            link("See the memory", memory_link(context, written.memory.id))

    button("Remember it", remember, ButtonStyle.PRIMARY)
    outcome.move(target_index=-1)


def _show_ask_step(context: PageContext) -> None:
    _show_step_title(
        2 if context.may_write else 1,
        "Ask as an agent would",
        "In other words than it was told. Preview only: no turn is recorded.",
    )
    text = Control(ControlKind.TEXT, "Message", _QUESTION)

    async def look() -> None:
        prepared = await call_api(
            context.tacit.preview, session=_SESSION, text=text.value or "", history=None
        )
        outcome.clear()
        with outcome:
            _show_outcome(context, prepared, str(text.value))

    button("See what memory adds", look, ButtonStyle.PRIMARY)
    outcome = box("stack", aria_live="polite")


def _show_outcome(context: PageContext, prepared: Prepared, text: str) -> None:
    if prepared.block is None:
        with notice("Nothing is injected: no memory is relevant to this message.", "warn"):
            if context.status.embedder is None:
                add_text("There is no embedder, so only the same words are found.", tag="p")
            link("See why in the inspector", context.link(INSPECTOR.path, text=text))
        return
    receipt = prepared.receipt
    took = receipt.timings_ms.get("total", 0.0)
    summary = f"{len(receipt.injected)} injected, {receipt.tokens} tokens, {took:.0f} ms"
    add_text("This is what the model would read before the message:", tag="p")
    add_text(prepared.block, "passage", "pre", tabindex="0", aria_label="The block")
    with box("row"):
        badge(summary, "good")
        link("See why in the inspector", context.link(INSPECTOR.path, text=text))


def _show_connect_step(context: PageContext) -> None:
    _show_step_title(
        3 if context.may_write else 2,
        "Give it to your agent",
        "From then on it happens by itself, before every turn.",
    )
    url = context.server_url
    other = context.workspace if context.workspace != DEFAULT_WORKSPACE else None
    with box("columns"):
        _show_snippet(
            "A Python agent",
            _PYTHON.format(url=url, workspace=f", workspace={other!r}" if other else ""),
        )
        _show_snippet("Any other language", curl_command(url, other))
        _show_snippet("A coding CLI", _CLIS)


def curl_command(url: str, workspace: str | None) -> str:
    """A first turn with curl; the name of the workspace is quoted for the shell."""
    header = f"Tacit-Workspace: {quote(workspace)}" if workspace else ""
    return _CURL.format(url=url, header=f" -H {shlex.quote(header)}" if header else "")


def _show_snippet(title: str, text: str) -> Element:
    made = box("snippet")
    with made:
        with box("spread"):
            heading(title, 3)
            copy_button(text, aria_label=f"Copy: {title}")
        add_text(text, "passage", "pre", tabindex="0", aria_label=title)
    return made


PAGE = PageRoute(WELCOME, build_page)
