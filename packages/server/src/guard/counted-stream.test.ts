import { expect, it } from "vitest"
import { isRefused } from "../refused.ts"
import { countedAnswer, countedStream } from "./counted-stream.ts"
import { createStreamCounter } from "./stream-counter.ts"

const stream = () => new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } })

it("a caller has so many streams open, and others theirs; one that nobody reads any more counts no more", async () => {
  const counter = createStreamCounter(2)
  const open = (caller: string) => countedStream(counter, caller, async () => stream())
  const first = await open("a")
  await open("a")
  expect(await open("a")).toMatchObject({ refusedWith: "too-many-streams" })
  expect(isRefused(await open("b"))).toBe(false)
  if (isRefused(first)) throw new Error(first.detail)
  await first.body?.cancel()
  expect(isRefused(await open("a"))).toBe(false)
})

it("an answer that is no stream, one that ends and one that fails count no more", async () => {
  const counter = createStreamCounter(1)
  const give = (answer: () => Promise<Response>) => countedStream(counter, "a", answer)
  expect(isRefused(await give(async () => Response.json({})))).toBe(false)
  await expect(give(() => Promise.reject(new Error("no")))).rejects.toThrow("no")
  const ended = await give(
    async () => new Response("data: x\n\n", { headers: { "content-type": "text/event-stream" } }),
  )
  if (isRefused(ended)) throw new Error(ended.detail)
  expect(await ended.text()).toBe("data: x\n\n")
  expect(isRefused(await give(async () => stream()))).toBe(false)
})

it("a caller has so many answers that wait, and others theirs; one that is made or fails counts no more", async () => {
  const counter = createStreamCounter(2)
  const made = Promise.withResolvers<Response>()
  const wait = (caller: string, answer = () => made.promise) => countedAnswer(counter, caller, answer)
  const waiting = [wait("a"), wait("a")]
  expect(await wait("a")).toMatchObject({ refusedWith: "too-many-streams" })
  expect(isRefused(await wait("b", async () => Response.json({})))).toBe(false)
  made.resolve(Response.json({}))
  await Promise.all(waiting)
  for (let count = 0; count < 3; count += 1) {
    await expect(wait("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no")
  }
  expect(isRefused(await wait("a", async () => Response.json({})))).toBe(false)
})
