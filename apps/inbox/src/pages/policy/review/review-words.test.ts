import type { PolicyPreviewView } from "@byleave/api"
import { expect, it } from "vitest"
import { evidenceWords } from "../evidence-words.ts"
import { reviewWords } from "./review-words.ts"

const change = { sentence: "x", rule: null }
const none: PolicyPreviewView = {
  problems: [],
  ok: true,
  tightens: [],
  widens: [],
  other: [],
  tools: [],
  calls: { looked: 0, skipped: 0, different: [] },
}

it("says in words what a change comes to", () => {
  expect(reviewWords(none)).toBe(
    "No changes to the policy. No tools change outcome. No recorded calls to compare with yet.",
  )
  expect(
    reviewWords({
      ...none,
      widens: [change],
      tightens: [change, change],
      calls: { looked: 7, skipped: 0, different: [] },
    }),
  ).toBe(
    "1 change allows more, 2 restrict. No tools change outcome. None of the last 7 recorded calls would have had a different outcome.",
  )
  expect(reviewWords({ ...none, calls: { looked: 7, skipped: 2, different: [] } })).toContain(
    "None of the last 7 recorded calls would have had a different outcome. 2 of them could not be evaluated.",
  )
  expect(reviewWords({ ...none, ok: false })).toContain("cannot be saved")
})

const tool = { tool: { server: "files", tool: "write_file" }, before: "ask", after: "allow", why: "" } as const
const call = {
  ...{ ...tool, call: "c", at: 0, principal: "ci" },
  ...{ session: { principal: "ci", id: "s" }, preview: null, wasDenied: false },
} as const

it.each([
  { name: "tools alone", tools: [tool], different: [], words: "1 change allows more. 1 tool changes outcome." },
  {
    name: "calls alone, by their arguments",
    tools: [],
    different: [call],
    words: "1 change allows more. 1 of the last 7 recorded calls would have had a different outcome.",
  },
  {
    name: "a call that a person denied",
    tools: [],
    different: [call, { ...call, call: "d", wasDenied: true }],
    words:
      "1 change allows more. 2 of the last 7 recorded calls would have had a different outcome. 1 call that a person denied would run.",
  },
])("reassures of nothing beside tools that change outcome: $name", ({ tools, different, words }) => {
  expect(reviewWords({ ...none, widens: [change], tools, calls: { looked: 7, skipped: 0, different } })).toBe(words)
})

it("says what a suggestion rests on", () => {
  expect(evidenceWords({ approved: 7, denied: 0, sessions: 2, days: 1 })).toBe(
    "7 decisions in 2 sessions over 1 day: all allowed",
  )
  expect(evidenceWords({ approved: 0, denied: 1, sessions: 2, days: 1 })).toBe(
    "1 decision in 2 sessions over 1 day: denied",
  )
  expect(evidenceWords({ approved: 5, denied: 1, sessions: 2, days: 1 })).toBe(
    "6 decisions in 2 sessions over 1 day: 5 allowed, 1 denied",
  )
})
