"""A scripted conversation that shows memory at work."""

from pathlib import Path
from tempfile import TemporaryDirectory

from rich.panel import Panel
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli.explain import print_receipt
from tacit.cli.options import open_workspace
from tacit.cli.output import console, print_history, print_memories, print_written
from tacit.cli.search import print_hits
from tacit.runtime.clock import system_clock

_TALK = (
    "We decided to ship the billing service on 14 March.",
    "Invoices go out from billing@shop.example, port 2525.",
    "Who pays for the load test?",
    "Ann owns the migration, Ben the rollback plan.",
    "Staging has 4 replicas, production 12.",
)


def demo() -> None:
    """Show memory at work, on a throw-away database."""
    with TemporaryDirectory() as folder, open_workspace(Path(folder) / "demo.db", "demo") as tacit:
        _remember(tacit)
        _update(tacit)
        _find(tacit)
        _compact(tacit, _turns(tacit))
        _protect(tacit)
        _forget(tacit)
    _say("That was a throw-away store. To keep something in your own:")
    console().print('  tacit remember "We deploy on Tuesdays" --type constraint', style="bold")


def _remember(tacit: Tacit) -> None:
    _scene("A team talks, and what matters is kept")
    _heard("Ann", "Let's use JWT for the API, sessions don't scale for us.")
    _keep(tacit, "We chose JWT over session tokens for the API", type="decision")
    _heard("Ann", "And please, four spaces.")
    _keep(tacit, "4 spaces", type="preference", key="editor.indent")
    _heard("Ben", "JWT it is, as Ann said.")
    _keep(tacit, "We chose JWT over session tokens for the API", type="decision")
    _say("The second time it was recognised: one statement, one memory.")


def _update(tacit: Tacit) -> None:
    _scene("A fact changes, and the old one stays on record")
    _heard("Ann", "The new formatter wants two spaces. Fine.")
    _keep(tacit, "2 spaces", type="preference", key="editor.indent")
    print_memories(tacit.list(state=None), system_clock())
    _say("A key has one current value. What it replaced is past, not gone.")


def _find(tacit: Tacit) -> None:
    _scene("Somebody asks, in other words")
    _heard("Ben", "how do users of the API authenticate?")
    print_hits(tacit.search("how do users of the API authenticate?"), "API authenticate")
    _say("Found by meaning and by words; the bars show what spoke for it.")


def _turns(tacit: Tacit) -> list[object]:
    _scene("Before every answer, what the agent should know is in its context")
    tacit.warm()
    history: list[object] = []
    for text in ("How do users of the API log in?", "Why that instead of sessions?", "thanks!"):
        _heard("Ben", text)
        with tacit.turn(session="demo", history=history, text=text) as turn:
            turn.commit("(the model answers)")
        history = turn.history
        print_receipt(tacit, turn.receipt, turn.block, everything=False)
    _say("The second time it is in the history already; for thanks nothing is looked for.")
    return history


def _compact(tacit: Tacit, history: list[object]) -> None:
    _scene("The conversation gets long, and its beginning is summed up")
    for number, text in enumerate(_TALK, start=1):
        with tacit.turn(session="demo", history=history, text=text) as turn:
            turn.commit(f"Noted, item {number}.")
        history = turn.history
    done = tacit.compact(session="demo", history=history, level="aggressive")
    console().print(Panel(Text(str(done.summary)), title="summary", border_style="cyan"))
    _say(f"{done.dropped} messages went, and with them the block; no summary ever holds its words.")
    question = "Remind me, how do users of the API log in?"
    _heard("Ben", question)
    with tacit.turn(session="demo", history=list(done.messages), text=question) as turn:
        turn.commit("(the model answers)")
    print_receipt(tacit, turn.receipt, turn.block, everything=False)
    _say("What it held is not in view any more, so it comes back at once.")


def _protect(tacit: Tacit) -> None:
    _scene("An agent would like to change what a person said")
    indent = tacit.list(key="editor.indent")[0]
    print_written([tacit.edit(indent.id, content="tabs", by="agent")], as_json=False)
    _say("A person's words are changed by persons only; the wish waits for one.")


def _forget(tacit: Tacit) -> None:
    _scene("Forgotten, restored, and all of it accounted for")
    decision = tacit.list(types=["decision"])[0]
    print_written([tacit.forget(decision.id)], as_json=False)
    print_written([tacit.restore(decision.id)], as_json=False)
    print_history(tacit.memories.history(decision.id))


def _keep(tacit: Tacit, content: str, *, type: str, key: str | None = None) -> None:
    print_written([tacit.remember(content, type=type, key=key)], as_json=False)


def _scene(title: str) -> None:
    console().print()
    console().print(Panel(Text(title, style="bold"), border_style="cyan", expand=False))


def _heard(who: str, words: str) -> None:
    console().print(Text(f"{who}: ", style="bold") + Text(words, style="italic"))


def _say(remark: str) -> None:
    console().print(remark, style="bright_black")


COMMANDS = {"demo": demo}
