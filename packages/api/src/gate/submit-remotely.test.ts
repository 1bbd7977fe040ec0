import type { Approval, Call, JsonObject, Outcome, Run } from "@byleave/core"
import { describe, expect, it } from "vitest"
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

type Said = { readonly lines: readonly SubmitLine[]; readonly breaks?: boolean; readonly status?: number }

/** A service that says what the test tells it, to one submission after another. */
function open(...submissions: readonly Said[]) {
  const sent: string[] = []
  const runs: JsonObject[] = []
  let submitted = 0
  const transport: GateTransport = {
    post: async (path, _body, { onLine } = {}) => {
      sent.push(path)
      if (onLine === undefined) return { status: 200, text: "{}" }
      // Taking up a run that has begun submits nothing.
      if (path === "/api/gate/resume") return { status: 404, text: "{}" }
      const { lines, breaks, status = 200 } = submissions[submitted] ?? { lines: [], breaks: true }
      submitted += 1
      for (const line of lines) onLine(JSON.stringify(line))
      await new Promise((resolve) => setImmediate(resolve))
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
  const gate = createRemoteGate({ transport, newId: () => `s${submitted}`, pause: async () => {} })
  return { runs, submit: () => gate.submit(call, run), submissions: () => submitted }
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
