import { createUnreadBudget, largeAnswer } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { isRefused } from "../refused.ts"
import { createUnreadAnswers } from "./unread-answers.ts"

const large = 10 * largeAnswer

function open() {
  let now = 0
  const unread = createUnreadAnswers(
    createUnreadBudget(() => now, { perPrincipal: 2 * large, inAll: 3 * large }),
    () => now,
  )
  const send = async (sender: string, response: Response, method = "GET") => {
    const request = new Request("http://here/api/any", { method })
    unread.asks(request, sender)
    const body = await unread.goingOut(request, response)
    if (body === null || isRefused(body)) return body
    return body.getReader()
  }
  const pass = (ms: number): void => {
    now += ms
  }
  return { send, pass }
}

const answer = (bytes = large) => new Response("x".repeat(bytes))

/** The bytes that are left, read to the end. */
async function rest(reader: Awaited<ReturnType<ReturnType<typeof open>["send"]>>): Promise<number> {
  if (reader === null || isRefused(reader)) throw new Error("It was refused.")
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return bytes
    bytes += value.byteLength
  }
}

describe("answers that nobody reads", () => {
  it("I1: are refused to whoever leaves too much unread, and to nobody else", async () => {
    const { send } = open()
    const [first] = [await send("prog", answer()), await send("prog", answer())]
    expect(await send("prog", answer())).toMatchObject({ refusedWith: "too-many-reads" })
    expect(isRefused(await send("prog", answer(100)))).toBe(false)
    expect(isRefused(await send("ana", answer()))).toBe(false)
    expect(await rest(first ?? null)).toBe(large)
    expect(isRefused(await send("prog", answer()))).toBe(false)
  })

  it("I1: count whole while some of them is unread", async () => {
    const { send } = open()
    const slow = await send("prog", answer())
    await send("prog", answer())
    if (slow === null || isRefused(slow)) throw new Error("It was refused.")
    for (let piece = 0; piece < 9; piece++) await slow.read()
    expect(isRefused(await send("prog", answer()))).toBe(true)
    await slow.read()
    expect(isRefused(await send("prog", answer()))).toBe(false)
  })

  it("I1: count no more once their connections are gone", async () => {
    const { send } = open()
    const gone = await send("prog", answer())
    await send("prog", answer())
    if (gone === null || isRefused(gone)) throw new Error("It was refused.")
    await gone.cancel()
    expect(isRefused(await send("prog", answer()))).toBe(false)
  })

  it("I2: go out in pieces that keep nothing of the rest", async () => {
    const { send } = open()
    const reader = await send("prog", answer())
    if (reader === null || isRefused(reader)) throw new Error("It was refused.")
    const { value } = await reader.read()
    expect([value?.byteLength, value?.buffer.byteLength]).toEqual([largeAnswer, largeAnswer])
    expect(await rest(reader)).toBe(large - largeAnswer)
  })

  it("I3: give way once nobody has read of them for a minute", async () => {
    const { send, pass } = open()
    const [first, second] = [await send("prog", answer()), await send("prog", answer())]
    if (first === null || isRefused(first) || second === null || isRefused(second)) throw new Error("Refused.")
    pass(60_000)
    await second.read()
    expect(isRefused(await send("prog", answer()))).toBe(false)
    await expect(first.read()).rejects.toThrow("unread")
    expect(await rest(second)).toBe(large - largeAnswer)
  })

  it("I3: give way to the answer to something that was done", async () => {
    const { send } = open()
    const [first, second] = [await send("prog", answer()), await send("prog", answer())]
    const done = await send("prog", answer(), "POST")
    expect(await rest(done)).toBe(large)
    expect((await Promise.allSettled([rest(first), rest(second)])).map(({ status }) => status).toSorted()).toEqual([
      "fulfilled",
      "rejected",
    ])
  })

  it("I3: and streams with large events are broken off", async () => {
    const { send } = open()
    const events = () => {
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(large)),
      })
      return new Response(body, { headers: { "content-type": "text/event-stream" } })
    }
    const readers = [await send("prog", events()), await send("prog", events()), await send("prog", events())]
    const begun = readers.map(async (reader) => (reader === null || isRefused(reader) ? null : reader.read()))
    await Promise.all(begun)
    const next = readers.map(async (reader) => (reader === null || isRefused(reader) ? null : reader.read()))
    const ended = (await Promise.allSettled(next)).filter(({ status }) => status === "rejected")
    expect(ended).toHaveLength(1)
  })
})
