"""Making a key."""

from datetime import datetime

from tacit.core.access.key import Key
from tacit.core.access.role import Role
from tacit.core.access.secret import digest_of, new_token
from tacit.core.choice import choice
from tacit.core.errors import InvalidInput
from tacit.core.memory.fields import check

_LONGEST_NAME = 100


def issue(
    name: str,
    role: Role | str,
    *,
    workspace: str | None,
    agent: str | None = None,
    user: str | None = None,
    speaks_for_users: bool = False,
    at: datetime,
) -> tuple[Key, str]:
    """A new key and its token, which nobody can tell from the key.

    A key without an agent speaks for users in any case.
    """
    id, token = new_token()
    key = Key(
        id=id,
        name=_checked(name),
        workspace=None if workspace is None else check("workspace", workspace),
        role=choice("role", Role, role),
        agent=check("agent", agent),
        user=None if user is None else check("user", user),
        speaks_for_users=speaks_for_users or agent is None,
        digest=digest_of(token),
        created_at=at,
    )
    return key, token


def _checked(name: str) -> str:
    name = name.strip()
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        problem = f"write 1 to {_LONGEST_NAME} printable characters, such as: ci"
        raise InvalidInput("name", problem)
    return name
