"""Code fences open and close as CommonMark has it, and where people put them."""

from tacit.language.code_fences import (
    CodeFence,
    classify_lines,
    missing_closing_fence,
    take_last_lines,
)


def _letters(*lines: str) -> str:
    return "".join(kind.value[0] for kind in classify_lines(lines))


def test_a_fence_is_closed_by_as_many_of_the_same_signs_alone_on_a_line() -> None:
    assert _letters("a", "````md", "```", "~~~~", "```` x", "`````", "b") == "tfcccft"
    assert _letters("~~~", "```", "~~~", "b") == "fcft"


def test_code_between_backticks_on_one_line_opens_nothing() -> None:
    assert _letters("```ls``` lists files", "b") == "tt"


def test_fences_in_lists_open_after_the_marker_and_close_when_indented() -> None:
    assert _letters("- ```sh", "  ls", "  ```", "- b") == "fcft"
    assert _letters("1. a", "      ```", "      b", "      ```", "c") == "tfcft"


def test_an_open_fence_is_closed_with_its_own_marks_and_indentation() -> None:
    assert missing_closing_fence(["a", "  ~~~~ py", "b"]) == "  ~~~~"
    assert missing_closing_fence(["```", "b", "```"]) is None


def test_the_last_lines_of_code_keep_their_fences() -> None:
    assert take_last_lines(["```py", "a", "b"], 1) == ["```py", "b", "```"]
    assert take_last_lines(["```py", "a", "```", "b"], 2) == ["```py", "```", "b"]


def test_indented_code_is_no_fence_for_those_who_read_whole_documents() -> None:
    assert CodeFence.of("    ```") is None
    assert CodeFence.of("   ```py") == ("   ```py", "   ", "```", "py")
