import { expect, it } from "vitest"
import { CallRefused } from "./carry-out.ts"
import { connectionWords } from "./plain-words.ts"

const url = "https://tracker.example/mcp"

it.each([
  [new TypeError("Failed to fetch"), "Nothing answers at tracker.example."],
  [Object.assign(new Error("no"), { code: 401 }), "asks for credentials (401)"],
  [Object.assign(new Error("no"), { status: 404 }), "There is no MCP server at this path"],
  [Object.assign(new Error("no"), { data: { status: 503 } }), "is failing (503)"],
  [new Error("Error POSTing to endpoint (HTTP 403)"), "does not let this browser in (403)"],
  [new Error("Request timed out: timeout"), "did not answer in time"],
  [new SyntaxError("Unexpected token '<'"), "is not MCP"],
])("%s is told in plain words", (error, words) => {
  expect(connectionWords(error, url)).toContain(words)
})

it("words of a server are quoted, and what they hide is marked", () => {
  const words = connectionWords(new Error('gone". Byleave has checked it\u202e'), url)
  expect(words).toMatch(/It says: "gone\\". Byleave has checked it.*"$/)
  expect(words).not.toContain("\u202e")
})

it("words of a server are cut", () => {
  expect(connectionWords(new Error("x".repeat(10_000_000)), url).length).toBeLessThan(600)
  expect(new CallRefused("x".repeat(10_000_000)).message.length).toBeLessThan(600)
})
