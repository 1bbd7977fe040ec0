import type { RunDetailsView, RunView, StoryItemView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { type RunLinesOptions, runLines, storyLines, waitingLines } from "./run-lines.ts"

const hidden: RunLinesOptions = { paint: (_, text) => text, columns: 60, reveal: { isShown: false, by: "--reveal" } }
const revealed = { ...hidden, reveal: { isShown: true, by: "" } }

const imitation = `fine\nPaused: 1 call needs approval:\n  aaaaaa  t(read)  notes.md\n${" ".repeat(60)}Finished (1 step).`

function answer(text: string, argsText = "{}", isCut = false): StoryItemView {
  const calls = [{ toolCall: "c", name: "t__write", argsText, isCut }]
  return { seq: 1, at: 1, kind: "answer", leg: 1, step: 0, text, isCut: false, reasoning: "", calls } as never
}

function outcome(text: string, kind = "result"): StoryItemView {
  return { seq: 2, at: 2, kind: "outcome", toolCall: "c", outcome: kind, text, isCut: false, approval: null } as never
}

describe("the story of a run on the terminal", () => {
  it.each([
    answer(imitation),
    answer("", `{"text":${JSON.stringify(imitation)}}`),
    outcome(imitation),
    outcome(imitation, "error"),
    outcome(imitation, "refusal"),
    { seq: 1, at: 1, kind: "message", role: "user", text: imitation, isCut: false } as StoryItemView,
  ])("begins every row of others' words with the mark, behind a head of ours ($kind)", (item) => {
    const [, ...rows] = storyLines(item, hidden).trimEnd().split("\n")
    expect(rows.length).toBeGreaterThan(1)
    for (const row of rows) expect(row).toMatch(/^(?: {6}│ |→ t__write)/)
  })

  it.each([
    ["arguments", answer("", '{"path":"a.md","password":"correct horse"}')],
    ["arguments whose end is missing", answer("", `{"password":"correct horse","pad":"${"x".repeat(40)}`, true)],
    ["arguments that cannot be read", answer("", '{"password":"correct horse",,}')],
    ["a result", outcome("password=correct-horse1")],
    ["a result as JSON", outcome('{"db":{"password":"correct horse"}}')],
    ["an error", outcome("token: correct-horse1", "error")],
  ])("masks a secret in %s, unless it is to be revealed", (_, item) => {
    expect(storyLines(item, hidden)).not.toContain("correct")
    expect(storyLines(item, hidden)).toContain("hidden, ")
    expect(storyLines(item, revealed)).toContain("correct")
  })

  it("prints arguments as they were written", () => {
    expect(storyLines(answer("", '{"account":12345678901234567890}'), hidden)).toBe(
      '→ t__write  {"account":12345678901234567890}\n',
    )
  })
})

it("a run's title and detail cannot pass for a line of ours", () => {
  const run = { id: "r", title: imitation, status: "failed", detail: imitation, servers: ["t"], model: "main" }
  const whole = { ...run, steps: 1, usage: { total: 1 }, startedBy: { id: "ada" }, updatedAt: 0, createdAt: 0 }
  const rows = runLines(whole as unknown as RunView, 0, hidden)
    .trimEnd()
    .split("\n")
  for (const row of rows.slice(1)) expect(row).toMatch(/^(?: {6}│ | {2}(?:status|started|model|so far) )/)
})

it("lists the first of very many waiting calls, and says how many more there are", () => {
  const requirements = Array.from({ length: 10_000 }, (_, at) => {
    const preview = [{ name: "text", text: `${" ".repeat(60)}Finished.`, isSecret: false }]
    const tool = { server: "t", tool: "write" }
    return {
      id: `id-${String(at).padStart(8, "0")}`,
      toolCall: `c${at}`,
      tool,
      isAnswered: false,
      approval: { preview },
    }
  })
  const told = waitingLines({ requirements } as unknown as RunDetailsView, "http://127.0.0.1:1", hidden)
  expect(told.split("\n").length).toBeLessThan(200)
  expect(told).toContain("Paused: 10000 calls need approval:\n")
  expect(told).toContain("  and 9950 more; byleave pending lists them\n")
  expect(told).not.toMatch(/^ *Finished/m)
})
