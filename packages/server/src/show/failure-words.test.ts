import { describe, expect, it } from "vitest"
import { failureIn } from "./failure-words.ts"

const text = (words: string) => ({ type: "text", text: words })

describe("failureIn", () => {
  it.each([
    {
      name: "a result of a tool",
      error: { isError: true, content: [text("EACCES:\n denied"), { type: "image" }, text("notes.txt")] },
      words: "EACCES: denied notes.txt",
    },
    {
      name: "an error of the protocol",
      error: { code: -32_602, message: "Invalid arguments" },
      words: "Invalid arguments",
    },
    { name: "plain words", error: "The client was gone.", words: "The client was gone." },
    { name: "nothing in words", error: { isError: true, content: [] }, words: null },
    { name: "another shape", error: [1, null], words: null },
  ])("reads $name", ({ error, words }) => {
    expect(failureIn(JSON.stringify(error))).toBe(words)
  })

  it("has nothing to say of what is no longer kept", () => {
    expect(failureIn(null)).toBeNull()
  })

  it("is short, and holds no secret", () => {
    expect(failureIn(JSON.stringify("x".repeat(5_000)))?.length).toBeLessThan(310)
    const secret = `ghp_${"a1B2".repeat(9)}`
    expect(failureIn(JSON.stringify({ message: `bad token ${secret}` }))).not.toContain(secret)
  })
})
