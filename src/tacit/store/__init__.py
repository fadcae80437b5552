"""Where memories are kept: small protocols, one algorithm, several backends."""

from tacit.store.index import Census, Index
from tacit.store.indexed import Indexed, IndexedBatch
from tacit.store.journal import Journal, put_derived
from tacit.store.location import is_url
from tacit.store.opening import exists, open_store
from tacit.store.protocols import Store, Unit
from tacit.store.query import Counts, Query

__all__ = [
    "Census",
    "Counts",
    "Index",
    "Indexed",
    "IndexedBatch",
    "Journal",
    "Query",
    "Store",
    "Unit",
    "exists",
    "is_url",
    "open_store",
    "put_derived",
]
