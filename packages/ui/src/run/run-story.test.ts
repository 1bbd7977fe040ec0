import type { ApprovalSummaryView, RunView } from "@byleave/api"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { listedCall } from "../verdict/fixtures/waiting-call.ts"
import { callState } from "./call-state.ts"
import { runView, storyItems } from "./fixtures/runs.ts"
import { RunStory } from "./run-story.tsx"
import { HiddenText, StoryText, ToolText } from "./story-text.tsx"
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
    expect(text).toMatch(/Denied.*ada denied it\. It did not run ·/)
    expect(text).toContain("Files are moved by hand here.")
    expect(text).not.toContain("Working…")
  })

  it("says that something goes on while the run does", () => {
    expect(textOf(draw(storyTurns(storyItems(0), null), "running"))).toContain("Working…")
  })

  it("draws the task and the newest turns of a long story", () => {
    const many = Array.from({ length: 500 }, (_, at): StoryTurn => {
      return { kind: "message", seq: at, key: String(at), at, role: "user", text: `message ${at}.`, isCut: false }
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
  { outcome: "result", approval: null, words: "Ran without approval" },
  { outcome: "result", approval: asked("a1"), words: "Ran" },
  { outcome: "error", approval: null, words: "Failed" },
  { outcome: "unknown", approval: null, words: "Outcome unknown" },
  { outcome: "refusal", approval: null, words: "Denied" },
  { outcome: null, approval: asked("a1"), words: "Needs approval" },
  { outcome: null, approval: asked("a1", { status: "cancelled", settledAt: 1, detail: "" }), words: "Withdrawn" },
  { outcome: null, approval: null, words: "Did not run" },
] as const)("R121: a call with outcome $outcome is marked $words", ({ outcome, approval, words }) => {
  const told = outcome === null ? null : { kind: outcome, text: "", isCut: false, approval: null }
  expect(callState({ outcome: told }, approval, "finished").words).toBe(words)
})

it("a call that nobody is asked about runs while its run does", () => {
  expect(callState({ outcome: null }, null, "running").words).toBe("Running")
})

describe("a secret in a story", () => {
  const secret = "correct horse battery"
  const withArgs = (argsText: string, isCut: boolean): string => {
    const call = { toolCall: "c9", name: "t__write", argsText, isCut, outcome: null }
    const usage = { input: 0, output: 0, total: 0 }
    const step = {
      kind: "step",
      key: "s",
      at: 1,
      text: "",
      isCut: false,
      reasoning: "",
      isReasoningCut: false,
      calls: [call],
      usage,
    } as const
    return textOf(draw([step]))
  }

  it("is hidden in arguments that are too long to be told whole, whose other values are shown", () => {
    const text = withArgs(
      JSON.stringify({ path: "a.md", password: secret, pad: "x".repeat(30_000) }).slice(0, 20_000),
      true,
    )
    expect(text).not.toContain("horse")
    expect(text).toContain("path: a.md")
    expect(text).toMatch(/password: hidden/)
  })

  it("is hidden with all of what cannot be read as arguments", () => {
    expect(withArgs(`{"password":"${secret}",,}`, false)).not.toContain("horse")
    const html = renderToStaticMarkup(
      createElement(HiddenText, { text: secret, isCut: false, name: "t(write)", why: "Why." }),
    )
    expect(textOf(html)).not.toContain("horse")
    expect(textOf(html)).toContain("Reveal t(write)")
  })

  it("is hidden in a result whose end is missing", () => {
    const text = JSON.stringify({ db: { password: secret }, pad: "x".repeat(30_000) }).slice(0, 20_000)
    expect(renderToStaticMarkup(createElement(ToolText, { text, isCut: true, name: "t(read)" }))).not.toContain("horse")
  })
})

it("draws the first of very many calls of a step", () => {
  const calls = Array.from({ length: 10_000 }, (_, at) => {
    return { toolCall: `many-${at}`, name: "t__read", argsText: `{"i":${at}}`, isCut: false, outcome: null }
  })
  const usage = { input: 0, output: 0, total: 0 }
  const html = draw([
    { kind: "step", key: "s", at: 1, text: "", isCut: false, reasoning: "", isReasoningCut: false, calls, usage },
  ])
  expect(html.match(/aria-expanded/g)?.length).toBeLessThan(30)
  expect(textOf(html)).toContain("Show 50 of 9,980 more calls")
})

it("draws letters that join in pieces where nothing parts them", () => {
  const html = renderToStaticMarkup(createElement(StoryText, { text: "س".repeat(5_000) }))
  const pieces = textOf(html).match(/س+/g) ?? []
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(1_000)
})
