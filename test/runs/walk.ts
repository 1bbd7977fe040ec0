import { randomUUID } from "node:crypto"
import type { Approval, Change, Gate, Policy, ScriptedStep, Store } from "@byleave/core"
import { createGate, emptyPolicy, parseTargetPattern, StoreError } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { createRuns, type OfferedTool, openModel, type Runs } from "@byleave/runs"
import { logDispatch } from "../faults/dispatch-log.ts"
import type { StoreSpec } from "../faults/store-spec.ts"

/** Calls that run, one that is denied, and some that people answer, over three steps. Each has a path of its own. */
export const walk: readonly ScriptedStep[] = [
  {
    say: "I look first.",
    calls: [
      { tool: "files(read)", args: { path: "read-1" } },
      { tool: "files(delete)", args: { path: "denied" } },
      { tool: "files(write)", args: { path: "write-1" } },
      { tool: "files(read)", args: { path: "read-2" } },
      { tool: "files(write)", args: { path: "refused" } },
    ],
  },
  {
    calls: [
      { tool: "files(read)", args: { path: "read-3" } },
      { tool: "files(move)", args: { path: "move-1" } },
    ],
  },
  { say: "All done." },
]

/** What reaches the server if nobody dies. */
export const walkedPaths = ["read-1", "read-2", "write-1", "read-3", "move-1"] as const

function ruleFor(effect: "allow" | "deny", text: string) {
  const target = parseTargetPattern(text)
  if (!target.ok) throw new Error(target.problem)
  return { id: `${effect} ${text}`, effect, target: target.pattern, origin: { where: "walk" } } as const
}

const policy: Policy = {
  ...emptyPolicy,
  version: "walk",
  rules: [ruleFor("allow", "files(read)"), ruleFor("deny", "files(delete)")],
}

export type Walker = { readonly gate: Gate; readonly runs: Runs; readonly store: Store }

export type WalkOptions = {
  readonly store: Store
  readonly spec: StoreSpec
  /** How far this process's clock is ahead: leases of those who died have lapsed. */
  readonly ahead: number
  /** Told when a call has reached the server. */
  readonly onDispatch?: (path: string) => void
}

/** A process that carries the walk out: what reaches its server and its model is logged outside the store. */
export async function openWalker({ store, spec, ahead, onDispatch }: WalkOptions): Promise<Walker> {
  const now = (): number => Date.now() + ahead
  const gate = await createGate({
    policy,
    store,
    now,
    newId: randomUUID,
    hasher: nodeHasher,
    digestKey: "walk",
    onTrouble: () => {},
  })
  const names = ["read", "write", "delete", "move"]
  const tools = names.map((tool): OfferedTool => {
    return { ref: { server: "files", tool }, name: `files__${tool}`, inputSchema: { type: "object" } }
  })
  const runs = createRuns({
    gate,
    tools: {
      list: async () => ({ tools, unreachable: [] }),
      call: async ({ tool }, args) => {
        logDispatch(spec.dispatches, `call ${String(args.path)}`)
        onDispatch?.(String(args.path))
        return { kind: "succeeded", result: { content: [{ type: "text", text: `${tool.tool} ${args.path} done` }] } }
      },
    },
    openModel: async (name) => {
      const model = await openModel({ name, provider: "scripted", steps: walk })
      return {
        ...model,
        doStream: (call) => {
          const step = call.prompt.filter(({ role }) => role === "assistant").length
          logDispatch(spec.dispatches, `asked ${step}`)
          return model.doStream(call)
        },
      }
    },
    defaultModel: () => "walk",
    failureOf: (error) => ({ retryable: true, detail: String(error) }),
    newId: randomUUID,
    now,
    maxRetries: 0,
    onTrouble: (trouble) => console.error(trouble),
  })
  gate.events(({ type, subject }) => {
    if (type === "approval.pending") answerCall(gate, subject).catch(unlessClosed)
  })
  return { gate, runs, store }
}

/** News may come while the walk ends: another process answers then, or has. */
function unlessClosed(cause: unknown): void {
  if (!(cause instanceof StoreError && cause.code === "closed")) throw cause
}

/** Says yes, save to one. */
async function answerCall(gate: Gate, id: string): Promise<void> {
  const held: Approval | undefined = await gate.approval(id)
  if (held?.status !== "pending") return
  const kind = held.args?.path === "refused" ? "deny" : "approve"
  await gate.answer({ approval: id, kind, digest: held.runDigest, reviewer: { id: "ana", groups: [] } })
}

/** Starts the run, or goes on with the one that is there, until it has ended. */
export async function walkOn({ gate, runs, store }: Walker): Promise<string> {
  const [known] = await gate.runs({ limit: 1 })
  if (known === undefined) {
    const order = { messages: [{ role: "user" as const, content: "Tidy up." }], servers: ["files"] }
    await runs.start(order, { kind: "reviewer", id: "ana" })
  }
  for (;;) {
    const [run] = await gate.runs({ limit: 1 })
    if (run !== undefined && run.status !== "running" && run.status !== "paused") return run.id
    for (const { id } of await store.approvals({ statuses: ["pending"], limit: 10 })) await answerCall(gate, id)
    await gate.expireDue()
    await runs.takeUp()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Whether a change is a step of the walk: everything that is written of the run, its calls and its approvals. */
export function isStep(change: Change): boolean {
  return change.runs !== undefined || change.journal !== undefined || (change.approvals ?? []).length > 0
}
