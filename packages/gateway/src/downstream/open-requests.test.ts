import { afterAll, beforeAll, expect, it } from "vitest"
import { type FrontServer, type Received, startFront } from "./fixtures/front-server.ts"
import { createParrot } from "./fixtures/parrot-backend.ts"

const parrot = createParrot()
let server: FrontServer

beforeAll(async () => {
  server = await startFront(new Map([[null, parrot]]), {}, { openRequests: () => ({ perPrincipal: 2, inAll: 8 }) })
})
afterAll(() => server.close())

async function open(who = "ann") {
  const authorization = `Bearer ${who}`
  const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  const opened = await server.send({
    headers: { authorization },
    body: { jsonrpc: "2.0", id: 0, method: "initialize", params },
  })
  const headers = { authorization, "mcp-session-id": String(opened.headers["mcp-session-id"]) }
  await opened.body()
  const send = (message: object | null) =>
    message === null ? server.send({ method: "GET", headers }) : server.send({ headers, body: message })
  return Object.assign(send, { headers })
}

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params })
const call = (id: number, name: string, args: object) => request(id, "tools/call", { name, arguments: args })
const listing = request(9, "tools/list")

it("refuses one agent's request beyond so many at once, in words; not another's, nor a cancellation, nor what comes later", async () => {
  const [ann, bob] = [await open(), await open("bob")]
  const slow = [ann(call(1, "slow", { name: "s1" })), ann(call(2, "slow", { name: "s2" }))]
  const first = await parrot.started("s1")
  await parrot.started("s2")
  const refused = await ann(listing)
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "1"])
  expect(await refused.body()).toMatchObject({
    id: 9,
    error: { message: expect.stringMatching(/has 2 requests open.*Nothing was done\. Wait until one/) },
  })
  expect((await bob(listing)).status).toBe(200)
  const withdrawn = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } }
  expect((await ann(withdrawn)).status).toBe(202)
  first.release("done")
  for (const answer of slow) await (await answer).body()
  expect((await ann(listing)).status).toBe(200)
})

it("counts no call that waits for a person", async () => {
  const ann = await open()
  const streams: Received[] = []
  for (const id of [1, 2, 3, 4, 5]) streams.push(await ann(call(id, "open", { name: `held${id}` })))
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect((await ann(listing)).status).toBe(200)
  for (const id of [1, 2, 3, 4, 5]) (await parrot.started(`held${id}`)).release("done")
  for (const stream of streams) await stream.text()
})

it("counts the requests of a batch one by one", async () => {
  const ann = await open()
  expect((await ann([1, 2, 3].map((id) => request(id, "ping")))).status).toBe(429)
  expect((await ann([1, 2].map((id) => request(id, "ping")))).status).toBe(200)
})

it("counts a stream that listens", async () => {
  const ann = await open()
  const [one, two] = [await ann(null), await ann(null)]
  expect([one.status, two.status]).toEqual([200, 200])
  expect((await ann(null)).status).toBe(429)
  expect((await ann(listing)).status).toBe(429)
  await server.send({ method: "DELETE", headers: ann.headers })
  await Promise.all([one.text(), two.text()])
})

it("refuses all agents together beyond so many, those that wait counted", async () => {
  const [ann, bob] = [await open(), await open("bob")]
  const streams: Received[] = []
  for (let id = 1; id <= 8; id++) streams.push(await ann(call(id, "open", { name: `all${id}` })))
  const refused = await bob(listing)
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"])
  for (let id = 1; id <= 8; id++) (await parrot.started(`all${id}`)).release("done")
  for (const stream of streams) await stream.text()
  expect((await bob(listing)).status).toBe(200)
})
