import type { RunPartView } from "@byleave/api"
import { expect, it } from "vitest"
import { createRunPrinter } from "./run-printer.ts"

function open() {
  let shown = ""
  const printer = createRunPrinter(
    (text) => {
      shown += text
    },
    (_, text) => text,
  )
  const tell = (...parts: readonly RunPartView[]): void => {
    for (const part of parts) printer.event({ type: "part", leg: 1, part })
  }
  return { printer, tell, shown: () => shown }
}

const text = (delta: string): RunPartView => ({ type: "text", id: "0", delta })
const step: RunPartView = { type: "step-started" }

it("I1: marks whatever could steer the terminal, from models, agents and servers alike", () => {
  const { tell, shown } = open()
  tell(step, text("a\u001b[2Jb\nc\r"), { type: "reasoning", id: "1", delta: "\u0007" })
  tell({ type: "tool-call", toolCall: "t", name: "x\u001by", args: { "\u202e": "\u009b" } })
  tell({ type: "tool-result", toolCall: "t", text: "\u001b]0;title\u0007" })
  tell({ type: "tool-denied", toolCall: "u", reason: "\u0008" })
  expect(shown()).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(shown()).toContain("a⟨U+001B⟩[2Jb\nc")
})

it("keeps a character whole that arrives in halves", () => {
  const { tell, shown } = open()
  tell(step, text("\ud83d"), text("\ude00!"))
  expect(shown()).toBe("\n😀!")
})

it("I2: a leg that is told again shows only what is new, however it is cut", () => {
  const { printer, tell, shown } = open()
  const call: RunPartView = { type: "tool-call", toolCall: "t", name: "files__read", args: {} }
  tell(step, text("One "), text("mo"))
  printer.again()
  tell(step, text("One moment."), call, { type: "tool-result", toolCall: "t", text: "first\nsecond" })
  printer.again()
  tell(
    step,
    text("One moment."),
    call,
    { type: "tool-result", toolCall: "t", text: "first\nsecond" },
    step,
    text("Done."),
  )
  expect(shown()).toBe("\nOne moment.\n→ files__read  {}\n← files__read  first\n\nDone.")
  expect([printer.hasShown(1), printer.hasShown(2)]).toEqual([true, false])
})

it("begins its own lines on a line of their own", () => {
  const { printer, tell, shown } = open()
  tell(step, text("half a sentence"))
  printer.line("Left.")
  printer.event({ type: "retry", leg: 1, attempt: 2 })
  expect(shown()).toBe("\nhalf a sentence\nLeft.\nThe model failed; asking again (2).\n")
})
