import { AsyncLocalStorage } from "node:async_hooks"
import { once } from "node:events"
import { request } from "node:http"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type FrontServer, type Sent, startFront } from "./fixtures/front-server.ts"
import { createParrot } from "./fixtures/parrot-backend.ts"

const parrot = createParrot()
let server: FrontServer

beforeAll(async () => {
  server = await startFront(new Map([[null, parrot]]))
})
afterAll(() => server.close())

const init = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
}

describe("what is refused before the backend hears of it", () => {
  it.each<Sent & { name: string; status: number; code?: number }>([
    { name: "a foreign Host", headers: { host: "evil.example" }, status: 403 },
    { name: "the right Host with another port", headers: { host: "127.0.0.1:1" }, status: 403 },
    { name: "a Host with a user in it", headers: { host: "plain.example@evil.example" }, status: 403 },
    { name: "a Host whose port 80 is left out", headers: { host: "PLAIN.example" }, status: 200 },
    { name: "a foreign Origin", headers: { origin: "http://evil.example" }, status: 403 },
    { name: "an opaque Origin", headers: { origin: "null" }, status: 403 },
    { name: "a known Origin", headers: { origin: "http://good.example" }, status: 200 },
    { name: "no credential", headers: { authorization: undefined }, status: 401 },
    { name: "another credential", headers: { authorization: "Bearer nobody" }, status: 401 },
    { name: "an unknown server", path: "/mcp/nowhere", status: 404 },
    { name: "PUT", method: "PUT", status: 405 },
    { name: "another type", headers: { "content-type": "text/plain" }, status: 415 },
    { name: "a type that only begins like JSON", headers: { "content-type": "application/jsonl" }, status: 415 },
    { name: "compression", headers: { "content-encoding": "gzip" }, status: 415 },
    { name: "no stream taken", headers: { accept: "application/json" }, status: 406 },
    { name: "streams refused by weight", headers: { accept: "application/json, text/event-stream;q=0" }, status: 406 },
    { name: "anything taken", headers: { accept: "*/*" }, status: 200 },
    { name: "too much", raw: `"${"x".repeat(10_001)}"`, status: 413 },
    { name: "no UTF-8", raw: Buffer.from([0x22, 0xff, 0x22]), status: 400, code: -32700 },
    { name: "no JSON", raw: "{", status: 400, code: -32700 },
    { name: "a key twice", raw: `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, status: 400, code: -32600 },
    {
      name: "keys equal but for case",
      raw: `{"jsonrpc":"2.0","id":1,"ID":2,"method":"ping"}`,
      status: 400,
      code: -32600,
    },
    { name: "an unknown revision", headers: { "mcp-protocol-version": "1999-01-01" }, status: 400 },
    {
      name: "a handshake under a modern header",
      headers: { "mcp-protocol-version": "2026-07-28" },
      status: 400,
      code: -32020,
    },
    { name: "GET of the modern era", method: "GET", headers: { "mcp-protocol-version": "2026-07-28" }, status: 405 },
  ])("$name: $status", async ({ name: _name, status, code, ...sent }) => {
    const answer = await server.send({ body: sent.method === "GET" ? undefined : init, ...sent })
    expect(answer.status).toBe(status)
    const body = await answer.body()
    if (status === 200) return expect(body.result).toBeDefined()
    expect(body).toMatchObject({ jsonrpc: "2.0", error: { message: expect.any(String) } })
    if (code !== undefined) expect(body.error.code).toBe(code)
    if (status === 401) expect(answer.headers["www-authenticate"]).toBe("Bearer")
    if (status === 405) expect(answer.headers.allow).toContain("POST")
  })

  it("I4: two Hosts, though both are ours: 400", async () => {
    const { hostname, port, host } = server.url()
    const head = ["POST /mcp HTTP/1.1", `Host: ${host}`, `host: ${host}`, "Authorization: Bearer ann", "Accept: */*"]
    const more = ["Content-Type: application/json", `Content-Length: ${JSON.stringify(init).length}`]
    const socket = connect(Number(port), hostname).setEncoding("utf8")
    socket.write(`${[...head, ...more].join("\r\n")}\r\n\r\n${JSON.stringify(init)}`)
    expect((await once(socket, "data"))[0]).toMatch(/^HTTP\/1.1 400 /)
    socket.destroy()
  })

  it("a body without an announced length that grows too large: 413", async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: "Bearer ann", accept: "*/*", "content-type": "application/json" }
      const outgoing = request(server.url(), { method: "POST", headers })
      outgoing.on("response", ({ statusCode }) => resolve(statusCode)).on("error", reject)
      outgoing.write(`"${"x".repeat(6_000)}`)
      outgoing.end(`${"x".repeat(6_000)}"`)
    })
    expect(status).toBe(413)
  })
})

it("a request is worked on for its sender, with its body and its conversation", async () => {
  const readers = new AsyncLocalStorage<string>()
  const seen: Array<string | undefined> = []
  const noting = createParrot()
  const hello: typeof noting.hello = (...asked) => {
    seen.push(readers.getStore())
    return noting.hello(...asked)
  }
  const asReader = <Result>(principal: string, work: () => Result): Result => readers.run(principal, work)
  const front = await startFront(new Map([[null, { ...noting, hello }]]), {}, { asReader })
  for (const authorization of ["Bearer ann", "Bearer bob"]) {
    const answer = await front.send({ headers: { authorization }, body: init })
    expect(answer.status).toBe(200)
    await answer.body()
  }
  expect(seen).toEqual(["ann", "bob"])
  await front.close()
})
