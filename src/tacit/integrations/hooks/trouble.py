"""What may be said of a failure: never what a user has written."""

import os

from tacit.core.errors import InvalidInput, TacitError


def told(error: BaseException) -> str:
    """The kind of failure, and where; our own say what to do, unless they quote what was given."""
    if isinstance(error, TacitError) and not isinstance(error, InvalidInput):
        return f"{type(error).__name__}: {error}"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    file = os.path.basename(trace.tb_frame.f_code.co_filename)  # noqa: PTH119
    return f"{type(error).__name__} in {file}, line {trace.tb_lineno}"
