import { gatePaths } from "@byleave/api"
import type { Gate } from "@byleave/core"
import { expect, it } from "vitest"
import { beginRequest } from "./begin-request.ts"
import { openGateRoutes } from "./gate-context.ts"
import { postRoutes } from "./gate-posts.ts"

const from = { agent: "agent", session: { id: "s", named: true } }
const target = { kind: "tool", server: "files", name: "read" }

/** A program that asks, whose every judgement takes 10 ms; `after`: what happens once so many were made. */
function open(after: { readonly [judged: number]: () => void } = {}) {
  const state = { ms: 0, judged: 0, token: "wrap" as string | null, isGone: false }
  const judge = async (): Promise<unknown> => {
    state.ms += 10
    state.judged += 1
    after[state.judged]?.()
    return {}
  }
  const doors = openGateRoutes({
    gate: { judge } as unknown as Gate,
    identify: async () => (state.token === null ? null : { token: state.token }),
    newId: () => "id",
    time: Date.now,
    instance: "here",
    keepAliveMs: 60_000,
    maxBodyBytes: 1_000_000,
    isServed: () => true,
    pace: { now: () => state.ms, nextTurn: () => new Promise(setImmediate), pause: async () => {} },
  })
  const routes = postRoutes(doors)
  const path = gatePaths.judge
  const ask = (body: object) => {
    const text = JSON.stringify({ from, ...body })
    const request = {
      authorization: "Bearer x",
      asker: { token: "wrap", program: "" },
      path,
      name: "",
      text,
      isGone: () => state.isGone,
    }
    return beginRequest(
      doors,
      request,
      (who, isWanted) => routes.get(path)?.(text, who, "", isWanted) ?? { status: 404, value: {} },
    )
  }
  return { state, ask }
}

const targets = Array.from({ length: 1_000 }, () => target)

it("I3: all names that a program asks about are judged while it waits for them", async () => {
  const { state, ask } = open()
  expect(await ask({ targets })).toMatchObject({ status: 200 })
  expect(state.judged).toBe(1_000)
})

it.each([
  { name: "its connection has ended", end: { isGone: true } },
  { name: "its credential was revoked", end: { token: null } },
])("I3: no more of them are judged once $name", async ({ end }) => {
  const { state, ask } = open({ 30: () => Object.assign(state, end) })
  expect(await ask({ targets })).toMatchObject({ status: 401 })
  expect(state.judged).toBe(30)
})

it("I3: requests that wait behind it are not judged at all then", async () => {
  const { state, ask } = open({ 30: () => Object.assign(state, { token: null }) })
  const waiting = [ask({ targets }), ask({ targets }), ask({ targets })]
  expect((await Promise.all(waiting)).map((answer) => "status" in answer && answer.status)).toEqual([401, 401, 401])
  expect(state.judged).toBe(30)
})
