import { describe, expect, it } from "vitest"
import type { Message, Reply, ResponseMessage } from "../wire/message.ts"
import type { ChannelEvents, OpenChannel } from "./channel.ts"
import { createPeer, type Peer, type PeerHooks } from "./peer.ts"

/** A channel whose server is the test. */
function openPeer(hooks: Partial<PeerHooks> = {}) {
  const answers: ResponseMessage[] = []
  let events: ChannelEvents | undefined
  let closed = 0
  const open: OpenChannel = (given) => {
    events = given
    return {
      ask: () => {},
      drop: () => {},
      tell: async (message) => {
        if (!("method" in message)) answers.push(message)
      },
      continuity: () => "bound",
      agreed: () => {},
      close: async () => {
        closed++
      },
    }
  }
  const peer: Peer = createPeer(open, true)
  peer.use({
    onNotice: () => {},
    onInquiry: () => null,
    mayAsk: () => true,
    passes: () => true,
    owned: true,
    onDoubt: () => {},
    onEnd: () => {},
    ...hooks,
  })
  return {
    peer,
    answers,
    closed: () => closed,
    say: (message: Message, about?: number) => events?.onMessage({ message, loose: false }, about),
  }
}

describe("a connection to a server", () => {
  const notice: Message = { jsonrpc: "2.0", method: "notifications/message", params: {} }

  it("I1: ends by itself when what the server said cannot be dealt with, and takes nothing along", async () => {
    const ends: string[] = []
    let heard = 0
    const { peer, say, closed } = openPeer({
      onNotice: () => {
        heard++
        throw new TypeError("broken")
      },
      onEnd: (error) => ends.push(error.code),
    })
    const waiting: Promise<Reply> = peer.request({ ask: { method: "tools/list" } })
    say({ ...notice, method: "notifications/tools/list_changed" })
    await expect(waiting).rejects.toMatchObject({ code: "malformed" })
    expect([ends, closed(), peer.ended()?.code]).toEqual([["malformed"], 1, "malformed"])
    say({ ...notice, method: "notifications/tools/list_changed" })
    expect(heard).toBe(1)
    await expect(peer.request({ ask: { method: "tools/list" } })).rejects.toMatchObject({ code: "unreachable" })
  })

  it("I1: ends when what was put off for it goes wrong", () => {
    const { peer } = openPeer()
    peer.guard(() => {
      throw new Error("broken")
    })
    expect(peer.ended()?.code).toBe("malformed")
  })
})
