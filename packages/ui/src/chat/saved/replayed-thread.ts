/**
 * A recorded thread after so many of its steps, in the form that a thread of the service has.
 *
 * I1. The same recording and the same number of steps make the same thread.
 * I2. A call is asked about from its step on, until the recording has the answer.
 */
import type { ApprovalSummaryView, ApprovalView, CurrentContentView, StoryItemView } from "@byleave/api"
import { previewOf } from "@byleave/core"
import type { RecordedThread, ReplayedAnswer, ReplayedCall, ReplayStep } from "./read-recording.ts"
import { createRecordedFiles } from "./recorded-files.ts"

export type ReplayedThread = {
  readonly items: readonly StoryItemView[]
  /** By the model's ids of the calls, whole as cards need them. */
  readonly approvals: ReadonlyMap<string, ApprovalView>
  /** The files that calls would change, as they were then, by the model's ids of the calls; only those that the recording shows. */
  readonly files: ReadonlyMap<string, CurrentContentView>
  /** The answers that the recording has to the calls that wait; empty: none waits. */
  readonly awaited: readonly ReplayedAnswer[]
}

/** `start`: when the recording is taken to have begun. */
export function replayedThread(thread: RecordedThread, played: number, start: number): ReplayedThread {
  const items: StoryItemView[] = []
  const approvals = new Map<string, ApprovalView>()
  const files = new Map<string, CurrentContentView>()
  const known = createRecordedFiles(thread)
  const steps = thread.steps.slice(0, played)
  for (const [at, step] of steps.entries()) {
    const facts = { seq: at + 1, at: start + step.ms }
    switch (step.kind) {
      case "message":
        items.push({ kind: "message", role: "user", ...facts, text: step.text, isCut: false })
        break
      case "answer":
        items.push(answerItem(step, facts))
        break
      case "asked":
        for (const call of step.calls) {
          approvals.set(call.toolCall, askedApproval(thread, call, facts.at))
          const before = known.before(call)
          if (before !== null) files.set(call.toolCall, before)
        }
        break
      case "answered":
        for (const answer of step.answers) settle(approvals, answer, facts.at)
        break
      case "outcome": {
        const { toolCall, outcome, text } = step
        items.push({ kind: "outcome", ...facts, toolCall, outcome, text, isCut: false, approval: null })
        ended(approvals, step, facts.at)
        const call = thread.calls.get(toolCall)
        if (call !== undefined && outcome === "result") known.heard(call, text)
        break
      }
    }
  }
  const next = thread.steps[played]
  const isAsked = [...approvals.values()].some(({ status }) => status === "pending")
  return { items, approvals, files, awaited: isAsked && next?.kind === "answered" ? next.answers : [] }
}

const usage = { input: 0, output: 0, total: 0 }

function answerItem(
  { leg, text, reasoning, calls }: Extract<ReplayStep, { readonly kind: "answer" }>,
  facts: { readonly seq: number; readonly at: number },
): StoryItemView {
  const words = { text, isCut: false, reasoning, isReasoningCut: false }
  return {
    kind: "answer",
    ...facts,
    leg,
    step: 0,
    ...words,
    calls: calls.map((call) => ({ ...call, isCut: false })),
    usage,
  }
}

function askedApproval({ tools }: RecordedThread, call: ReplayedCall, at: number): ApprovalView {
  const { toolCall, server, tool, args } = call
  const known = tools.get(`${server} ${tool}`)
  return {
    id: `recorded-${toolCall}`,
    version: 1,
    kind: "tool",
    tool: { server, tool },
    principal: { id: "chat" },
    session: { principal: "chat", id: "recording", named: true },
    sessionKey: "recording",
    createdAt: at,
    access: "write",
    accessFrom: null,
    args,
    argsText: null,
    callDigest: toolCall,
    editedArgs: null,
    editedArgsText: null,
    runDigest: toolCall,
    fingerprint: "",
    policyVersion: "",
    why: "This call needed approval when it was recorded.",
    rule: null,
    remember: "allowed",
    needs: { approvals: 1, groups: [], selfApproval: false },
    votes: [],
    run: { id: "recording", toolCall },
    callerWaits: true,
    rerunOf: null,
    risks: [],
    definition:
      known === undefined
        ? null
        : {
            title: null,
            description: known.description,
            icon: null,
            annotations: null,
            inputSchema: known.inputSchema,
          },
    pin: null,
    status: "pending",
    expiresAt: null,
  }
}

const reviewer = "A reviewer"

function settle(approvals: Map<string, ApprovalView>, { toolCall, approve, reason }: ReplayedAnswer, at: number): void {
  const asked = approvals.get(toolCall)
  if (asked?.status !== "pending") return
  const { expiresAt: _, ...held } = asked
  approvals.set(
    toolCall,
    approve
      ? { ...held, status: "approved", at, by: reviewer, grant: null, expiresAt: null }
      : {
          ...held,
          status: "denied",
          settledAt: at,
          by: reviewer,
          refusal: { by: "reviewer", code: "denied-by-reviewer", reason },
        },
  )
}

function ended(
  approvals: Map<string, ApprovalView>,
  { toolCall, outcome }: Extract<ReplayStep, { readonly kind: "outcome" }>,
  at: number,
): void {
  const approval = approvals.get(toolCall)
  if (approval?.status !== "approved") return
  const { at: startedAt, by: approvedBy, grant: _, expiresAt: __, ...held } = approval
  const ran = { ...held, startedAt, settledAt: at, approvedBy }
  if (outcome === "result") approvals.set(toolCall, { ...ran, status: "succeeded", delivered: true, result: null })
  else if (outcome === "error") approvals.set(toolCall, { ...ran, status: "failed", delivered: true, error: null })
}

/** The same in the form that lists have. */
export function listedApproval(approval: ApprovalView): ApprovalSummaryView {
  const { args, argsText: _, editedArgs: __, editedArgsText: ___, definition: ____, risks: _____, ...told } = approval
  const preview = args === null ? null : previewOf(args)
  return { ...told, bytes: JSON.stringify(args).length, preview, risks: { count: 0, kinds: [] } } as ApprovalSummaryView
}
