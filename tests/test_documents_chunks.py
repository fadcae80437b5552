"""How documents are cut: at headings, never inside what belongs together, and with nothing lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.grounding.documents.chunks import LARGEST_TOKENS, MOST_TOKENS, chunk_document

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa"
LONG = "\n\n".join(f"Paragraph {number} says {WORDS}." for number in range(100))


def _headings(name, text):
    return [chunk.headings for chunk in chunk_document(name, text)]


def _measure(text):
    """The size of a chunk: four bytes and at most a word count as a token."""
    return max(-(-len(text.encode()) // 4), len(text.split()))


def test_a_chunk_knows_the_headings_above_it_and_its_lines():
    text = (
        f"# Guide\n\n{LONG}\n\n## Install\n\n{LONG}\n\n### On Linux\n\n{LONG}\n\n## Use\n\n{LONG}"
    )
    chunks = chunk_document("guide.md", text)
    paths = list(dict.fromkeys(chunk.headings for chunk in chunks))
    assert paths == [
        ("Guide",),
        ("Guide", "Install"),
        ("Guide", "Install", "On Linux"),
        ("Guide", "Use"),
    ]
    lines = text.split("\n")
    for chunk in chunks:
        assert chunk.text == "\n".join(lines[chunk.first_line - 1 : chunk.last_line])
        assert _measure(chunk.text) <= MOST_TOKENS


def test_sections_of_restructured_text_are_known_by_their_underlines():
    title = "=====\nGuide\n====="
    text = f"{title}\n\n{LONG}\n\n.. _here:\n\nInstall\n=======\n\n{LONG}\n\nLinux\n-----\n\n{LONG}"
    for name in ("guide.rst", "guide.txt"):
        paths = list(dict.fromkeys(_headings(name, text)))
        assert paths == [("Guide",), ("Guide", "Install"), ("Guide", "Install", "Linux")]


def test_the_marks_in_a_heading_are_no_part_of_it():
    assert _headings("a.md", "# The `run` *command* [here](x.md)\n\ntext") == [
        ("The run command here",)
    ]
    rst = "The ``run`` :class:`~a.B`\n=========================\n\ntext :ref:`x`\n"
    assert _headings("a.rst", rst) == [("The run ~a.B",)]


def test_a_text_that_is_not_marked_up_is_cut_at_its_paragraphs():
    chunks = chunk_document("notes.txt", LONG)
    assert len(chunks) > 1
    assert all(chunk.headings == () and chunk.text.startswith("Para") for chunk in chunks)


def test_what_is_one_thing_stays_whole_though_it_is_longer_than_others():
    row = f"| {WORDS} | {WORDS} |"
    table = "\n".join(["| a | b |", "|---|---|", *[row] * 15])
    fence = "\n".join(["```", *[f"{WORDS} {WORDS}"] * 15, "```"])
    for part in (table, fence):
        assert MOST_TOKENS < _measure(part) <= LARGEST_TOKENS
        chunks = chunk_document("a.md", f"# Head\n\n{LONG}\n\n{part}\n\n{LONG}")
        assert any(part in chunk.text for chunk in chunks)
        assert all(_measure(chunk.text) <= LARGEST_TOKENS for chunk in chunks)


def test_a_chunk_that_is_a_heading_alone_says_so():
    bare, *others = chunk_document("a.md", f"# Guide\n\n## Install\n\n{LONG}")
    assert (bare.text, bare.is_bare) == ("# Guide", True)
    assert not any(chunk.is_bare for chunk in others)


def test_long_sections_overlap():
    first, second, *_ = chunk_document("a.md", LONG)
    assert second.first_line <= first.last_line


def test_a_heading_in_a_fence_or_in_front_matter_is_none():
    text = "---\ntitle: x\n---\n\n# One\n\n```\n# not a heading\n```\n"
    assert _headings("a.md", text) == [("One",)]


def test_a_table_of_restructured_text_with_blank_lines_stays_whole():
    row = "one   two\n\n"
    table = f"===== =====\nA     B\n===== =====\n{row * 30}===== =====\n"
    text = f"Title\n=====\n\n{LONG}\n\n{table}\n{LONG}"
    holding = [chunk for chunk in chunk_document("a.rst", text) if "one   two" in chunk.text]
    assert any(chunk.text.count("one   two") == 30 for chunk in holding)


def test_a_text_without_any_structure_is_cut_in_time_that_grows_with_its_length_alone():
    chunks = chunk_document("log.txt", "\n".join([WORDS] * 50_000))
    assert len(chunks) > 1_000
    assert all(_measure(chunk.text) <= MOST_TOKENS for chunk in chunks)


def test_an_empty_document_has_no_chunks():
    assert chunk_document("a.md", "") == []
    assert chunk_document("a.rst", "\n\n  \n") == []


def test_one_line_that_is_too_long_is_still_there():
    assert "".join(chunk.text for chunk in chunk_document("a.md", "x" * 20_000)) == "x" * 20_000


_LINES = st.lists(
    st.sampled_from(
        [
            "",
            "",
            "# One",
            "## Two",
            "Title",
            "=====",
            "-----",
            "* item",
            "  more of it",
            "1. first",
            "| a | b |",
            "|---|---|",
            "> quoted",
            "```",
            "~~~",
            ".. note::",
            "   inside it",
            "ends with::",
            WORDS,
            WORDS * 4,
        ]
    ),
    max_size=60,
)


@pytest.mark.parametrize("name", ["a.md", "a.rst", "a.txt"])
@given(lines=_LINES, most=st.integers(20, 200))
def test_chunks_hold_every_line_that_says_something(name, lines, most):
    chunks = chunk_document(name, "\n".join(lines), most)
    held = {n for chunk in chunks for n in range(chunk.first_line, chunk.last_line + 1)}
    assert {number for number, line in enumerate(lines, 1) if line.strip()} <= held
    assert [c.first_line for c in chunks] == sorted(c.first_line for c in chunks)


_PARTS = st.lists(
    st.one_of(
        st.sampled_from(["# Head", "## Sub", WORDS, f"* {WORDS}\n* {WORDS}"]),
        st.integers(1, 8).map(lambda rows: "\n".join(["```python", *["x = 1"] * rows, "```"])),
    ),
    max_size=30,
)


@given(parts=_PARTS)
def test_a_fence_that_fits_is_never_cut(parts):
    for chunk in chunk_document("a.md", "\n\n".join(parts), most=60):
        marks = [line for line in chunk.text.split("\n") if line.startswith("```")]
        assert len(marks) % 2 == 0
        assert marks[::2] == ["```python"] * (len(marks) // 2)
