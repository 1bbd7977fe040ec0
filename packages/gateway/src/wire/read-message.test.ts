import { describe, expect, it } from "vitest"
import { readMessages } from "./read-message.ts"
import { writeMessage } from "./write-message.ts"

describe("readMessages", () => {
  it.each<{ name: string; text: string; code: number; id?: string | number | null; data?: string }>([
    { name: "broken text", text: "{", code: -32700, data: "syntax" },
    { name: "a key twice", text: `{"id":1,"id":1}`, code: -32600, data: "duplicate-key" },
    { name: "keys equal but for case", text: `{"params":{"path":1,"Path":2}}`, code: -32600, data: "case-equal-keys" },
    { name: "too much of it", text: `"${"x".repeat(600)}"`, code: -32600, data: "too-large" },
    { name: "no object", text: `1`, code: -32600 },
    { name: "another version", text: `{"jsonrpc":"1.0","id":4,"method":"a"}`, code: -32600, id: 4 },
    { name: "a null id", text: `{"jsonrpc":"2.0","id":null,"method":"a"}`, code: -32600 },
    { name: "a fraction as id", text: `{"jsonrpc":"2.0","id":1.5,"method":"a"}`, code: -32600 },
    { name: "an id no double holds", text: `{"jsonrpc":"2.0","id":12345678901234567890,"method":"a"}`, code: -32600 },
    { name: "an object as id", text: `{"jsonrpc":"2.0","id":{},"method":"a"}`, code: -32600 },
    { name: "a method that is no text", text: `{"jsonrpc":"2.0","id":"x","method":1}`, code: -32600, id: "x" },
    { name: "params in a list", text: `{"jsonrpc":"2.0","id":1,"method":"a","params":[]}`, code: -32600, id: 1 },
    {
      name: "_meta that is no object",
      text: `{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":1}}`,
      code: -32600,
      id: 1,
    },
    { name: "a method and a result", text: `{"jsonrpc":"2.0","id":1,"method":"a","result":{}}`, code: -32600, id: 1 },
    { name: "a result that is no object", text: `{"jsonrpc":"2.0","id":1,"result":1}`, code: -32600, id: 1 },
    { name: "an error without a code", text: `{"jsonrpc":"2.0","id":1,"error":{"message":"a"}}`, code: -32600, id: 1 },
    { name: "an empty batch", text: `[]`, code: -32600 },
    { name: "a batch with one bad message", text: `[{"jsonrpc":"2.0","id":1,"method":"a"},1]`, code: -32600 },
  ])("refuses $name", ({ text, code, id = null, data }) => {
    const read = readMessages(text, { bytes: 500 })
    expect(read).toMatchObject({ ok: false, id, error: { code } })
    if (data !== undefined) expect(read).toMatchObject({ error: { data: { code: data } } })
  })

  it("I2: takes ids of 256 characters of clients, and refuses longer ones with words that say so", () => {
    const asking = (length: number) => readMessages(`{"jsonrpc":"2.0","id":"${"i".repeat(length)}","method":"a"}`)
    const answering = (length: number) => readMessages(`{"jsonrpc":"2.0","id":"${"i".repeat(length)}","result":{}}`)
    expect([asking(256), answering(256)]).toMatchObject([{ ok: true }, { ok: true }])
    const message = "The id of a request may have 256 characters; this one has 257."
    expect(asking(257)).toEqual({ ok: false, id: null, error: { code: -32600, message } })
    expect(answering(257)).toMatchObject({ ok: false, id: null, error: { code: -32600 } })
  })

  it("refuses a message with more values than anybody could look at, and says so", () => {
    const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"p":[${"[],".repeat(50_000)}1]}}}`
    expect(readMessages(text)).toMatchObject({
      ok: false,
      error: { code: -32600, message: expect.stringContaining("50000 values"), data: { code: "too-many-values" } },
    })
  })

  it("keeps what it does not know, and numbers as they were written", () => {
    const text = `{"jsonrpc":"2.0","id":1,"method":"a","vendor":{"x":1},"params":{"n":100000000000000000001}}`
    const read = readMessages(text)
    expect(read.ok && read.messages.map(writeMessage)).toEqual([text])
  })
})
