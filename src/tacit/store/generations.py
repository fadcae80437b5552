"""Generations of vectors: which model's vectors serve a workspace, and how another one takes over.

A workspace is searched by the vectors of one model. A fill makes those of another one beside them,
and the switch is one transaction: whoever reads the generations in the transaction of its search
never compares vectors of two models. What served before can serve again until it is dropped.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable
from datetime import UTC, datetime

from tacit.core.vectors import EmbeddingModel, Generation, GenerationState, TextVectors
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.query import Query
from tacit.store.stats import GenerationReport
from tacit.store.workspaces import list_places

_STORED = (GenerationState.SERVING, GenerationState.FILLING, GenerationState.PREVIOUS)


def find_model(unit: UnitOfWork, state: GenerationState) -> EmbeddingModel | None:
    """The model that serves or is filled, or that served last; None if there is none."""
    return next((each.model for each in unit.generations.all() if each.state is state), None)


def serving_model(unit: UnitOfWork) -> EmbeddingModel | None:
    """The model whose vectors are searched; None if the workspace never had any."""
    return find_model(unit, GenerationState.SERVING)


def filling_model(unit: UnitOfWork) -> EmbeddingModel | None:
    """The model whose vectors are made beside those that serve."""
    return find_model(unit, GenerationState.FILLING)


def put_vectors(unit: UnitOfWork, id: str, made: TextVectors) -> None:
    """Store the vectors of a memory; the first that a workspace gets decide which model serves.

    Vectors that were made for a generation that was dropped meanwhile are left out.
    """
    if not unit.generations.all():
        unit.generations.put(Generation(made.model, GenerationState.SERVING, served=1))
    stored = {each.model for each in unit.generations.all() if each.state in _STORED}
    for model, vector in ((made.model, made.vector), *made.beside):
        if model in stored:
            unit.vectors.put(id, model, vector)


def begin_generation(unit: UnitOfWork, model: EmbeddingModel, *, is_asked: bool) -> bool:
    """Have the vectors of a model made beside those that serve; returns whether they are.

    A model that was left behind begins again only if somebody asks for it: programs that still
    have the old settings must not undo the switch of others.
    """
    known = {each.model: each for each in unit.generations.all()}
    own = known.get(model)
    if own is not None and own.state is GenerationState.FILLING:
        return True
    if serving_model(unit) in (None, model) or (own is not None and not is_asked):
        return False
    other = filling_model(unit)
    if other is not None:
        unit.generations.put(_with_state(known[other], GenerationState.DROPPED))
    unit.generations.put(
        Generation(model, GenerationState.FILLING, served=own.served if own else 0)
    )
    return True


def switch_generation(unit: UnitOfWork, model: EmbeddingModel) -> bool:
    """Have the model that was filled serve, if nothing lacks its vector; returns whether it does.

    The unit is a transaction: other writers wait, so nothing without a vector comes in between.
    """
    if filling_model(unit) != model or unit.vectors.missing(model, 1):
        return False
    _serve(unit, model)
    return True


def give_up_filling(unit: UnitOfWork) -> EmbeddingModel | None:
    """Give up the vectors that are being made; returns the model that goes on serving.

    None if none are being made.
    """
    known = {each.model: each for each in unit.generations.all()}
    filling = filling_model(unit)
    if filling is None:
        return None
    unit.generations.put(_with_state(known[filling], GenerationState.DROPPED))
    return serving_model(unit)


def serve_previous(unit: UnitOfWork) -> EmbeddingModel | None:
    """Have the model serve again that served before; None if there is none."""
    previous = find_model(unit, GenerationState.PREVIOUS)
    if previous is not None:
        _serve(unit, previous)
    return previous


def _serve(unit: UnitOfWork, model: EmbeddingModel) -> None:
    known = unit.generations.all()
    for each in known:
        if each.state is GenerationState.SERVING:
            unit.generations.put(_with_state(each, GenerationState.PREVIOUS))
    latest = max(each.served for each in known)
    unit.generations.put(Generation(model, GenerationState.SERVING, served=latest + 1))


def _with_state(generation: Generation, state: GenerationState) -> Generation:
    return Generation(generation.model, state, generation.served)


_PORTION = 500
_EVERYTHING = Query(now=datetime(1970, 1, 1, tzinfo=UTC), state=None)


def drop_other_generations(
    store: Store, workspace: str, kept_tokens: Iterable[EmbeddingModel]
) -> int:
    """Remove the vectors of all models that neither serve nor are filled; returns how many.

    Token codes go too, except those of `kept_tokens`. It is done in portions, so that writers have
    their turns, and an interrupted run is resumed by the next one.
    """
    tokens = set(kept_tokens)
    with store.write(workspace) as unit:
        for each in unit.generations.all():
            if each.state is GenerationState.PREVIOUS:
                unit.generations.put(_with_state(each, GenerationState.DROPPED))
    dropped = 0
    while True:
        with store.write(workspace) as unit:
            in_use = {serving_model(unit), filling_model(unit)}
            vectors = _drop_some(unit.vectors.models(), in_use, unit.vectors.drop)
            codes = _drop_some(unit.token_codes.models(), tokens, unit.token_codes.drop)
        dropped += vectors
        if not vectors and not codes:
            return dropped


def _drop_some(
    models: Iterable[EmbeddingModel],
    kept: Container[EmbeddingModel | None],
    drop: Callable[[EmbeddingModel, int], int],
) -> int:
    """Drop a portion of the first of these models that is not kept."""
    return next((drop(each, _PORTION) for each in models if each not in kept), 0)


# What is reported


_URGENT = (
    GenerationState.FILLING,
    GenerationState.SERVING,
    GenerationState.PREVIOUS,
    GenerationState.DROPPED,
)


def report_generations(store: Store, workspace: str) -> list[GenerationReport]:
    """The generations of a workspace and of what lies beside it, first the one that serves.

    Those that were dropped are left out once nothing of them is stored.
    """
    states: dict[EmbeddingModel, set[GenerationState]] = {}
    vectors: Counter[EmbeddingModel] = Counter()
    texts = 0
    for place in list_places(workspace):
        with store.read(place) as unit:
            total = unit.memories.total(_EVERYTHING)
            texts += total
            for each in unit.generations.all() if total else ():
                states.setdefault(each.model, set()).add(each.state)
                vectors[each.model] += total - unit.vectors.lacking(each.model)
    reports = [
        GenerationReport(
            model=model.name,
            dims=model.dims,
            revision=model.revision,
            state=next(each for each in _URGENT if each in found),
            vectors=vectors[model],
            texts=texts,
        )
        for model, found in states.items()
        if found != {GenerationState.DROPPED} or vectors[model]
    ]
    return sorted(reports, key=lambda each: each.state is not GenerationState.SERVING)
