/**
 * The schema, one step per version, oldest first. Steps that were released never change; a new one is added instead.
 * Row names: an approval, grant, pin, session or run is the document in `doc` or its columns; what is found by is a column.
 */
const first = `
CREATE TABLE state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  epoch INTEGER NOT NULL,
  pins_epoch INTEGER NOT NULL,
  latest INTEGER NOT NULL,
  roster TEXT NOT NULL
) STRICT;
INSERT INTO state VALUES (1, 0, 0, 0, '');

CREATE TABLE approvals (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  principal TEXT NOT NULL,
  session TEXT NOT NULL,
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  call_digest TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  settled_at INTEGER,
  due_at INTEGER,
  attachable INTEGER NOT NULL,
  has_payload INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX approvals_newest ON approvals (status, created_at, id);
CREATE INDEX approvals_session ON approvals (principal, session, status, settled_at);
CREATE INDEX approvals_identical ON approvals (call_digest) WHERE attachable = 1;
CREATE INDEX approvals_due ON approvals (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX approvals_kept ON approvals (settled_at) WHERE settled_at IS NOT NULL AND has_payload = 1;

CREATE TABLE grants (
  id TEXT PRIMARY KEY,
  uses_left INTEGER,
  times_used INTEGER NOT NULL,
  last_used_at INTEGER,
  doc TEXT NOT NULL
) STRICT;

CREATE TABLE pins (
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  doc TEXT NOT NULL,
  PRIMARY KEY (server, tool)
) STRICT;

CREATE TABLE sessions (
  principal TEXT NOT NULL,
  id TEXT NOT NULL,
  named INTEGER NOT NULL,
  mode TEXT NOT NULL,
  mode_until INTEGER,
  mode_by TEXT,
  lifted TEXT NOT NULL,
  refused TEXT NOT NULL,
  ended_at INTEGER,
  auto_allowed INTEGER NOT NULL,
  PRIMARY KEY (principal, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_deciding ON sessions (principal, id)
  WHERE ended_at IS NULL AND (mode <> 'ask' OR lifted <> '[]' OR refused <> '[]');

CREATE TABLE chains (
  n INTEGER PRIMARY KEY,
  writer TEXT NOT NULL UNIQUE,
  alive_until INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  signature TEXT NOT NULL
) STRICT;

-- position: the chain's number times 2^32, plus the record's seq; so each chain lies together and grows at its end.
CREATE TABLE audit (
  position INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  step INTEGER NOT NULL,
  type TEXT NOT NULL,
  subject TEXT,
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  payload TEXT
) STRICT;
CREATE INDEX audit_time ON audit (at);
CREATE INDEX audit_subject ON audit (subject, step, type) WHERE subject IS NOT NULL;
CREATE INDEX audit_seldom ON audit (type, at)
  WHERE type <> 'call.allowed' AND type <> 'run.started' AND type <> 'run.succeeded';
CREATE INDEX audit_kept ON audit (at) WHERE payload IS NOT NULL;

CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  subject TEXT NOT NULL
) STRICT;
CREATE INDEX events_time ON events (at);
`

const documents = `
CREATE TABLE documents (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  expires_at INTEGER,
  value TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX documents_expiring ON documents (expires_at) WHERE expires_at IS NOT NULL;
`

/** No table changes. Pins can be rejected and in quarantine from here on: a program that does not know that must not judge by them. */
const answeredPins = "-- Pins can be rejected and in quarantine."

// A summary stands in a table of its own: in a row behind a long document, SQLite would walk through that to reach it.
const summaries = `
ALTER TABLE approvals ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX approvals_waiting ON approvals (principal, session, bytes) WHERE status = 'pending';
CREATE TABLE summaries (n INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
`

// The count of a session's unasked calls moves along; after 30 days without another call it can be forgotten.
const usage = `
CREATE TABLE principal_counts (
  principal TEXT PRIMARY KEY,
  forget_at INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX principal_counts_old ON principal_counts (forget_at);
CREATE TABLE session_totals (
  principal TEXT NOT NULL,
  session TEXT NOT NULL,
  forget_at INTEGER NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (principal, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_totals_old ON session_totals (forget_at);
INSERT INTO session_totals SELECT principal, id,
  (SELECT max(latest, coalesce((SELECT max(at) FROM audit), 0)) FROM state) + 2592000000, auto_allowed
  FROM sessions WHERE auto_allowed > 0;
ALTER TABLE sessions DROP COLUMN auto_allowed;
`

// Calls held for agents are counted without reading those held for runs.
const runs = `
CREATE TABLE runs (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  principal TEXT NOT NULL,
  starter_kind TEXT NOT NULL,
  starter_id TEXT NOT NULL,
  owner TEXT,
  lease_until INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  ended_at INTEGER,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX runs_newest ON runs (status, principal, created_at, id);
CREATE INDEX runs_started ON runs (starter_id, starter_kind, status, principal, created_at, id);
CREATE INDEX runs_open ON runs (status, updated_at, id, principal, owner, lease_until) WHERE ended_at IS NULL;
CREATE INDEX runs_ended ON runs (ended_at) WHERE ended_at IS NOT NULL;
-- run: the number of its row.
CREATE TABLE journal (
  run INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (run, seq),
  UNIQUE (run, name)
) STRICT;
CREATE INDEX approvals_of_agents ON approvals (status, principal, bytes)
  WHERE status = 'pending' AND principal <> 'run' AND principal <> 'chat';
`

// A list of runs reads summaries, and what a starter's open runs take is counted from an index alone.
const runSummaries = `
ALTER TABLE runs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN held_calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN held_bytes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_of_starter ON runs (starter_id, starter_kind, bytes, held_calls, held_bytes) WHERE ended_at IS NULL;
CREATE TABLE run_summaries (n INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
`

// A session's own grants, and the sessions that ended long ago, are found without reading the others.
const sessionState = `
ALTER TABLE sessions ADD COLUMN since INTEGER;
CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL;
ALTER TABLE grants ADD COLUMN session_key TEXT;
CREATE INDEX grants_of_session ON grants (session_key) WHERE session_key IS NOT NULL;
`

export const migrations: readonly string[] = [
  ...[first, documents, answeredPins, summaries, usage, runs, runSummaries],
  sessionState,
]

/** The first version whose approvals have summaries. */
export const summarized = 4

/** The first version whose runs have summaries. */
export const runsSummarized = 7

/** The first version whose grants are found by their session. */
export const grantsBySession = 8
