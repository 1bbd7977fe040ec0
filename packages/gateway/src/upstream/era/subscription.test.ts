import { objectAt } from "@byleave/core"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { Notice, Reply } from "../../wire/message.ts"
import { settingOf } from "../upstream-options.ts"
import { createSubscription } from "./subscription.ts"

type Opened = {
  readonly resources: unknown
  readonly acknowledge: () => void
  readonly tell: (notice: Notice) => void
  readonly end: (reply?: Reply) => void
}

const changed: Notice = { method: "notifications/tools/list_changed" }
const { times } = settingOf("s", { now: () => 0, newId: () => "" })

/** A subscription at a server that acknowledges when the test says so. */
function trySubscription() {
  const listens: Opened[] = []
  const open = new Set<AbortSignal>()
  const told: Notice[] = []
  const counts = { broken: 0, most: 0 }
  const subscription = createSubscription({
    listen: ({ params }, { signal, onNotice }) =>
      new Promise((resolve, reject) => {
        open.add(signal)
        counts.most = Math.max(counts.most, open.size)
        signal.addEventListener("abort", () => {
          open.delete(signal)
          reject(new Error("withdrawn"))
        })
        listens.push({
          resources: objectAt(params, "notifications")?.resourceSubscriptions,
          acknowledge: () => onNotice({ method: "notifications/subscriptions/acknowledged" }),
          tell: onNotice,
          end: (reply = { kind: "result", result: {} }) => {
            open.delete(signal)
            resolve(reply)
          },
        })
      }),
    tell: (notice) => void told.push(notice),
    onBroken: () => void counts.broken++,
    setting: { times },
  })
  const want = (...resources: string[]) =>
    subscription.want({ lists: new Set(["tools"]), resources: new Set(resources) })
  return { ...subscription, want, listens, open, told, counts }
}

const microtasks = async () => void (await vi.advanceTimersByTimeAsync(0))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("a subscription", () => {
  it("I1: changes of what is wanted open no third one, and the newest is asked for once the server has acknowledged", async () => {
    const tried = trySubscription()
    tried.want()
    tried.listens[0]?.acknowledge()
    for (let i = 0; i < 5_000; i++) tried.want(`a://${i}`)
    expect([tried.open.size, tried.listens.length]).toEqual([2, 2])
    tried.listens[1]?.acknowledge()
    expect(tried.listens.map(({ resources }) => resources)).toEqual([undefined, ["a://0"], ["a://4999"]])
    tried.listens[2]?.acknowledge()
    await microtasks()
    expect([tried.open.size, tried.stands(), tried.counts]).toEqual([1, true, { broken: 0, most: 2 }])
  })

  it("I1, I2: at a server that never acknowledges, changes leave one stream, which is for the newest in the end", async () => {
    const tried = trySubscription()
    for (let i = 0; i < 5_000; i++) {
      tried.want(`a://${i}`)
      if (i % 100 === 0) await vi.advanceTimersByTimeAsync(times.acknowledgeMs / 2)
    }
    expect(tried.listens.length).toBeLessThan(7)
    await vi.advanceTimersByTimeAsync(times.longestBackOffMs)
    expect([tried.counts.most, tried.open.size, tried.stands()]).toEqual([1, 1, false])
    expect(tried.listens.at(-1)?.resources).toEqual(["a://4999"])
    tried.listens.at(-1)?.tell(changed)
    expect(tried.told).toEqual([changed])
    tried.stop()
    await vi.advanceTimersByTimeAsync(times.longestBackOffMs)
    expect(tried.open.size).toBe(0)
  })

  it("I2: one that is not acknowledged stays open, and makes way after a while once something else is wanted", async () => {
    const tried = trySubscription()
    tried.want()
    tried.listens[0]?.acknowledge()
    tried.want("a://1")
    await vi.advanceTimersByTimeAsync(times.longestBackOffMs)
    expect([tried.open.size, tried.stands(), tried.listens.length]).toEqual([2, true, 2])
    tried.want("a://2")
    expect([tried.open.size, tried.listens[2]?.resources]).toEqual([2, ["a://2"]])
    tried.want("a://3")
    expect(tried.listens.length).toBe(3)
    await vi.advanceTimersByTimeAsync(times.acknowledgeMs)
    expect(tried.listens.length).toBe(3)
    await vi.advanceTimersByTimeAsync(times.acknowledgeMs)
    expect([tried.listens[3]?.resources, tried.open.size]).toEqual([["a://3"], 2])
    tried.listens[3]?.acknowledge()
    await microtasks()
    expect([tried.open.size, tried.counts]).toEqual([1, { broken: 0, most: 2 }])
  })

  it("asks for nothing where what is wanted stands already by then", async () => {
    const tried = trySubscription()
    tried.want("a://1")
    tried.listens[0]?.acknowledge()
    tried.want("a://2")
    tried.listens[1]?.end({ kind: "error", error: { code: -32603, message: "no" } })
    await microtasks()
    tried.want("a://1")
    await vi.advanceTimersByTimeAsync(times.longestBackOffMs)
    expect([tried.listens.length, tried.open.size, tried.stands()]).toEqual([2, 1, true])
  })

  it("I3: what one that broke may have missed is told as changed, also where another was to take its place", async () => {
    const tried = trySubscription()
    tried.want()
    tried.listens[0]?.acknowledge()
    tried.want("a://1")
    tried.listens[0]?.end()
    await microtasks()
    expect([tried.stands(), tried.counts.broken]).toEqual([false, 1])
    tried.listens[1]?.acknowledge()
    expect([tried.told, tried.stands()]).toEqual([[changed], true])
  })

  it("a server without the method is not asked again until something else is wanted", async () => {
    const tried = trySubscription()
    tried.want()
    tried.listens[0]?.end({ kind: "error", error: { code: -32601, message: "no such method" } })
    await vi.advanceTimersByTimeAsync(times.longestBackOffMs)
    expect(tried.listens.length).toBe(1)
    tried.want("a://1")
    tried.want("a://2")
    expect(tried.listens.length).toBe(2)
    tried.listens[1]?.end({ kind: "error", error: { code: -32601, message: "no such method" } })
    await microtasks()
    expect(tried.listens.map(({ resources }) => resources)).toEqual([undefined, ["a://1"], ["a://2"]])
  })
})
