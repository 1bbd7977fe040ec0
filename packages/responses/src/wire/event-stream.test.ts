import { expect, it } from "vitest"
import { eventStream } from "./event-stream.ts"

it("whoever does not read is not written to, and gets the rest once they read", async () => {
  let made = 0
  async function* source() {
    for (; made < 100; made += 1) yield { type: "x", text: "y".repeat(100_000) } as never
  }
  const response = eventStream(source, { keepAliveMs: 60_000, onTrouble: (trouble) => expect.fail(String(trouble)) })
  for (let turns = 50; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
  expect(made).toBeLessThan(20)
  const text = await response.text()
  expect(text.match(/event: x/g)).toHaveLength(100)
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true)
})

it("whoever goes away ends the source", async () => {
  const ended = Promise.withResolvers<void>()
  async function* source(signal: AbortSignal) {
    try {
      while (!signal.aborted) yield { type: "x", text: "y".repeat(500_000) } as never
    } finally {
      ended.resolve()
    }
  }
  const response = eventStream(source, { keepAliveMs: 60_000, onTrouble: () => {} })
  await response.body?.cancel()
  await ended.promise
})
