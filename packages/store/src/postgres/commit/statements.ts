import type { Statement } from "../connections.ts"

/** The SQL of a commit and of the fixed reads, for one schema. */
export type Statements = { readonly [Name in keyof typeof texts]: Statement }

const texts = {
  // Taking the transaction's id here makes its fate knowable when the connection breaks during the commit.
  beginUnlocked: `SELECT value AS epoch, {state} FROM {s}.epoch`,
  beginShared: `SELECT value AS epoch, {state} FROM {s}.epoch FOR SHARE`,
  beginMoving: `SELECT value AS epoch, {state} FROM {s}.epoch FOR UPDATE`,
  lockApprovals: `SELECT id, version FROM {s}.approvals WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`,
  lockGrants: `SELECT id, doc FROM {s}.grants WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`,
  lockDocuments: `SELECT kind, id, version, expires_at AS "expiresAt" FROM {s}.documents
    WHERE (kind, id) IN (SELECT * FROM unnest($1::text[], $2::text[])) ORDER BY kind, id FOR NO KEY UPDATE`,
  lockRuns: `SELECT id, version, owner FROM {s}.runs WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`,
  linesThere: `SELECT run, seq, name FROM {s}.journal JOIN unnest($1::text[], $2::bigint[]) AS new (run, seq) USING (run, seq)
    UNION ALL
    SELECT run, seq, name FROM {s}.journal JOIN unnest($1::text[], $3::text[]) AS new (run, name_key) USING (run, name_key)`,
  lockPrincipalCounts: `SELECT key, doc FROM {s}.principal_counts WHERE key = ANY ($1) ORDER BY key FOR NO KEY UPDATE`,
  lockSessionTotals: `SELECT key, total, forget_at AS "forgetAt" FROM {s}.session_totals
    WHERE key = ANY ($1) ORDER BY key FOR NO KEY UPDATE`,
  // Transactions that begin to hold calls take turns, or two could both find room for one.
  lockHolding: `SELECT pg_advisory_xact_lock(hashtextextended('byleave holding {s}', 0))`,
  waitingOfSessions: `SELECT principal, session, {waiting} FROM {s}.approvals
    WHERE status = 'pending' AND (md5(principal), md5(session)) IN (
      SELECT md5(new.principal), md5(new.session) FROM unnest($1::text[], $2::text[]) AS new (principal, session))
    GROUP BY principal, session`,
  waitingOfPrincipals: `SELECT principal, {waiting} FROM {s}.approvals
    WHERE status = 'pending' AND md5(principal) IN (SELECT md5(name) FROM unnest($1::text[]) AS name) GROUP BY principal`,
  waitingOfPrograms: `SELECT split_part(principal, ':', 1) AS principal, {waiting} FROM {s}.approvals
    WHERE status = 'pending' AND split_part(principal, ':', 1) = ANY ($1) GROUP BY 1`,
  waitingOfAgents: `SELECT {waiting} FROM {s}.approvals
    WHERE status = 'pending' AND principal <> 'run' AND principal <> 'chat'`,
  waitingOfStarters: `SELECT starter_kind AS kind, starter_id AS id, sum(held_calls)::bigint AS calls, sum(held_bytes)::bigint AS bytes
    FROM {s}.runs WHERE ended_at IS NULL AND md5(starter_id) IN (SELECT md5(name) FROM unnest($1::text[]) AS name)
    GROUP BY starter_kind, starter_id`,
  moveEpoch: `UPDATE {s}.epoch SET value = $1, pins = CASE WHEN $2::boolean THEN $1 ELSE pins END`,
  insertApprovals: `INSERT INTO {s}.approvals ({approvalColumns}) SELECT * FROM unnest({approvalArrays}) ORDER BY 1`,
  updateApprovals: `UPDATE {s}.approvals AS old SET (version, status, settled_at, due_at, attachable, has_payload, doc, bytes, summary)
    = (new.version, new.status, new.settled_at, new.due_at, new.attachable, new.has_payload, new.doc, new.bytes, new.summary)
    FROM unnest({approvalArrays}) AS new ({approvalColumns}) WHERE old.id = new.id`,
  // The key of the call is made of its digest, which must not stay behind.
  putBareApprovals: `UPDATE {s}.approvals AS old SET (version, call_key, has_payload, doc, bytes, summary)
    = (new.version, new.call_key, new.has_payload, new.doc, new.bytes, new.summary)
    FROM unnest({approvalArrays}) AS new ({approvalColumns}) WHERE old.id = new.id`,
  putGrants: `INSERT INTO {s}.grants (id, session_key, doc) SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
    ON CONFLICT (id) DO UPDATE SET (session_key, doc) = (excluded.session_key, excluded.doc)`,
  removeGrants: `DELETE FROM {s}.grants WHERE id = ANY ($1)`,
  putPins: `INSERT INTO {s}.pins (key, doc) SELECT * FROM unnest($1::text[], $2::text[])
    ON CONFLICT (key) DO UPDATE SET doc = excluded.doc`,
  removePins: `DELETE FROM {s}.pins WHERE key = ANY ($1)`,
  putSessions: `INSERT INTO {s}.sessions (key, deciding, ended_at, doc)
    SELECT * FROM unnest($1::text[], $2::boolean[], $3::float8[], $4::text[]) ORDER BY 1
    ON CONFLICT (key) DO UPDATE SET (deciding, ended_at, doc) = (excluded.deciding, excluded.ended_at, excluded.doc)`,
  insertPrincipalCounts: `INSERT INTO {s}.principal_counts (key, forget_at, doc)
    SELECT * FROM unnest($1::text[], $2::float8[], $3::text[]) ORDER BY 1`,
  updatePrincipalCounts: `UPDATE {s}.principal_counts AS old SET (forget_at, doc) = (new.forget_at, new.doc)
    FROM unnest($1::text[], $2::float8[], $3::text[]) AS new (key, forget_at, doc) WHERE old.key = new.key`,
  insertSessionTotals: `INSERT INTO {s}.session_totals (key, forget_at, total)
    SELECT * FROM unnest($1::text[], $2::float8[], $3::bigint[]) ORDER BY 1`,
  updateSessionTotals: `UPDATE {s}.session_totals AS old SET (forget_at, total) = (new.forget_at, new.total)
    FROM unnest($1::text[], $2::float8[], $3::bigint[]) AS new (key, forget_at, total) WHERE old.key = new.key`,
  // A locked row is in use again, or being removed by another transaction.
  sweepPrincipalCounts: `DELETE FROM {s}.principal_counts WHERE key IN (
    SELECT key FROM {s}.principal_counts WHERE forget_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
  sweepSessionTotals: `DELETE FROM {s}.session_totals WHERE key IN (
    SELECT key FROM {s}.session_totals WHERE forget_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
  insertDocuments: `INSERT INTO {s}.documents (kind, id, version, expires_at, value)
    SELECT * FROM unnest({documentArrays}) ORDER BY 1, 2`,
  updateDocuments: `UPDATE {s}.documents AS old SET (version, expires_at, value) = (new.version, new.expires_at, new.value)
    FROM unnest({documentArrays}) AS new (kind, id, version, expires_at, value) WHERE (old.kind, old.id) = (new.kind, new.id)`,
  removeDocuments: `DELETE FROM {s}.documents WHERE (kind, id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
  emptyJournals: `DELETE FROM {s}.journal WHERE run = ANY ($1)`,
  insertRuns: `INSERT INTO {s}.runs ({runColumns}) SELECT * FROM unnest({runArrays}) ORDER BY 1`,
  updateRuns: `UPDATE {s}.runs AS old SET ({runColumns}) = ({newRunColumns})
    FROM unnest({runArrays}) AS new ({runColumns}) WHERE old.id = new.id`,
  removeRuns: `DELETE FROM {s}.runs WHERE id = ANY ($1)`,
  addLines: `INSERT INTO {s}.journal (run, seq, name_key, name, at, text)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::float8[], $6::text[])`,
  addRecords: `INSERT INTO {s}.records (writer, seq, type, subject, step, at, text, hash, payload)
    SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::float8[], $7::text[], $8::text[], $9::text[])`,
  moveHead: `UPDATE {s}.chains SET seq = $2, hash = $3, at = $4, key_id = $5, signature = $6, latest = greatest(latest, $7)
    WHERE writer = $1`,
  // The row of the counter stays locked until the commit, so the next number is given out only when everything up to
  // this one is visible or undone: numbers have no gaps and become visible in order, and whoever reads on from the last
  // number it saw misses none. It comes last, so that it is held for as short as can be.
  addEvents: `WITH counter AS (UPDATE {s}.event_counter SET value = value + cardinality($1::text[]) RETURNING value),
    added AS (INSERT INTO {s}.events (seq, type, subject, at)
      SELECT counter.value - cardinality($1::text[]) + new.place, new.type, new.subject, new.at
      FROM counter, unnest($1::text[], $2::text[], $3::float8[]) WITH ORDINALITY AS new (type, subject, at, place))
    SELECT value AS last, pg_notify($4, value || ' ' || $5::text) FROM counter`,
  chainEnd: `SELECT seq, hash FROM {s}.records WHERE writer = $1 ORDER BY seq DESC LIMIT 1`,
  otherHeads: `SELECT writer, seq, hash FROM {s}.chains WHERE writer <> $1 ORDER BY writer`,
  fate: `SELECT pg_xact_status($1::xid8) AS fate`,
  removableApprovals: `SELECT doc FROM {s}.approvals WHERE has_payload AND settled_at < $1 ORDER BY id LIMIT $2 FOR NO KEY UPDATE`,
  removeRecordPayloads: `UPDATE {s}.records SET payload = NULL WHERE (writer, seq) IN (
    SELECT writer, seq FROM {s}.records AS old WHERE payload IS NOT NULL AND at < $1 AND NOT EXISTS (
      SELECT FROM {s}.approvals WHERE id = old.subject AND settled_at IS NULL) ORDER BY writer, seq LIMIT $2)`,
  // As in every store the newest stays, whatever its time.
  removeEvents: `WITH removed AS (DELETE FROM {s}.events WHERE seq IN (
      SELECT seq FROM {s}.events WHERE at < $1 AND seq < (SELECT max(seq) FROM {s}.events) ORDER BY at LIMIT $2)
      RETURNING 1)
    SELECT count(*) AS count FROM removed`,
  // A locked row is being replaced, or removed by another transaction.
  removeExpired: `WITH removed AS (DELETE FROM {s}.documents WHERE (kind, id) IN (
      SELECT kind, id FROM {s}.documents WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1)
    SELECT count(*) AS count FROM removed`,
  // A locked run is being continued.
  removeEndedRuns: `WITH removed AS (DELETE FROM {s}.runs WHERE id IN (
      SELECT id FROM {s}.runs WHERE ended_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1)
    SELECT count(*) AS count FROM removed`,
  // A locked session is being changed.
  removeEndedSessions: `WITH removed AS (DELETE FROM {s}.sessions WHERE key IN (
      SELECT key FROM {s}.sessions WHERE ended_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1)
    SELECT count(*) AS count FROM removed`,

  approval: `SELECT doc FROM {s}.approvals WHERE id = $1`,
  identical: `SELECT summary AS doc FROM {s}.approvals WHERE call_key = $1 AND attachable
    AND (settled_at IS NULL OR settled_at >= $2) ORDER BY created_at, id`,
  openSessions: `SELECT found.waiting, newest.summary AS doc FROM (
      SELECT count(*) FILTER (WHERE status = 'pending') AS waiting, max(created_at) AS at,
        (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS id, principal, session
      FROM {s}.approvals WHERE status = ANY ($1) GROUP BY principal, session
      ORDER BY at DESC, principal, session LIMIT $2
    ) AS found JOIN {s}.approvals AS newest ON newest.id = found.id
    ORDER BY found.at DESC, found.principal, found.session`,
  due: `SELECT summary AS doc FROM {s}.approvals WHERE due_at <= $1 ORDER BY due_at, id LIMIT $2`,
  session: `SELECT doc FROM {s}.sessions WHERE key = $1`,
  // One statement sees one moment; several would not.
  decisionState: `SELECT 'epoch' AS kind, value AS epoch, pins, NULL AS doc FROM {s}.epoch
    UNION ALL SELECT 'grant', NULL, NULL, doc FROM {s}.grants
    UNION ALL SELECT 'session', NULL, NULL, doc FROM {s}.sessions WHERE deciding`,
  pins: `SELECT 'epoch' AS kind, value AS epoch, pins, NULL AS doc FROM {s}.epoch
    UNION ALL SELECT 'pin', NULL, NULL, doc FROM {s}.pins`,
  sessionState: `SELECT 'epoch' AS kind, value AS epoch, pins, NULL AS doc FROM {s}.epoch
    UNION ALL SELECT 'grant', NULL, NULL, doc FROM {s}.grants WHERE session_key = $1
    UNION ALL SELECT 'session', NULL, NULL, doc FROM {s}.sessions WHERE key = $1`,
  grants: `SELECT doc FROM {s}.grants`,
  document: `SELECT {documentColumns} FROM {s}.documents
    WHERE kind = $1 AND id = $2 AND (expires_at IS NULL OR expires_at > $3)`,
  documents: `SELECT {documentColumns} FROM {s}.documents
    WHERE kind = $1 AND id > $2 AND (expires_at IS NULL OR expires_at > $3) ORDER BY id LIMIT $4`,
  allDocuments: `SELECT {documentColumns} FROM {s}.documents
    WHERE kind = $1 AND (expires_at IS NULL OR expires_at > $2) ORDER BY id LIMIT $3`,
  run: `SELECT doc FROM {s}.runs WHERE id = $1`,
  runSummary: `SELECT summary AS doc FROM {s}.runs WHERE id = $1`,
  openRuns: `SELECT count(*) AS runs, coalesce(sum(bytes), 0)::bigint AS bytes, coalesce(sum(held_calls), 0)::bigint AS held_calls,
      coalesce(sum(held_bytes), 0)::bigint AS held_bytes FROM {s}.runs
    WHERE ended_at IS NULL AND md5(starter_id) = md5($1) AND starter_id = $1 AND starter_kind = $2`,
  lastLine: `SELECT coalesce(max(seq), 0) AS seq FROM {s}.journal WHERE run = $1`,
  // A difference of sets takes two walks however many wait; asking for each run would take as many searches.
  runsToTakeUp: `WITH answered AS (
      SELECT principal, id FROM {s}.runs WHERE ended_at IS NULL AND status = 'paused'
      EXCEPT SELECT principal, session FROM {s}.approvals
        WHERE status = 'pending' AND principal IN ('run', 'chat') AND octet_length(session) <= 200)
    SELECT doc FROM (
      SELECT doc, updated_at, id FROM {s}.runs JOIN answered USING (id)
      UNION ALL
      SELECT doc, updated_at, id FROM {s}.runs WHERE ended_at IS NULL AND status = 'running'
        AND (lease_until <= $1 OR owner <> ALL ($2::text[]))
    ) AS found ORDER BY updated_at, id LIMIT $3`,
  // PostgreSQL knows how long a text is without reading it.
  journal: `SELECT seq, name, at, text FROM {s}.journal WHERE run = $1 AND seq > $2 AND seq <= (
      SELECT max(seq) FROM (
        SELECT seq, row_number() OVER by_number AS place, sum(octet_length(text)) OVER by_number AS bytes
        FROM {s}.journal WHERE run = $1 AND seq > $2 WINDOW by_number AS (ORDER BY seq ROWS UNBOUNDED PRECEDING)) AS lines
      WHERE place = 1 OR bytes <= $3)
    ORDER BY seq`,
  stayAlive: `UPDATE {s}.chains SET alive_until = $2 WHERE writer = $1`,
  alive: `SELECT writer FROM {s}.chains WHERE alive_until > $1 ORDER BY writer`,
  presences: `SELECT (classid::bigint << 32 | objid::bigint)::text AS key,
      extract(epoch FROM clock_timestamp() - pg_postmaster_start_time())::float8 * 1000 AS server_ms
    FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  chains: `SELECT {recordColumns} FROM {s}.records WHERE (writer, seq) > ($1, $2) ORDER BY writer, seq LIMIT $3`,
  lifeCycles: `SELECT subject, step, type, writer, seq FROM {s}.records
    WHERE subject IS NOT NULL AND (subject, step, writer, seq) > ($1, $2, $3, $4) ORDER BY subject, step, writer, seq LIMIT $5`,
  heads: `SELECT writer, seq, hash, at, key_id, signature FROM {s}.chains ORDER BY writer`,
  roster: `SELECT doc FROM {s}.roster`,
  events: `SELECT seq, type, subject, at FROM {s}.events WHERE seq > $1 ORDER BY seq LIMIT $2`,
  lastEvent: `SELECT value AS last FROM {s}.event_counter`,
} as const

const approvalColumns = [
  ["id", "text"],
  ["version", "bigint"],
  ["status", "text"],
  ["principal", "text"],
  ["session", "text"],
  ["server", "text"],
  ["tool", "text"],
  ["call_key", "text"],
  ["created_at", "float8"],
  ["settled_at", "float8"],
  ["due_at", "float8"],
  ["attachable", "boolean"],
  ["has_payload", "boolean"],
  ["doc", "text"],
  ["bytes", "bigint"],
  ["summary", "text"],
] as const

const runColumns = [
  ["id", "text"],
  ["version", "bigint"],
  ["status", "text"],
  ["principal", "text"],
  ["starter_kind", "text"],
  ["starter_id", "text"],
  ["owner", "text"],
  ["lease_until", "float8"],
  ["created_at", "float8"],
  ["updated_at", "float8"],
  ["ended_at", "float8"],
  ["doc", "text"],
  ["bytes", "bigint"],
  ["held_calls", "bigint"],
  ["held_bytes", "bigint"],
  ["summary", "text"],
] as const

const parts: ReadonlyArray<readonly [string, string]> = [
  ["{approvalColumns}", namesOf(approvalColumns)],
  ["{approvalArrays}", arraysOf(approvalColumns)],
  ["{runColumns}", namesOf(runColumns)],
  ["{newRunColumns}", namesOf(runColumns, "new.")],
  ["{runArrays}", arraysOf(runColumns)],
  ["{documentArrays}", "$1::text[], $2::text[], $3::bigint[], $4::float8[], $5::text[]"],
  ["{documentColumns}", `kind, id, version, expires_at AS "expiresAt", value`],
  ["{recordColumns}", "writer, seq, type, subject, step, at, text, hash"],
  ["{waiting}", "count(*) AS calls, coalesce(sum(bytes), 0)::bigint AS bytes"],
  [
    "{state}",
    `extract(epoch FROM clock_timestamp())::float8 * 1000 AS server_time,
    CASE WHEN current_setting('transaction_read_only') = 'off' THEN pg_current_xact_id()::text END AS xact`,
  ],
]

type Columns = ReadonlyArray<readonly [name: string, type: string]>

function namesOf(columns: Columns, prefix = ""): string {
  return columns.map(([name]) => prefix + name).join(", ")
}

function arraysOf(columns: Columns): string {
  return columns.map(([, type], at) => `$${at + 1}::${type}[]`).join(", ")
}

export function statementsFor(quotedSchema: string): Statements {
  const fill = (text: string): string =>
    parts.reduce((filled, [mark, part]) => filled.replaceAll(mark, part), text).replaceAll("{s}", quotedSchema)
  const entries = Object.entries(texts).map(([name, text]) => [name, { name, text: fill(text) }])
  return Object.fromEntries(entries) as Statements
}
