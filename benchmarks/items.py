"""Items: 5,000 values in one batch, with the real model, and again without a change."""

from time import perf_counter, sleep

from benchmarks.context import Context
from benchmarks.figures import seconds
from benchmarks.report import Report
from benchmarks.sentences import make_sentences
from tacit import Tacit
from tacit.embedding.minilm.embedder import MiniLM
from tacit.writing.items import ItemDraft

_ITEMS = 5_000
_USERS = 50
_PAUSE = 0.5


def run(context: Context) -> Report:
    """Write, wait for the vectors, write the same again, and search."""
    drafts = [
        ItemDraft(("users", f"u{number % _USERS}"), f"k{number}", {"text": text, "size": number})
        for number, text in enumerate(make_sentences(_ITEMS, seed=9))
    ]
    path = context.folder / "items.db"
    with Tacit.open(path, embedder=MiniLM.open()) as tacit:
        context.say("writing")
        start = perf_counter()
        tacit.items.put_all(drafts)
        returned = perf_counter() - start
        found = seconds(lambda: tacit.items.search(("users", "u1"), query=drafts[1].value["text"]))
        while tacit._context.item_embedder.count_missing():
            sleep(_PAUSE)
        complete = perf_counter() - start
        context.say("writing the same again")
        again = seconds(lambda: tacit.items.put_all(drafts))
        later = seconds(lambda: tacit.items.search(("users", "u1"), query=drafts[1].value["text"]))
    for each in context.folder.glob(f"{path.name}*"):
        each.unlink()
    return Report(
        title=f"Items: {_ITEMS:,} values of about thirty words in one batch",
        columns=("measure", "seconds"),
        rows=[
            ("until the batch has returned", returned),
            ("a first search in one of 50 namespaces, by words", found),
            ("until every vector is there, which the background makes", complete),
            ("the same batch again", again),
            ("a search in one of 50 namespaces", later),
        ],
        notes=("Of a batch the first 64 new texts are embedded before it returns.",),
    )
