import type { Approval, Call, JsonObject, Outcome, Run } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { wordHoldsMs } from "./ask-still-runs.ts"
import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"
import type { SubmitLine } from "./gate-wire.ts"
import { createRemoteGate } from "./remote-gate.ts"

const call: Call = {
  tool: { server: "files", tool: "write" },
  args: { path: "/a" },
  principal: { id: "agent" },
  session: { principal: "agent", id: "s1", named: true },
}
const toRun = (run: string, args: JsonObject | null = null): SubmitLine => ({ type: "run", run, args, approval: "a1" })
const outcome: Outcome = { kind: "result", result: "theirs", approval: "a1", notes: [] }

const isStillAsked = (path: string): boolean => path === gatePaths.mayStillRun || path === gatePaths.mayStillSend("a1")

/** `tookMs`: until its first line. */
type Said = {
  readonly lines: readonly SubmitLine[]
  readonly breaks?: boolean
  readonly status?: number
  readonly tookMs?: number
  /** It stands until it was told an outcome. */
  readonly stands?: boolean
}

/** A service that says what the test tells it, to one submission after another. */
function open(...submissions: readonly Said[]) {
  const sent: string[] = []
  const posts: string[] = []
  /** Its answer to whether a call may still run; null: it is gone by then. */
  const still = { mayRun: true as boolean | null, isBusy: false }
  /** Its answers to outcomes, one after the other; 200 after the last. */
  const settling: number[] = []
  const told = Promise.withResolvers<void>()
  let elapsed = 0
  const runs: JsonObject[] = []
  let submitted = 0
  const transport: GateTransport = {
    post: async (path, body, { onLine } = {}) => {
      sent.push(path)
      posts.push(body)
      if (isStillAsked(path)) {
        if (still.mayRun === null) throw new Error("gone")
        if (still.isBusy) return { status: 429, text: "{}" }
        return { status: 200, text: JSON.stringify({ mayRun: still.mayRun }) }
      }
      if (onLine === undefined) {
        const status = settling.shift() ?? 200
        told.resolve()
        return { status, text: "{}" }
      }
      // Taking up a run that has begun submits nothing.
      if (path === "/api/gate/resume") return { status: 404, text: "{}" }
      const {
        lines,
        breaks,
        status = 200,
        tookMs = 0,
        stands = false,
      } = submissions[submitted] ?? { lines: [], breaks: true }
      submitted += 1
      elapsed += tookMs
      for (const line of lines) onLine(JSON.stringify(line))
      await new Promise((resolve) => setImmediate(resolve))
      if (stands) await told.promise
      if (breaks === true) throw new Error("broken")
      return { status, text: "{}" }
    },
    get: async () => ({ status: 404, text: "{}" }),
  }
  const run: Run = async (args) => {
    runs.push(args)
    for (let turns = 5; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
    return { kind: "succeeded", result: "ours" }
  }
  const ports = { newId: () => `s${submitted}`, pause: async () => {}, elapsed: () => elapsed }
  const gate = createRemoteGate({ transport, ...ports })
  return { runs, submit: () => gate.submit(call, run), submissions: () => submitted, sent, posts, still, settling }
}

describe("a call whose decision is made elsewhere", () => {
  it.each([
    { isBroughtBack: () => true, says: /started again: call again/ },
    { isBroughtBack: () => false, says: /`byleave serve`/ },
    { says: /`byleave serve`/ },
  ])("I4: is refused while no service can be reached, and says $says", async ({ says, ...how }) => {
    const gone = async () => {
      throw new Error("gone")
    }
    const gate = createRemoteGate({
      transport: { post: gone, get: gone, ...how },
      newId: () => "s",
      pause: async () => {},
    })
    const refused = await gate.submit(call, async () => ({ kind: "succeeded", result: "ours" }))
    expect(refused).toMatchObject({ kind: "refusal", refusal: { reason: expect.stringMatching(says) } })
  })

  it("I1: runs once, though it is told to twice", async () => {
    const { runs, submit } = open({ lines: [toRun("r1"), toRun("r2"), { type: "outcome", outcome }] })
    expect(await submit()).toEqual(outcome)
    expect(runs).toHaveLength(1)
  })

  it("I2: runs with what a reviewer made of its arguments, and else with its own", async () => {
    const edited = open({ lines: [toRun("r1", { path: "/tmp" }), { type: "outcome", outcome }] })
    await edited.submit()
    expect(edited.runs).toEqual([{ path: "/tmp" }])
    const plain = open({ lines: [toRun("r1"), { type: "outcome", outcome }] })
    await plain.submit()
    expect(plain.runs).toEqual([{ path: "/a" }])
  })

  it("I3: that has begun when its connection breaks ends with its own outcome, and is not submitted again", async () => {
    const held: SubmitLine = { type: "held", approval: { id: "a1" } as Approval }
    const { runs, submit, submissions } = open({ lines: [held, toRun("r1")], breaks: true }, { lines: [toRun("r2")] })
    expect(await submit()).toMatchObject({ kind: "result", result: "ours" })
    expect([runs.length, submissions()]).toEqual([1, 1])
  })

  it("that is held when its connection breaks comes back to where it waited", async () => {
    const held: SubmitLine = { type: "held", approval: { id: "a1" } as Approval }
    const back: Said = { lines: [held, { type: "outcome", outcome }] }
    const { runs, submit, submissions } = open({ lines: [held], breaks: true }, back)
    expect(await submit()).toEqual(outcome)
    expect([runs.length, submissions()]).toEqual([0, 2])
  })

  const allowed: SubmitLine = { type: "run", run: "r1", args: null, approval: null }
  const held: SubmitLine = { type: "held", approval: { id: "a1" } as Approval }

  it.each([429, 503])("I6: that is held waits on where the service answers its return with %i", async (status) => {
    const held: SubmitLine = { type: "held", approval: { id: "a1" } as Approval }
    const { submit, submissions } = open(
      { lines: [held], breaks: true },
      { lines: [], status },
      { lines: [held, { type: "outcome", outcome }] },
    )
    expect(await submit()).toEqual(outcome)
    expect(submissions()).toBe(3)
  })

  it("I6: is refused by a busy service where it is not held, and by one that refuses it where it is", async () => {
    const held: SubmitLine = { type: "held", approval: { id: "a1" } as Approval }
    for (const said of [
      [{ lines: [], status: 429 }],
      [
        { lines: [held], breaks: true },
        { lines: [], status: 409 },
      ],
    ]) {
      const { submit, submissions } = open(...said)
      expect(await submit()).toMatchObject({ kind: "refusal" })
      expect(submissions()).toBe(said.length)
    }
  })

  it.each<{ name: string; said: Said; asks: boolean }>([
    { name: "at once", said: { lines: [allowed] }, asks: false },
    { name: "in time", said: { lines: [allowed], tookMs: wordHoldsMs - 1 }, asks: false },
    { name: "late", said: { lines: [allowed], tookMs: wordHoldsMs }, asks: true },
    { name: "after a person was waited for", said: { lines: [held, toRun("r1")], breaks: true }, asks: true },
  ])("I5: is asked about again where the word to run it may be old, and not else: $name", async ({ said, asks }) => {
    const { runs, submit, sent } = open(said)
    expect(await submit()).toMatchObject({ kind: "result", result: "ours" })
    expect(runs).toHaveLength(1)
    expect(sent.some(isStillAsked)).toBe(asks)
  })

  it("I5: names the permission whose use it took where it is asked about again", async () => {
    const { submit, sent, posts } = open({ lines: [{ ...allowed, grant: "g1" }], tookMs: wordHoldsMs })
    expect(await submit()).toMatchObject({ kind: "result" })
    expect(JSON.parse(posts[sent.indexOf(gatePaths.mayStillRun)] ?? "null")).toMatchObject({ grant: "g1" })
  })

  it.each([
    { name: "it may not run any more", mayRun: false, says: /may not run any more/ },
    { name: "nobody answers", mayRun: null, says: /could not be asked/ },
  ])("I5: does not run on an old word where $name, and the service is told so", async ({ mayRun, says }) => {
    const { runs, submit, sent, posts, still } = open({ lines: [held, toRun("r1")], breaks: true })
    still.mayRun = mayRun
    expect(await submit()).toMatchObject({ kind: "refusal", refusal: { reason: expect.stringMatching(says) } })
    expect(runs).toEqual([])
    await expect.poll(() => sent).toContain(gatePaths.settle("r1"))
    const told = posts[sent.indexOf(gatePaths.settle("r1"))]
    expect(JSON.parse(told ?? "null")).toMatchObject({ kind: "failed", error: expect.stringMatching(says) })
  })

  it("I5: does not run on an old word where it is cancelled while that is asked about", async () => {
    const lines: SubmitLine[] = [held, toRun("r1"), { type: "cancelled" }]
    const { runs, submit } = open({ lines, breaks: true })
    expect(await submit()).toMatchObject({ kind: "refusal", refusal: { code: "cancelled" } })
    expect(runs).toEqual([])
  })

  it.each([404, 429])(
    "an outcome that the service answers %s is told to the one that takes the run over",
    async (status) => {
      const { submit, sent, settling } = open({ lines: [held, toRun("r1")], stands: true })
      settling.push(status)
      expect(await submit()).toMatchObject({ kind: "result", result: "ours" })
      await expect.poll(() => sent).toContain(gatePaths.resume)
    },
  )

  it("I5: a withdrawal ends the wait for a busy service's word, and nothing runs", async () => {
    const { runs, submit, sent, still } = open({ lines: [held, toRun("r1"), { type: "cancelled" }] })
    still.isBusy = true
    expect(await submit()).toMatchObject({ kind: "refusal", refusal: { code: "cancelled" } })
    expect([runs, sent.filter(isStillAsked).length]).toEqual([[], 1])
  })

  it.each<{ name: string; said: Said }>([
    { name: "nobody answers", said: { lines: [], breaks: true } },
    { name: "the service refuses", said: { lines: [], status: 403 } },
    { name: "the answer ends without a word", said: { lines: [] } },
  ])("I4: does not run when $name, and is not submitted again", async ({ said }) => {
    const again: Said = { lines: [toRun("r1"), { type: "outcome", outcome }] }
    const { runs, submit, submissions } = open(said, again, again)
    expect(await submit()).toMatchObject({ kind: "refusal", refusal: { code: "store-unavailable" } })
    expect([runs.length, submissions()]).toEqual([0, 1])
  })
})
