import { expect, it } from "vitest"
import { runView } from "./fixtures/runs.ts"
import { runStateOf, runStateWords, usageInWords } from "./run-words.ts"

it.each([
  { changes: { status: "running" }, label: "Running" },
  { changes: { status: "paused" }, label: "Paused: needs approval" },
  { changes: { status: "finished" }, label: "Finished" },
  { changes: { status: "failed", stoppedBy: null }, label: "Failed" },
  { changes: { status: "failed", stoppedBy: "ada" }, label: "Stopped" },
  { changes: { status: "cancelled", wasExported: false }, label: "Cancelled" },
  { changes: { status: "cancelled", wasExported: true }, label: "Exported" },
])("says $label of a run that is $changes", ({ changes, label }) => {
  expect(runStateWords[runStateOf(runView(0, changes))].label).toBe(label)
})

it.each([
  { usage: { input: 11_900, output: 440, total: 12_340 }, words: "12,340 tokens: 11,900 in, 440 out" },
  { usage: { input: 0, output: 0, total: 7 }, words: "7 tokens" },
  { usage: { input: 0, output: 0, total: 0 }, words: "0 tokens" },
])("tells $words", ({ usage, words }) => {
  expect(usageInWords(usage)).toBe(words)
})
