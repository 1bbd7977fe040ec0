import { gatePaths } from "@byleave/api"
import type { CallerGate, Gate } from "@byleave/core"
import { expect, it } from "vitest"
import { openGateRoutes, ownKey } from "./gate-context.ts"
import { endingPaths, postRoutes } from "./gate-posts.ts"

const from = { agent: "agent", session: { id: "s", named: true } }
const target = { kind: "tool", server: "files", name: "write" }

/** A credential that runs the approved call `own`, with as many requests about whole calls waiting as may. */
function openCrowded() {
  const asked: Parameters<CallerGate["mayStillRun"]>[] = []
  const answer = Promise.withResolvers<boolean>()
  const gate = {
    mayStillRun: (...asking: Parameters<CallerGate["mayStillRun"]>) => {
      asked.push(asking)
      return answer.promise
    },
  }
  const doors = openGateRoutes({
    gate: gate as unknown as Gate,
    identify: async () => ({ token: "wrap" }),
    newId: () => "id",
    time: Date.now,
    instance: "here",
    keepAliveMs: 60_000,
    maxBodyBytes: 1_000,
  })
  while (doors.wholeCalls.take({ token: "wrap", bytes: 0 }, () => new Promise(() => {})) !== null);
  const running = { asksLeft: 2, isAsked: false }
  doors.runningApproved.set(ownKey({ token: "wrap" }, "own"), running)
  const post = (path: string, name: string, body: object) =>
    postRoutes(doors).get(path)?.(
      JSON.stringify({ from, target, ...body }),
      { token: "wrap", program: "" },
      name,
      async () => true,
    )
  return { asked, answer: answer.resolve, running, post }
}

it("a call that its credential runs by an approval is judged at once, however busy the credential is, without its arguments", async () => {
  const { asked, answer, running, post } = openCrowded()
  const first = post(endingPaths.mayStillSend, "own", {})
  await expect.poll(() => asked).toHaveLength(1)
  // One question at a time.
  expect(await post(endingPaths.mayStillSend, "own", {})).toMatchObject({ status: 429 })
  answer(true)
  expect(await first).toMatchObject({ status: 200, value: { mayRun: true } })
  expect(asked[0]?.slice(1)).toEqual([{}, "own", { isNow: true }])
  expect(running).toEqual({ asksLeft: 1, isAsked: false })
  expect(await post(endingPaths.mayStillSend, "own", {})).toMatchObject({ status: 200 })
  expect(await post(endingPaths.mayStillSend, "own", {})).toMatchObject({ status: 429 })
})

it.each([
  { name: "an approval that it does not run", path: endingPaths.mayStillSend, of: "another", body: {} },
  { name: "a call that policy allowed", path: gatePaths.mayStillRun, of: "", body: { args: {}, approval: null } },
  { name: "an approval, with arguments", path: gatePaths.mayStillRun, of: "", body: { args: {}, approval: "own" } },
])("waits for its turn with $name", async ({ path, of, body }) => {
  const { asked, post } = openCrowded()
  expect(await post(path, of, body)).toMatchObject({ status: 429 })
  expect(asked).toEqual([])
})
