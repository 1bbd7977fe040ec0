import type { RunPartView } from "@byleave/api"
import type { JsonValue } from "@byleave/core"
import { expect, it } from "vitest"
import { lineWidth } from "../decide/cut-line.ts"
import { createRunPrinter, type RunPrinterOptions } from "./run-printer.ts"

function open(options: Partial<RunPrinterOptions> = {}) {
  let shown = ""
  const printer = createRunPrinter({
    write: (text) => {
      shown += text
    },
    paint: (_, text) => text,
    columns: () => undefined,
    reveal: { isShown: false, by: "--reveal" },
    ...options,
  })
  const tell = (...parts: readonly RunPartView[]): void => {
    for (const part of parts) printer.event({ type: "part", leg: 1, part })
  }
  return { printer, tell, shown: () => shown }
}

const text = (delta: string): RunPartView => ({ type: "text", id: "0", delta })
const step: RunPartView = { type: "step-started" }
const ended: RunPartView = { type: "step-ended", usage: { input: 0, output: 0, total: 0 } }

it("I1: marks whatever could steer the terminal, from models, agents and servers alike", () => {
  const { tell, shown } = open()
  tell(step, text("a\u001b[2Jb\nc\r"), { type: "reasoning", id: "1", delta: "\u0007" })
  tell({ type: "tool-call", toolCall: "t", name: "x\u001by", args: { "\u202e": "\u009b" } })
  tell({ type: "tool-result", toolCall: "t", text: "\u001b]0;title\u0007" })
  tell({ type: "tool-denied", toolCall: "u", reason: "\u0008" })
  expect(shown()).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(shown()).toContain("│ a⟨U+001B⟩[2Jb\n│ c")
})

it("keeps a character whole that arrives in halves", () => {
  const { tell, shown } = open()
  tell(step, text("\ud83d"), text("\ude00!"), ended)
  expect(shown()).toBe("\n│ 😀!")
})

it("I2: a leg that is told again shows only what is new, however it is cut", () => {
  const { printer, tell, shown } = open()
  const read = call({})
  tell(step, text("One "), text("mo"))
  printer.again()
  tell(step, text("One moment."), read, { type: "tool-result", toolCall: "t", text: "first\nsecond" })
  printer.again()
  tell(
    step,
    text("One moment."),
    read,
    { type: "tool-result", toolCall: "t", text: "first\nsecond" },
    step,
    text("Done."),
    ended,
  )
  expect(shown()).toBe("\n│ One moment.\n→ files__read  {}\n← files__read  first\n\n│ Done.")
  expect([printer.hasShown(1), printer.hasShown(2)]).toEqual([true, false])
})

it("begins its own lines on a line of their own", () => {
  const { printer, tell, shown } = open()
  tell(step, text("half a sentence"))
  printer.line("Left.")
  printer.event({ type: "retry", leg: 1, attempt: 2 })
  expect(shown()).toBe("\n│ half a sentence\nLeft.\nThe model failed; asking again (2).\n")
})

const call = (args: JsonValue): RunPartView => ({ type: "tool-call", toolCall: "t", name: "files__read", args })

it("I3: every row of a model's words begins with the mark, however they are cut and however narrow the terminal is", () => {
  const words = `Looking.\n→ t__read  {}\n\nPaused: 1 call needs approval:\n${" ".repeat(37)}Finished (1 step). ${"x".repeat(90)}漢字漢字\n`
  for (const size of [1, 7, 1_000]) {
    const { printer, tell, shown } = open({ columns: () => 40 })
    tell(
      step,
      ...Array.from({ length: Math.ceil(words.length / size) }, (_, at) =>
        text(words.slice(at * size, at * size + size)),
      ),
    )
    tell({ type: "reasoning", id: "1", delta: "Paused:\nFinished" })
    printer.line("Left.")
    const lines = shown()
      .split("\n")
      .filter((line) => line !== "")
    expect(lines.pop()).toBe("Left.")
    for (const line of lines) {
      expect(line).toMatch(/^│/)
      expect(lineWidth(line)).toBeLessThanOrEqual(40)
    }
    expect(shown()).toContain("│ Looking.\n│ → t__read  {}\n│\n│ Paused: 1 call needs approval:\n")
  }
})

it("I3: a long line of a call or a result goes on behind the mark", () => {
  const { tell, shown } = open({ columns: () => 30 })
  tell(step, call({ path: `${" ".repeat(40)}Paused: 1 call` }))
  tell({ type: "tool-result", toolCall: "t", text: `${"x".repeat(15)}Finished (1 step).` })
  for (const line of shown().trimEnd().split("\n")) expect(line).toMatch(/^(?:→ |← | {6}│ )/)
})

it("I4: masks what looks like a secret in arguments and results, unless it is to be revealed", () => {
  const parts: readonly RunPartView[] = [
    step,
    call({ path: "a.md", password: "correct horse" }),
    { type: "tool-result", toolCall: "t", text: "password=hunter2hunter2" },
    { ...call({ token: ["hunter2hunter2"] }), toolCall: "u" } as RunPartView,
    { type: "tool-error", toolCall: "u", text: '{"secret":"hunter2hunter2"}' },
  ]
  const masked = open()
  masked.tell(...parts)
  expect(masked.shown()).not.toMatch(/hunter2|horse/)
  expect(masked.shown()).toContain('"path":"a.md"')
  expect(masked.shown()).toContain("‹hidden, 14 characters; --reveal shows it›")
  const revealed = open({ reveal: { isShown: true, by: "" } })
  revealed.tell(...parts)
  expect(revealed.shown().match(/hunter2hunter2/g)).toHaveLength(3)
})
