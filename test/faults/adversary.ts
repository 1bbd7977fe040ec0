import { DatabaseSync } from "node:sqlite"
import type { AuditRecord } from "@byleave/core"
import pg from "pg"
import type { StoreSpec } from "./store-spec.ts"

/** Someone with the database but without the signing key. Records are named by their place: 1 is a chain's first. */
export type Adversary = {
  readonly lastSeq: (writer: string) => Promise<number>
  readonly removeRecords: (writer: string, from: number, to: number) => Promise<void>
  readonly removeHead: (writer: string) => Promise<void>
  /** Puts a record at the end of a chain, rightly linked to what stands there. */
  readonly append: (record: AuditRecord) => Promise<void>
  readonly alterText: (writer: string, seq: number) => Promise<void>
  /** Puts two records of a chain in each other's place. */
  readonly swapRecords: (writer: string, one: number, other: number) => Promise<void>
  /** Changes what a column says of a record, and not its text. */
  readonly alterColumn: (writer: string, seq: number, column: "type" | "subject") => Promise<void>
  readonly leave: () => Promise<void>
}

export async function letIn(spec: StoreSpec): Promise<Adversary> {
  return spec.kind === "sqlite" ? intoSqlite(spec) : intoPostgres(spec)
}

function intoSqlite(spec: StoreSpec): Adversary {
  const database = new DatabaseSync(spec.at)
  const span = 2 ** 32
  const start = (writer: string) =>
    Number(database.prepare("SELECT n FROM chains WHERE writer = ?").get(writer)?.n) * span
  const run = async (sql: string, ...values: (string | number)[]) => {
    database.prepare(sql).run(...values)
  }
  return {
    lastSeq: async (writer) => {
      const sql = "SELECT max(position) AS last FROM audit WHERE position BETWEEN ? AND ?"
      return Number(database.prepare(sql).get(start(writer), start(writer) + span - 1)?.last) - start(writer)
    },
    removeRecords: (writer, from, to) =>
      run("DELETE FROM audit WHERE position BETWEEN ? AND ?", start(writer) + from, start(writer) + to),
    removeHead: (writer) => run("DELETE FROM chains WHERE writer = ?", writer),
    append: ({ writer, seq, at, step, type, subject, hash, text }) =>
      run(
        "INSERT INTO audit (position, at, step, type, subject, hash, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
        start(writer) + seq,
        at,
        step,
        type,
        subject ?? "",
        hash,
        text,
      ),
    alterText: (writer, seq) =>
      run("UPDATE audit SET text = replace(text, 'files', 'other') WHERE position = ?", start(writer) + seq),
    swapRecords: async (writer, one, other) => {
      const move = (from: number, to: number) => run("UPDATE audit SET position = ? WHERE position = ?", to, from)
      const [first, second] = [start(writer) + one, start(writer) + other]
      await move(first, -1)
      await move(second, first)
      await move(-1, second)
    },
    alterColumn: (writer, seq, column) =>
      run(`UPDATE audit SET ${column} = 'call.denied' WHERE position = ?`, start(writer) + seq),
    leave: async () => database.close(),
  }
}

async function intoPostgres(spec: StoreSpec): Promise<Adversary> {
  const client = new pg.Client({ connectionString: spec.at })
  await client.connect()
  const run = async (sql: string, ...values: (string | number)[]) => {
    await client.query(sql.replaceAll("{s}", `"${spec.schema}"`), values)
  }
  return {
    lastSeq: async (writer) => {
      const sql = `SELECT max(seq) AS last FROM "${spec.schema}".records WHERE writer = $1`
      return Number((await client.query<{ last: string }>(sql, [writer])).rows[0]?.last)
    },
    removeRecords: (writer, from, to) =>
      run("DELETE FROM {s}.records WHERE writer = $1 AND seq BETWEEN $2 AND $3", writer, from, to),
    removeHead: (writer) => run("DELETE FROM {s}.chains WHERE writer = $1", writer),
    append: ({ writer, seq, at, step, type, subject, hash, text }) =>
      run(
        "INSERT INTO {s}.records (writer, seq, at, step, type, subject, hash, text) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        writer,
        seq,
        at,
        step,
        type,
        subject ?? "",
        hash,
        text,
      ),
    alterText: (writer, seq) =>
      run("UPDATE {s}.records SET text = replace(text, 'files', 'other') WHERE writer = $1 AND seq = $2", writer, seq),
    swapRecords: async (writer, one, other) => {
      const move = (from: number, to: number) =>
        run("UPDATE {s}.records SET seq = $1 WHERE writer = $2 AND seq = $3", to, writer, from)
      await move(one, -1)
      await move(other, one)
      await move(-1, other)
    },
    alterColumn: (writer, seq, column) =>
      run(`UPDATE {s}.records SET ${column} = 'call.denied' WHERE writer = $1 AND seq = $2`, writer, seq),
    leave: () => client.end(),
  }
}
