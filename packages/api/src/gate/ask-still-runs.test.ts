import type { Call } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { askStillRuns, wordHoldsMs } from "./ask-still-runs.ts"
import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"

const call: Call = {
  tool: { server: "files", tool: "write" },
  args: { text: "a long text" },
  principal: { id: "agent" },
  session: { principal: "agent", id: "s1", named: true },
}

type Said = { readonly status?: number; readonly mayRun?: boolean | "unknown"; readonly tookMs?: number }

const late: Said = { tookMs: wordHoldsMs }
const busy: Said = { status: 429 }

/** A service that says what the test tells it, one after the other; the last stays. `pauses`: each resolves at once, unless it is told what to do. */
function open(...answers: readonly Said[]) {
  const posts: Array<readonly [path: string, body: string]> = []
  const state = { elapsed: 0, pauses: 0, onPause: async () => {} }
  const transport: GateTransport = {
    post: async (path, body) => {
      const { status = 200, mayRun = true, tookMs = 0 } = answers[Math.min(posts.length, answers.length - 1)] ?? {}
      posts.push([path, body])
      state.elapsed += tookMs
      return { status, text: JSON.stringify(status === 200 ? { mayRun } : { detail: "no" }) }
    },
    get: async () => ({ status: 404, text: "{}" }),
  }
  const ask = askStillRuns({
    ...{ transport, program: undefined, elapsed: () => state.elapsed },
    told: { instances: () => ["listing"], isAsTold: (_, { description }) => description === "told" },
    pause: () => {
      state.pauses += 1
      return state.onPause()
    },
  })
  return { ask, posts, state }
}

describe("a gate elsewhere, asked whether a call may still run", () => {
  it.each<{ name: string; answers: readonly Said[]; asked: number; says: boolean }>([
    { name: "in time", answers: [{ tookMs: wordHoldsMs - 1 }], asked: 1, says: true },
    { name: "late, and then in time", answers: [late, late, {}], asked: 3, says: true },
    { name: "late, and then otherwise", answers: [late, { mayRun: false }], asked: 2, says: false },
    { name: "no, however late", answers: [{ ...late, mayRun: false }], asked: 1, says: false },
  ])("I1: says what it was told less than the word counts for ago: $name", async ({ answers, asked, says }) => {
    const { ask, posts } = open(...answers)
    expect(await ask(call, call.args, "a1")).toBe(says)
    expect(posts).toHaveLength(asked)
  })

  it("I1: says nothing where every answer is late", async () => {
    const { ask, posts } = open(late)
    await expect(ask(call, call.args, "a1")).rejects.toThrow("did not judge in time")
    expect(posts).toHaveLength(4)
  })

  it.each([
    { approval: "a1", status: 429 },
    { approval: "a1", status: 503 },
  ])("I2: asks again where the service says $status about a call by approval $approval", async (asking) => {
    const { ask, posts, state } = open({ status: asking.status }, { status: asking.status }, {})
    let told = 0
    const onAsked = (): void => {
      told += 1
    }
    expect(await ask(call, call.args, asking.approval, { onAsked })).toBe(true)
    expect([posts.length, state.pauses, told]).toEqual([3, 2, 3])
  })

  it("I2: asks a busy service once more about a call that policy allowed, and then gives up", async () => {
    const [once, twice] = [open(busy, {}), open(busy, busy, {})]
    expect(await once.ask(call, call.args, null)).toBe(true)
    await expect(twice.ask(call, call.args, null)).rejects.toThrow("did not judge in time")
    expect([once.posts.length, twice.posts.length]).toEqual([2, 2])
  })

  it("I2: gives up a service that stays busy, and one that refuses at once", async () => {
    const full = open(busy)
    await expect(full.ask(call, call.args, "a1")).rejects.toThrow("did not judge in time")
    expect(full.posts).toHaveLength(61)
    const refusing = open({ status: 409 })
    await expect(refusing.ask(call, call.args, "a1")).rejects.toThrow("409")
    expect(refusing.posts).toHaveLength(1)
  })

  it("I2: a call that is withdrawn while the service is busy may not run, and is not asked about again", async () => {
    const { ask, posts, state } = open(busy, {})
    const withdrawn = Promise.withResolvers<void>()
    state.onPause = async () => {
      withdrawn.resolve()
      await new Promise(() => {})
    }
    expect(await ask(call, call.args, "a1", { until: withdrawn.promise })).toBe(false)
    expect(posts).toHaveLength(1)
  })

  it.each([null, "a1"])("I4: names the tool as its connection lists it (approval %s)", async (approval) => {
    const { ask, posts } = open({ mayRun: "unknown" }, {})
    const about = (description: string) => ({ ...call, listed: { definition: { name: "write", description } } })
    expect(await ask(about("told"), call.args, approval)).toBe(true)
    expect(await ask(about("another"), call.args, approval)).toBe(true)
    expect(await ask(call, call.args, approval)).toBe(true)
    const sent = posts.map(([, body]) => JSON.parse(body) as { told?: unknown; definition?: { description: string } })
    expect(sent.map(({ told, definition }) => told ?? definition?.description)).toEqual([
      ["listing"],
      "told",
      "another",
      undefined,
    ])
  })

  it("I3: sends the arguments of what policy allowed, and none of what a person approved", async () => {
    const { ask, posts } = open({})
    await ask(call, call.args, null)
    await ask(call, call.args, "a1")
    expect(posts.map(([path]) => path)).toEqual([gatePaths.mayStillRun, gatePaths.mayStillSend("a1")])
    expect(posts.map(([, body]) => body.includes("a long text"))).toEqual([true, false])
  })
})
