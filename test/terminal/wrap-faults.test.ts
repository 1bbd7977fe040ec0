import { afterEach, describe, expect, it } from "vitest"
import { everything, itAtNight } from "../faults/everything.ts"
import { decide, makeScene, type Scene, statusOf, waitingCalls } from "./wrapping.ts"

const scenes: Scene[] = []
async function scene(): Promise<Scene> {
  const made = await makeScene()
  scenes.push(made)
  return made
}
afterEach(async () => {
  for (const made of scenes.splice(0)) await made.dispose()
})

const patience = { timeout: 20_000 }

async function oneHeld(made: Scene, tool: string) {
  const service = await made.serve()
  const person = await made.reviewer(service.url)
  const client = made.wrap()
  await client.open()
  await client.ask("tools/list", "{}")
  const answer = client.call(tool)
  const [held] = await waitingCalls(person, 1)
  if (held === undefined) throw new Error("nothing waits")
  return { service, person, client, answer, held }
}

describe("byleave wrap when something goes", { timeout: 60_000 }, () => {
  it("R94: the service, by kill -9, while a call is held: the call waits on, and is answered by the next service, wherever that listens", async () => {
    const made = await scene()
    const { service, answer, held } = await oneHeld(made, "echo")
    service.child.kill("SIGKILL")
    await service.ended
    const again = await made.serve()
    expect(again.url).not.toBe(service.url)
    const person = await made.reviewer(again.url)
    expect(await statusOf(person, held.id)).toBe("pending")
    await decide(person, "approve", held)
    expect((await answer).result.content[0]?.text).toContain('"echo"')
    await expect.poll(() => statusOf(person, held.id), patience).toBe("succeeded")
    expect(made.calls()).toHaveLength(1)
  })

  it.each([
    { name: "as soon as it is back", isBack: true },
    ...(everything ? [{ name: "when it comes back after the call has ended", isBack: false }] : []),
  ])("the service, by kill -9, while a call runs: its outcome is recorded, told $name", async ({ isBack }) => {
    const made = await scene()
    const { service, client, answer, held, person } = await oneHeld(made, "patient")
    await decide(person, "approve", held)
    await expect.poll(made.calls, patience).toHaveLength(1)
    service.child.kill("SIGKILL")
    await service.ended
    if (!isBack) {
      made.go()
      await answer
    }
    const again = await made.reviewer((await made.serve()).url)
    if (isBack) expect(await statusOf(again, held.id)).toBe("running")
    made.go()
    expect((await answer).result.content[0]?.text).toBe("patience")
    await expect.poll(() => statusOf(again, held.id), patience).toBe("succeeded")
    expect(made.calls()).toHaveLength(1)
    expect(client.stderr()).not.toContain("did not take")
    // Its caller has had it: the same call is a new one.
    void client.call("patient")
    expect((await waitingCalls(again, 1))[0]?.id).not.toBe(held.id)
  })

  itAtNight(
    "the service, by kill -9, and the client while it is gone: nobody waits, a yes is kept, and people are told so",
    async () => {
      const made = await scene()
      const { service, client, held } = await oneHeld(made, "echo")
      expect(held.callerWaits).toBe(true)
      service.child.kill("SIGKILL")
      await service.ended
      client.child.kill("SIGKILL")
      await client.ended
      const again = await made.reviewer((await made.serve()).url)
      await expect.poll(async () => (await waitingCalls(again, 1))[0]?.callerWaits, patience).toBe(false)
      const run = (...words: readonly string[]) => made.command(...words, "--data", made.data)
      const approved = await run("approve", held.id)
      expect(approved.stdout).toContain("will run when the agent repeats the call")
      expect(await statusOf(again, held.id)).toBe("approved")
      expect(made.calls()).toEqual([])
    },
  )

  it("the service, for good: a call is refused in words, and nothing runs", async () => {
    const made = await scene()
    const service = await made.serve()
    const client = made.wrap()
    await client.open()
    await client.ask("tools/list", "{}")
    service.child.kill("SIGKILL")
    await service.ended
    const { result } = await client.call("surroundings")
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toContain("byleave serve")
    expect(made.calls()).toEqual([])
  })

  it("the wrap itself, by kill -9, while a call runs: the call is unknown", async () => {
    const made = await scene()
    const { person, client, held } = await oneHeld(made, "slow")
    await decide(person, "approve", held)
    await expect.poll(made.calls, patience).toHaveLength(1)
    client.child.kill("SIGKILL")
    await expect.poll(() => statusOf(person, held.id), patience).toBe("unknown")
  })

  it("the client, by ending its output: wrap and child end with code 0, and what waits is cancelled", async () => {
    const made = await scene()
    const { person, client, answer, held } = await oneHeld(made, "echo")
    client.child.stdin?.end()
    // Its last words: whoever still reads is told where the call waits.
    expect((await answer).text).toContain(held.id)
    expect(await client.ended).toBe(0)
    expect(await statusOf(person, held.id)).toBe("cancelled")
    expect(made.calls()).toEqual([])
  })

  it("the client, before it has said anything: nothing is left behind", async () => {
    const made = await scene()
    await made.serve()
    const client = made.wrap()
    client.child.stdin?.end()
    expect(await client.ended).toBe(0)
  })

  it("the client, by a signal: what waits is cancelled as well", async () => {
    const made = await scene()
    const { person, client, held } = await oneHeld(made, "echo")
    client.child.kill("SIGTERM")
    expect(await client.ended).toBe(0)
    expect(await statusOf(person, held.id)).toBe("cancelled")
  })

  it("the child, during a call: the call is unknown, is not run again, and the next call works", async () => {
    const made = await scene()
    const { person, client, answer, held } = await oneHeld(made, "die")
    await decide(person, "approve", held)
    expect((await answer).result.isError).toBe(true)
    expect(await statusOf(person, held.id)).toBe("unknown")
    await expect.poll(async () => (await client.call("surroundings")).result.isError ?? false, patience).toBe(false)
    const calls = made.calls().map((line) => line.split(" "))
    expect(calls.map(([name]) => name)).toEqual(["die", "surroundings"])
    expect(calls[0]?.[1]).not.toBe(calls[1]?.[1])
  })
})
