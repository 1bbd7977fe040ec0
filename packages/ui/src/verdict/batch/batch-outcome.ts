import type { ApprovalSummaryView, ApprovalView } from "@byleave/api"
import type { JsonValue } from "@byleave/core"
import { resultBlock, resultParts } from "../../card/outcome/result-blocks.ts"
import type { Tone } from "../../parts/mark.tsx"

/** Where one call of several stands now. */
export type BatchOutcome = {
  readonly words: string
  readonly tone: Tone
  /** The server's or a person's own words, where there are any. */
  readonly why: string | null
}

/** Returns what became of an answered call. Allowed is not done: only a call that succeeded is said to have. */
export function batchOutcome(approval: ApprovalView | ApprovalSummaryView): BatchOutcome {
  switch (approval.status) {
    case "pending":
      return approval.needs.approvals > 1
        ? { words: "Waiting for more reviewers", tone: "wait", why: null }
        : { words: "Not confirmed yet", tone: "wait", why: null }
    case "approved":
      return approval.callerWaits
        ? { words: "Starting", tone: "know", why: null }
        : { words: "Approved, not run", tone: "wait", why: null }
    case "running":
      return { words: "Running", tone: "know", why: null }
    case "succeeded":
      return { words: "Succeeded", tone: "yes", why: null }
    case "failed":
      return { words: "Failed", tone: "no", why: "error" in approval ? failureText(approval.error) : null }
    case "unknown":
      return { words: "Outcome unknown", tone: "wait", why: approval.detail }
    case "denied":
      return { words: "Denied", tone: "plain", why: null }
    case "expired":
      return { words: "Expired", tone: "plain", why: null }
    case "cancelled":
      return { words: "Withdrawn", tone: "plain", why: approval.detail }
    case "superseded":
      return { words: "Tool changed", tone: "plain", why: approval.detail }
  }
}

const longestWhy = 300
const partsLookedAt = 20

/** The server's words about its failure, from MCP's result or JSON-RPC's error; null where none can be shown in a line. */
export function failureText(error: JsonValue): string | null {
  const parts = resultParts(messageIn(error) ?? error).slice(0, partsLookedAt)
  const first = parts.map(resultBlock).find((block) => block.kind === "text")
  if (first === undefined) return null
  if (first.isSecret) return "Its message appears to contain a secret. Open the call to read it."
  return first.text.length > longestWhy ? `${first.text.slice(0, longestWhy)}…` : first.text
}

function messageIn(error: JsonValue): string | undefined {
  if (typeof error !== "object" || error === null || Array.isArray(error)) return undefined
  const message = Object.hasOwn(error, "message") ? (error as Readonly<Record<string, JsonValue>>).message : undefined
  return typeof message === "string" ? message : undefined
}

/** Tones by how much they need a look. */
const toneOrder: readonly Tone[] = ["no", "wait", "know", "plain", "yes"]

/** Counts calls by where they stand, those that need a look first: `14 failed, 2 running`. */
export function outcomesInWords(outcomes: readonly BatchOutcome[]): string {
  const counts = new Map<string, number>()
  const ordered = outcomes.toSorted((one, other) => toneOrder.indexOf(one.tone) - toneOrder.indexOf(other.tone))
  for (const { words } of ordered) counts.set(words, (counts.get(words) ?? 0) + 1)
  return [...counts].map(([words, count]) => `${count} ${words.charAt(0).toLowerCase()}${words.slice(1)}`).join(", ")
}

const naming = /^(?:path|file|file_?path|filename|uri|url|source|name|id|command)$/i

/** The argument that tells one call of a tool from the next: its path, or else its first; null where it has none. */
export function tellingArgument({ preview }: Pick<ApprovalSummaryView, "preview">): string | null {
  return (preview?.find(({ name }) => naming.test(name)) ?? preview?.[0])?.text ?? null
}
