import { createBodyBudget, createBodyTurns, createJudgingTurns } from "@byleave/core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type FrontServer, startFront } from "./fixtures/front-server.ts"
import { createParrot } from "./fixtures/parrot-backend.ts"

/** Turns of the event loop stand still until the test lets them go on. */
const goesOn = Promise.withResolvers<void>()
const bodies = createBodyBudget(
  undefined,
  createBodyTurns(() => goesOn.promise),
)
const rest = Promise.withResolvers<void>()
const judging = createJudgingTurns({ now: () => 0, pause: () => rest.promise })
let server: FrontServer
const headers = { authorization: "Bearer ann", "mcp-session-id": "" }
const bobs = { authorization: "Bearer bob", "mcp-session-id": "" }

beforeAll(async () => {
  server = await startFront(new Map([[null, createParrot()]]), {}, { bodies, judging, maxBodyBytes: 600_000 })
  const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  for (const own of [headers, bobs]) {
    const opened = await server.send({ headers: own, body: { jsonrpc: "2.0", id: 0, method: "initialize", params } })
    await opened.body()
    own["mcp-session-id"] = String(opened.headers["mcp-session-id"])
  }
})
afterAll(() => server.close())

/** Sends a call with arguments of so many bytes, and notes when it is answered. */
async function call(id: number, bytes: number, answered: number[] = [], as = headers): Promise<number> {
  const params = { name: "echo", arguments: { text: "x".repeat(bytes) } }
  const { status, text } = await server.send({
    headers: as,
    body: { jsonrpc: "2.0", id, method: "tools/call", params },
  })
  await text()
  answered.push(id)
  return status
}

it("works on one large body at a time; small requests are answered between two of them", async () => {
  const answered: number[] = []
  const large = Array.from({ length: 8 }, (_, at) => call(at + 1, 300_000, answered))
  await expect.poll(bodies.used).toBeGreaterThan(7 * 280_000)
  await expect.poll(() => answered.length).toBe(1)
  for (let id = 20; id < 24; id++) expect(await call(id, 100)).toBe(200)
  expect(answered).toHaveLength(1)
  goesOn.resolve()
  expect(await Promise.all(large)).toEqual(large.map(() => 200))
})

it("an agent whose call took long to judge waits with its next requests, however small or large; another agent does not", async () => {
  const answered: number[] = []
  judging.took("ann", 10)
  const waiting = [call(30, 100, answered), call(31, 300_000, answered)]
  for (let id = 40; id < 44; id++) expect(await call(id, 100, [], bobs)).toBe(200)
  expect(answered).toEqual([])
  rest.resolve()
  expect(await Promise.all(waiting)).toEqual([200, 200])
})
