"""Where memories are kept: small protocols, one algorithm, several backends."""

from tacit.store.agreement import agreed
from tacit.store.answer import Answer
from tacit.store.bounds import Bounds
from tacit.store.index import Census, Index
from tacit.store.indexed import Indexed, IndexedBatch
from tacit.store.journal import (
    SUCCESSOR,
    Journal,
    proposes,
    put_derived,
    sources_of,
    texts_of,
)
from tacit.store.kept import is_anything_kept
from tacit.store.location import is_url
from tacit.store.opening import exists, open_store
from tacit.store.protocols import Keys, Store, Unit
from tacit.store.query import Counts, Query
from tacit.store.shared_transaction import shared_transaction, when_committed
from tacit.store.stats import Stats
from tacit.store.tenants import documents_beside, tenants

__all__ = [
    "SUCCESSOR",
    "Answer",
    "Bounds",
    "Census",
    "Counts",
    "Index",
    "Indexed",
    "IndexedBatch",
    "Journal",
    "Keys",
    "Query",
    "Stats",
    "Store",
    "Unit",
    "agreed",
    "documents_beside",
    "exists",
    "is_anything_kept",
    "is_url",
    "open_store",
    "proposes",
    "put_derived",
    "shared_transaction",
    "sources_of",
    "tenants",
    "texts_of",
    "when_committed",
]
