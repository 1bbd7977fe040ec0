import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { createBodyBudget } from "@byleave/core"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { type FrontServer, startFront } from "./fixtures/front-server.ts"
import { createParrot } from "./fixtures/parrot-backend.ts"

const limits = { perPrincipal: 1_000_000, inAll: 1_500_000 }
const bodies = createBodyBudget(() => limits)
const parrot = createParrot()
let server: FrontServer
const sockets: Socket[] = []

beforeAll(async () => {
  server = await startFront(new Map([[null, parrot]]), {}, { bodies, maxBodyBytes: 600_000 })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await expect.poll(bodies.used).toBe(0)
})
afterAll(() => server.close())

type HalfSent = { readonly socket: Socket; readonly heard: () => string }

/** Begins a request whose body never comes to its end. */
async function sendHalf(bytes: number, { who = "ann", whole = 600_000 } = {}): Promise<HalfSent> {
  const { host, port } = server.url()
  const socket = connect(Number(port), "127.0.0.1")
  sockets.push(socket)
  let heard = ""
  socket.on("error", () => {})
  socket.on("data", (chunk) => {
    heard += chunk.toString()
  })
  await once(socket, "connect")
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${who}\r\nContent-Type: application/json\r\nContent-Length: ${whole}\r\n\r\n`,
  )
  socket.write(" ".repeat(bytes))
  return { socket, heard: () => heard }
}

/** A call with arguments of so many bytes. */
async function call(who: string, bytes: number, tool = "echo", more: object = {}) {
  const params = { name: tool, arguments: { text: "x".repeat(bytes), ...more } }
  const headers = { authorization: `Bearer ${who}`, "mcp-session-id": await sessionOf(who) }
  return server.send({ headers, body: { jsonrpc: "2.0", id: 1, method: "tools/call", params } })
}

const sessions = new Map<string, string>()

async function sessionOf(who: string): Promise<string> {
  const known = sessions.get(who)
  if (known !== undefined) return known
  const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  const opened = await server.send({
    headers: { authorization: `Bearer ${who}` },
    body: { jsonrpc: "2.0", id: 0, method: "initialize", params },
  })
  await opened.body()
  const session = String(opened.headers["mcp-session-id"])
  sessions.set(who, session)
  return session
}

it("takes no more of one agent's unfinished bodies than it may, and says why; another agent's large call is answered meanwhile", async () => {
  const halves = await Promise.all(Array.from({ length: 12 }, () => sendHalf(400_000)))
  const refused = (): readonly HalfSent[] => halves.filter(({ heard }) => heard() !== "")
  await expect.poll(() => refused().length).toBeGreaterThanOrEqual(10)
  expect(bodies.used()).toBeLessThanOrEqual(limits.perPrincipal)
  for (const { heard } of refused()) {
    expect(heard()).toMatch(/^HTTP\/1\.1 503 .*retry-after: 5.*hold 1 MB, which is as much as they may\. Nothing was/is)
  }
  expect((await call("bob", 300_000)).status).toBe(200)
})

it("takes a small request of an agent whose share is used up", async () => {
  const halves = await Promise.all(Array.from({ length: 4 }, () => sendHalf(500_000)))
  await expect.poll(() => halves.filter(({ heard }) => heard() !== "").length).toBeGreaterThanOrEqual(2)
  expect((await call("ann", 500_000)).status).toBe(503)
  expect((await call("ann", 5_000)).status).toBe(200)
})

it("takes no more of all agents together than they may", async () => {
  const halves = await Promise.all(
    Array.from({ length: 8 }, (_, at) => sendHalf(400_000, { who: at % 2 === 0 ? "ann" : "bob" })),
  )
  await expect.poll(() => halves.filter(({ heard }) => heard().includes("may together")).length).toBeGreaterThan(0)
  expect(bodies.used()).toBeLessThanOrEqual(limits.inAll)
})

it("counts a body until its request is answered, or waits for a person", async () => {
  const slow = call("ann", 400_000, "slow", { name: "large" })
  const running = await parrot.started("large")
  expect(bodies.used()).toBeGreaterThan(300_000)
  running.release("done")
  expect((await slow).status).toBe(200)
  await expect.poll(bodies.used).toBe(0)
  const held = await call("ann", 400_000, "open", { name: "held" })
  const waiting = await parrot.started("held")
  expect(bodies.used()).toBe(0)
  waiting.release("done")
  await held.text()
})

it("counts the body of a call that still runs when its connection broke, until it is over", async () => {
  const slow = call("ann", 400_000, "tell-slow", { name: "broken" })
  const running = await parrot.started("broken")
  const stream = await slow
  stream.abort()
  await parrot.happened("dropped broken")
  expect(bodies.used()).toBeGreaterThan(300_000)
  running.release("done")
  await expect.poll(bodies.used).toBe(0)
})

it("counts nothing any more after requests that broke off, were refused, or were answered", async () => {
  for (let round = 0; round < 5; round++) {
    const halves = await Promise.all([30_000, 200_000, 400_000, 550_000].map((bytes) => sendHalf(bytes)))
    const tooLarge = await sendHalf(100, { whole: 700_000 })
    const large = await call("bob", 300_000)
    await expect.poll(tooLarge.heard).toContain("413")
    await large.text()
    for (const { socket } of halves) socket.destroy()
    await expect.poll(bodies.used).toBe(0)
  }
})
