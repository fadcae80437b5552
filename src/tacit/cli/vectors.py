"""The command that fills in vectors: embed."""

from tacit.cli import options as opt
from tacit.cli.output import console, print_json
from tacit.cli.readiness import bar


def embed(
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Give vectors to memories that have none of this model.

    After a change of model, or after writing without one. Until then they are found by words.
    """
    with opt.existing(db, workspace, embeds=True) as tacit, bar() as watch:
        done = tacit.embed_missing(progress=lambda done, total: watch("embedding", done, total))
    if as_json:
        print_json({"embedded": done})
    else:
        console().print(f"{done:,} embedded" if done else "Every memory has its vector.")


COMMANDS = {"embed": embed}
