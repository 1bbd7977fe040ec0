import { gatePaths } from "@byleave/api"
import { createBodyBudget, type Gate } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { openGateRoutes } from "./gate-context.ts"
import { openGateLines } from "./gate-line.ts"

const from = { agent: "copilot", session: { id: "s1", named: true } }
const submission = { submission: "one", from, server: "files", tool: "write", args: {}, told: [] }

/** A connection that stands, to a gate that holds every call until its caller leaves. */
function open(bodies = createBodyBudget(), maxBodyBytes = 1_000) {
  const revoked = { is: false }
  const heard: string[] = []
  const ended: true[] = []
  const waiting = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const submit: Gate["submit"] = async (_call, _run, { until } = {}) => {
    waiting.resolve()
    await until?.()
    left.resolve()
    return { kind: "ticket", approval: "a1", expiresAt: null }
  }
  const doors = openGateRoutes({
    gate: { submit, endSession: async () => {} } as unknown as Gate,
    identify: async () => (revoked.is ? null : { token: "wrap" }),
    newId: () => "id",
    time: Date.now,
    instance: "here",
    keepAliveMs: 60_000,
    maxBodyBytes,
    bodies,
  })
  const line = openGateLines(doors)(
    { authorization: "Bearer wrap", who: { token: "wrap", program: "line" } },
    {
      write: (text) => heard.push(text),
      end: () => ended.push(true),
      later: (work) => work(),
      unread: () => 0,
      breakOff: () => ended.push(true),
    },
  )
  const say = (number: number, path: string, body: unknown): void =>
    line.take(new TextEncoder().encode(`${number} ${path} ${JSON.stringify(body)}\n`))
  return { line, say, heard, ended, revoked, waiting: waiting.promise, left: left.promise }
}

describe("a connection that stands", () => {
  it("I1: opens nothing more once its credential is revoked", async () => {
    const { line, say, heard, revoked } = open()
    say(1, gatePaths.end, { from })
    await expect.poll(() => heard.join("")).toContain("1 200 ")
    revoked.is = true
    say(2, gatePaths.end, { from })
    await expect.poll(() => heard.join("")).toMatch(/^2 /m)
    expect(heard.join("")).toContain("2 401 ")
    line.gone()
  })

  it("I2: that ends has left whatever was asked over it", async () => {
    const { line, say, waiting, left } = open()
    say(1, gatePaths.submit, submission)
    await waiting
    line.gone()
    await expect(left).resolves.toBeUndefined()
  })

  it("I4: ends when its unfinished lines and those of others are more than their sender may have; nothing is counted afterwards", () => {
    const bodies = createBodyBudget(() => ({ perPrincipal: 500_000, inAll: 600_000 }))
    const connections = [open(bodies), open(bodies)]
    const piece = new Uint8Array(100_000).fill(0x20)
    for (let round = 0; round < 4; round++) for (const { line } of connections) line.take(piece)
    expect(bodies.used()).toBeLessThanOrEqual(500_000)
    expect(connections.map(({ ended }) => ended.length)).toEqual([0, 1])
    const [first] = connections
    first?.line.take(new TextEncoder().encode("\n"))
    expect(bodies.used()).toBe(0)
    for (const { line } of connections) line.gone()
    expect(bodies.used()).toBe(0)
  })

  it("I5: has what was asked over it counted as long as that is kept, and refuses more, but no outcome", async () => {
    const bodies = createBodyBudget(() => ({ perPrincipal: 50_000, inAll: 1_000_000 }))
    const { line, say, heard, waiting } = open(bodies, 1_000_000)
    const large = (n: number) => ({ ...submission, submission: `${n}`, args: { text: "x".repeat(60_000) } })
    say(1, gatePaths.submit, large(1))
    await waiting
    expect(bodies.used()).toBeGreaterThan(40_000)
    say(2, gatePaths.submit, large(2))
    expect(heard.join("")).toMatch(/^2 429 .*Wait until one of them is answered/m)
    say(3, gatePaths.settle("nobody's"), { kind: "succeeded", result: "x".repeat(60_000) })
    await expect.poll(() => heard.join("")).toMatch(/^3 404 /m)
    line.gone()
    await expect.poll(bodies.used).toBe(0)
  })
})
