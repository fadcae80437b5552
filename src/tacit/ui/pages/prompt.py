"""The prompt layers page: the directives of a grounded prompt, and the source of each line."""

from tacit.grounding.policy import LayerDisposition, LayerShare, Policy, PolicyLine, PromptRole
from tacit.ui.api_calls import LatestCall, call_api
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import badge, bar, card, empty, figure, table
from tacit.ui.kit.elements import add_text, box
from tacit.ui.navigation import PROMPT
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext

_TONES = {
    LayerDisposition.KEPT: "good",
    LayerDisposition.CUT: "warn",
    LayerDisposition.DROPPED: "bad",
    LayerDisposition.SHADOWED: "neutral",
    LayerDisposition.SURPLUS: "warn",
    LayerDisposition.UNREADABLE: "bad",
}
_ROLES = {
    PromptRole.PUBLIC: "public: somebody from outside",
    PromptRole.ADMIN: "admin: somebody who runs the place",
}


async def build_page(context: PageContext) -> None:
    """The audience of the prompt, its layers, and its text line by line."""
    with card("For whom"), box("columns"):
        role = Control(ControlKind.SELECT, "Role", PromptRole.PUBLIC, options=_ROLES)
        connector = Control(
            ControlKind.TEXT, "Connector", "local", hint="Where the conversation is."
        )
        external = Control(ControlKind.TEXT, "Channel ID", "", hint="A channel, a room, a thread.")
    shown, latest = box("stack"), LatestCall()

    async def show() -> None:
        asked = call_api(
            context.tacit.grounding.policy,
            role=role.value,
            connector=connector.value or "local",
            external_id=external.value or "",
        )
        policy = await latest.run(asked)
        if policy is None:
            return
        shown.clear()
        with shown:
            _show_policy(policy)

    for control in (role, connector, external):
        control.listen(show)
    await show()


def _show_policy(policy: Policy) -> None:
    with card("Layers", "From the strongest to the weakest; what does not fit is cut from below."):
        used = sum(share.tokens for share in policy.shares)
        with box("figures"):
            figure("tokens", f"{used:,}", f"of {policy.max_tokens:,}")
            figure("layers", f"{len(policy.shares):,}")
        bar(used / policy.max_tokens if policy.max_tokens else 0.0, "room used", shown=f"{used:,}")
        if policy.shares:
            _show_layers(policy.shares)
    with card("The text, line by line"):
        if not policy.lines:
            empty("No directives", "Write some into a file; tacit prompt files says where.")
            return
        _show_lines(policy.lines)


def _show_layers(shares: tuple[LayerShare, ...]) -> None:
    headings = ("Layer", "Fate", "Lines", "Tokens", "File")
    with table("Layers", headings, numbers=["Lines", "Tokens"]):
        for share in shares:
            with box(tag="tr"):
                _show_layer(share)


def _show_layer(share: LayerShare) -> None:
    add_text(f"{share.layer.kind} {share.layer.name}".strip(), tag="th", scope="row")
    with box(tag="td"):
        badge(str(share.fate), _TONES[share.fate])
        if share.layer.note:
            add_text(f" {share.layer.note}", "quiet")
    add_text(f"{share.lines} of {share.of_lines}", "number", "td")
    add_text(f"{share.tokens:,}", "number", "td")
    add_text(str(share.layer.source or "built in"), "breaking", "td")


def _show_lines(lines: tuple[PolicyLine, ...]) -> None:
    with table("The text", ("From", "Line"), "lines"):
        for line in lines:
            with box(tag="tr"):
                at = f"{line.layer.kind}" + (f":{line.number}" if line.number else "")
                add_text(at, "quiet", "td", title=str(line.layer.source or "built in"))
                add_text(line.text, "code", "td")


PAGE = PageRoute(PROMPT, build_page)
