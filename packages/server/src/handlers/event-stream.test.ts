import { expect, it } from "vitest"
import type { ApiService } from "../service.ts"
import { eventStream } from "./event-stream.ts"

const service = { closing: new AbortController().signal, keepAliveMs: 60_000 } as unknown as ApiService
const request = (): Request => new Request("http://127.0.0.1/")

it("lets a reader go that is too many bytes behind, and keeps nothing for it", async () => {
  let sent = 0
  let hasEnded = false
  const response = eventStream(service, request(), async (send, ended) => {
    while (!ended.aborted && sent < 1_000) {
      send("x".repeat(100_000))
      sent += 1
    }
    hasEnded = ended.aborted
  })
  await new Promise((resolve) => setTimeout(resolve))
  expect(hasEnded).toBe(true)
  expect(sent).toBeLessThanOrEqual(11)
  await expect(response.text()).rejects.toThrow("fell behind")
})

it("tells a reader that keeps up as much as there is", async () => {
  const response = eventStream(service, request(), async (send, _, end) => {
    for (let n = 0; n < 50; n++) {
      send("x".repeat(100_000))
      await new Promise((resolve) => setTimeout(resolve))
    }
    end()
  })
  expect((await response.text()).length).toBeGreaterThan(5_000_000)
})
