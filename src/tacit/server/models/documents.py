"""Documents."""

from pydantic import Field

from tacit.server.models.common import Given, Items, Told, example


class FolderShape(Told):
    """A folder whose documents are searched."""

    path: str = Field(examples=["/srv/handbook"])
    exclude: list[str] = Field(description="Patterns of what in it is left out.")
    is_own: bool = Field(description="Whether it is the workspace's own, which nobody adds.")


class AddingFolder(Given):
    """A folder of the server's to search too."""

    path: str = Field(examples=["/srv/handbook"])
    exclude: Items[str] = Field([], description="Patterns of what in it is left out.")

    model_config = example(path="/srv/handbook", exclude=["drafts/**"])


class UnreadShape(Told):
    """A file that is not searched, and why."""

    path: str
    reason: str = Field(examples=["is binary"])


class DocumentStatusShape(Told):
    """How the documents of a workspace stand."""

    folders: list[FolderShape]
    files: int
    chunks: int
    waiting: int = Field(description="Chunks that have no vector yet and are found by words only.")
    unread: list[UnreadShape]


class IndexShape(Told):
    """What indexing did."""

    indexed: int = Field(description="Files that are new or were changed.")
    unchanged: int
    removed: int
    chunks: int = Field(description="Chunks of the files that were indexed.")
    unread: list[UnreadShape]


class ExcerptShape(Told):
    """A passage of a document."""

    source: str = Field(description="The file within its folder.", examples=["topics/cache.txt"])
    path: str = Field(description="Where it is; empty for who may not know the server's disk.")
    headings: list[str]
    first_line: int
    last_line: int
    text: str
    score: float
    sha256: str


class DocumentSearchShape(Told):
    """The best passage of each document found, best first."""

    hits: list[ExcerptShape]
    degraded: list[str] = Field(description="What was left out, and why.")
