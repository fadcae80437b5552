"""Settings: every default and range, what is accepted, and what is said of the rest."""

import logging
import math
from dataclasses import FrozenInstanceError, asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import InvalidInput
from tacit.core.kinds import MemoryType, Scope
from tacit.settings.config import make_injection_settings, make_search_settings, override_settings
from tacit.settings.definition import SettingGroup, SettingKind, list_definitions
from tacit.settings.injection import ConflictPolicy, InjectionSettings, PinnedSort
from tacit.settings.search import Fusion, SearchSettings

INJECTION = {
    "enabled": (True, None, None),
    "search_limit": (20, 1, 100),
    "episode_lines": (5, 0, 50),
    "standing_lines": (8, 0, 50),
    "max_total": (25, 1, 200),
    "max_tokens": (1500, 141, 100_000),
    "memory_context_max_chars": (5000, 447, 1_000_000),
    "ambient_enabled": (False, None, None),
    "pinned_types": ((), None, None),
    "pinned_limit": (3, 1, 20),
    "pinned_sort": ("recent", None, None),
    "contextual_min_score": (0.45, 0, 1),
    "least_need": (0.6, 0, 1),
    "semantic_threshold": (0.85, 0.5, 1),
    "context_window_depth": (10, 1, 200),
    "reinject_when_pruned": (True, None, None),
    "max_injected_blocks_in_history": (3, 0, 10),
    "memory_confidence_threshold": (0.7, 0, 1),
    "min_importance": (0.0, 0, 1),
    "general_min_confidence": (0.8, 0, 1),
    "memory_scope_priority": (("session", "project", "user", "org"), None, None),
    "fact_limit": (10, 0, 100),
    "memory_detect_conflicts": (True, None, None),
    "conflict_policy": ("flag", None, None),
    "cache_policy": ("cap", None, None),
    "history_block_tokens": (6000, 141, 1_000_000),
    "token_counter": ("estimate", None, None),
    "context_window": (128000, 1000, 100000000),
    "memory_read_only_marker": (True, None, None),
    "inject_untrusted": (False, None, None),
    "context_aware_query": (True, None, None),
    "deadline_ms": (200, 1, 60_000),
    "first_turn_ms": (10_000, 0, 600_000),
    "receipt_days": (30, 0, 3650),
}

SEARCH = {
    "max_results": (10, 1, 1000),
    "max_results_per_source": (50, 1, 1000),
    "fusion": ("score", None, None),
    "rrf_k": (60, 1, 1000),
    "min_score": (0, 0, 1),
    "graph_depth": (2, 0, 5),
    "graph_seed_threshold": (0.8, 0, 1),
    "graph_seed_limit": (20, 1, 100),
    "late_interaction": ("auto", None, None),
    "embedding_timeout_ms": (2000, 1, 60_000),
}

EVERY = [
    pytest.param(make, each, id=each.name)
    for make, settings_class in (
        (make_injection_settings, InjectionSettings),
        (make_search_settings, SearchSettings),
    )
    for each in list_definitions(settings_class)
]


def of_kind(*kinds):
    return [each for each in EVERY if each.values[1].kind in kinds]


@pytest.mark.parametrize(
    ("settings_class", "table"), [(InjectionSettings, INJECTION), (SearchSettings, SEARCH)]
)
def test_defaults_and_ranges_are_these(settings_class, table):
    defined = {
        each.name: (each.default, each.low, each.high) for each in list_definitions(settings_class)
    }
    assert defined == table
    assert asdict(settings_class()) == {name: default for name, (default, *_) in table.items()}


@pytest.mark.parametrize(("make", "setting"), EVERY)
def test_everything_that_a_user_sees_is_there(make, setting):
    assert setting.help[0].isalpha()
    assert setting.help.endswith(".")
    assert setting.label.replace("(ms)", "")[0].isupper()
    assert setting.group in SettingGroup
    assert (setting.low is None) == (setting.high is None)
    assert (setting.low is not None) == (setting.kind in {SettingKind.INT, SettingKind.FLOAT})
    assert bool(setting.choices) == (
        setting.kind in {SettingKind.CHOICE, SettingKind.TYPES, SettingKind.SCOPES}
    )


@pytest.mark.parametrize("settings_class", [InjectionSettings, SearchSettings])
def test_labels_tell_settings_apart(settings_class):
    labels = [each.label for each in list_definitions(settings_class)]
    assert len(set(labels)) == len(labels)


def test_choices_are_named_by_the_definition():
    choices = {
        each.name: each.choices for each in list_definitions(InjectionSettings) if each.choices
    }
    assert choices == {
        "pinned_types": tuple(MemoryType),
        "pinned_sort": ("recent", "importance"),
        "memory_scope_priority": ("session", "project", "user", "org"),
        "conflict_policy": ("flag", "omit"),
        "cache_policy": ("cap", "prefix", "tokens"),
        "token_counter": ("estimate", "cl100k_base", "o200k_base"),
    }


@pytest.mark.parametrize(("make", "setting"), of_kind(SettingKind.INT, SettingKind.FLOAT))
def test_both_ends_of_a_range_are_accepted_and_no_more(make, setting):
    for end in (setting.low, setting.high):
        assert getattr(make({setting.name: end}), setting.name) == end
    step = 1 if setting.kind is SettingKind.INT else 1e-9
    for beyond in (setting.low - step, setting.high + step):
        with pytest.raises(InvalidInput) as refused:
            make({setting.name: beyond})
        ends = f"out of range; {setting.low} to {setting.high}"
        assert str(refused.value) == f"{setting.name}: {beyond!r} is {ends}"


@pytest.mark.parametrize(("make", "setting"), of_kind(SettingKind.INT))
def test_counts_are_whole_numbers(make, setting):
    kept = getattr(make({setting.name: float(setting.high)}), setting.name)
    assert (kept, type(kept)) == (setting.high, int)
    for value in (True, setting.low + 0.5, str(setting.low), None, [setting.low], math.inf):
        with pytest.raises(InvalidInput, match=f"{setting.name}: expected a whole number from"):
            make({setting.name: value})


@pytest.mark.parametrize(("make", "setting"), of_kind(SettingKind.FLOAT))
def test_fractions_are_numbers(make, setting):
    assert isinstance(getattr(make({setting.name: 1}), setting.name), float)
    for value in (True, "0.5", None, {}):
        with pytest.raises(InvalidInput, match=f"{setting.name}: expected a number from"):
            make({setting.name: value})
    for value in (math.nan, math.inf, -math.inf):
        with pytest.raises(InvalidInput, match=f"{setting.name}: {value} is out of range"):
            make({setting.name: value})


@pytest.mark.parametrize(("make", "setting"), of_kind(SettingKind.BOOL))
def test_switches_are_true_or_false(make, setting):
    for value in (True, False):
        assert getattr(make({setting.name: value}), setting.name) is value
    for value in (1, 0, "true", None):
        with pytest.raises(InvalidInput, match=f"{setting.name}: expected true or false, not"):
            make({setting.name: value})


@pytest.mark.parametrize(("make", "setting"), of_kind(SettingKind.CHOICE))
def test_a_choice_is_one_of_those_there_are(make, setting):
    for value in setting.choices:
        assert getattr(make({setting.name: str(value)}), setting.name) is value
    for value in ("newest", 3, None, []):
        with pytest.raises(InvalidInput, match=f"is none of {', '.join(setting.choices)}"):
            make({setting.name: value})


def test_the_choices_are_values():
    settings = make_injection_settings({"pinned_sort": "importance", "conflict_policy": "omit"})
    assert settings.pinned_sort is PinnedSort.IMPORTANCE
    assert settings.conflict_policy is ConflictPolicy.OMIT
    assert make_search_settings({"fusion": "rrf"}).fusion is Fusion.RRF


def test_pinned_types_keep_their_order_and_stand_there_once():
    settings = make_injection_settings({"pinned_types": ["todo", "goal", "todo"]})
    assert settings.pinned_types == (MemoryType.TODO, MemoryType.GOAL)


def test_unknown_pinned_types_are_dropped_with_a_warning_each(caplog):
    settings = make_injection_settings({"pinned_types": ["todoo", "goal", "Fact"]})
    assert settings.pinned_types == (MemoryType.GOAL,)
    assert [(each.name, each.levelno) for each in caplog.records] == [
        ("tacit.settings", logging.WARNING)
    ] * 2
    assert "pinned_types: 'todoo' is left out: no such type; the types are" in caplog.text
    caplog.clear()
    override_settings(settings, {"pinned_limit": 4})
    assert caplog.records == []


@pytest.mark.parametrize("value", ["todo", [3], {"todo": 1}, None, [["todo"]]])
def test_pinned_types_are_a_list_of_names(value):
    with pytest.raises(InvalidInput, match="pinned_types: expected a list of names out of ident"):
        make_injection_settings({"pinned_types": value})


def test_scopes_keep_their_order_and_may_be_fewer():
    settings = make_injection_settings({"memory_scope_priority": ["org", "session"]})
    assert settings.memory_scope_priority == (Scope.ORG, Scope.SESSION)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([], "is empty; name at least one of session, project, user, org"),
        (["user", "org", "user"], "user stands there twice; name each scope once"),
        (["galaxy"], "'galaxy' is none of session, project, user, org"),
        ("user", "expected a list of names out of session, project, user, org, not 'user'"),
        ([1], "expected a list of names"),
    ],
)
def test_scopes_that_make_no_order_are_refused(value, problem):
    with pytest.raises(InvalidInput, match=f"^memory_scope_priority: {problem}"):
        make_injection_settings({"memory_scope_priority": value})


@pytest.mark.parametrize("make", [make_injection_settings, make_search_settings])
def test_an_unknown_name_is_refused_with_the_names_there_are(make):
    with pytest.raises(
        InvalidInput, match=r"^zebra: no such setting; the settings are "
    ) as refused:
        make({"zebra": 1})
    for each in list_definitions(type(make({}))):
        assert each.name in refused.value.problem


def test_a_slip_of_the_pen_is_told_what_was_meant():
    with pytest.raises(InvalidInput, match=r"no such setting \(did you mean search_limit\?\)"):
        make_injection_settings({"serch_limit": 5})
    with pytest.raises(InvalidInput, match=r"no such setting \(did you mean rrf_k\?\)"):
        override_settings(SearchSettings(), {"rrfk": 5})


def test_a_change_replaces_some_values_in_a_copy():
    before = make_injection_settings({"max_total": 7, "ambient_enabled": True})
    after = override_settings(before, {"max_total": 8, "pinned_types": ["goal"]})
    assert (after.max_total, after.ambient_enabled, after.pinned_types) == (8, True, ("goal",))
    assert before.max_total == 7
    assert override_settings(SearchSettings(rrf_k=5), {"fusion": "rrf"}) == SearchSettings(
        rrf_k=5, fusion=Fusion.RRF
    )
    with pytest.raises(InvalidInput, match="max_total: 0 is out of range; 1 to 200"):
        override_settings(before, {"max_total": 0})


def test_settings_cannot_be_changed_in_place():
    with pytest.raises(FrozenInstanceError):
        InjectionSettings().max_total = 3


def test_a_long_value_makes_no_long_message():
    with pytest.raises(InvalidInput) as refused:
        make_injection_settings({"search_limit": "x" * 100_000})
    assert len(str(refused.value)) < 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


def made(make, values):
    """The settings, or the setting that was refused."""
    try:
        return make(values)
    except InvalidInput as error:
        return error.field


@given(st.dictionaries(st.sampled_from([*INJECTION, "zebra"]), JSON, max_size=3))
def test_any_values_give_settings_or_an_error_that_names_one(values):
    settings = made(make_injection_settings, values)
    assert settings in values or make_injection_settings(asdict(settings)) == settings


@given(st.dictionaries(st.text() | st.sampled_from(list(SEARCH)), JSON, max_size=3))
def test_any_search_values_give_settings_or_an_error_that_names_one(values):
    settings = made(make_search_settings, values)
    assert settings in values or make_search_settings(asdict(settings)) == settings


def test_a_floor_of_another_scale_is_told_once_in_the_log(caplog):
    InjectionSettings(contextual_min_score=0.012)
    InjectionSettings(contextual_min_score=0.012)
    InjectionSettings(contextual_min_score=0.0)
    (record,) = caplog.records
    assert "contextual_min_score: 0.012" in record.getMessage()
    assert "the default is 0.45" in record.getMessage()
