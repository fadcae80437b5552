"""Documents: what a workspace has to read."""

from tacit.api.embedding import known_model
from tacit.api.face.face import Face
from tacit.grounding.documents.documents import Documents, Means


class DocumentsFace(Face):
    """The documents of a workspace."""

    @property
    def documents(self) -> Documents:
        """What a workspace has to read: folders of files, indexed and searched beside memories."""
        return Documents(
            Means(
                store=self._store,
                workspace=self.workspace,
                searcher=self._searcher,
                watcher=self._watcher,
                clock=self._clock,
                new_id=self._new_id,
                workspaces=lambda: self._workspaces,
                model=lambda: known_model(self._embedder),
                search=lambda: self._current().search,
                grounding=lambda: self._current().grounding,
            )
        )
