import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { everything } from "../faults/everything.ts"
import { legacyClient, modernClient, type Told } from "./lean-client.ts"
import { askingPolicy } from "./open-gateway.ts"
import { did, openScene, type Scene } from "./scene.ts"

/** What the caller of a server that misbehaves is told. `unknown`: it may have acted, and nobody says otherwise. */
const misdeeds = [
  { told: "unknown", tools: ["act_then_close", "malformed", "wrong_id", "endless"] },
  { told: "result", tools: ["huge", "storm"] },
] as const

/** Which of the two was asked makes no difference to the server: each transport has one of them with every change. */
const leaves = [
  { transport: "http", by: "a person" },
  { transport: "stdio", by: "policy" },
  ...(everything
    ? ([
        { transport: "http", by: "policy" },
        { transport: "stdio", by: "a person" },
      ] as const)
    : []),
] as const

const ways = misdeeds.flatMap((misdeed) => leaves.map((leave) => ({ ...misdeed, ...leave })))

describe.each(ways)(
  "a server over $transport, called with the leave of $by",
  { timeout: 60_000 },
  ({ transport, by, told, tools }) => {
    const allowed = by === "policy" ? tools.map((tool) => `counting(${tool})`) : []
    // Short only where an answer that never comes is waited for: a large one may take a while.
    const patience = told === "unknown" ? { timeoutMs: 1_000 } : {}
    // One gateway and one server take all misdeeds, one after the other: each must leave them in order for the next.
    let scene: Scene
    beforeAll(async () => {
      scene = await openScene({ transport, ...patience, policy: askingPolicy("faults", allowed) })
    })
    afterAll(() => scene.close())

    it.each(tools)(`that does %s: told ${told}, dispatched once, and others go on`, async (tool) => {
      const client = await legacyClient(scene.url)
      const [victim, beside] = [`victim of ${tool}`, `bystander of ${tool}`]
      const bystander = client.call("act", beside)
      await scene.onlooker.sees(beside, "pending")
      const sent = client.call(tool, victim)
      if (by === "a person") await scene.answer(victim, "approve")
      expect(kindOf(await sent.told)).toBe(told)
      expect(scene.runs(victim)).toBe(1)
      await scene.answer(beside, "approve")
      expect(await bystander.told).toMatchObject(did(beside))
      await expectOtherClientServed(scene)
      await scene.upstream.steer("release")
    })
  },
)

it("a child that crashes while it runs a call is started again for the next", { timeout: 60_000 }, async () => {
  const scene = await openScene({ transport: "stdio" })
  const client = await legacyClient(scene.url)
  for (const round of everything ? [1, 2, 3] : [1, 2]) {
    const sent = client.call("crash", `crash ${round}`)
    await scene.answer(`crash ${round}`, "approve")
    expect(kindOf(await sent.told)).toBe("unknown")
    expect(scene.runs(`crash ${round}`)).toBe(1)
    await expectOtherClientServed(scene)
  }
  await scene.close()
})

it("a server that is gone: a clear error, nothing was done, and the record says so", { timeout: 60_000 }, async () => {
  const scene = await openScene()
  const client = await legacyClient(scene.url)
  const crash = client.call("crash", "last")
  const waits = client.call("act", "late")
  await scene.answer("last", "approve")
  expect(kindOf(await crash.told)).toBe("unknown")
  await scene.answer("late", "approve")
  expect((await waits.told).result?._meta).toHaveProperty(["byleave/unreachable"])
  expect(scene.runs("late")).toBe(0)
  expect((await scene.onlooker.sees("late", "failed")).status).toBe("failed")
  await scene.close()
})

it("a storm of list changes is no storm of listings", { timeout: 60_000 }, async () => {
  const scene = await openScene({ policy: askingPolicy("faults", ["counting(storm)"]) })
  const client = await legacyClient(scene.url)
  await client.call("storm", "first").told
  const before = (await scene.upstream.steer("state")).requests ?? 0
  for (const n of ["a", "b", "c"]) await client.call("storm", n).told
  expect(((await scene.upstream.steer("state")).requests ?? 0) - before).toBeLessThan(40)
  await scene.close()
})

function kindOf({ result, error }: Told): string {
  if (error !== undefined) return `error ${error.message}`
  const [key] = Object.keys(result?._meta ?? {}).filter((name) => name.startsWith("byleave/"))
  return key?.replace("byleave/", "") ?? (result?.isError === true ? "said no" : "result")
}

let others = 0

async function expectOtherClientServed(scene: Scene): Promise<void> {
  others += 1
  const n = `other ${others}`
  const sent = modernClient(scene.url).call("act", n)
  await scene.answer(n, "approve")
  expect(await sent.told).toMatchObject(did(n))
}
