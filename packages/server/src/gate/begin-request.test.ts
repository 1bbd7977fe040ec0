import { gatePaths } from "@byleave/api"
import type { Gate } from "@byleave/core"
import { expect, it } from "vitest"
import { mostStarts } from "../guard/program-starts.ts"
import { beginRequest } from "./begin-request.ts"
import { given } from "./gate-answer.ts"
import { openGateRoutes, ownKey } from "./gate-context.ts"
import { endingPaths } from "./gate-posts.ts"

/** The doors of a gate with as many requests of `wrap` waiting as may; `next`: the next turn comes. */
async function crowded() {
  const state = { token: "wrap" as string | null, turns: [] as Array<() => void> }
  const doors = openGateRoutes({
    gate: {} as Gate,
    identify: async () => (state.token === null ? null : { token: state.token }),
    newId: () => "id",
    time: Date.now,
    instance: "here",
    keepAliveMs: 60_000,
    maxBodyBytes: 1_000,
    pace: {
      now: () => 0,
      nextTurn: () => new Promise<void>((resolve) => state.turns.push(resolve)),
      pause: async () => {},
    },
  })
  const order: string[] = []
  const sent = { authorization: "Bearer wrap", asker: { token: "wrap", program: "" }, text: "{}", isGone: () => false }
  const ask = (path: string, name = "", program = "") =>
    beginRequest(doors, { ...sent, asker: { token: "wrap", program }, path, name }, () => {
      order.push(`${path} ${name}`)
      return given({})
    })
  await ask(gatePaths.judge)
  for (let n = 0; n < mostStarts.pieces; n++) void ask(gatePaths.submit, String(n))
  doors.runs.set("own", { token: "wrap", settle: () => {} })
  doors.runs.set("theirs", { token: "other", settle: () => {} })
  doors.submissions.set(ownKey({ token: "wrap" }, "own"), { leave: () => {} })
  const runs = { asksLeft: 1, isAsked: false }
  doors.runningApproved.set(ownKey({ token: "wrap" }, "own"), runs)
  doors.runningApproved.set(ownKey({ token: "wrap" }, "asked"), { asksLeft: 1, isAsked: true })
  doors.runningApproved.set(ownKey({ token: "wrap" }, "often"), { asksLeft: 0, isAsked: false })
  doors.runningApproved.set(ownKey({ token: "other" }, "theirs"), runs)
  const next = async (): Promise<void> => {
    state.turns.shift()?.()
    await new Promise(setImmediate)
  }
  return { state, order, ask, next }
}

it.each([
  { name: "a submission", path: gatePaths.submit, of: "one more" },
  { name: "the outcome of a run that nobody has", path: endingPaths.settle, of: "nobody's" },
  { name: "the outcome of another's run", path: endingPaths.settle, of: "theirs" },
  { name: "leaving a wait that nobody has", path: endingPaths.leave, of: "nobody's" },
])("I1: where as many wait as may, refuses $name", async ({ path, of }) => {
  const { ask, order } = await crowded()
  expect(await ask(path, of)).toMatchObject({ status: 429, value: { code: "too-busy" } })
  expect(order).toHaveLength(1)
})

it("I1: where as many of one program wait as may, begins with another's that shares its credential", async () => {
  const { ask, order, next } = await crowded()
  await next()
  const asked = ask(gatePaths.submit, "another's", "other line")
  await next()
  await next()
  expect(await asked).toMatchObject({ status: 200 })
  expect(order.slice(1)).toEqual(["0", "1", "another's"].map((name) => `${gatePaths.submit} ${name}`))
})

it("I5: where as many wait as may, withdraws a call before the others begin", async () => {
  const { ask, order, next } = await crowded()
  const cancelled = ask(gatePaths.cancel)
  await next()
  expect(await cancelled).toMatchObject({ status: 200 })
  expect(order.slice(1)).toEqual([`${gatePaths.cancel} `])
})

it.each([
  { name: "the outcome of its own run", path: endingPaths.settle },
  { name: "leaving its own wait", path: endingPaths.leave },
])("I2: where as many wait as may, begins with $name", async ({ path }) => {
  const { ask, order, next } = await crowded()
  const ended = ask(path, "own")
  await next()
  expect(await ended).toMatchObject({ status: 200 })
  expect(order.slice(1)).toEqual([`${path} own`])
})

it.each([
  { name: "that another credential runs", of: "theirs" },
  { name: "that nobody runs", of: "nobody's" },
  { name: "that it asks about already", of: "asked" },
  { name: "that it has asked about as often as it may", of: "often" },
])("I3: where as many wait as may, is not asked about an approved call $name", async ({ of }) => {
  const { ask, order } = await crowded()
  expect(await ask(endingPaths.mayStillSend, of)).toMatchObject({ status: 429, value: { code: "too-busy" } })
  expect(order).toHaveLength(1)
})

it("I3: where as many wait as may, begins with whether its own approved call may still be sent, asked once at a time", async () => {
  const { ask, order, next } = await crowded()
  const asked = ask(endingPaths.mayStillSend, "own")
  expect(await ask(endingPaths.mayStillSend, "own")).toMatchObject({ status: 429 })
  await next()
  expect(await asked).toMatchObject({ status: 200 })
  expect(order.slice(1)).toEqual([`${endingPaths.mayStillSend} own`])
})

it("I4: opens nothing for a credential that was revoked while its request waited", async () => {
  const { state, ask, order, next } = await crowded()
  const ended = ask(endingPaths.settle, "own")
  state.token = null
  await next()
  expect(await ended).toMatchObject({ status: 401 })
  expect(order).toHaveLength(1)
})
