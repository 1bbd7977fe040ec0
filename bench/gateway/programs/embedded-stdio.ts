// stdio in front, stdio behind, and the gate in the same process with its audit durable on SQLite: what a program that embeds Byleave has.
// Arguments: a folder, then the command to start.
import { randomBytes } from "node:crypto"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { createGate, emptyPolicy, parseTargetPattern } from "@byleave/core"
import { ed25519Signer, newId, newSigningKey, nodeHasher } from "@byleave/core/node"
import { createGateway } from "@byleave/gateway"
import { openSqliteStore } from "@byleave/store/sqlite"
import { createSealer } from "../../../apps/cli/src/service/sealer.ts"
import { memoryRecords } from "../../../apps/cli/src/wrap/memory-records.ts"

const [folder = "", command = "", ...args] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const store = await openSqliteStore({
  path: join(folder, "byleave.db"),
  hasher: nodeHasher,
  signer: ed25519Signer(newSigningKey()),
  // The folder is this program's alone, as a service's is.
  alone: true,
  ahead: true,
})
const target = parseTargetPattern("everything(echo)")
if (!target.ok) throw new Error(target.problem)
const rule = { id: "echo", effect: "allow", target: target.pattern, when: [], origin: { where: "bench" } } as const
const gate = await createGate({
  policy: { ...emptyPolicy, version: "bench", rules: [rule] },
  store,
  now: Date.now,
  newId,
  hasher: nodeHasher,
  digestKey: "bench",
})
const gateway = createGateway({
  gate,
  servers: [{ id: "everything", transport: { kind: "stdio", command, args, env: new Map(), cwd: process.cwd() } }],
  sealer: createSealer(randomBytes(32)),
  ...memoryRecords(),
  now: Date.now,
  newId,
  identify: async () => null,
  hosts: () => new Set(),
  origins: () => new Set(),
  inbox: () => "",
})
const identity = { principal: { id: "bench" }, namesSessions: false, session: "bench" }
await gateway.serveStdio({ input: process.stdin, output: process.stdout }, "everything", identity)
await gateway.close()
await gate.close()
await store.close()
