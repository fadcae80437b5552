-- The folders that projects are at. Without a project a folder's claim waits for a person.

CREATE TABLE tacit.places (
    workspace bigint NOT NULL,
    host text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    claim text COLLATE "C" NOT NULL,
    project text COLLATE "C",
    at bigint NOT NULL,
    PRIMARY KEY (workspace, host, path, claim)
) {partitioned};

CREATE INDEX places_by_project ON tacit.places (workspace, project);
