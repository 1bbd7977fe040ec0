import { afterEach, describe, expect, it } from "vitest"
import { type Account, createBackOffs } from "./back-offs.ts"
import { startFaultyHttp } from "./fixtures/faulty-http.ts"
import { anyone, call, closeAll, ownedBy, said, tryUpstream } from "./fixtures/try-upstream.ts"
import { settingOf } from "./upstream-options.ts"

const { times } = settingOf("tried", { now: () => 0, newId: () => "" })
const of = (principal: string | null, words = ""): Account => ({ principal, words })

afterEach(closeAll)

describe("after a failure", () => {
  it("I1: those on whose account it was wait; others, and the same principal with other words, do not", () => {
    const backOffs = createBackOffs(times, () => 0)
    backOffs.failed(of("one", "odd"), "refused")
    expect(backOffs.wait(of("one", "odd"))).toEqual({ retryAt: 500, why: "refused" })
    for (const other of [of("one"), of("two", "odd"), of(null, "odd"), of(null)])
      expect(backOffs.wait(other)).toBeNull()
  })

  it("the wait doubles with each one in a row, and begins anew after what lived long enough", () => {
    let time = 0
    const backOffs = createBackOffs(times, () => time)
    const waits = [1, 2, 3].map(() => {
      time = backOffs.wait(of("one"))?.retryAt ?? 0
      return backOffs.failed(of("one"), "down") - time
    })
    expect(waits).toEqual([500, 1_000, 2_000])
    backOffs.stands(of("one"))
    expect(backOffs.wait(of("one"))).toBeNull()
    time += times.steadyMs + 1
    expect(backOffs.failed(of("one"), "down") - time).toBe(500)
  })

  it("I2: a principal that fails on a thousand accounts keeps the newest few, and takes nobody else's place", () => {
    const backOffs = createBackOffs(times, () => 0)
    backOffs.failed(of("other"), "theirs")
    for (let n = 0; n < 1_000; n += 1) backOffs.failed(of("one", `${n}`), "refused")
    const kept = Array.from({ length: 1_000 }, (_, n) => n).filter((n) => backOffs.wait(of("one", `${n}`)) !== null)
    expect([kept.length, kept.at(-1)]).toEqual([16, 999])
    expect(backOffs.wait(of("other"))?.why).toBe("theirs")
  })
})

it("I1: a server that refuses what one agent declares is there for everybody else, and for that agent without it", async () => {
  const server = await startFaultyHttp()
  const transport = { kind: "http", url: server.url, headers: new Map() } as const
  const upstream = tryUpstream(transport, { now: () => 0, times: { backOffMs: 5_000 } })
  const refused = (owner: string) => upstream.link(ownedBy(owner, { elicitation: { url: {} } }, "one"))
  await expect(refused("a")).rejects.toMatchObject({ message: expect.stringContaining("413") })
  await expect(refused("another")).rejects.toMatchObject({ message: expect.stringMatching(/413.*tried again in 5 s/) })
  expect(server.seen.filter((line) => line === "initialize")).toHaveLength(1)
  for (const wanted of [anyone, ownedBy("b", { roots: {} }, "two"), ownedBy("a", { roots: {} }, "one")])
    expect(said(await call(await upstream.link(wanted), "echo"))).toBe("echo")
  await server.close()
})
