"""Archive: export and import of a workspace, readers of other formats, moves between stores."""
