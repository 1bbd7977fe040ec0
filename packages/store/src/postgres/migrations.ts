import { type Hasher, StoreError } from "@byleave/core"
import type { ClientBase } from "pg"
import { addGrantSessions, addRunSummaries, addSessionFacts, addSummaries } from "./commit/add-summaries.ts"

/**
 * The additions of each schema version; a version that has been released is never edited. `{s}` is the quoted schema.
 * Documents are text, not jsonb: jsonb would rewrite numbers. Times are doubles, as they are in JavaScript. Names that
 * agents choose are indexed by a hash, since an index entry has a size limit and a name has none.
 */
export const steps: readonly string[] = [
  `
  CREATE TABLE {s}.epoch (one boolean PRIMARY KEY DEFAULT true CHECK (one), value bigint NOT NULL);
  INSERT INTO {s}.epoch (value) VALUES (0);

  CREATE TABLE {s}.event_counter (one boolean PRIMARY KEY DEFAULT true CHECK (one), value bigint NOT NULL);
  INSERT INTO {s}.event_counter (value) VALUES (0);

  CREATE TABLE {s}.events (
    seq bigint PRIMARY KEY,
    type text NOT NULL,
    subject text NOT NULL,
    at double precision NOT NULL
  );
  CREATE INDEX events_time ON {s}.events (at);

  CREATE TABLE {s}.approvals (
    id text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    principal text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,
    server text COLLATE "C" NOT NULL,
    tool text COLLATE "C" NOT NULL,
    call_key text COLLATE "C" NOT NULL,
    created_at double precision NOT NULL,
    settled_at double precision,
    due_at double precision,
    attachable boolean NOT NULL,
    has_payload boolean NOT NULL,
    doc text NOT NULL
  );
  CREATE INDEX approvals_newest ON {s}.approvals (created_at DESC, id DESC);
  CREATE INDEX approvals_by_status ON {s}.approvals (status, created_at DESC, id DESC);
  CREATE INDEX approvals_by_session ON {s}.approvals (md5(session), created_at DESC);
  CREATE INDEX approvals_due ON {s}.approvals (due_at, id) WHERE due_at IS NOT NULL;
  CREATE INDEX approvals_attachable ON {s}.approvals (call_key) WHERE attachable;
  CREATE INDEX approvals_removable ON {s}.approvals (settled_at) WHERE has_payload AND settled_at IS NOT NULL;

  CREATE TABLE {s}.grants (id text COLLATE "C" PRIMARY KEY, doc text NOT NULL);
  CREATE TABLE {s}.pins (key text COLLATE "C" PRIMARY KEY, doc text NOT NULL);
  CREATE TABLE {s}.sessions (key text COLLATE "C" PRIMARY KEY, auto_allowed bigint NOT NULL, doc text NOT NULL);

  CREATE TABLE {s}.records (
    writer text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    type text COLLATE "C" NOT NULL,
    subject text COLLATE "C",
    step bigint NOT NULL,
    at double precision NOT NULL,
    text text NOT NULL,
    hash text NOT NULL,
    payload text,
    PRIMARY KEY (writer, seq)
  );
  CREATE INDEX records_newest ON {s}.records (at DESC, writer DESC, seq DESC);
  CREATE INDEX records_by_type ON {s}.records (type, at DESC, writer DESC, seq DESC);
  CREATE INDEX records_life ON {s}.records (subject, step, writer, seq) WHERE subject IS NOT NULL;
  CREATE INDEX records_removable ON {s}.records (at) WHERE payload IS NOT NULL;

  CREATE TABLE {s}.chains (
    writer text COLLATE "C" PRIMARY KEY,
    seq bigint NOT NULL,
    hash text NOT NULL,
    at double precision NOT NULL,
    key_id text NOT NULL,
    signature text NOT NULL,
    latest double precision NOT NULL,
    alive_until double precision NOT NULL
  );
  CREATE TABLE {s}.roster (one boolean PRIMARY KEY DEFAULT true CHECK (one), doc text NOT NULL);
  `,
  `
  CREATE TABLE {s}.documents (
    kind text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    expires_at double precision,
    value text NOT NULL,
    PRIMARY KEY (kind, id)
  );
  CREATE INDEX documents_expiring ON {s}.documents (expires_at) WHERE expires_at IS NOT NULL;
  `,
  // No table changes. Pins can be rejected and in quarantine from here on: a program that does not know that must not judge by them.
  "SELECT 1",
  `
  ALTER TABLE {s}.approvals ADD COLUMN bytes bigint NOT NULL DEFAULT 0, ADD COLUMN summary text NOT NULL DEFAULT '';
  CREATE INDEX approvals_waiting ON {s}.approvals (md5(principal), md5(session), bytes) WHERE status = 'pending';
  `,
  // The count of a session's unasked calls moves along; after 30 days without another call it can be forgotten.
  `
  CREATE TABLE {s}.principal_counts (
    key text COLLATE "C" PRIMARY KEY,
    forget_at double precision NOT NULL,
    doc text NOT NULL
  );
  CREATE INDEX principal_counts_old ON {s}.principal_counts (forget_at);
  CREATE TABLE {s}.session_totals (
    key text COLLATE "C" PRIMARY KEY,
    forget_at double precision NOT NULL,
    total bigint NOT NULL
  );
  CREATE INDEX session_totals_old ON {s}.session_totals (forget_at);
  INSERT INTO {s}.session_totals SELECT key,
    floor(greatest(extract(epoch FROM now())::float8 * 1000, (SELECT max(latest) FROM {s}.chains))) + 2592000000, auto_allowed
    FROM {s}.sessions WHERE auto_allowed > 0;
  ALTER TABLE {s}.sessions DROP COLUMN auto_allowed;
  `,
  // Calls held for agents are counted without reading those held for runs. A run's session is the run's id, which is short.
  `
  CREATE TABLE {s}.runs (
    id text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    principal text COLLATE "C" NOT NULL,
    starter_kind text COLLATE "C" NOT NULL,
    starter_id text COLLATE "C" NOT NULL,
    owner text COLLATE "C",
    lease_until double precision,
    created_at double precision NOT NULL,
    updated_at double precision NOT NULL,
    ended_at double precision,
    doc text NOT NULL
  );
  CREATE INDEX runs_newest ON {s}.runs (created_at DESC, id DESC);
  CREATE INDEX runs_by_status ON {s}.runs (status, created_at DESC, id DESC);
  CREATE INDEX runs_by_starter ON {s}.runs (md5(starter_id), created_at DESC, id DESC);
  CREATE INDEX runs_open ON {s}.runs (status, updated_at, id, principal) WHERE ended_at IS NULL;
  CREATE INDEX runs_ended ON {s}.runs (ended_at) WHERE ended_at IS NOT NULL;
  CREATE TABLE {s}.journal (
    run text COLLATE "C" NOT NULL REFERENCES {s}.runs ON DELETE CASCADE,
    seq bigint NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    at double precision NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (run, seq),
    UNIQUE (run, name_key)
  );
  CREATE INDEX approvals_of_agents ON {s}.approvals (bytes)
    WHERE status = 'pending' AND principal <> 'run' AND principal <> 'chat';
  CREATE INDEX approvals_of_runs ON {s}.approvals (principal, session)
    WHERE status = 'pending' AND principal IN ('run', 'chat') AND octet_length(session) <= 200;
  `,
  // A list of runs reads summaries, and what a starter's open runs take is counted from an index.
  `
  ALTER TABLE {s}.runs ADD COLUMN bytes bigint NOT NULL DEFAULT 0, ADD COLUMN held_calls bigint NOT NULL DEFAULT 0,
    ADD COLUMN held_bytes bigint NOT NULL DEFAULT 0, ADD COLUMN summary text NOT NULL DEFAULT '';
  CREATE INDEX runs_of_starter ON {s}.runs (md5(starter_id)) INCLUDE (bytes, held_calls, held_bytes) WHERE ended_at IS NULL;
  `,
  // Decisions read the sessions that they can rest on, and definitions only where those have changed; a session's end reads what is its own.
  `
  ALTER TABLE {s}.epoch ADD COLUMN pins bigint NOT NULL DEFAULT 0;
  ALTER TABLE {s}.sessions ADD COLUMN deciding boolean NOT NULL DEFAULT false, ADD COLUMN ended_at double precision;
  CREATE INDEX sessions_deciding ON {s}.sessions (key) WHERE deciding;
  CREATE INDEX sessions_ended ON {s}.sessions (ended_at) WHERE ended_at IS NOT NULL;
  ALTER TABLE {s}.grants ADD COLUMN session_key text COLLATE "C";
  CREATE INDEX grants_of_session ON {s}.grants (session_key) WHERE session_key IS NOT NULL;
  `,
]

/** The first version whose approvals have summaries. */
const summarized = 4
/** The first version whose runs have summaries. */
const runsSummarized = 7
/** The first version whose sessions and grants have columns of what they are found by. */
const sessionsIndexed = 8

/** The newest schema this program knows. */
const schemaVersion = steps.length

/** Brings the schema up to date within the caller's transaction; one process at a time, the others wait and find it done. */
export async function migrate(client: ClientBase, quotedSchema: string, hasher: Hasher): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`byleave migrations ${quotedSchema}`])
  const version = await storedVersion(client, quotedSchema)
  if (version > schemaVersion) {
    throw new StoreError(
      "too-new",
      `The schema ${quotedSchema} was written by a newer Byleave (version ${version}; this one knows ${schemaVersion}). Update Byleave.`,
    )
  }
  for (const step of steps.slice(version)) await client.query(step.replaceAll("{s}", quotedSchema))
  if (version < summarized) await addSummaries(client, quotedSchema)
  if (version < runsSummarized) await addRunSummaries(client, quotedSchema)
  if (version < sessionsIndexed) {
    await addSessionFacts(client, quotedSchema)
    await addGrantSessions(client, quotedSchema, hasher)
  }
  if (version < schemaVersion) await client.query(`UPDATE ${quotedSchema}.meta SET version = $1`, [schemaVersion])
}

async function storedVersion(client: ClientBase, quotedSchema: string): Promise<number> {
  const table = `${quotedSchema}.meta`
  const found = await client.query<{ there: boolean }>("SELECT to_regclass($1) IS NOT NULL AS there", [table])
  if (!found.rows[0]?.there) {
    const schema = await client.query<{ there: boolean }>("SELECT to_regnamespace($1) IS NOT NULL AS there", [
      quotedSchema,
    ])
    // CREATE SCHEMA IF NOT EXISTS needs the right to create schemas even where there is nothing to create.
    if (!schema.rows[0]?.there) await client.query(`CREATE SCHEMA ${quotedSchema}`)
    await client.query(`CREATE TABLE ${table} (version bigint NOT NULL)`)
    await client.query(`INSERT INTO ${table} (version) VALUES (0)`)
  }
  const stored = await client.query<{ version: number }>(`SELECT version FROM ${table}`)
  const version = stored.rows[0]?.version
  if (version === undefined)
    throw new StoreError("corrupt", `${table} is empty: the schema is damaged. Restore a backup.`)
  return version
}
