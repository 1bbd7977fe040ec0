import { createUnreadBudget } from "@byleave/core"
import { expect, it } from "vitest"
import { createUnreadAnswers } from "../guard/unread-answers.ts"
import type { ApiService } from "../service.ts"
import { eventStream } from "./event-stream.ts"

const now = (): number => 0
const unread = createUnreadAnswers(createUnreadBudget(now, { perPrincipal: 1_500_000, inAll: 3_000_000 }), now)
const service = { closing: new AbortController().signal, keepAliveMs: 60_000, unread } as unknown as ApiService
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

it("counts what is unread of all streams of one reader together", async () => {
  const open = (sender: string): Response => {
    const asking = request()
    unread.asks(asking, sender)
    return eventStream(service, asking, async (send, ended) => {
      send("x".repeat(900_000))
      await new Promise((resolve) => ended.addEventListener("abort", resolve))
    })
  }
  const [first, second, others] = [open("ana"), open("ana"), open("bob")]
  const isCut = async (response: Response): Promise<boolean> => {
    const reader = response.body?.getReader()
    return reader === undefined
      ? false
      : reader.read().then(
          () => false,
          () => true,
        )
  }
  const cut = await Promise.all([first, second, others].map(isCut))
  expect(cut.filter(Boolean)).toHaveLength(1)
  expect(cut.at(-1)).toBe(false)
})
