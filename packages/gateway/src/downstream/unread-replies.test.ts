import { EventEmitter, once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createUnreadBudget } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import type { FrontResponse } from "./front-message.ts"
import { createKeepAlive } from "./keep-alive.ts"
import { openPostStream } from "./post-stream.ts"
import { createUnreadReplies, largeReply } from "./unread-replies.ts"

/** A response with so much that nobody has read. */
function unread(writableLength: number): FrontResponse & EventEmitter {
  return Object.assign(new EventEmitter(), { writableLength, destroyed: false }) as unknown as FrontResponse &
    EventEmitter
}

const budget = () => createUnreadBudget(() => 0, { perPrincipal: 100, inAll: 250 })

describe("replies that nobody reads", () => {
  it("I1: are counted together, for each principal alone", () => {
    const replies = createUnreadReplies(() => 0, budget())
    expect([60, 40].map((size) => replies.fits("ana", unread(size), size))).toEqual([true, true])
    expect(replies.fits("ana", unread(0), 1)).toBe(false)
    expect(replies.fits("bob", unread(100), 100)).toBe(true)
  })

  it("I2: count as long as they are unread, and not once their connection is gone", () => {
    const replies = createUnreadReplies(() => 0, budget())
    const [read, gone] = [Object.assign(unread(0), { writableLength: 60 }), unread(40)]
    for (const each of [read, gone]) replies.fits("ana", each, each.writableLength)
    expect(replies.fits("ana", unread(0), 50)).toBe(false)
    gone.emit("close")
    expect(replies.fits("ana", unread(0), 50)).toBe(false)
    Object.assign(read, { writableLength: 10 })
    expect(replies.fits("ana", unread(0), 50)).toBe(true)
  })

  it("I1: count with what is kept for clients that may come back", () => {
    const replies = createUnreadReplies((principal) => (principal === "ana" ? 80 : 0), budget())
    expect(replies.fits("ana", unread(30), 30)).toBe(false)
    expect(replies.fits("bob", unread(30), 30)).toBe(true)
  })
})

describe("a reply that would be too much", () => {
  const ends: Array<() => void> = []
  afterEach(() => {
    for (const end of ends.splice(0)) end()
  })

  it.each([
    ["plain", false],
    ["a stream", true],
  ])("is not written, and its connection ends: %s", async (_, opens) => {
    const keepAlive = createKeepAlive(60_000)
    const asked: number[] = []
    const server = createServer((__, response) => {
      const stream = openPostStream({
        response,
        keepAlive,
        waits: () => {},
        batch: null,
        statusOf: () => 200,
        fits: (characters) => {
          asked.push(characters)
          return false
        },
        onClose: () => {},
      })
      if (opens) stream.keepOpen()
      stream.reply({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(largeReply) } })
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    ends.push(() => server.close())
    const got = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).then((answer) => answer.text())
    await expect(got).rejects.toThrow()
    expect(asked).toEqual([expect.any(Number)])
  })
})
