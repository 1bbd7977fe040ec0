/**
 * A run's story as turns: messages, and the model's steps with the calls each made.
 *
 * I1. A call stands in the step that made it, with its outcome wherever that was told.
 * I2. A step of the leg under way stands once, as its stream tells it, though the journal may have it already.
 */
import type { RunView, StoryItemView } from "@byleave/api"
import type { LiveLeg } from "./live-leg.ts"

export type StoryOutcome = Pick<Extract<StoryItemView, { kind: "outcome" }>, "text" | "isCut" | "approval"> & {
  readonly kind: Extract<StoryItemView, { kind: "outcome" }>["outcome"]
}

export type StoryCall = Extract<StoryItemView, { kind: "answer" }>["calls"][number] & {
  /** Null: there is none yet. */
  readonly outcome: StoryOutcome | null
}

export type StoryMessage = {
  readonly kind: "message"
  readonly key: string
  readonly at: number
  readonly role: Extract<StoryItemView, { kind: "message" }>["role"]
  readonly text: string
  readonly isCut: boolean
}

export type StoryStep = {
  readonly kind: "step"
  readonly key: string
  /** Null: it is under way. */
  readonly at: number | null
  readonly text: string
  readonly isCut: boolean
  readonly reasoning: string
  readonly calls: readonly StoryCall[]
  readonly usage: RunView["usage"] | null
}

export type StoryTurn = StoryMessage | StoryStep

export function storyTurns(items: readonly StoryItemView[], live: LiveLeg | null): readonly StoryTurn[] {
  const outcomes = new Map(live?.outcomes)
  for (const item of items) {
    // What the journal tells names the approval, too.
    if (item.kind === "outcome") outcomes.set(item.toolCall, { ...item, kind: item.outcome })
  }
  const withOutcomes = <Call extends { readonly toolCall: string }>(calls: readonly Call[]) =>
    calls.map((call) => ({ ...call, outcome: outcomes.get(call.toolCall) ?? null }))
  const told = items.flatMap((item, at): readonly StoryTurn[] => {
    const key = `${item.seq}.${at}`
    if (item.kind === "message") return [{ ...item, key }]
    if (item.kind !== "answer" || isLive(item, live)) return []
    return [{ ...item, key, kind: "step", calls: withOutcomes(item.calls) }]
  })
  const steps = (live?.steps ?? []).map((step, at): StoryStep => {
    const key = `live ${at}`
    return { ...step, kind: "step", key, at: null, isCut: false, calls: withOutcomes(step.calls) }
  })
  return [...told, ...steps]
}

function isLive({ leg }: { readonly leg: number }, live: LiveLeg | null): boolean {
  return live !== null && live.leg === leg && live.steps.length > 0
}
