import type { ApprovalSummaryView, RunView } from "@byleave/api"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { listedCall } from "../verdict/fixtures/waiting-call.ts"
import { callState } from "./call-state.ts"
import { runView, storyItems } from "./fixtures/runs.ts"
import { RunStory } from "./run-story.tsx"
import { type StoryTurn, storyTurns } from "./story-turns.ts"

const asked = (id: string, changes: object = {}): ApprovalSummaryView =>
  listedCall({ id, ...changes } as Partial<ApprovalSummaryView>)

const draw = (turns: readonly StoryTurn[], status: RunView["status"] = "paused"): string =>
  renderToStaticMarkup(
    createElement(RunStory, {
      run: runView(0, { status }),
      turns,
      approvals: new Map([
        ["c2", asked("a1")],
        ["c3", asked("a2", { status: "denied", settledAt: 1, by: "ada", refusal: { by: "reviewer" } })],
      ]),
      toolNames: new Map([["files__list_directory", "files(list_directory)"]]),
      onFollow: () => undefined,
    }),
  )

const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

describe("the story of a run", () => {
  it("tells the task, what the model said, its calls and what became of each", () => {
    const html = draw(storyTurns(storyItems(0), null))
    const text = textOf(html)
    expect(text).toMatch(/User .*Tidy my notes.*main .*320 tokens.*Reasoning, 20 characters/)
    expect(text).toMatch(/files\s*\(list_directory\).*Ran/)
    expect(text).toMatch(/Needs approval.*Review and decide/)
    expect(html).toContain('href="/?open=a1"')
    expect(text).toMatch(/Denied.*ada denied it\. It did not run\./)
    expect(text).toContain("Files are moved by hand here.")
    expect(text).not.toContain("Working…")
  })

  it("says that something goes on while the run does", () => {
    expect(textOf(draw(storyTurns(storyItems(0), null), "running"))).toContain("Working…")
  })

  it("draws the task and the newest turns of a long story", () => {
    const many = Array.from({ length: 500 }, (_, at): StoryTurn => {
      return { kind: "message", key: String(at), at, role: "user", text: `message ${at}.`, isCut: false }
    })
    const text = textOf(draw(many))
    expect(text).toContain("message 0.")
    expect(text).toContain("Show 40 of 459 more earlier turns")
    expect(text).not.toContain("message 459.")
    expect(text).toContain("message 460.")
  })

  it("cuts long words, and marks what they hide", () => {
    const text = `${"word ".repeat(2_000)}`
    const [message] = storyItems(0)
    const html = draw(storyTurns([{ ...message, text: `\u202e${text}` } as never], null))
    expect(html.length).toBeLessThan(6_000)
    expect(html).toContain("U+202E")
    expect(textOf(html)).toMatch(/Show 8,000 of 8,\d+ more characters/)
  })
})

it.each([
  { outcome: "result", approval: null, words: "Ran" },
  { outcome: "error", approval: null, words: "Failed" },
  { outcome: "unknown", approval: null, words: "Outcome unknown" },
  { outcome: "refusal", approval: null, words: "Denied" },
  { outcome: null, approval: asked("a1"), words: "Needs approval" },
  { outcome: null, approval: asked("a1", { status: "cancelled", settledAt: 1, detail: "" }), words: "Withdrawn" },
  { outcome: null, approval: null, words: "Did not run" },
] as const)("a call with outcome $outcome is marked $words", ({ outcome, approval, words }) => {
  const told = outcome === null ? null : { kind: outcome, text: "", isCut: false, approval: null }
  expect(callState({ outcome: told }, approval, "finished").words).toBe(words)
})

it("a call that nobody is asked about runs while its run does", () => {
  expect(callState({ outcome: null }, null, "running").words).toBe("Running")
})
