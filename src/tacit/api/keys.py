"""The keys of a store: made, looked up and revoked."""

from tacit.core.errors import NotFound
from tacit.core.keys import Key, Role, is_token_of, issue_key, parse_key_id
from tacit.runtime.clock import Clock
from tacit.store.protocols.store import Store


class Keyring:
    """All keys of a store, for every workspace."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def add(
        self,
        name: str,
        role: Role | str,
        *,
        workspace: str | None = None,
        agent: str | None = None,
        user: str | None = None,
        speaks_for_users: bool = False,
    ) -> tuple[Key, str]:
        """Make a key; its token is told this once. Without a workspace it is for every one."""
        key, token = issue_key(
            name,
            role,
            workspace=workspace,
            agent=agent,
            user=user,
            speaks_for_users=speaks_for_users,
            at=self._clock(),
        )
        self._store.keys().add(key)
        return key, token

    def all(self) -> list[Key]:
        """Every key, oldest first, revoked ones too."""
        return self._store.keys().all()

    def any(self) -> bool:
        """Whether there ever was a key."""
        return self._store.keys().any()

    def revoke(self, id: str) -> None:
        """End a key that is in use."""
        if not self._store.keys().revoke(id, self._clock()):
            raise NotFound(f"there is no key {id!r} in use; tacit keys list shows them")

    def holding(self, token: str) -> Key | None:
        """The key that a token opens; None if there is none, or it was revoked."""
        id = parse_key_id(token)
        key = None if id is None else self._store.keys().get(id)
        if key is None or key.revoked_at is not None or not is_token_of(key, token):
            return None
        return key
