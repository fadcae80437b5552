"""Paging: the links to the first and the next page of a list."""

from tacit.ui.kit.elements import box, link
from tacit.ui.navigation import PageSpec
from tacit.ui.page_context import PageContext


def build_paging(context: PageContext, page: PageSpec, last: str | None) -> None:
    """The links below a list; `last` is the id that the next page goes on after, if any."""
    is_first = context.query.get("after") is None
    if is_first and last is None:
        return
    with box("row"):
        if not is_first:
            link("First page", context.link(page.path), "button plain")
        if last is not None:
            link("Next page", context.link(page.path, after=last), "button plain")
