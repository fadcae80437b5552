"""A TOML text by its statements: nothing lost, each where it stands, in linear time."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.settings.toml_edit import parse_statements

_VALUES = st.sampled_from(
    [
        "1",
        '"a # [ b"',
        "'{ \" ['",
        '"\\"]"',
        '"""a\n[b]\n"""',
        '"""a""\\""""',
        '"""a"""""',
        "'''a\n'b' ]\n'''",
        "'''a'''''",
        "[\n  1, # ]\n  2,\n]",
        '[["a\\n"], {b = "}"}]',
        "{a = [1, {b = 2}]}",
        "2026-11-16 10:00:00",
    ]
)
_KEYS = st.sampled_from(["k", "'q.r'", '"a \\" ]"', "x.y", "x . 'z['"])


@st.composite
def _texts(draw):
    lines = []
    for number in range(draw(st.integers(0, 6))):
        header = draw(st.sampled_from(["", f"[t{number}]", "[[list]]", f"[ 't]{number}' ] # x"]))
        lines += [header, draw(st.sampled_from(["", "# [ \" '", "  "]))]
        lines.append(f"a{number}.{draw(_KEYS)} = {draw(_VALUES)}")
    text = "\n".join(lines)
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@given(text=_texts())
def test_statements_are_the_text_and_each_is_valid_alone(text):
    tomllib.loads(text)
    found = list(parse_statements(text))
    assert "".join(each.text for each in found) == text
    for each in found:
        before = text[: sum(len(other.text) for other in found if other.line < each.line)]
        assert each.line == before.count("\n") + 1
        if each.text.count("\n") > 1:
            with pytest.raises(tomllib.TOMLDecodeError):
                tomllib.loads(each.text.partition("\n")[0])


def test_a_list_on_many_lines_is_one_statement():
    text = "a = [\n" + "1,\n" * 20_000 + "]\nb = 2\n"
    first, second = parse_statements(text)
    assert (first.line, second.line, second.content) == (1, 20_003, {"b": 2})
