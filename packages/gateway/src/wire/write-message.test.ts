import { expect, it } from "vitest"
import { writeLine } from "./write-message.ts"

it("a message is one line for every reader, and says the same", () => {
  const ends = "a\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029é"
  const message = { jsonrpc: "2.0", method: "a", params: { [ends]: ends } } as const
  const line = writeLine(message)
  expect(line.split(/[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/)).toEqual([line.slice(0, -1), ""])
  expect(JSON.parse(line)).toEqual(message)
})
