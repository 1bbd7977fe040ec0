import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Store } from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import { openPostgresStore } from "@byleave/store/postgres"
import { openSqliteStore } from "@byleave/store/sqlite"

/** A durable store, named so that any process can open it. */
export type StoreSpec = {
  readonly kind: "sqlite" | "postgres"
  readonly at: string
  readonly schema: string
  readonly key: string
  /** Where every dispatch leaves a line, outside the store. */
  readonly dispatches: string
}

export async function openFrom(spec: StoreSpec): Promise<Store> {
  const common = { hasher: nodeHasher, signer: ed25519Signer(spec.key) }
  if (spec.kind === "sqlite") return openSqliteStore({ path: spec.at, ...common })
  return openPostgresStore({ url: spec.at, schema: spec.schema, ...common })
}

export type Scratch = { readonly spec: StoreSpec; readonly dispose: () => void }

const postgresUrl = process.env.BYLEAVE_TEST_POSTGRES

export const durableKinds = ["sqlite", "postgres"] as const

/** Why a kind cannot be tried here, or null. */
export function missing(kind: StoreSpec["kind"]): string | null {
  if (kind === "sqlite" || postgresUrl !== undefined) return null
  if (process.env.CI === "true") throw new Error("CI must run the PostgreSQL suites; BYLEAVE_TEST_POSTGRES is not set.")
  return "no PostgreSQL server; npm test starts one when PostgreSQL is installed"
}

export function scratchStore(kind: StoreSpec["kind"]): Scratch {
  const folder = mkdtempSync(join(tmpdir(), "byleave-faults-"))
  const spec: StoreSpec = {
    kind,
    at: kind === "sqlite" ? join(folder, "byleave.db") : (postgresUrl ?? ""),
    schema: `faults_${randomUUID().replaceAll("-", "")}`,
    key: newSigningKey(),
    dispatches: join(folder, "dispatches.log"),
  }
  return { spec, dispose: () => rmSync(folder, { recursive: true, force: true }) }
}
