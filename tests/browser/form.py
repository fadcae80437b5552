"""Forms for settings, as a person at the browser uses them."""

from playwright.sync_api import expect

from tacit.settings.definition import SettingKind

_TEXTS = {
    "trusted_proxies": "10.0.0.0/8",
    "llm_key_env": "ANOTHER_API_KEY",
    "openai_upstream": "http://127.0.0.1:1",
    "anthropic_upstream": "http://127.0.0.1:2",
    "session_header": "X-Session",
    "user_header": "X-User",
    "project_header": "X-Project",
}
"""Settings that do not take any text."""


def field(page, name):
    """The part of a form that is about one setting."""
    return page.locator(f'.setting[title="{name}"]')


def unfold(page, name):
    """Open the group that a setting is in, if it is closed."""
    for closed in page.locator("details:not([open])", has=field(page, name)).all():
        closed.locator("> summary").click()


def number(page, name):
    """The box for a number, shown or not."""
    return field(page, name).locator("input[type=number]")


def unsaved(page):
    """The bar that is there while something is unsaved."""
    return page.get_by_role("region", name="Unsaved changes")


def save(page, said="Saved 1 setting."):
    """Press Save, and wait until it is said and done."""
    unsaved(page).get_by_role("button", name="Save").click()
    expect(page.get_by_text(said).last).to_be_visible()
    expect(unsaved(page)).to_be_hidden()


def another(setting):
    """A valid value that is not the built-in one."""
    match setting.kind:
        case SettingKind.BOOL:
            return not setting.default
        case SettingKind.INT:
            return setting.default + 1
        case SettingKind.FLOAT:
            lower = round(setting.default - 0.05, 2)
            return lower if lower >= setting.low else round(setting.default + 0.05, 2)
        case SettingKind.CHOICE:
            return next(each for each in setting.choices if each != setting.default)
        case SettingKind.TYPES:
            return ("goal", "todo")
        case SettingKind.SCOPES:
            first, second, *others = setting.default
            return (second, first, *others)
    return _TEXTS.get(setting.name, "another")


def choose(page, setting, wanted):
    """Give a setting a value, as a person would."""
    here = field(page, setting.name)
    match setting.kind:
        case SettingKind.BOOL:
            switch = here.get_by_role("switch")
            if switch.is_checked() != wanted:
                switch.click()
            expect(switch).to_be_checked(checked=wanted)
        case SettingKind.CHOICE:
            here.get_by_role("combobox").select_option(wanted)
        case SettingKind.TYPES:
            for each in wanted:
                here.get_by_label(each.capitalize(), exact=True).check()
        case SettingKind.SCOPES:
            here.get_by_role("button", name=f"Move {wanted[0].capitalize()} up").click()
        case SettingKind.TEXT:
            here.get_by_role("textbox").fill(wanted)
        case _:
            here.get_by_role("spinbutton").fill(str(wanted))
    expect(here.get_by_text("unsaved", exact=True)).to_be_visible()
