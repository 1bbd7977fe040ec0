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

export type TurnCall = Extract<StoryItemView, { kind: "answer" }>["calls"][number] & {
  /** Null: there is none yet. */
  readonly outcome: StoryOutcome | null
}

export type StoryMessage = {
  readonly kind: "message"
  readonly key: string
  readonly at: number
  readonly seq: number
  readonly role: Extract<StoryItemView, { kind: "message" }>["role"]
  readonly pictures?: Extract<StoryItemView, { kind: "message" }>["pictures"]
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
  readonly isReasoningCut: boolean
  readonly calls: readonly TurnCall[]
  readonly usage: RunView["usage"] | null
}

export type StoryTurn = StoryMessage | StoryStep

export function storyTurns(items: readonly StoryItemView[], live: LiveLeg | null): readonly StoryTurn[] {
  const outcomes = new Map(live?.outcomes)
  for (const item of items) {
    // The journal names the approval, too.
    if (item.kind === "outcome") outcomes.set(item.toolCall, { ...item, kind: item.outcome })
  }
  const withOutcomes = <Call extends { readonly toolCall: string }>(calls: readonly Call[]) =>
    calls.map((call) => ({ ...call, outcome: outcomes.get(call.toolCall) ?? null }))
  const counted = new Map<number, number>()
  const countIn = (leg: number): number => {
    const nth = counted.get(leg) ?? 0
    counted.set(leg, nth + 1)
    return nth
  }
  let line = { seq: 0, messages: 0 }
  const told = items.flatMap((item): readonly StoryTurn[] => {
    if (item.kind === "message") {
      line = { seq: item.seq, messages: line.seq === item.seq ? line.messages + 1 : 0 }
      return [{ ...item, key: `message ${item.seq}.${line.messages}` }]
    }
    if (item.kind !== "answer" || isLive(item, live)) return []
    const key = stepKey(item.leg, countIn(item.leg))
    return [{ ...item, key, kind: "step", calls: withOutcomes(item.calls) }]
  })
  const writtenLive = items.filter((item) => item.kind === "answer" && item.leg === live?.leg)
  const steps = (live?.steps ?? []).map((step, nth): StoryStep => {
    const at = step.usage === null ? null : (writtenLive[nth]?.at ?? null)
    const key = stepKey(live?.leg ?? 0, nth)
    return { ...step, kind: "step", key, at, isCut: false, isReasoningCut: false, calls: withOutcomes(step.calls) }
  })
  return [...told, ...steps]
}

/** The same while it is under way and afterwards, so that what somebody unfolded stays open. */
function stepKey(leg: number, nth: number): string {
  return `step ${leg}.${nth}`
}

function isLive({ leg }: { readonly leg: number }, live: LiveLeg | null): boolean {
  return live !== null && live.leg === leg && live.steps.length > 0
}
