"""Names in paths: each stands in one part, with its slashes percent-encoded.

Routes are matched on a path in which an encoded slash is not yet a slash, so that a session
`x/variables` is not taken for the variables of a session `x`.
"""

from typing import Annotated, Any
from urllib.parse import unquote_to_bytes

from fastapi import Path
from pydantic import AfterValidator

_SLASH, _PERCENT = "%2F", "%25"


def path_to_match(scope: Any) -> str:
    """The path of a request, decoded but for the slashes and percent signs within a part."""
    raw: bytes | None = scope.get("raw_path")
    if raw is None:
        return str(scope["path"])
    parts = (unquote_to_bytes(part).decode(errors="replace") for part in raw.split(b"/"))
    return "/".join(part.replace("%", _PERCENT).replace("/", _SLASH) for part in parts)


def decoded_name(part: str) -> str:
    """The name that a part of such a path stands for."""
    return part.replace(_SLASH, "/").replace(_PERCENT, "%")


SessionId = Annotated[str, Path(examples=["s1"]), AfterValidator(decoded_name)]
ProjectId = Annotated[str, Path(examples=["shop"]), AfterValidator(decoded_name)]
AgentId = Annotated[str, Path(examples=["reviewer"]), AfterValidator(decoded_name)]
