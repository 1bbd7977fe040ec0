import { expect, it } from "vitest"
import { readReceived } from "./read-received.ts"

it("reads a result with more values than a caller may send", () => {
  const text = `{"jsonrpc":"2.0","id":1,"result":{"rows":[${"1,".repeat(60_000)}1]}}`
  const read = readReceived(text, 1_000_000)
  expect(read.ok && read.received.map(({ loose }) => loose)).toEqual([false])
})

it("does not read a message with values without end, however short its text is", () => {
  const text = `{"jsonrpc":"2.0","id":1,"result":{"rows":[${"[],".repeat(500_000)}1]}}`
  expect(readReceived(text, 10_000_000)).toMatchObject({ ok: false, problem: expect.stringContaining("500000") })
})

it("reads ids of any length, of requests and of responses", () => {
  const id = "i".repeat(10_000)
  for (const what of ['"method":"ping"', '"result":{}']) {
    const read = readReceived(`{"jsonrpc":"2.0","id":"${id}",${what}}`, 100_000)
    expect(read).toMatchObject({ ok: true, received: [{ message: { id } }] })
  }
})
