import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { createKeepAlive } from "./keep-alive.ts"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** On a connection that takes nothing, so that what was ended does not close. */
function openResponse(): { readonly response: ServerResponse; readonly failures: Error[] } {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const failures: Error[] = []
  response.on("error", (error) => failures.push(error))
  return { response, failures }
}

it("writes to open streams in turn", () => {
  const { response } = openResponse()
  const keepAlive = createKeepAlive(1_000)
  keepAlive.add(response)
  const before = response.writableLength
  vi.advanceTimersByTime(2_000)
  expect(response.writableLength).toBeGreaterThan(before)
  keepAlive.stop()
})

it("I1: writes nothing to a stream that was ended, and forgets it", async () => {
  const { response, failures } = openResponse()
  const keepAlive = createKeepAlive(1_000)
  keepAlive.add(response)
  response.end()
  vi.advanceTimersByTime(3_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(failures).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})
