"""Everything a workspace holds as one file, out and in again."""
