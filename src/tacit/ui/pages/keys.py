"""The keys page: API keys, a form for a new one, and buttons to revoke."""

from collections.abc import Sequence

from nicegui.element import Element

from tacit.core.errors import InvalidInput
from tacit.core.keys import Key, Role
from tacit.ui.api_calls import call_api
from tacit.ui.kit.buttons import ButtonStyle, button, confirm_button, copy_button, dialog
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import badge, card, empty, notice, table
from tacit.ui.kit.elements import add_text, box, timestamp
from tacit.ui.navigation import KEYS, SIGN_IN
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext

_EVERY_WORKSPACE = ""
_ROLES = {
    Role.READ: "read: look at everything",
    Role.WRITE: "write: take turns, keep and change memories",
    Role.ADMIN: "admin: erase, and with every workspace: settings and keys",
}
_FIRST_KEY = (
    "There is no key yet, so whoever is on this machine may do everything. With the first key"
    " every caller needs one, this page too: make it an admin's for every workspace."
)
_SPEAKS_HINT = (
    "For the key of an agent that passes on what people type: their words count as theirs. Keys"
    " without an agent always speak for users."
)
_USER_HINT = "It sees this user's memories and shared ones, no other user's. Empty: every user's."


async def build_page(context: PageContext) -> None:
    """The keys, and a form for a new one."""
    with box("columns"):
        shown = box("stack")
        await _show_keys(context, shown)
        with box("stack"):
            _build_form(context, shown)


async def _show_keys(context: PageContext, shown: Element) -> None:
    keys = await call_api(context.tacit.keys.list)
    shown.clear()
    with shown:
        if not keys:
            empty("No keys", _FIRST_KEY)
            return
        with card("In use and revoked"):
            _build_table(context, keys, shown)


def _build_table(context: PageContext, keys: Sequence[Key], shown: Element) -> None:
    with table("Keys", ("Name", "Role", "Workspace access", "Made", "Action"), unseen=["Action"]):
        for key in keys:
            with box(tag="tr"):
                _build_row(context, key, keys, shown)


def _build_row(context: PageContext, key: Key, keys: Sequence[Key], shown: Element) -> None:
    add_text(key.name, "breaking", "th", scope="row")
    with box(tag="td"):
        badge(str(key.role), "accent" if key.role is Role.ADMIN else "neutral")
    with box("breaking", "td"):
        add_text(key.workspace or "every workspace")
        if key.agent:
            add_text(f", as agent {key.agent}", "quiet")
            if key.speaks_for_users:
                add_text(", speaks for users", "quiet")
        if key.user:
            add_text(f", bound to user {key.user}", "quiet")
    with box(tag="td"):
        timestamp(key.created_at)
    with box(tag="td"):
        if key.revoked_at is not None:
            badge("revoked", "bad")
        else:
            _build_revoke_button(context, key, keys, shown)


def _build_revoke_button(
    context: PageContext, key: Key, keys: Sequence[Key], shown: Element
) -> None:
    async def revoke() -> None:
        await call_api(context.tacit.keys.revoke, key.id)
        await _show_keys(context, shown)

    confirm_button(
        "Revoke",
        revoke,
        f"Revoke the key “{key.name}”?",
        revoke_warning(key, keys),
        aria_label=f"Revoke the key {key.name}",
    )


def revoke_warning(key: Key, keys: Sequence[Key]) -> str:
    """The warning before a key is revoked."""
    text = "Whoever uses it is shut out a second later, you too if it is yours."
    operators = [each for each in keys if _is_operator(each)]
    if operators == [key]:
        text += " It is the last one that may make keys: then only tacit keys add can."
    return f"{text} This cannot be undone."


def _is_operator(key: Key) -> bool:
    return key.role is Role.ADMIN and key.workspace is None and key.revoked_at is None


def _build_form(context: PageContext, shown: Element) -> None:
    with card("Make a key"):
        name = Control(ControlKind.TEXT, "Name", "", hint="To recognise it by, such as: ci")
        is_first = not context.status.keys_needed
        usual = Role.ADMIN if is_first else Role.WRITE
        role = Control(ControlKind.SELECT, "Role", usual, options=_ROLES)
        where = {_EVERY_WORKSPACE: "every workspace"} | {each: each for each in context.workspaces}
        here = _EVERY_WORKSPACE if is_first else context.workspace
        workspace = Control(ControlKind.SELECT, "Workspace access", here, options=where)
        agent = Control(
            ControlKind.TEXT,
            "Agent",
            "",
            hint="Only for an agent's key: it writes as this agent and as nobody else.",
        )
        speaks = Control(ControlKind.SWITCH, "Speaks for users", False, hint=_SPEAKS_HINT)
        user = Control(ControlKind.TEXT, "User", "", hint=_USER_HINT)
        fields = {"agent": agent, "user": user}

        async def make() -> None:
            for each in (name, agent, user):
                each.show_problem(None)
            try:
                key, token = await call_api(
                    context.tacit.keys.add,
                    name.value or "",
                    role.value,
                    workspace=workspace.value or None,
                    agent=agent.value or None,
                    user=user.value or None,
                    speaks_for_users=bool(speaks.value),
                )
            except InvalidInput as error:
                fields.get(error.field, name).show_problem(error.problem)
                return
            _show_token(key, token, is_first=is_first)
            name.set_value("")
            if not is_first:
                await _show_keys(context, shown)

        button("Make the key", make, ButtonStyle.PRIMARY)


def _show_token(key: Key, token: str, *, is_first: bool) -> None:
    """Show the token of a new key; it is shown only once."""
    shown, inside = dialog(f"The key “{key.name}”")
    shown.props["persistent"] = True  # a slip of the hand must not lose it
    with inside:
        notice("Copy it now: it is shown this once and kept nowhere.", "warn")
        add_text(token, "code breaking token", "code")
        copy_button(token, "Copy the key")
        if is_first:
            add_text("From now on every caller needs a key, this browser too.", tag="p")
        with box("actions"):

            async def leave() -> None:
                shown.close()

            if is_first:
                with box(tag="form", method="post", action=SIGN_IN):
                    box(tag="input", type="hidden", name="next", value=KEYS.path)
                    box(tag="input", type="hidden", name="key", value=token)
                    add_text("Sign in with it", "button primary", "button", type="submit")
            else:
                button("Done", leave, ButtonStyle.PRIMARY)
    shown.open()


PAGE = PageRoute(KEYS, build_page)
