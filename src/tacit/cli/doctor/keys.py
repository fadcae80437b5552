"""Keys: how many are in use, and which speak for users though nobody decided that."""

from collections.abc import Iterator
from shlex import quote

from tacit.cli.doctor.finding import Finding, doubtful, fine
from tacit.cli.doctor.installation import Installation
from tacit.cli.doctor.place import opened
from tacit.core.keys import Key


def look(installation: Installation) -> Iterator[Finding]:
    """How many keys are in use; agents' keys that an upgrade left speaking for users."""
    with opened(installation) as store:
        keys = [] if store is None else store.keys().all()
    in_use = [key for key in keys if key.revoked_at is None]
    if in_use:
        yield fine("keys", f"{len(in_use):,} key{'' if len(in_use) == 1 else 's'} in use")
    for key in in_use:
        if key.speaks_by_upgrade:
            yield doubtful(
                "keys",
                f"what agent {key.agent} sends with key {key.name} counts as a person's words,"
                " as it did before an upgrade",
                f"make another and use it: {_command(key)}; add --speaks-for-users if people type"
                f" what it sends; then: tacit keys revoke {key.id}",
            )


def _command(key: Key) -> str:
    """What makes the same key, which sends an agent's words."""
    where = "--every-workspace" if key.workspace is None else f"--workspace {quote(key.workspace)}"
    user = "" if key.user is None else f" --user {quote(key.user)}"
    name, agent = quote(f"{key.name} 2"), quote(key.agent or "")
    return f"tacit keys add {name} --role {key.role} {where} --agent {agent}{user}"
