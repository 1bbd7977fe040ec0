/** Shared by the examples of this folder: a gate with a SQLite store and three rules, a reviewer who answers, and a "server" that is a few functions. */
import assert from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Approval, createGate, createRedactor, type Gate, type Verdict, verifyAudit } from "@byleave/core"
import { newId, nodeHasher } from "@byleave/core/node"
import { loadConfig } from "@byleave/formats"
import { openKeys, openSqliteStore } from "@byleave/store/sqlite"

const rules = `
version: 1
policy:
  default: ask
  rules:
    - hide: "files(admin_*)"
    - deny: "files(delete_file)"
      reason: Files are deleted by hand here.
    - allow: "files(read_file)"
`

type Review = (held: Approval) => Partial<Verdict> | undefined

export type Setting = {
  readonly gate: Gate
  /** Every run of a tool, in order, with the arguments it got. */
  readonly runs: Array<{ readonly tool: string; readonly args: object }>
  /** The tools of the server `files`; nothing but the gate lets a model reach them. */
  readonly runTool: (tool: string, args: object) => string
  /** Answers each call once it is held. Undefined leaves it waiting. */
  readonly reviewWith: (review: Review) => void
  readonly answer: (held: Pick<Approval, "id" | "runDigest">, verdict: Partial<Verdict>) => Promise<void>
  readonly waiting: () => Promise<ReadonlyArray<Pick<Approval, "id" | "runDigest">>>
  /** Ana answers everything that waits. */
  readonly answerAll: () => Promise<void>
  /** The records of each run in the audit, newest last. */
  readonly recordedRuns: () => Promise<readonly string[]>
  /** Closes the gate and proves the audit. */
  readonly close: () => Promise<void>
}

export async function openGate(): Promise<Setting> {
  const loaded = loadConfig(rules, { name: "rules.yaml", folder: "/", env: new Map(), hasher: nodeHasher })
  assert(loaded.ok)
  const data = await mkdtemp(join(tmpdir(), "byleave-adapters-"))
  const { signer, digestKey } = openKeys(data)
  const store = await openSqliteStore({ path: join(data, "byleave.db"), hasher: nodeHasher, signer })
  const { policy, secrets } = loaded.config
  const redactor = createRedactor({ values: secrets })
  const gate = await createGate({ policy, store, now: Date.now, newId, hasher: nodeHasher, digestKey, redactor })
  const runs: Array<{ tool: string; args: object }> = []
  const answer = async (held: Pick<Approval, "id" | "runDigest">, verdict: Partial<Verdict>): Promise<void> => {
    const reviewer = { id: "ana", groups: [] }
    const result = await gate.answer({
      approval: held.id,
      kind: "approve",
      digest: held.runDigest,
      reviewer,
      ...verdict,
    })
    assert(result.ok, JSON.stringify(result))
  }
  return {
    gate,
    runs,
    runTool: (tool, args) => {
      runs.push({ tool, args })
      return `${tool} ${JSON.stringify(args)} is done`
    },
    reviewWith: (review) => {
      gate.events(({ type, subject }) => {
        if (type !== "approval.pending") return
        void store.approval(subject).then(async (held) => {
          const verdict = held?.status === "pending" ? review(held) : undefined
          if (held !== undefined && verdict !== undefined) await answer(held, verdict)
        })
      })
    },
    answer,
    waiting: () => store.approvals({ statuses: ["pending"], limit: 100 }),
    answerAll: async () => {
      for (const { id } of await store.approvals({ statuses: ["pending"], limit: 100 })) {
        const held = await store.approval(id)
        if (held !== undefined) await answer(held, anasReview(held) ?? {})
      }
    },
    recordedRuns: async () => {
      const records = await store.records({ limit: 1_000 })
      return records.flatMap(({ type }) => (type.startsWith("run.") ? [type] : [])).toReversed()
    },
    close: async () => {
      await gate.close()
      const report = await verifyAudit(store, { hasher: nodeHasher, signer })
      assert(report.ok, JSON.stringify(report.problems))
      await store.close()
      await rm(data, { recursive: true })
    },
  }
}

/** One step of the agent: calls that are allowed, denied by a rule, approved, denied by a reviewer and edited, all at once. */
export const oneStep: ReadonlyArray<readonly [tool: string, args: { path: string; text?: string }]> = [
  ["read_file", { path: "notes.md" }],
  ["delete_file", { path: "notes.md" }],
  ["write_file", { path: "a.md", text: "hello" }],
  ["write_file", { path: "b.md", text: "hello" }],
  ["write_file", { path: "c.md", text: "much too long" }],
]

/** How ana answers them. What is for later waits until somebody asks her again. */
export const anasReview: Review = ({ args }) => {
  if (args?.path === "b.md") return { kind: "deny", reason: "Not that one." }
  if (args?.path === "c.md") return { args: { path: "c.md", text: "shorter" } }
  return args?.path === "later.md" ? undefined : {}
}

/** Asserts what the model is told of that step, in its order, and what ran. */
export function checkStep(told: readonly string[], runs: Setting["runs"]): void {
  const [read, deleted, a, b, c] = told
  assert.match(read ?? "", /read_file .* is done/)
  assert.match(
    deleted ?? "",
    /files\(delete_file\) was not run. The policy denied it: .*Files are deleted by hand here/,
  )
  assert.match(a ?? "", /a.md.* is done/)
  assert.match(b ?? "", /A reviewer denied it: Not that one/)
  assert.match(c ?? "", /shorter.* is done.*A reviewer edited the arguments/s)
  const ran = runs.map(({ args }) => JSON.stringify(args)).toSorted()
  assert.deepEqual(ran, ['{"path":"a.md","text":"hello"}', '{"path":"c.md","text":"shorter"}', '{"path":"notes.md"}'])
}

/** Puts what the model was told over several legs into the order of the step. */
export function inStepOrder(told: readonly string[]): readonly string[] {
  const find = (words: RegExp) => told.find((text) => words.test(text)) ?? ""
  return [/read_file/, /delete_file/, /a\.md/, /Not that one/, /shorter/].map(find)
}
