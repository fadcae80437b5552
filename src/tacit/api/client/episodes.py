"""`RemoteTacit`'s calls about episodes."""

from typing import Unpack

from tacit.api.client.connection import RemoteWorkspaceApi, actor_argument
from tacit.api.client.endpoints import endpoint
from tacit.api.client.memories import to_json_fields
from tacit.api.protocols.episodes import EpisodeProtocol
from tacit.core.fields import check_all_fields, check_field
from tacit.core.kinds import Actor
from tacit.writing.draft import DRAFT_FIELDS, DraftFields, Written


class RemoteEpisodeCalls(RemoteWorkspaceApi, EpisodeProtocol):
    """List, keep and forget what was said."""

    episodes = endpoint(EpisodeProtocol.episodes, "GET /v1/episodes", fields={"after": "id"})
    episode = endpoint(EpisodeProtocol.episode, "GET /v1/episodes/{id}")
    forget_episode = endpoint(EpisodeProtocol.forget_episode, "POST /v1/episodes/{id}/forget")
    restore_episode = endpoint(EpisodeProtocol.restore_episode, "POST /v1/episodes/{id}/restore")

    def promote_episode(
        self, id: str, *, by: Actor | str = Actor.USER, **fields: Unpack[DraftFields]
    ) -> Written:
        values = to_json_fields(check_all_fields(fields, DRAFT_FIELDS))
        path = f"/v1/episodes/{check_field('id', id)}/promote"
        return self._connection.write(
            path, {**values, **actor_argument(by)}, read=Written.from_dict
        )
