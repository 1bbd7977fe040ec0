import { describe, expect, it } from "vitest"
import type { Notice } from "../message.ts"
import { createWaitingNotices, type SeenNotice } from "./waiting-notices.ts"

const updated = (uri: string, more: object = {}): Notice => ({
  method: "notifications/resources/updated",
  params: { uri, ...more },
})
const line = (data: string): Notice => ({ method: "notifications/message", params: { level: "info", data } })

/** Looks are over one after the other, when they are let go. */
function heldLooks(see: (notice: Notice) => SeenNotice = (notice) => notice) {
  const looks: Array<{ readonly notice: Notice; readonly end: () => void }> = []
  const told: Notice[] = []
  const logged: string[] = []
  const waiting = createWaitingNotices({
    passes: () => false,
    look: (notice) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      looks.push({ notice, end: resolve })
      return promise.then(() => see(notice))
    },
    tell: (notice) => told.push(notice),
    log: (words) => logged.push(words),
  })
  /** Ends one look after the other. */
  const endAll = async (): Promise<void> => {
    for (let at = 0; waiting.over() !== null; at += 1) {
      looks[at]?.end()
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
    }
  }
  return { waiting, looks, told, logged, endAll }
}

describe("what a server says while something of it is looked at", () => {
  it("I1: waits for its turn to be looked at, in the order in which it was said", async () => {
    const { waiting, looks, told, endAll } = heldLooks()
    const said = [line("1"), updated("a"), line("2"), line("1")]
    for (const notice of said) waiting.add(notice)
    expect(looks.map(({ notice }) => notice)).toEqual(said.slice(0, 1))
    await endAll()
    expect(looks.map(({ notice }) => notice)).toEqual(said)
    expect(told).toEqual(said)
  })

  it("I2: is a thousand notices at the most, and the log says so once", async () => {
    const { waiting, told, logged, endAll } = heldLooks()
    for (let at = 0; at < 3_000; at += 1) waiting.add(at % 2 === 0 ? updated(`a://${at}`) : line(String(at)))
    await endAll()
    expect(told).toHaveLength(1_001)
    expect(logged).toEqual([expect.stringContaining("what does not fit is left out")])
  })

  it("I2: weighs 256 KiB at the most, and what is told makes room", async () => {
    const { waiting, told, endAll } = heldLooks()
    const large = "x".repeat(100 * 1024)
    for (let round = 0; round < 3; round += 1) {
      for (let at = 0; at < 10; at += 1) waiting.add(updated(`a://${at}`, { large }))
      waiting.add(line(large))
      waiting.add(line("small"))
      await endAll()
    }
    const uris = ["a://0", "a://1", undefined]
    expect(told.map(({ params }) => params?.uri)).toEqual([...uris, ...uris, ...uris])
  })

  it.each([
    { what: "one long text", data: "x".repeat(300 * 1024) },
    { what: "many small values", data: Array.from({ length: 5_000 }, () => ({})) },
  ])("I2: is nothing that weighs more alone: $what", async ({ data }) => {
    const { waiting, told, endAll } = heldLooks()
    waiting.add({ method: "notifications/message", params: { data } })
    waiting.add(line("small"))
    await endAll()
    expect(told).toEqual([line("small")])
  })

  it.each<[string, (about: string, state: number) => Notice]>([
    ["an update of a resource", (uri, state) => updated(uri, { state })],
    [
      "progress of a request",
      (progressToken, state) => ({ method: "notifications/progress", params: { progressToken, state } }),
    ],
    ["the status of a task", (taskId, state) => ({ method: "notifications/tasks/status", params: { taskId, state } })],
    [
      "the end of an elicitation",
      (elicitationId, state) => ({ method: "notifications/elicitation/complete", params: { elicitationId, state } }),
    ],
  ])("I3: has the newest %s, in the place of the older", async (_, say) => {
    const { waiting, told, endAll } = heldLooks()
    waiting.add(line("first"))
    for (let state = 1; state <= 5_000; state += 1) for (const about of ["a", "b"]) waiting.add(say(about, state))
    await endAll()
    expect(told).toEqual([line("first"), say("a", 5_000), say("b", 5_000)])
  })

  it("I3: has a change of a list once", async () => {
    const { waiting, told, endAll } = heldLooks()
    const changed = { method: "notifications/tools/list_changed" }
    for (let at = 0; at < 5_000; at += 1) waiting.add(changed)
    await endAll()
    expect(told).toEqual([changed, changed])
  })

  it("is kept back where it may not be told or nobody can say whether it may", async () => {
    const { waiting, told, logged, endAll } = heldLooks((notice) => {
      if (notice.params?.uri === "no") return null
      if (notice.params?.uri === "broken") throw new Error("nobody knows")
      return notice
    })
    for (const uri of ["no", "broken", "a", "broken:2"]) waiting.add(updated(uri))
    await endAll()
    expect(told.map(({ params }) => params?.uri)).toEqual(["a", "broken:2"])
    expect(logged).toEqual(["something it told is kept back."])
  })
})

it("what passes is told at once, however large it is, unless something waits before it", async () => {
  const told: Notice[] = []
  let isOpen = true
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = createWaitingNotices({
    passes: () => isOpen,
    look: (notice) => promise.then(() => notice),
    tell: (notice) => told.push(notice),
    log: () => {},
  })
  const said = [line("x".repeat(300 * 1024)), line("2"), line("3")]
  for (const notice of said) {
    isOpen = notice !== said[1]
    waiting.add(notice)
  }
  expect(told).toEqual(said.slice(0, 1))
  resolve()
  await waiting.over()
  expect(told).toEqual(said)
  expect(waiting.over()).toBeNull()
})
