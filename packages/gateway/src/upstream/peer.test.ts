import { describe, expect, it } from "vitest"
import type { Ask, Message, Reply, ResponseMessage } from "../wire/message.ts"
import type { ChannelEvents, OpenChannel } from "./channel.ts"
import { answering } from "./fixtures/try-upstream.ts"
import { createPeer, type Peer, type PeerHooks } from "./peer.ts"
import type { Askable, QuestionRoute } from "./question-routes.ts"

/** A channel whose server is the test. */
function openPeer(hooks: Partial<PeerHooks> = {}, isTaken: Promise<void> = Promise.resolve()) {
  const answers: ResponseMessage[] = []
  const asked: number[] = []
  let events: ChannelEvents | undefined
  let closed = 0
  const open: OpenChannel = (given) => {
    events = given
    return {
      ask: ({ id }, { mayLeave }) => {
        if (mayLeave()) asked.push(Number(id))
      },
      drop: () => {},
      tell: async (message) => {
        if (!("method" in message)) answers.push(message)
        await isTaken
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
    standing: () => null,
    onUnclear: () => {},
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
    asked,
    closed: () => closed,
    say: (message: Message, about?: number) => events?.onMessage({ message, loose: false }, about),
  }
}

describe("a connection to a server", () => {
  const notice: Message = { jsonrpc: "2.0", method: "notifications/message", params: {} }

  it.each(["ping", "sampling/createMessage"])(
    "I3: a server that takes no answers to %s is sent no more",
    async (method) => {
      const taken = Promise.withResolvers<void>()
      const { answers, say } = openPeer({ mayAsk: () => false }, taken.promise)
      const ask = async (from: number): Promise<void> => {
        for (let id = from; id < from + 1_000; id++) say({ jsonrpc: "2.0", id, method })
        for (let ticks = 0; ticks < 20; ticks++) await null
      }
      await ask(0)
      expect(answers).toHaveLength(64)
      taken.resolve()
      for (let ticks = 0; ticks < 20; ticks++) await null
      await ask(1_000)
      expect(answers.length).toBeGreaterThan(64)
    },
  )

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

  const question = (id: number, size = 1): Message => ({
    jsonrpc: "2.0",
    id,
    method: "elicitation/create",
    params: { message: "x".repeat(size) },
  })

  it("I2: has 16 questions open, answers more with an error, and takes others once some are answered", async () => {
    const open: Array<(reply: Reply) => void> = []
    const onInquiry = (): Promise<Reply> => new Promise((resolve) => open.push(resolve))
    const { peer, say, answers, asked } = openPeer({ onInquiry })
    void peer.request({ ask: { method: "tools/call" }, askable: () => answering(onInquiry) }).catch(() => {})
    const [onStream] = asked
    for (let id = 1; id <= 10; id += 1) say(question(id))
    for (let id = 11; id <= 20; id += 1) say(question(id), onStream)
    await expect.poll(() => answers.map(({ id }) => id)).toEqual([17, 18, 19, 20])
    expect(answers[0]).toMatchObject({ error: { code: -32603, message: expect.stringContaining("16") } })
    expect(open).toHaveLength(16)
    open[0]?.({ kind: "result", result: {} })
    await expect.poll(() => answers.length).toBe(5)
    say(question(21))
    await expect.poll(() => open.length).toBe(17)
  })

  it("I2: keeps no more than 1 MiB of questions", async () => {
    const open: unknown[] = []
    const { say, answers } = openPeer({ onInquiry: (ask) => new Promise(() => open.push(ask)) })
    for (let id = 1; id <= 4; id += 1) say(question(id, 400_000))
    await expect.poll(() => answers.map(({ id }) => id)).toEqual([3, 4])
    expect(open).toHaveLength(2)
  })

  it("I2: keeps no more than 1 MiB of the ids of questions", async () => {
    const open: unknown[] = []
    const { say, answers } = openPeer({ onInquiry: (ask) => new Promise(() => open.push(ask)) })
    for (const id of ["a", "b", "c"]) say({ ...question(1), id: id.repeat(400_000) } as Message)
    await expect.poll(() => answers.map(({ id }) => String(id)[0])).toEqual(["c"])
    expect(open).toHaveLength(2)
  })

  it("I2: asks nothing that was not declared, on the stream of a request either", async () => {
    const asked: string[] = []
    const { peer, say, answers, asked: requests } = openPeer({ mayAsk: () => false })
    const onInquiry = async ({ method }: Ask): Promise<Reply> => {
      asked.push(method)
      return { kind: "result", result: {} }
    }
    void peer.request({ ask: { method: "tools/call" }, askable: () => answering(onInquiry) }).catch(() => {})
    say(question(1), requests[0])
    say(question(2))
    await expect.poll(() => answers.length).toBe(2)
    expect(answers).toMatchObject([{ error: { code: -32601 } }, { error: { code: -32601 } }])
    expect(asked).toEqual([])
  })

  it("question-routes I1: asks about requests that have left and have a client, else outside any request", async () => {
    const asked: string[] = []
    const answer = (by: string) => async (): Promise<Reply> => {
      asked.push(by)
      return { kind: "result", result: {} }
    }
    const { peer, say, answers } = openPeer({ onInquiry: answer("listener") })
    const ask: Ask = { method: "tools/call" }
    const own = peer.request({ ask: { method: "tools/list" }, askable: () => null })
    say(question(1))
    await expect.poll(() => answers.length).toBe(1)
    const sent = peer.request({ ask, askable: () => answering(answer("sent"), "x") })
    const unsent = peer.request({ ask, askable: () => answering(answer("unsent"), "y"), mayLeave: () => false })
    say(question(2))
    await expect.poll(() => answers.length).toBe(2)
    expect(asked).toEqual(["listener", "sent"])
    await peer.close()
    await Promise.allSettled([own, sent, unsent])
  })

  it("question-routes I1: a question beside the requests may be for whoever listens, one on a request's stream may not; both end with the connection", async () => {
    const routes: QuestionRoute[] = []
    const judge: Askable["judge"] = (_, route) => {
      routes.push(route)
      return new Promise(() => {})
    }
    const standing = { isThere: () => true, inquire: async (): Promise<Reply> => ({ kind: "result", result: {} }) }
    const { peer, say, asked } = openPeer({ standing: () => standing })
    const send = (): Promise<unknown> =>
      peer.request({ ask: { method: "tools/call" }, askable: () => ({ ...answering(standing.inquire), judge }) })
    const running = send()
    for (const about of [undefined, asked[0]]) say(question(about ?? 0), about)
    say({ jsonrpc: "2.0", id: Number(asked[0]), result: {} })
    await running
    const isOver = (): boolean[] => routes.map(({ over }) => over.aborted)
    expect(isOver()).toEqual([false, true])
    await peer.close()
    expect(isOver()).toEqual([true, true])
  })

  it("question-routes I1: tells an open question that its request is over", async () => {
    const routes: QuestionRoute[] = []
    const judge: Askable["judge"] = (_, route) => {
      routes.push(route)
      return new Promise(() => {})
    }
    const { peer, say, asked } = openPeer()
    const running = peer.request({
      ask: { method: "tools/call" },
      askable: () => ({ ...answering(async () => ({ kind: "result", result: {} })), judge }),
    })
    for (const about of [undefined, asked[0]]) say(question(about ?? 0), about)
    const isOver = (): boolean[] => routes.map(({ over }) => over.aborted)
    expect(isOver()).toEqual([false, false])
    say({ jsonrpc: "2.0", id: Number(asked[0]), result: {} })
    await running
    expect(isOver()).toEqual([true, true])
  })

  it("I1: ends when what was put off for it goes wrong", () => {
    const { peer } = openPeer()
    peer.guard(() => {
      throw new Error("broken")
    })
    expect(peer.ended()?.code).toBe("malformed")
  })
})
