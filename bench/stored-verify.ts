/** How fast the audit of a real SQLite file is verified, reading included. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { verifyAudit } from "@byleave/core"
import { ed25519Signer, newId, newSigningKey, nodeHasher } from "@byleave/core/node"
import { openSqliteStore } from "@byleave/store/sqlite"

export type StoredVerifyNumbers = { readonly records: number; readonly recordsPerSecond: number }

export async function measureStoredVerify(calls = 200_000): Promise<StoredVerifyNumbers> {
  const folder = mkdtempSync(join(tmpdir(), "byleave-bench-"))
  const signer = ed25519Signer(newSigningKey())
  const store = await openSqliteStore({ path: join(folder, "byleave.db"), hasher: nodeHasher, signer })
  try {
    for (let from = 0; from < calls; from += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, n) => recordCall(store, from + n)))
    }
    let best = { records: 0, recordsPerSecond: 0 }
    for (let round = 0; round < 3; round++) {
      const started = performance.now()
      const { ok, records, problems } = await verifyAudit(store, { hasher: nodeHasher, signer })
      const recordsPerSecond = Math.round((records * 1000) / (performance.now() - started))
      if (!ok) throw new Error(JSON.stringify(problems))
      if (recordsPerSecond > best.recordsPerSecond) best = { records, recordsPerSecond }
    }
    return best
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The two records of an auto-allowed call, of the size they really have. */
async function recordCall(store: Awaited<ReturnType<typeof openSqliteStore>>, n: number): Promise<void> {
  const at = 1_800_000_000_000 + n
  const subject = newId(at)
  const body = {
    principal: "agent",
    session: `session-${n % 20}`,
    server: "files",
    tool: "read_file",
    because: "rule",
    rule: 'allow: "files(read_*)" when path is under /ws',
    reason: "allowed by the rule files(read_*)",
    digest: nodeHasher.sha256(String(n)),
  }
  const payload = JSON.stringify({ path: `/ws/notes/${n}.md` })
  await store.commit({
    at,
    records: [
      { type: "call.allowed", subject, step: 0, at, body, payload },
      { type: "run.succeeded", subject, step: 1, at, body: { detail: null }, payload },
    ],
    events: [],
    durability: "soon",
  })
}

if (import.meta.main) console.table(await measureStoredVerify())
