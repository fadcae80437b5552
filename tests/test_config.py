"""Configuration: which value wins, and errors that name the file, the line and the key."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import ConfigError, InvalidInput
from tacit.settings.config import Config, ConfigPaths, SettingSource, find_config
from tacit.settings.definition import list_definitions
from tacit.settings.injection import InjectionSettings
from tacit.settings.loader import load_config
from tacit.settings.search import Fusion, SearchSettings

OURS = "TACIT_MEMORY_INJECTION_"
RUNTIME = "AGENT_RUNTIME_MEMORY_INJECTION_"


@pytest.fixture
def configured(tmp_path, monkeypatch):
    """Load a text as `tacit.toml`."""
    monkeypatch.chdir(tmp_path)

    def configured(text, **environment):
        path = Path("tacit.toml")
        path.write_text(text, encoding="utf-8", newline="")
        return load_config(path, environment)

    return configured


@pytest.fixture
def refusal(configured):
    """What is said of a text that is refused."""

    def refusal(text, **environment):
        with pytest.raises(ConfigError) as refused:
            configured(text, **environment)
        return str(refused.value)

    return refusal


def test_without_file_and_environment_everything_is_built_in():
    config = load_config(None, {})
    assert config == Config()
    assert config.path is None
    assert config.agents == ()
    assert config.injection(None) == config.injection("anyone") == InjectionSettings()
    assert config.search == SearchSettings()
    assert config.source(None, "search_limit") is SettingSource.BUILT_IN


def test_each_field_comes_from_the_strongest_place_that_has_it(configured):
    config = configured(
        """
        [defaults.memory_injection]
        search_limit = 11
        max_total = 12
        pinned_limit = 13

        [[agents]]
        id = "coder"
        [agents.memory_injection]
        search_limit = 31

        [[agents]]
        id = "writer"
        """,
        TACIT_MEMORY_INJECTION_SEARCH_LIMIT="21",
        TACIT_MEMORY_INJECTION_MAX_TOTAL="22",
    )
    names = ("search_limit", "max_total", "pinned_limit", "fact_limit")

    def values(agent):
        return [getattr(config.injection(agent), name) for name in names]

    def sources(agent):
        return [config.source(agent, name) for name in names]

    assert config.agents == ("coder", "writer")
    assert values("coder") == [31, 22, 13, 10]
    assert sources("coder") == ["agent", "environment", "file", "built_in"]
    assert values(None) == values("writer") == values("stranger") == [21, 22, 13, 10]
    assert sources(None) == sources("writer") == ["environment", "environment", "file", "built_in"]


def test_a_value_equal_to_the_default_still_has_its_source(configured):
    config = configured("[defaults.memory_injection]\nsearch_limit = 20")
    assert config.source(None, "search_limit") is SettingSource.FILE


def test_the_source_of_an_unknown_setting_is_an_error():
    with pytest.raises(InvalidInput, match=r"no such setting \(did you mean max_total\?\)"):
        Config().source(None, "max_totl")


def test_our_variables_win_over_those_of_the_runtime():
    config = load_config(
        None, {RUNTIME + "MAX_TOTAL": "1", OURS + "MAX_TOTAL": "2", RUNTIME + "FACT_LIMIT": "3"}
    )
    assert config.injection(None) == InjectionSettings(max_total=2, fact_limit=3)


def test_search_settings_come_from_the_environment_and_the_file(configured):
    text = "[search]\nrrf_k = 5\nmax_results = 6\nfusion = 'rrf'"
    config = configured(text, TACIT_SEARCH_MAX_RESULTS="7")
    assert config.search == SearchSettings(rrf_k=5, max_results=7, fusion=Fusion.RRF)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        *[("AMBIENT_ENABLED", word, True) for word in ("true", "1", "yes", "on", "TRUE", " On ")],
        *[("ENABLED", word, False) for word in ("false", "0", "no", "off", "False")],
        ("MAX_TOTAL", " 7 ", 7),
        ("SEMANTIC_THRESHOLD", ".9", 0.9),
        ("SEMANTIC_THRESHOLD", "1", 1.0),
        ("PINNED_SORT", "importance", "importance"),
        ("PINNED_TYPES", "todo, goal,", ("todo", "goal")),
        ("PINNED_TYPES", "", ()),
        ("MEMORY_SCOPE_PRIORITY", "user,session", ("user", "session")),
    ],
)
def test_variables_are_read_by_the_kind_of_their_setting(name, text, value):
    config = load_config(None, {OURS + name: text})
    assert getattr(config.injection(None), name.lower()) == value
    assert config.source(None, name.lower()) is SettingSource.ENVIRONMENT


@pytest.mark.parametrize("name", [each.name for each in list_definitions(InjectionSettings)])
def test_every_setting_has_a_variable(name):
    default = getattr(InjectionSettings(), name)
    text = ",".join(default) if isinstance(default, tuple) else str(default)
    config = load_config(None, {OURS + name.upper(): text})
    assert config.injection(None) == InjectionSettings()
    assert config.source(None, name) is SettingSource.ENVIRONMENT


@pytest.mark.parametrize(
    ("variable", "text", "problem"),
    [
        (OURS + "MAX_TOTAL", "500", "500 is out of range; 1 to 200"),
        (RUNTIME + "MAX_TOTAL", "500", "500 is out of range; 1 to 200"),
        (OURS + "MAX_TOTAL", "many", "expected a whole number from 1 to 200, not 'many'"),
        (OURS + "MAX_TOTAL", "", "expected a whole number from 1 to 200, not ''"),
        (OURS + "MAX_TOTAL", "9" * 5000, "expected a whole number"),
        (OURS + "SEMANTIC_THRESHOLD", "nan", "nan is out of range; 0.5 to 1"),
        (OURS + "ENABLED", "maybe", "expected true or false, not 'maybe'"),
        (OURS + "PINNED_SORT", "newest", "'newest' is none of recent, importance"),
        (OURS + "MEMORY_SCOPE_PRIORITY", " ", "is empty; name at least one of"),
        (OURS + "SERCH_LIMIT", "1", r"no such setting \(did you mean search_limit\?\)"),
        ("TACIT_SEARCH_MAX_RESULT", "1", r"no such setting \(did you mean max_results\?\)"),
        ("TACIT_SEARCH_RRF_K", "0", "0 is out of range; 1 to 1000"),
    ],
)
def test_a_bad_variable_is_named(variable, text, problem):
    with pytest.raises(ConfigError, match=f"^{variable}: {problem}"):
        load_config(None, {variable: text})


def test_variables_of_others_are_left_alone():
    assert load_config(None, {RUNTIME + "ZEBRA": "1", "TACIT_DB": "x", "PATH": "y"}) == Config()


def test_an_error_names_file_line_and_key(refusal):
    text = "# ours\n\n[defaults.memory_injection]\nenabled = true\n\n# much\nsearch_limit = 500\n"
    assert refusal(text) == (
        "tacit.toml, line 7: defaults.memory_injection.search_limit: 500 is out of range; 1 to 100"
    )


@pytest.mark.parametrize(
    ("text", "start"),
    [
        (
            "[defaults.memory_injection]\npinned_sort = 'new'",
            "line 2: {d}.pinned_sort: 'new' is none",
        ),
        ("[defaults.memory_injection]\nmax_totl = 1", "line 2: {d}.max_totl: no such setting (did"),
        ("[defaults]\n\nmemory_injection.max_total = 0", "line 3: {d}.max_total: 0 is out"),
        ("\ndefaults = {memory_injection = {max_total = 0}}", "line 2: {d}.max_total: 0 is out"),
        ("[ 'defaults' . memory_injection ] # x\n'max_total' = 0", "line 2: {d}.max_total: 0"),
        ("\n[defaults]\nmemory_injection = 3", "line 3: {d}: expected a table, not 3"),
        ("defaults = 'x'", "line 1: defaults: expected a table, not 'x'"),
        (
            "\n[defaults.memory]\nx = 1",
            "line 2: defaults.memory: nothing has this name here; known:",
        ),
        (
            "\n\n[serch]\nx = 1",
            "line 3: serch: nothing has this name here; known: defaults, agents",
        ),
        ("max_total = 3", "line 1: max_total: nothing has this name here"),
        (
            "\n[memory_injection]\nenabled = true",
            "line 2: memory_injection: stands elsewhere in this file; write [{d}] for all",
        ),
        (
            "[defaults.search]\nrrf_k = 1",
            "line 1: defaults.search: is the same for every agent; write it once, as [search]",
        ),
        (
            "[[agents]]\nid = 'a'\n[agents.grounding]\ntop_k = 1",
            "line 3: agents[1].grounding: is the same for every agent; write it once, as [ground",
        ),
        ("[search]\r\nrrf_k = 1\r\nmax_results = 0\r\n", "line 3: search.max_results: 0 is out"),
    ],
)
def test_lines_are_found_however_the_key_is_written(refusal, text, start):
    assert refusal(text).startswith("tacit.toml, " + start.format(d="defaults.memory_injection"))


def test_values_over_several_lines_do_not_confuse_the_count(refusal):
    text = '''[writing]
prompt = """
[defaults.memory_injection]
max_total = 7
\\""" [[agents]]
"""
rows = [ # ]
  [1, "]"],
  [2],
]
[defaults.memory_injection]
pinned_types = [
  "todo",
]
max_total = 0
'''
    assert refusal(text).startswith("tacit.toml, line 15: defaults.memory_injection.max_total: 0")


def test_a_value_over_several_lines_is_found_where_it_begins(refusal):
    text = "[defaults.memory_injection]\n\nmemory_scope_priority = [\n  'user',\n  'user',\n]\n"
    assert "line 3: defaults.memory_injection.memory_scope_priority: user stands" in refusal(text)


AGENTS = """[[agents]]
id = "coder"
[agents.memory_injection]
max_total = 5

[[agents]]
id = "writer"
"""


@pytest.mark.parametrize(
    ("more", "start"),
    [
        (
            "[agents.memory_injection]\nmax_total = 0",
            "line 9: agents[2].memory_injection.max_total: 0",
        ),
        ("memory_injection = {max_total = 0}", "line 8: agents[2].memory_injection.max_total: 0"),
        ("memory_injection = 4", "line 8: agents[2].memory_injection: expected a table, not 4"),
        ("name = 'x'", "line 8: agents[2].name: nothing has this name here; known: id, memory_inj"),
        (
            "[[agents]]\nid = 'coder'",
            "line 9: agents[3].id: 'coder' is an agent further up already",
        ),
        ("[[agents]]\n[agents.memory_injection]", "line 8: agents[3]: has no id; add one, such as"),
        ("[[agents]]\nid = 5", "line 9: agents[3].id: expected text, not int"),
        ("[[agents]]\nid = ' '", "line 9: agents[3].id: must not be empty"),
    ],
)
def test_errors_of_agents_name_the_agent_and_the_line(refusal, more, start):
    assert refusal(AGENTS + more).startswith("tacit.toml, " + start)


def test_agents_are_a_list_of_tables(refusal):
    assert refusal("[agents]\nid = 'a'") == (
        "tacit.toml, line 1: agents: expected a list of tables; write [[agents]] above each"
    )
    assert refusal("agents = [1]").startswith("tacit.toml, line 1: agents[1]: expected a table")


def test_agents_may_be_written_inline(configured):
    config = configured("agents = [{id = 'a', memory_injection = {max_total = 1}}, {id = 'b'}]")
    assert config.agents == ("a", "b")
    assert config.injection("a").max_total == 1


def test_grounding_listens_to_both_prefixes_and_ours_wins(configured):
    theirs = {"AGENT_RUNTIME_LLM_GROUNDING_TOP_K": "5"}
    assert configured("[grounding]\ntop_k = 4\n").grounding.top_k == 4
    assert configured("", **theirs).grounding.top_k == 5
    assert configured("", **theirs, TACIT_GROUNDING_TOP_K="6").grounding.top_k == 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[search]\nrrf_k 5\n", "line 2: is not valid TOML: .*'='.* \\(column 7\\)"),
        ("[search]\nrrf_k = 5\nfusion = '''rrf", "line 3: is not valid TOML: .* the end of the fi"),
        ("a = 1\na = 2\n", "line 2: is not valid TOML: Cannot overwrite a value"),
    ],
)
def test_bad_syntax_names_the_line_and_the_reason(refusal, text, message):
    assert re.match(f"tacit.toml, {message}", refusal(text))


def test_a_number_too_long_to_read_is_an_error_of_the_file(refusal):
    assert refusal(f"[search]\nrrf_k = {'9' * 5000}").startswith("tacit.toml: is not valid TOML")


def test_a_file_that_is_named_must_exist(tmp_path):
    with pytest.raises(ConfigError, match=r"gone\.toml: there is no such file"):
        load_config(tmp_path / "gone.toml", {})


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path, {})


def test_a_file_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "tacit.toml"
    path.write_bytes(b"[search]\nx = '\xff\xfe'")
    with pytest.raises(ConfigError, match="is not UTF-8 text; save it as UTF-8"):
        load_config(path, {})


def test_a_byte_order_mark_does_no_harm(configured):
    assert configured("\ufeff[search]\nrrf_k = 5").search.rrf_k == 5


def test_an_unknown_pinned_type_is_warned_of_once_however_many_agents(configured, caplog):
    config = configured("[defaults.memory_injection]\npinned_types = ['goal', 'zebra']\n" + AGENTS)
    for agent in (None, *config.agents):
        assert config.injection(agent).pinned_types == ("goal",)
    (warning,) = config.warnings
    assert "line 2: defaults.memory_injection.pinned_types: 'zebra' is left out" in warning
    assert [each.name for each in caplog.records] == ["tacit.settings"]


def test_the_files_are_the_named_one_or_the_users_and_the_folders(tmp_path):
    folder, user = tmp_path / "folder", tmp_path / "user"
    folder.mkdir()
    user.mkdir()
    assert find_config({}, folder, user) == ConfigPaths()
    (user / "tacit.toml").touch()
    own = ConfigPaths(own=user / "tacit.toml")
    assert find_config({}, folder, user) == own
    assert find_config({}, user, user) == own
    (folder / "tacit.toml").touch()
    both = ConfigPaths(own=user / "tacit.toml", project=folder / "tacit.toml")
    assert find_config({"TACIT_CONFIG": ""}, folder, user) == both
    assert find_config({}, folder, user, in_folder=False) == own
    named = find_config({"TACIT_CONFIG": "other.toml"}, folder, user)
    assert named == ConfigPaths(own=folder / "other.toml")
    absolute = tmp_path / "gone.toml"
    found = find_config({"TACIT_CONFIG": str(absolute)}, folder, user)
    assert found == ConfigPaths(own=absolute)


NAMES = st.sampled_from(["search_limit", "max_total", "pinned_limit"])
LAYER = st.dictionaries(NAMES, st.integers(1, 20), max_size=3)


@given(file=LAYER, runtime=LAYER, ours=LAYER, agent=LAYER)
def test_the_strongest_layer_wins_whatever_the_layers(tmp_path, file, runtime, ours, agent):
    path = tmp_path / "tacit.toml"
    lines = ["[defaults.memory_injection]", *_assigned(file), "[[agents]]", "id = 'a'"]
    path.write_text("\n".join([*lines, "[agents.memory_injection]", *_assigned(agent)]))
    variables = {RUNTIME + name.upper(): str(value) for name, value in runtime.items()}
    variables |= {OURS + name.upper(): str(value) for name, value in ours.items()}
    config = load_config(path, variables)
    assert config.injection("a") == InjectionSettings(**{**file, **runtime, **ours, **agent})
    assert config.injection(None) == InjectionSettings(**{**file, **runtime, **ours})


def _assigned(values):
    return [f"{name} = {value}" for name, value in values.items()]


PADDING = st.sampled_from(
    [
        "",
        "# [defaults.memory_injection]",
        "[[server]] # [",
        '[[server]]\nprompt = """\n[defaults]\nmax_total = 0\n"""',
        "[[server]]\nrows = [\n  [1, ']'], # ]\n]",
        "[[server]]\nserver.max_total = {max_total = 0}",
    ]
)


@given(st.lists(PADDING, max_size=6))
def test_the_line_is_right_whatever_stands_before_it(tmp_path, padding):
    path = tmp_path / "tacit.toml"
    text = "\n".join([*padding, "[defaults.memory_injection]", "max_total = 0"])
    path.write_text(text)
    with pytest.raises(ConfigError, match=f", line {len(text.splitlines())}: defaults"):
        load_config(path, {})


FRAGMENTS = st.sampled_from(
    [
        "[defaults]",
        "[defaults.memory_injection]",
        "[[agents]]",
        "[agents.memory_injection]",
        "[search]",
        "id = 'a'",
        "max_total = 0",
        "max_results = [",
        "]",
        "memory_injection.max_total = 1",
        "agents = [{id = 'x'}, 3]",
    ]
)


def loaded(path):
    """The configuration, or what is said of the file."""
    try:
        return load_config(path, {})
    except ConfigError as error:
        return str(error)


@given(st.lists(FRAGMENTS, max_size=6).map("\n".join))
def test_any_file_gives_a_configuration_or_an_error_that_names_a_line(tmp_path, text):
    path = tmp_path / "tacit.toml"
    path.write_text(text)
    config = loaded(path)
    assert isinstance(config, Config) or config.startswith(f"{path}, line ")
