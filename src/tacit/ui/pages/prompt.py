"""Prompt layers: the directives that a grounded prompt begins with, and where each is from."""

from tacit.grounding.policy.policy import Fate, Policy, PolicyLine, Share
from tacit.grounding.policy.role import PromptRole
from tacit.ui.asking import ask
from tacit.ui.kit.bar import bar
from tacit.ui.kit.card import badge, card, empty, figure
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.element import box, say
from tacit.ui.kit.table import table
from tacit.ui.latest import Latest
from tacit.ui.page import Page
from tacit.ui.rooms import PROMPT
from tacit.ui.visit import Visit

_TONES = {
    Fate.KEPT: "good",
    Fate.CUT: "warn",
    Fate.DROPPED: "bad",
    Fate.SHADOWED: "neutral",
    Fate.SURPLUS: "warn",
    Fate.UNREADABLE: "bad",
}
_ROLES = {
    PromptRole.PUBLIC: "public: somebody from outside",
    PromptRole.ADMIN: "admin: somebody who runs the place",
}


async def build(visit: Visit) -> None:
    """Whom the prompt is for, its layers, and its text line by line."""
    with card("For whom"), box("columns"):
        role = Control(Kind.SELECT, "Role", PromptRole.PUBLIC, options=_ROLES)
        connector = Control(Kind.TEXT, "Connector", "local", hint="Where the conversation is.")
        external = Control(Kind.TEXT, "Its id there", "", hint="A channel, a room, a thread.")
    shown, latest = box("stack"), Latest()

    async def show() -> None:
        asked = ask(
            visit.tacit.policy,
            role=role.value,
            connector=connector.value or "local",
            external_id=external.value or "",
        )
        policy = await latest.of(asked)
        if policy is None:
            return
        shown.clear()
        with shown:
            _policy(policy)

    for control in (role, connector, external):
        control.listen(show)
    await show()


def _policy(policy: Policy) -> None:
    with card("Layers", "From the strongest to the weakest; what does not fit is cut from below."):
        used = sum(share.tokens for share in policy.shares)
        with box("figures"):
            figure("tokens", f"{used:,}", f"of {policy.max_tokens:,}")
            figure("layers", f"{len(policy.shares):,}")
        bar(used / policy.max_tokens if policy.max_tokens else 0.0, "room used", shown=f"{used:,}")
        if policy.shares:
            _layers(policy.shares)
    with card("The text, line by line"):
        if not policy.lines:
            empty("No directives", "Write some into a file; tacit prompt files says where.")
            return
        _lines(policy.lines)


def _layers(shares: tuple[Share, ...]) -> None:
    headings = ("Layer", "Fate", "Lines", "Tokens", "File")
    with table("Layers", headings, numbers=["Lines", "Tokens"]):
        for share in shares:
            with box(tag="tr"):
                _share(share)


def _share(share: Share) -> None:
    say(f"{share.layer.kind} {share.layer.name}".strip(), tag="th", scope="row")
    with box(tag="td"):
        badge(str(share.fate), _TONES[share.fate])
        if share.layer.note:
            say(f" {share.layer.note}", "quiet")
    say(f"{share.lines} of {share.of_lines}", "number", "td")
    say(f"{share.tokens:,}", "number", "td")
    say(str(share.layer.source or "built in"), "breaking", "td")


def _lines(lines: tuple[PolicyLine, ...]) -> None:
    with table("The text", ("From", "Line"), "lines"):
        for line in lines:
            with box(tag="tr"):
                at = f"{line.layer.kind}" + (f":{line.number}" if line.number else "")
                say(at, "quiet", "td", title=str(line.layer.source or "built in"))
                say(line.text, "code", "td")


PAGE = Page(PROMPT, build)
