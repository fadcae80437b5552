"""Markdown costs what its lines cost: tables without cells, headings of a bounded length."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tacit.grounding.documents.chunks import LONGEST_HEADING, chunk_document
from tacit.language.markdown import parse_markdown_blocks
from tests.properties import examples

LINES = st.sampled_from(
    [
        *("| a | b |", "a | b", "|a\\|b|", "|---|---|", "--- | :-:", "|-|", "- | -", "| - |", ""),
        *(
            "> |a|b|",
            "> |-|-|",
            "    |a|",
            "- item",
            "  |x|y|",
            "  |-|-|",
            "# h",
            "```",
            "|",
            ":--",
        ),
        *("text", "***"),
    ]
)
REFERENCE = MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])


def _outline(tokens):
    """The blocks without the cells of tables."""
    kept, depth = [], 0
    for token in tokens:
        depth += (token.type == "table_open") - (token.type == "table_close")
        if depth == 0 or token.type == "table_open":
            kept.append((token.type, token.level, token.map))
    return kept


@settings(max_examples=examples(60, 1_000))
@example(["a | b", "--- | ---", "", "c"])
@example(["- |a|", "  |-|", "  |b|"])
@given(st.lists(LINES, max_size=8))
def test_tables_are_where_the_parser_finds_them(lines):
    text = "\n".join(lines)
    assert _outline(parse_markdown_blocks(text)) == _outline(REFERENCE.parse(text))


def test_a_wide_table_of_empty_rows_makes_no_cells():
    size = 256
    table = "|a" * size + "|\n" + "|-" * size + "|\n" + "|\n" * size
    assert len(parse_markdown_blocks(table)) == 2


def test_a_long_heading_stands_above_each_chunk_in_part_only():
    heading = "word " * 2_000
    sections = "".join(f"## Part {n}\n\nThis is what part {n} says.\n\n" for n in range(50))
    chunks = chunk_document("a.md", f"# {heading}\n\n{sections}")
    assert all(len(title) <= LONGEST_HEADING for each in chunks for title in each.headings)
    assert heading.strip() in "\n".join(each.text for each in chunks)
