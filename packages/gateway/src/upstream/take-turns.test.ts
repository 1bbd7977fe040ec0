import { describe, expect, it } from "vitest"
import type { Reply } from "../wire/message.ts"
import { createSignal } from "../wire/signal.ts"
import type { LinkRequest } from "./link.ts"
import { takeTurns } from "./take-turns.ts"

const limits = { places: 2, guaranteed: 1, mostWaiting: 2, mostWaitingSize: 1_000, waitMs: 60_000 }
const done: Reply = { kind: "result", result: {} }

function carriedBy(principal: string, more: Partial<LinkRequest> = {}): LinkRequest {
  const asker: LinkRequest["asker"] = { era: "modern", client: null, abilities: {} }
  return {
    ask: { method: "a" },
    asker,
    principal,
    onNotice: () => {},
    askable: () => null,
    signal: createSignal(),
    ...more,
  }
}

/** A server that answers when told, and turns before it. */
function open(more: Partial<typeof limits> = {}) {
  const turns = takeTurns("files", { ...limits, ...more })
  const running: Array<{ readonly who: string; readonly end: () => void; readonly fail: () => void }> = []
  const ask = (who: string, carried: Partial<LinkRequest> = {}): Promise<string> =>
    turns(
      carriedBy(who, carried),
      () =>
        new Promise((resolve, reject) => {
          running.push({ who, end: () => resolve(done), fail: () => reject(new Error("broken")) })
        }),
    ).then(
      ({ kind }) => kind,
      (error: Error) => error.message,
    )
  return { running, ask }
}

describe("turns at a server", () => {
  it("come when an earlier request ended, well or not", async () => {
    const { running, ask } = open()
    const asked = ["ann", "ann", "ann", "ann"].map((who) => ask(who))
    expect(running).toHaveLength(2)
    running[0]?.end()
    await expect.poll(() => running.length).toBe(3)
    running[1]?.fail()
    await expect.poll(() => running.length).toBe(4)
    running[2]?.end()
    running[3]?.end()
    expect(await Promise.all(asked)).toEqual(["result", "broken", "result", "result"])
  })

  it("are refused in plain words when too many wait, or too much", async () => {
    const { running, ask } = open()
    for (let n = 0; n < 4; n++) void ask("ann")
    expect(await ask("ann")).toBe(
      "files is busy: 2 requests run there, and as many wait as may. Nothing was sent. Wait until some of them are answered, then try again.",
    )
    void ask("bob")
    expect(running.map(({ who }) => who)).toEqual(["ann", "ann", "bob"])
    expect(await ask("bob", { ask: { method: "a", params: { text: "a".repeat(1_000) } } })).toMatch(/is busy/)
  })

  it("that were given up while they waited never come", async () => {
    const { running, ask } = open()
    const signal = createSignal()
    void ask("ann")
    void ask("ann")
    const [withdrawn, late] = [ask("ann", { signal }), ask("ann", { timeoutMs: 20 })]
    signal.abort()
    expect(await withdrawn).toMatch(/withdrawn before it was sent/)
    expect(await late).toMatch(/files is busy: 2 requests run there, for 0.02 s\. Nothing was sent/)
    const next = ask("ann")
    running[0]?.end()
    await expect.poll(() => running.length).toBe(3)
    running[2]?.end()
    expect(await next).toBe("result")
  })

  it("are the gateway's own as well, whatever agents do", async () => {
    const { running, ask } = open()
    for (let n = 0; n < 4; n++) void ask("ann")
    void ask("")
    expect(running).toHaveLength(3)
  })
})
