import type { RunEventView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { storyItems } from "./fixtures/runs.ts"
import { applyRunEvent, type LiveLeg } from "./live-leg.ts"
import { type StoryStep, storyTurns } from "./story-turns.ts"

type Part = Extract<RunEventView, { type: "part" }>["part"]

const heard = (leg: number, ...parts: readonly Part[]): LiveLeg | null =>
  parts.reduce<LiveLeg | null>((live, part) => applyRunEvent(live, { type: "part", leg, part }), null)

const stepsOf = (live: LiveLeg | null) =>
  storyTurns(storyItems(0), live).filter((turn): turn is StoryStep => turn.kind === "step")

describe("a run's story", () => {
  it("I1: puts each outcome at its call", () => {
    const outcomes = stepsOf(null).flatMap(({ calls }) => calls.map((call) => call.outcome?.kind ?? null))
    expect(outcomes).toEqual(["result", null, null, "refusal"])
  })

  it("I1: takes outcomes of earlier calls from the leg under way", () => {
    const live = heard(2, { type: "tool-result", toolCall: "c2", text: "written" })
    expect(stepsOf(live)[1]?.calls[0]?.outcome).toMatchObject({ kind: "result", text: "written" })
  })

  it("I2: shows a step that the stream tells once, though the journal has it", () => {
    const told = heard(
      1,
      { type: "step-started" },
      { type: "text", id: "0", delta: "Let me " },
      { type: "text", id: "0", delta: "see." },
      { type: "reasoning", id: "1", delta: "Hm." },
      { type: "tool-call", toolCall: "c1", name: "files__list_directory", args: { path: "." } },
    )
    expect(stepsOf(told)).toMatchObject([
      { at: null, text: "Let me see.", reasoning: "Hm.", calls: [{ toolCall: "c1", outcome: { kind: "result" } }] },
    ])
    expect(stepsOf(heard(3, { type: "step-started" })).map(({ at }) => at === null)).toEqual([false, false, true])
  })

  it("names a step alike while it is under way and afterwards", () => {
    const live = heard(1, { type: "step-started" }, { type: "step-started" })
    expect(stepsOf(live).map(({ key }) => key)).toEqual(stepsOf(null).map(({ key }) => key))
  })

  it("keeps the first reason of a denial, which is told twice", () => {
    const live = heard(
      2,
      { type: "tool-denied", toolCall: "c3", reason: "Keep my notes." },
      { type: "tool-denied", toolCall: "c3", reason: "" },
    )
    expect(stepsOf(live)[1]?.calls[1]?.outcome?.text).toBe("Keep my notes.")
  })

  it("begins anew with another leg, and forgets a retry when the model answers", () => {
    const first = heard(1, { type: "step-started" }, { type: "text", id: "0", delta: "old" })
    const retried = applyRunEvent(first, { type: "retry", leg: 2, attempt: 1 })
    expect(retried).toMatchObject({ leg: 2, steps: [], attempt: 1 })
    expect(applyRunEvent(retried, { type: "part", leg: 2, part: { type: "step-started" } }).attempt).toBeNull()
  })
})
