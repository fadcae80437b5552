"""Forms for settings, as a person at the browser uses them."""

from playwright.sync_api import expect


def field(page, name):
    """The part of a form that is about one setting."""
    return page.locator(f'.setting[title="{name}"]')


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
