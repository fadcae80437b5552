-- The models that made vectors of a workspace. One serves the searches; another one may be filled
-- beside it. `served` counts up each time that one begins to serve.

CREATE TABLE generations (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    model INTEGER NOT NULL REFERENCES models (id),
    state TEXT NOT NULL,
    served INTEGER NOT NULL,
    PRIMARY KEY (workspace, model)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX generations_in_use ON generations (workspace, state)
WHERE state IN ('serving', 'filling');

-- Where there are vectors of several models, those that are most serve.
INSERT INTO generations (workspace, model, state, served)
SELECT workspace, model, 'serving', 1 FROM (
    SELECT workspace, model, row_number() OVER (
        PARTITION BY workspace ORDER BY count(*) DESC, model DESC
    ) AS place
    FROM vectors GROUP BY workspace, model
) WHERE place = 1;
