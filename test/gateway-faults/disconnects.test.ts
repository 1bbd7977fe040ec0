import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type LeanClient, legacyClient, modernClient } from "./lean-client.ts"
import { did, openScene, type Scene } from "./scene.ts"

const eras = [
  { era: "legacy", connect: (scene: Scene): Promise<LeanClient> => legacyClient(scene.url) },
  { era: "modern", connect: async (scene: Scene): Promise<LeanClient> => modernClient(scene.url) },
] as const

/** Closing the connection is no cancellation in the legacy era, and is one in the modern era. */
describe.each(eras)("a $era client that disconnects", { timeout: 60_000 }, ({ era, connect }) => {
  let scene: Scene
  let persisted = () => {}
  beforeAll(async () => {
    scene = await openScene({ reached: (step) => step === "persisted" && persisted() })
  })
  afterAll(() => scene.close())

  it("as soon as it has called: legacy waits on, modern is withdrawn", async () => {
    const client = await connect(scene)
    const sent = client.call("act", "gone at once")
    await sent.written
    sent.drop()
    if (era === "legacy") await expectRedeemed(scene, client, "gone at once")
    else await expectWithdrawn(scene, "gone at once")
    await expectServed(scene, client)
  })

  it("at the moment its call is in the store", async () => {
    const client = await connect(scene)
    const sent = client.call("act", "gone as stored")
    persisted = () => sent.drop()
    await expect(sent.told).rejects.toThrow()
    persisted = () => {}
    if (era === "legacy") await expectRedeemed(scene, client, "gone as stored")
    else await scene.onlooker.sees("gone as stored", "cancelled")
    expect(scene.runs("gone as stored")).toBe(era === "legacy" ? 1 : 0)
    await expectServed(scene, client)
  })

  it("while its call is held", async () => {
    const client = await connect(scene)
    const sent = client.call("act", "gone while held")
    await Promise.all([sent.opened, scene.onlooker.sees("gone while held", "pending")])
    sent.drop()
    if (era === "legacy") await expectRedeemed(scene, client, "gone while held")
    else await scene.onlooker.sees("gone while held", "cancelled")
    expect(scene.runs("gone while held")).toBe(era === "legacy" ? 1 : 0)
    await expectServed(scene, client)
  })

  it("while its call runs: what was done is known, and nothing is done again", async () => {
    const client = await connect(scene)
    const sent = client.call("act_slow", "gone while running")
    await scene.answer("gone while running", "approve")
    await expect.poll(() => scene.runs("gone while running"), poll).toBe(1)
    sent.drop()
    if (era === "legacy") {
      await scene.onlooker.sees("gone while running", "running", ({ caller }) => caller === null)
      await scene.upstream.steer("release")
      await scene.onlooker.sees("gone while running", "succeeded")
      const late = await client.call("act_slow", "gone while running").told
      expect(late).toMatchObject({
        result: { ...did("gone while running").result, _meta: { "byleave/notes": ["delivered-late"] } },
      })
    } else await scene.onlooker.sees("gone while running", "unknown")
    expect(scene.runs("gone while running")).toBe(1)
    await expectServed(scene, client)
  })

  it("while its reply is written", async () => {
    const client = await connect(scene)
    const sent = client.call("huge", "gone while told")
    await scene.answer("gone while told", "approve")
    const response = await sent.opened
    await new Promise((resolve) => response.once("data", resolve))
    sent.drop()
    await scene.onlooker.sees("gone while told", "succeeded")
    expect(scene.runs("gone while told")).toBe(1)
    await expectServed(scene, client)
  })
})

const poll = { timeout: 20_000, interval: 20 }

/** Nobody waits for it; a person says yes all the same, and the same call made again gets its result. */
async function expectRedeemed(scene: Scene, client: LeanClient, n: string): Promise<void> {
  await scene.onlooker.sees(n, "pending", ({ caller }) => caller === null)
  await scene.answer(n, "approve")
  expect(scene.runs(n)).toBe(0)
  expect(await client.call("act", n).told).toMatchObject(did(n))
  expect(scene.runs(n)).toBe(1)
}

/** It never came to be held, or it was cancelled. */
async function expectWithdrawn(scene: Scene, n: string): Promise<void> {
  await expectServed(scene, modernClient(scene.url))
  const statuses = async () => (await scene.onlooker.recordsOf(n)).map(({ status }) => status)
  await expect.poll(async () => (await statuses()).every((status) => status === "cancelled"), poll).toBe(true)
  expect(scene.runs(n)).toBe(0)
}

let others = 0

async function expectServed(scene: Scene, client: LeanClient): Promise<void> {
  others += 1
  const n = `other ${others}`
  const sent = client.call("act", n)
  await scene.answer(n, "approve")
  expect(await sent.told).toMatchObject(did(n))
}
