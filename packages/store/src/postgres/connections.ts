import pg, { type ClientBase, type ClientConfig, type Pool, type QueryResultRow } from "pg"
import { type ConnectionTurns, createConnectionTurns } from "./connection-turns.ts"
import { persistently } from "./persistently.ts"

/** A statement with a name is prepared once per connection. */
export type Statement = { readonly name: string; readonly text: string }

/**
 * Connections to one database. Commits have one of their own, so that no number of readers keeps them waiting; it sends
 * statements without waiting for the answers to those before.
 */
export type Connections = {
  readonly read: <Row extends QueryResultRow>(
    statement: Statement,
    values?: readonly unknown[],
    /** For whom; absent: for whom the present work is done. */
    reader?: string,
  ) => Promise<readonly Row[]>
  /** Lends the commit connection. One that failed is thrown away. */
  readonly write: <Result>(work: (client: ClientBase) => Promise<Result>) => Promise<Result>
  /** A new connection, for listening. */
  readonly client: () => pg.Client
  readonly close: () => Promise<void>
}

/** Fewer than attempts are made, so that a read survives all of them having died. */
const readers = 4

/** `readerOf`: for whom the present work is done. */
export function openConnections(url: string, readerOf?: () => string): Connections {
  const config = configOf(url)
  const turns = createConnectionTurns(readers, readerOf)
  const reading = new pg.Pool({ ...config, max: readers })
  const writing = new pg.Pool({ ...config, max: 1, pipeline: true })
  for (const pool of [reading, writing]) {
    // A connection that breaks while nobody uses it is replaced when somebody needs one.
    pool.on("error", () => {})
  }
  return {
    read: (statement, values = [], reader) => readFrom(reading, (read) => turns(read, reader), statement, values),
    write: (work) => lend(writing, work),
    client: () => new pg.Client(config),
    close: async () => {
      await Promise.all([reading.end(), writing.end()])
    },
  }
}

function configOf(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: "byleave",
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // Locks are held for one commit; a statement that waits longer than this has met something stuck.
    lock_timeout: 5_000,
    statement_timeout: 60_000,
    // A process that freezes within a commit must not stop all the others.
    idle_in_transaction_session_timeout: 10_000,
    types: { getTypeParser: typeParser },
  }
}

const int8 = 20

// Counters stay below 2^53; the driver would give them as strings.
const typeParser: typeof pg.types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === int8 ? Number : format === "binary" ? pg.types.getTypeParser(oid, format) : pg.types.getTypeParser(oid)

// Reading again does no harm, and connections that died while they were idle say so only when they are used, one by one.
function readFrom<Row extends QueryResultRow>(
  pool: Pool,
  turns: ConnectionTurns,
  statement: Statement,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const read = () => pool.query<Row>({ ...statement, values: [...values] })
  return persistently(async () => (await turns(read)).rows)
}

async function lend<Result>(pool: Pool, work: (client: ClientBase) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  const ignore = (): void => {}
  // Without a listener a connection that breaks while it is lent would end the process; the statement in flight tells.
  client.on("error", ignore)
  try {
    const result = await work(client)
    client.off("error", ignore)
    client.release()
    return result
  } catch (cause) {
    client.release(true)
    throw cause
  }
}
