"""Keys: who may come in, and how far."""

from collections.abc import Sequence

from nicegui.element import Element

from tacit.core.access.key import Key
from tacit.core.access.role import Role
from tacit.core.errors import InvalidInput
from tacit.ui.asking import ask
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import badge, card, empty, notice
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.copying import copying
from tacit.ui.kit.dialog import asking_button, dialog
from tacit.ui.kit.element import box, say
from tacit.ui.kit.moment import moment
from tacit.ui.kit.table import table
from tacit.ui.page import Page
from tacit.ui.rooms import KEYS, SIGN_IN
from tacit.ui.visit import Visit

_EVERY = ""
_ROLES = {
    Role.READ: "read: look at everything",
    Role.WRITE: "write: take turns, keep and change memories",
    Role.ADMIN: "admin: erase, and with every workspace: settings and keys",
}
_FIRST = (
    "There is no key yet, so whoever is on this machine may do everything. With the first key"
    " every caller needs one, this page too: make it an admin's for every workspace."
)
_SPEAKS = (
    "For the key of an agent that passes on what people type: their words count as theirs. Keys"
    " without an agent always speak for users."
)
_BOUND = "It sees this user's memories and shared ones, no other user's. Empty: every user's."


async def build(visit: Visit) -> None:
    """The keys, and a form for another."""
    with box("columns"):
        shown = box("stack")
        await _show(visit, shown)
        with box("stack"):
            _form(visit, shown)


async def _show(visit: Visit, shown: Element) -> None:
    keys = await ask(visit.server.keys)
    shown.clear()
    with shown:
        if not keys:
            empty("No keys", _FIRST)
            return
        with card("In use and revoked"):
            _table(visit, keys, shown)


def _table(visit: Visit, keys: Sequence[Key], shown: Element) -> None:
    with table("Keys", ("Name", "Role", "Opens", "Made", "Action"), unseen=["Action"]):
        for key in keys:
            with box(tag="tr"):
                _row(visit, key, keys, shown)


def _row(visit: Visit, key: Key, keys: Sequence[Key], shown: Element) -> None:
    say(key.name, "breaking", "th", scope="row")
    with box(tag="td"):
        badge(str(key.role), "accent" if key.role is Role.ADMIN else "neutral")
    with box("breaking", "td"):
        say(key.workspace or "every workspace")
        if key.agent:
            say(f", as agent {key.agent}", "quiet")
            if key.speaks_for_users:
                say(", speaks for users", "quiet")
        if key.user:
            say(f", bound to user {key.user}", "quiet")
    with box(tag="td"):
        moment(key.created_at)
    with box(tag="td"):
        if key.revoked_at is not None:
            badge("revoked", "bad")
        else:
            _revoking(visit, key, keys, shown)


def _revoking(visit: Visit, key: Key, keys: Sequence[Key], shown: Element) -> None:
    async def revoke() -> None:
        await ask(visit.server.revoke_key, key.id)
        await _show(visit, shown)

    asking_button(
        "Revoke",
        revoke,
        f"Revoke the key “{key.name}”?",
        warning(key, keys),
        aria_label=f"Revoke the key {key.name}",
    )


def warning(key: Key, keys: Sequence[Key]) -> str:
    """What is to be known before a key is revoked."""
    text = "Whoever uses it is shut out a second later, you too if it is yours."
    operators = [each for each in keys if _is_operator(each)]
    if operators == [key]:
        text += " It is the last one that may make keys: then only tacit keys add can."
    return f"{text} This cannot be undone."


def _is_operator(key: Key) -> bool:
    return key.role is Role.ADMIN and key.workspace is None and key.revoked_at is None


def _form(visit: Visit, shown: Element) -> None:
    with card("Make a key"):
        name = Control(Kind.TEXT, "Name", "", hint="To recognise it by, such as: ci")
        is_first = not visit.status.keys_needed
        usual = Role.ADMIN if is_first else Role.WRITE
        role = Control(Kind.SELECT, "Role", usual, options=_ROLES)
        where = {_EVERY: "every workspace"} | {each: each for each in visit.workspaces}
        here = _EVERY if is_first else visit.workspace
        workspace = Control(Kind.SELECT, "Opens", here, options=where)
        agent = Control(
            Kind.TEXT,
            "Agent",
            "",
            hint="Only for an agent's key: it writes as this agent and as nobody else.",
        )
        speaks = Control(Kind.SWITCH, "Speaks for users", False, hint=_SPEAKS)
        user = Control(Kind.TEXT, "User", "", hint=_BOUND)
        fields = {"agent": agent, "user": user}

        async def make() -> None:
            for each in (name, agent, user):
                each.object_to(None)
            try:
                key, token = await ask(
                    visit.server.add_key,
                    name.value or "",
                    role.value,
                    workspace=workspace.value or None,
                    agent=agent.value or None,
                    user=user.value or None,
                    speaks_for_users=bool(speaks.value),
                )
            except InvalidInput as error:
                fields.get(error.field, name).object_to(error.problem)
                return
            _tell(key, token, is_first=is_first)
            name.set_value("")
            if not is_first:
                await _show(visit, shown)

        button("Make the key", make, Look.PRIMARY)


def _tell(key: Key, token: str, *, is_first: bool) -> None:
    """Show the token, this once."""
    shown, inside = dialog(f"The key “{key.name}”")
    shown.props["persistent"] = True  # a slip of the hand must not lose it
    with inside:
        notice("Copy it now: it is shown this once and kept nowhere.", "warn")
        say(token, "code breaking token", "code")
        copying(token, "Copy the key")
        if is_first:
            say("From now on every caller needs a key, this browser too.", tag="p")
        with box("actions"):

            async def leave() -> None:
                shown.close()

            if is_first:
                with box(tag="form", method="post", action=SIGN_IN):
                    box(tag="input", type="hidden", name="next", value=KEYS.path)
                    box(tag="input", type="hidden", name="key", value=token)
                    say("Sign in with it", "button primary", "button", type="submit")
            else:
                button("Done", leave, Look.PRIMARY)
    shown.open()


PAGE = Page(KEYS, build)
