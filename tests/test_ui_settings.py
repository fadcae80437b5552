"""Forms for settings: drafts, field status, and concurrent edits."""

import asyncio
from dataclasses import replace

import pytest

from tacit.settings.config import SettingEntry, SettingSource, SettingsTable
from tacit.settings.definition import list_definitions
from tacit.settings.injection import InjectionSettings
from tacit.ui.kit.control import Control
from tacit.ui.settings_editor import unsaved_summary
from tacit.ui.settings_editor.concurrent_edits import (
    SettingsSnapshot,
    find_concurrent_edits,
    merge_edits,
)
from tacit.ui.settings_editor.draft import (
    SettingsDraft,
    field_status,
    find_settings,
    format_value,
    is_shown,
    setting_hint,
)
from tacit.ui.settings_editor.form import SettingsForm
from tests.simulating import simulated

BUILT_IN = {
    each.name: SettingEntry(definition=each, value=each.default, source=SettingSource.BUILT_IN)
    for each in list_definitions(InjectionSettings)
}
DEFAULTS = {name: each.value for name, each in BUILT_IN.items()}


def entries(source=SettingSource.FILE, **values):
    own = {
        name: replace(BUILT_IN[name], value=value, source=source) for name, value in values.items()
    }
    return {**BUILT_IN, **own}


@pytest.fixture
def draft():
    return SettingsDraft(entries=entries(max_total=7), defaults=DEFAULTS)


def test_only_what_differs_is_a_change(draft):
    wanted = draft.set_value("max_total", 9).set_value("pinned_types", ["goal", "todo"])
    assert wanted.changes == {"max_total": 9, "pinned_types": ("goal", "todo")}
    assert wanted.set_value("max_total", 7.0).set_value("pinned_types", []).changes == {}
    assert wanted.revert("max_total").changes == {"pinned_types": ("goal", "todo")}


def test_a_setting_that_is_given_up_shows_its_default_and_is_sent_as_none(draft):
    reset = draft.reset_to_default("max_total")
    assert (reset.value("max_total"), reset.changes) == (25, {"max_total": None})
    assert reset.set_value("max_total", 8).changes == {"max_total": 8}
    assert reset.revert("max_total").changes == {}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("max_total", None, "Give a whole number from 1 to 200."),
        ("max_total", 201, "Give a whole number from 1 to 200."),
        ("max_total", 1.5, "Give a whole number from 1 to 200."),
        ("semantic_threshold", 0.4, "Give a number from 0.5 to 1."),
        ("memory_scope_priority", [], "Keep at least one."),
    ],
)
def test_what_cannot_be_saved_is_named_and_not_among_the_changes(draft, name, value, said):
    wrong = draft.set_value(name, value).set_value("enabled", False)
    assert wrong.problems == {name: said}
    assert wrong.changes == {"enabled": False}
    assert wrong.touched == {name, "enabled"}


def test_other_values_are_followed_but_for_what_was_touched(draft):
    touched = draft.set_value("search_limit", 30).set_value("fact_limit", 3)
    later = touched.rebase(entries(max_total=8, search_limit=40, fact_limit=3))
    assert later.value("max_total") == 8
    assert later.changes == {"search_limit": 30}


def test_the_environment_is_stronger_than_the_file_and_weaker_than_an_agent():
    draft = SettingsDraft(
        entries=entries(SettingSource.ENVIRONMENT, max_total=7), defaults=DEFAULTS
    )
    of_all = field_status(draft, "max_total", SettingSource.FILE)
    assert (of_all.source, of_all.is_fixed, of_all.default) == ("environment", True, None)
    assert not field_status(draft, "max_total", SettingSource.AGENT).is_fixed


def test_a_value_of_ones_own_is_shown_with_the_default_and_what_is_built_in_with_nothing(draft):
    own = field_status(draft, "max_total", SettingSource.FILE)
    assert (own.source, own.is_own, own.default, own.saved) == ("file", True, "25", None)
    assert field_status(draft, "max_total", SettingSource.AGENT).default is None
    assert field_status(draft, "fact_limit", SettingSource.FILE).source is None
    assert (
        field_status(draft.set_value("max_total", 9), "max_total", SettingSource.FILE).saved == "7"
    )


def test_noisy_types_are_warned_of_and_never_refused(draft):
    wanted = draft.set_value("pinned_types", ["goal", "event", "fact"])
    assert field_status(wanted, "pinned_types", None).caution.startswith(
        "Fact, event: There are many"
    )
    assert wanted.changes == {"pinned_types": ("goal", "event", "fact")}
    assert (
        field_status(draft.set_value("pinned_types", ["goal"]), "pinned_types", None).caution
        is None
    )


def test_a_floor_of_another_scale_is_warned_of_and_never_refused(draft):
    def caution(value):
        return field_status(draft.set_value("contextual_min_score", value), name, None).caution

    name = "contextual_min_score"
    assert caution(0.01).startswith("On this scale, from 0 to 1, that is next to nothing")
    assert draft.set_value(name, 0.01).changes == {name: 0.01}
    assert [caution(value) for value in (0, 0.05, 0.45, 1)] == [None] * 4


def test_what_needs_another_setting_is_shown_while_that_one_is_on(draft):
    assert not is_shown(draft, "pinned_limit")
    assert is_shown(draft.set_value("ambient_enabled", True), "pinned_limit")
    assert is_shown(draft, "max_total")


def test_settings_are_found_by_name_label_or_help_with_the_switch_that_they_need(draft):
    assert find_settings(draft, "max_injected_blocks") == {"max_injected_blocks_in_history"}
    assert find_settings(draft, "HISTORY block limit") == {"max_injected_blocks_in_history"}
    assert find_settings(draft, "web pages") == {"inject_untrusted"}
    assert find_settings(draft, "per-type") == {"pinned_limit", "ambient_enabled"}
    assert find_settings(draft, "no such words") == frozenset()
    assert len(find_settings(draft, "  ")) == len(BUILT_IN)


def _read(**values):
    return SettingsSnapshot(
        version=None, tables={SettingsTable.MEMORY_INJECTION: entries(**values)}
    )


def test_changes_of_others_are_told_from_the_first_value_to_the_last():
    first, second, third = _read(max_total=7), _read(max_total=8, enabled=False), _read(max_total=9)
    known = merge_edits({}, find_concurrent_edits(first, second))
    assert {each.label: (each.before, each.theirs) for each in known.values()} == {
        "Enable Memory Injection": ("on", "off"),
        "Max Total": ("7", "8"),
    }
    known = merge_edits(known, find_concurrent_edits(second, third))
    assert [(each.label, each.before, each.theirs) for each in known.values()] == [
        ("Max Total", "7", "9")
    ]


def test_the_bar_says_how_much_is_unsaved_and_what_is_in_the_way():
    assert unsaved_summary(1, 0, 0) == "1 unsaved change"
    assert unsaved_summary(1, 1, 0) == "1 unsaved change. Fix the errors below to save."
    assert unsaved_summary(3, 1, 0) == "3 unsaved changes. Fix the errors below to save."
    assert "Somebody else changed 2 of them" in unsaved_summary(3, 1, 2)


def test_values_and_ranges_are_told_as_people_say_them():
    values = (True, 1500, 0.5, ("todo", "goal"), (), "", "recent")
    assert [*map(format_value, values)] == [
        "on",
        "1,500",
        "0.5",
        "todo, goal",
        "none",
        "empty",
        "recent",
    ]
    assert setting_hint(BUILT_IN["max_total"].definition).endswith("From 1 to 200.")
    assert "From" not in setting_hint(BUILT_IN["semantic_threshold"].definition)


def test_what_is_changed_in_quick_succession_all_counts():
    wanted = {"max_total": 9, "ambient_enabled": True, "semantic_threshold": 0.9}
    forms = []

    async def change():
        async with simulated(lambda: forms.append(SettingsForm(BUILT_IN))) as user:
            await user.open("/")
            controls = {each.props["label"]: each for each in user.find(Control).elements}
            for name, value in wanted.items():
                controls[BUILT_IN[name].definition.label].value = value
            async with asyncio.timeout(60):
                while forms[0].changes != wanted:
                    await asyncio.sleep(0)

    asyncio.run(change())
