-- The models that made vectors of a workspace. One serves the searches; another one may be filled
-- beside it. `served` counts up each time that one begins to serve.

CREATE TABLE tacit.generations (
    workspace bigint NOT NULL,
    model integer NOT NULL,
    state text NOT NULL,
    served integer NOT NULL,
    PRIMARY KEY (workspace, model)
) {partitioned};

CREATE UNIQUE INDEX generations_in_use ON tacit.generations (workspace)
WHERE state = 'serving';
CREATE UNIQUE INDEX generations_being_filled ON tacit.generations (workspace)
WHERE state = 'filling';

-- Row-level security would hide all vectors here; it is switched on again after the migration.
ALTER TABLE tacit.vectors NO FORCE ROW LEVEL SECURITY;

-- Where there are vectors of several models, those that are most serve.
INSERT INTO tacit.generations (workspace, model, state, served)
SELECT workspace, model, 'serving', 1 FROM (
    SELECT workspace, model, row_number() OVER (
        PARTITION BY workspace ORDER BY count(*) DESC, model DESC
    ) AS place
    FROM tacit.vectors GROUP BY workspace, model
) AS counted WHERE place = 1;

-- A large workspace has statistics of the vectors of each model that is in use.
ALTER TABLE tacit.censuses DROP CONSTRAINT censuses_pkey;
ALTER TABLE tacit.censuses ADD PRIMARY KEY (workspace, model);
