import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import {
  createGate,
  emptyPolicy,
  type Gate,
  type Policy,
  parseTargetPattern,
  type Rule,
  type Store,
} from "@byleave/core"
import { ed25519Signer, newId, newSigningKey, nodeHasher } from "@byleave/core/node"
import { createRuns, type LanguageModelV4, type OfferedTool, type Runs } from "@byleave/runs"
import { openSqliteStore } from "@byleave/store/sqlite"

export type RunsBench = {
  readonly gate: Gate
  readonly runs: Runs
  readonly store: Store
  readonly close: () => Promise<void>
}

const signer = ed25519Signer(newSigningKey())

export const starter = { kind: "reviewer", id: "ana" } as const
export const order = { messages: [{ role: "user" as const, content: "Read ten files." }], servers: ["files"] }
const tools: readonly OfferedTool[] = ["read", "write"].map((tool) => ({
  ref: { server: "files", tool },
  name: `files__${tool}`,
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
}))

/** The answer of the tools of these measurements. */
export const toolResult = { content: [{ type: "text", text: "The file says that all is well." }] }

/** Runs on SQLite at this path: reads are allowed, everything else asks. */
export async function openBench(path: string, model: LanguageModelV4): Promise<RunsBench> {
  const store = await openSqliteStore({ path, hasher: nodeHasher, signer })
  const gate = await createGate({ policy, store, now: Date.now, newId, hasher: nodeHasher, digestKey: "bench" })
  const runs = createRuns({
    gate,
    tools: {
      list: async () => ({ tools, unreachable: [] }),
      call: async () => ({ kind: "succeeded", result: toolResult }),
    },
    openModel: async () => model,
    defaultModel: () => "bench",
    failureOf: (error) => ({ retryable: true, detail: String(error) }),
    newId,
    now: Date.now,
    onTrouble: (trouble) => console.error(trouble),
    limits: { openPerStarter: 1_000_000, openInAll: 1_000_000 },
  })
  const close = async (): Promise<void> => {
    await runs.close()
    await gate.close()
    await store.close()
  }
  return { gate, runs, store, close }
}

const policy: Policy = {
  ...emptyPolicy,
  version: "bench",
  rules: [...Array.from({ length: 199 }, (_, n) => rule("deny", `server-${n}(drop_*)`)), rule("allow", "files(read)")],
}

function rule(effect: "allow" | "deny", text: string): Rule {
  const parsed = parseTargetPattern(text)
  if (!parsed.ok) throw new Error(parsed.problem)
  return { id: text, effect, target: parsed.pattern, origin: { where: "bench" } }
}

/** Works in a folder of its own, which is gone after. */
export async function inFolder<T>(within: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(within, "byleave-bench-"))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
