"""Who may come in from outside: keys, what they open, and the secrets that prove them."""

from tacit.access.issue import issue
from tacit.access.key import Key
from tacit.access.role import Role
from tacit.access.secret import digest_of, id_of, matches, new_token

__all__ = ["Key", "Role", "digest_of", "id_of", "issue", "matches", "new_token"]
