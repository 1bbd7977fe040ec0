/**
 * The leg of a run that is under way, folded from what its stream tells.
 *
 * I1. Parts of another leg than the one before begin anew: a stream tells a leg from its beginning.
 */
import type { RunEventView, RunPartView, RunView } from "@byleave/api"
import type { StoryOutcome, TurnCall } from "./story-turns.ts"

export type LiveStep = {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly TurnCall[]
  readonly usage: RunView["usage"] | null
}

export type LiveLeg = {
  readonly leg: number
  readonly steps: readonly LiveStep[]
  /** By tool call; also those of calls that earlier legs made. */
  readonly outcomes: ReadonlyMap<string, StoryOutcome>
  /** The model failed and is asked again, for the so-manieth time; null: it answers. */
  readonly attempt: number | null
}

type LegEvent = Extract<RunEventView, { readonly type: "part" | "retry" }>

export function applyRunEvent(before: LiveLeg | null, event: LegEvent): LiveLeg {
  const live = before?.leg === event.leg ? before : { ...emptyLeg, leg: event.leg }
  if (event.type === "retry") return { ...live, attempt: event.attempt }
  return applyPart({ ...live, attempt: null }, event.part)
}

const emptyLeg: LiveLeg = { leg: 0, steps: [], outcomes: new Map(), attempt: null }
const emptyStep: LiveStep = { text: "", reasoning: "", calls: [], usage: null }

function applyPart(live: LiveLeg, part: RunPartView): LiveLeg {
  switch (part.type) {
    case "step-started":
      return { ...live, steps: [...live.steps, emptyStep] }
    case "text":
      return inLastStep(live, (step) => ({ ...step, text: step.text + part.delta }))
    case "reasoning":
      return inLastStep(live, (step) => ({ ...step, reasoning: step.reasoning + part.delta }))
    case "tool-call":
      return inLastStep(live, (step) => ({ ...step, calls: [...step.calls, callOf(part)] }))
    case "tool-asked":
      return live
    case "tool-result":
      return withOutcome(live, part.toolCall, { kind: "result", text: part.text })
    case "tool-error":
      return withOutcome(live, part.toolCall, { kind: "error", text: part.text })
    case "tool-denied":
      // Told twice, the second time without the reason.
      return live.outcomes.has(part.toolCall)
        ? live
        : withOutcome(live, part.toolCall, { kind: "refusal", text: part.reason })
    case "step-ended":
      return inLastStep(live, (step) => ({ ...step, usage: part.usage }))
  }
}

function inLastStep(live: LiveLeg, change: (step: LiveStep) => LiveStep): LiveLeg {
  const before = live.steps.slice(0, -1)
  return { ...live, steps: [...before, change(live.steps.at(-1) ?? emptyStep)] }
}

function callOf({ toolCall, name, args }: Extract<RunPartView, { type: "tool-call" }>): TurnCall {
  return { toolCall, name, argsText: JSON.stringify(args), isCut: false, outcome: null }
}

function withOutcome(live: LiveLeg, toolCall: string, { kind, text }: Pick<StoryOutcome, "kind" | "text">): LiveLeg {
  const outcome = { kind, text, isCut: false, approval: null }
  return { ...live, outcomes: new Map(live.outcomes).set(toolCall, outcome) }
}
