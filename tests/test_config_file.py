"""Writing a configuration: what is kept, what is refused, and many who write at once."""

import os
import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tacit.core.errors import ConfigChanged, ConfigError, InvalidInput
from tacit.settings.config import SettingsTable
from tacit.settings.config_file import Change, ConfigFile
from tacit.settings.injection import InjectionSettings
from tacit.settings.loader import load_config, validate_config
from tests.forking import start_program


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tacit.toml"


@pytest.fixture
def file(path):
    return ConfigFile(path)


@pytest.fixture
def after(path, file):
    """The text of a file after some changes of it."""

    def after(text, *changes):
        path.write_bytes(text.encode())
        file.change(changes)
        return path.read_bytes().decode()

    return after


def default(name, value):
    return Change(name=name, value=value)


def search(name, value):
    return Change(name=name, value=value, table=SettingsTable.SEARCH)


def of(agent, name, value):
    return Change(name=name, value=value, agent=agent)


HOUSE = """# Ours. Ask Ann before you change it.

[defaults.memory_injection]   # for all
max_total   =  7    # not more
  # indented
fact_limit = 0x0A

# --- agents ---
[[agents]]
id = 'coder'   # the first

# about the second
[[agents]]
id = "writer"
[agents.memory_injection]
pinned_types = [
  "todo",   # always
  "goal",
]

# nothing below
[search]
# rrf_k = 60
"""


@pytest.mark.parametrize(
    ("change", "old", "new"),
    [
        (default("max_total", 9), "=  7    # not", "=  9    # not"),
        (default("fact_limit", 11), "0x0A", "11"),
        (default("enabled", False), "= 0x0A\n", "= 0x0A\nenabled = false\n"),
        (default("fact_limit", None), "fact_limit = 0x0A\n", ""),
        (
            of("coder", "semantic_threshold", 0.9),
            "first\n",
            "first\n\n[agents.memory_injection]\nsemantic_threshold = 0.9\n",
        ),
        (of("writer", "max_total", 1), '  "goal",\n]\n', '  "goal",\n]\nmax_total = 1\n'),
        (
            of("writer", "pinned_types", ["fact"]),
            '[\n  "todo",   # always\n  "goal",\n]',
            '["fact"]',
        ),
        (
            of("new", "pinned_sort", "recent"),
            "# rrf_k = 60\n",
            '# rrf_k = 60\n\n[[agents]]\nid = "new"\n\n[agents.memory_injection]\n'
            'pinned_sort = "recent"\n',
        ),
        (search("rrf_k", 5), "[search]\n", "[search]\nrrf_k = 5\n"),
        (
            Change(name="pool_size", value=3, table=SettingsTable.POSTGRES),
            "# rrf_k = 60\n",
            "# rrf_k = 60\n\n[postgres]\npool_size = 3\n",
        ),
        (default("fact_limit", 10), "", ""),
        (default("enabled", None), "", ""),
        (of("nobody", "enabled", None), "", ""),
    ],
)
def test_a_change_leaves_everything_else_byte_for_byte(after, change, old, new):
    assert after(HOUSE, change) == HOUSE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "change", "changed"),
    [
        ("", default("max_total", 1), "[defaults.memory_injection]\nmax_total = 1\n"),
        ("# x", search("rrf_k", 1), "# x\n\n[search]\nrrf_k = 1\n"),
        ("[search]", search("rrf_k", 1), "[search]\nrrf_k = 1\n"),
        (
            "[search]\n\trrf_k=1",
            search("max_results", 2),
            "[search]\n\trrf_k=1\n\tmax_results = 2\n",
        ),
        (
            "defaults.memory_injection.max_total = 5 # c\n",
            default("max_total", 6),
            "defaults.memory_injection.max_total = 6 # c\n",
        ),
        (
            "defaults.memory_injection.max_total = 5 # c\n\n[search]\n",
            default("fact_limit", 6),
            "defaults.memory_injection.max_total = 5 # c\n"
            "defaults.memory_injection.fact_limit = 6\n\n[search]\n",
        ),
        (
            "[defaults]\nmemory_injection.max_total = 5\nmemory_injection.fact_limit = 6\n",
            default("max_total", None),
            "[defaults]\nmemory_injection.fact_limit = 6\n",
        ),
        (
            "defaults = {memory_injection = {max_total = 5}} # c\n",
            default("fact_limit", 6),
            "defaults = {memory_injection = {max_total = 5,fact_limit = 6}} # c\n",
        ),
        (
            "defaults = {memory_injection = {max_total = 5, fact_limit = 6}} # c\n",
            default("max_total", None),
            "defaults = {memory_injection = { fact_limit = 6}} # c\n",
        ),
        (
            "defaults = {}\n",
            default("max_total", 1),
            "defaults = {memory_injection = {max_total = 1}}\n",
        ),
        ("search = {rrf_k = 5}\n", search("rrf_k", None), ""),
        (
            "[defaults]\n",
            default("enabled", True),
            "[defaults]\n\n[defaults.memory_injection]\nenabled = true\n",
        ),
        (
            "agents = [\n  {id = 'a'}, # first\n]\n",
            of("b", "max_total", 1),
            "agents = [\n  {id = 'a'}, # first\n"
            '  {id = "b",memory_injection = {max_total = 1}},\n]\n',
        ),
        (
            "agents = [{id = 'a'}, {id = 'b'}]\n",
            of("b", "max_total", 1),
            "agents = [{id = 'a'}, {id = 'b',memory_injection = {max_total = 1}}]\n",
        ),
        (
            "[[agents]]\nid='a'\n[search]\nrrf_k=5\n\n# b\n[[agents]]\nid='b'\n",
            of("a", "max_total", 1),
            "[[agents]]\nid='a'\n\n[agents.memory_injection]\nmax_total = 1\n"
            "[search]\nrrf_k=5\n\n# b\n[[agents]]\nid='b'\n",
        ),
        (
            "[[agents]]\nid='a'\n[search]\nrrf_k=5\n\n# b\n[[agents]]\nid='b'\n"
            "memory_injection.max_total = 2\n",
            of("b", "max_total", 3),
            "[[agents]]\nid='a'\n[search]\nrrf_k=5\n\n# b\n[[agents]]\nid='b'\n"
            "memory_injection.max_total = 3\n",
        ),
        (
            "[search]\r\nrrf_k = 5 # c\r\n\r\n[server]\r\n",
            search("max_results", 2),
            "[search]\r\nrrf_k = 5 # c\r\nmax_results = 2\r\n\r\n[server]\r\n",
        ),
        (
            "\ufeff[search]\r\nrrf_k = 5 # c\r\n",
            search("rrf_k", 6),
            "\ufeff[search]\r\nrrf_k = 6 # c\r\n",
        ),
        (
            "[ 'search' ] # odd\n'rrf_k' = 5\n",
            search("rrf_k", 6),
            "[ 'search' ] # odd\n'rrf_k' = 6\n",
        ),
        (
            '[grounding]\nworkspaces_folder = """\\\n[search]\\\nrrf_k = 5\\\n"""\n'
            "[search]\nrrf_k = 5\n",
            search("rrf_k", 6),
            '[grounding]\nworkspaces_folder = """\\\n[search]\\\nrrf_k = 5\\\n"""\n'
            "[search]\nrrf_k = 6\n",
        ),
        (
            "[defaults.memory_injection]\nenabled = 1\n",
            default("enabled", True),
            "[defaults.memory_injection]\nenabled = true\n",
        ),
        ("[search]\nrrf_k = 5000\n", search("rrf_k", 50), "[search]\nrrf_k = 50\n"),
    ],
)
def test_values_are_changed_however_the_file_is_written(after, path, text, change, changed):
    assert after(text, change) == changed
    load_config(path, {})


def test_several_changes_are_one_write(after):
    text = after("", default("max_total", 1), of("a", "max_total", 2), of("a", "fact_limit", 3))
    assert text == (
        "[defaults.memory_injection]\nmax_total = 1\n\n"
        '[[agents]]\nid = "a"\n\n[agents.memory_injection]\nmax_total = 2\nfact_limit = 3\n'
    )


def test_the_name_of_an_agent_may_be_any_text(after, path):
    after("", of('d’Ann "]\\', "max_total", 2))
    assert load_config(path, {}).injection('d’Ann "]\\').max_total == 2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"name": "max_total", "value": 0}, "0 is out of range"),
        ({"name": "max_totl", "value": 1}, "no such setting"),
        ({"name": "max_totl", "value": None}, "no such setting"),
        (
            {"name": "rrf_k", "value": 1, "table": SettingsTable.SEARCH, "agent": "a"},
            "for every agent",
        ),
        ({"name": "max_total", "value": 1, "agent": " "}, "must not be empty"),
    ],
)
def test_a_change_that_cannot_be_right_is_not_made(arguments, problem):
    with pytest.raises(InvalidInput, match=problem):
        Change(**arguments)


@pytest.mark.parametrize(
    "text",
    [
        "[search]\nrrf_k = 5000\n",
        "[search\n",
        "defaults = 'x'\n",
        "[agents]\nid = 'a'\n",
        "agents = [1]\n",
        "[[agents]]\n",
        "[nonsense]\n",
    ],
)
def test_a_file_that_stays_invalid_is_not_written(path, file, text):
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"tacit\.toml, line \d"):
        file.change([of("a", "max_total", 1), default("max_total", 1)])
    with pytest.raises(ConfigError, match=r"tacit\.toml, line \d"):
        file.write(text)
    assert path.read_text() == text


def test_a_text_is_written_as_it_is_and_read_again(path, file):
    text = "# mine\r\n[search]\r\nrrf_k = 5"
    written = file.write(text)
    assert path.read_bytes() == text.encode()
    assert file.read() == written
    assert written.text == text


def test_a_text_that_no_file_can_hold_is_refused(path, file):
    with pytest.raises(ConfigError, match="half a character"):
        file.write("# \ud800\n")
    assert not path.exists()


def test_a_byte_order_mark_stays_as_it_was(path, file):
    file.write("\ufeff# a\n")
    assert path.read_bytes() == b"# a\n"
    path.write_bytes(b"\xef\xbb\xbf# a\n")
    assert file.write("# b\n").text == "# b\n"
    assert path.read_bytes() == b"\xef\xbb\xbf# b\n"


def test_whoever_read_an_older_version_is_refused(path, file):
    first = file.read()
    second = file.change([search("rrf_k", 5)], expected=first.version)
    with pytest.raises(ConfigChanged, match="changed by someone else meanwhile; read it again"):
        file.change([search("rrf_k", 6)], expected=first.version)
    with pytest.raises(ConfigChanged):
        file.write("", expected=first.version)
    file.write("[search]\nrrf_k = 7\n", expected=second.version)
    assert load_config(path, {}).search.rrf_k == 7


def test_mode_and_link_stay(tmp_path, path):
    target = tmp_path / "elsewhere" / "real.toml"
    target.parent.mkdir()
    target.write_text("")
    target.chmod(0o640)
    path.symlink_to(target)
    ConfigFile(path).change([search("rrf_k", 5)])
    assert path.is_symlink()
    assert target.read_text() == "[search]\nrrf_k = 5\n"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_new_file_gets_its_folders_and_the_usual_mode(tmp_path):
    path = tmp_path / "a" / "b" / "tacit.toml"
    old = os.umask(0o027)
    try:
        ConfigFile(path).change([search("rrf_k", 5)])
    finally:
        os.umask(old)
    assert path.stat().st_mode & 0o777 == 0o640
    assert not [each for each in path.parent.iterdir() if each.suffix not in (".toml", ".lock")]


def test_what_changes_nothing_writes_nothing(path, file):
    path.write_text("[search]\nrrf_k = 5.0\n")
    before = path.stat()
    assert file.change([search("max_results", None)]).text == "[search]\nrrf_k = 5.0\n"
    after = path.stat()  # its access time may have changed: it was read
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_where_nothing_can_be_written_the_error_names_the_file(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(ConfigError, match=r"taken/tacit\.toml: cannot be"):
        ConfigFile(tmp_path / "taken" / "tacit.toml").write("")


TABLES = st.sampled_from(
    [
        "[defaults.memory_injection]\nmax_total = 3 # a\n\n# b\n",
        "[defaults]\nmemory_injection = {max_total = 3}\n",
        "defaults.memory_injection.max_total = 3\n",
        "[[agents]]\nid = 'a' # c\n",
        "[[agents]]\nid = 'b'\n# d\n[agents.memory_injection]\nmax_total = 4\n\n",
        "[[agents]]\nid = 'c'\nmemory_injection.max_total = 4",
        "agents = [{id = 'a'}, {id = 'b', memory_injection = {max_total = 5}}]\n",
        "[search]\n\n",
        "[search]\nrrf_k = 5\n# e",
        "search.rrf_k = 5 # f\n",
        "[server]\nmax_total = '''\n[search]\n'''\n",
        "# g\n",
        "\n",
    ]
)
CHANGES = st.one_of(
    st.builds(of, st.sampled_from([None, "a", "b", "c"]), st.just("max_total"), st.integers(6, 9)),
    st.builds(of, st.sampled_from([None, "a", "b", "c"]), st.just("fact_limit"), st.integers(6, 9)),
    st.builds(of, st.sampled_from([None, "a", "b", "c"]), st.just("max_total"), st.none()),
    st.builds(search, st.just("rrf_k"), st.one_of(st.none(), st.integers(6, 9))),
)


@given(tables=st.lists(TABLES, max_size=6), end=st.sampled_from(["\n", "\r\n"]), change=CHANGES)
def test_any_change_of_any_file_touches_one_place(tmp_path, tables, end, change):
    path = tmp_path / "tacit.toml"
    old = "\n".join(tables).replace("\n", end)
    path.write_bytes(old.encode())
    try:
        before = load_config(path, {})
    except ConfigError:
        assume(False)
    ConfigFile(path).change([change])
    new = path.read_bytes().decode()
    assert _replaced(old, new).count("\n") <= (change.value is None)
    assert new.count("\n") - new.count("\r\n") in (0, new.count("\n"))
    config = load_config(path, {})
    assert _said(config) == _said(before, change)


def _replaced(old, new):
    """The part of the old text that is not in the new one."""
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    return old[start : len(old) - end]


def _shared(one, other):
    """How many first characters are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _said(config, change=None):
    """What a configuration says, as if a change had been made."""
    values = {None: dict(config.defaults)}
    values |= {agent: dict(own) for agent, own in config.overrides.items()}
    rest = {(table, name): getattr(config.search, name) for table, name in config.sources}
    if change is not None and change.table is SettingsTable.SEARCH:
        rest[change.table, change.name] = change.value
    elif change is not None and (change.value is not None or change.agent in values):
        values.setdefault(change.agent, {})[change.name] = change.value
    for each in (rest, *values.values()):
        for name in [name for name, value in each.items() if value is None]:
            del each[name]
    return values, rest


WRITER = """
import sys
from pathlib import Path
from tacit.settings.config_file import Change
from tacit.settings.config_file import ConfigFile
agent, path = sys.argv[1:]
for value in range(1, 21):
    for name in ("max_total", "search_limit"):
        ConfigFile(Path(path)).change([Change(name=name, value=value, agent=agent)])
"""


def test_processes_that_write_at_once_lose_nothing(path):
    path.write_text("# kept\n")
    writers = [start_program(WRITER, f"agent {number}", path) for number in range(4)]
    for writer in writers:
        with writer.output:
            assert writer.wait(60) == 0
    config = load_config(path, {})
    assert sorted(config.agents) == [f"agent {number}" for number in range(4)]
    for agent in config.agents:
        assert config.injection(agent) == InjectionSettings(max_total=20, search_limit=20)
    assert path.read_text().startswith("# kept\n")


def test_threads_that_write_at_once_lose_nothing(path, file):
    def write(agent):
        for value in range(1, 11):
            file.change([of(agent, "max_total", value)])

    threads = [threading.Thread(target=write, args=(f"a{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    config = load_config(path, {})
    assert {agent: config.injection(agent).max_total for agent in config.agents} == {
        f"a{number}": 10 for number in range(4)
    }


REWRITER = """
import sys
from itertools import count
from pathlib import Path
from tacit.settings.config_file import ConfigFile
file = ConfigFile(Path(sys.argv[1]))
for number in count():
    file.write(("# " + "x" * 1_000 + "\\n") * 50 + f"[search]\\nrrf_k = {number % 900 + 1}\\n")
    print("written", flush=True)
"""


@pytest.mark.slow
def test_a_writer_that_is_killed_leaves_a_whole_file(path, file):
    for attempt in range(8):
        writer = subprocess.Popen(
            [sys.executable, "-c", REWRITER, str(path)], stdout=subprocess.PIPE
        )
        with writer.stdout:
            assert writer.stdout.readline() == b"written\n"
            time.sleep(attempt * 0.007)
            os.kill(writer.pid, signal.SIGKILL)
            writer.wait()
        assert re.fullmatch(r"(# x{1000}\n){50}\[search\]\nrrf_k = \d+\n", path.read_text())
        file.change([search("rrf_k", 5)])
        assert load_config(path, {}).search.rrf_k == 5


def test_a_line_that_is_too_long_is_refused_by_its_number(tmp_path):
    with pytest.raises(ConfigError, match="line 2: is longer than"):
        validate_config(tmp_path / "tacit.toml", "[server]\n" + "a." * 10_000 + "a = 1\n")
