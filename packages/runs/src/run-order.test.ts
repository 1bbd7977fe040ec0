import type { ModelMessage } from "ai"
import { describe, expect, it } from "vitest"
import { lineBytes } from "./journal/line-bytes.ts"
import { messagesText, titleOf } from "./run-order.ts"

const said = (content: string): ModelMessage => ({ role: "user", content })

describe("messages as the journal has them", () => {
  it.each([
    { name: "none", messages: [] },
    { name: "one", messages: [said("hello")] },
    { name: "several, with letters of more bytes", messages: [said("ä"), said("€"), said('"\n')] },
  ])("are one JSON text: $name", ({ messages }) => {
    const text = JSON.stringify({ messages })
    const bytes = lineBytes({ name: "input 1", text })
    expect(messagesText(messages, bytes)).toEqual({ text, bytes })
    expect(messagesText(messages, bytes - 1)).toBeNull()
  })

  it("are not read on once they are too many", () => {
    const unread = {
      role: "user",
      content: "x",
      toJSON: () => {
        throw new Error("It is read.")
      },
    } as const
    expect(messagesText([said("x".repeat(100)), unread], 100)).toBeNull()
  })
})

it.each([
  { name: "across its end", text: `${"x".repeat(110)} my secret key` },
  { name: "behind more blanks than are read", text: `x${" ".repeat(1_990)}my secret key` },
])("a title holds no part of a secret $name", ({ text }) => {
  const title = titleOf([said(text)], (whole) => whole.replaceAll("my secret key", "[hidden]"))
  expect(title).toMatch(/^x/)
  expect(title).not.toMatch(/my|sec/)
})
