/** By which names and addresses a real service is reached, and what it answers to each. */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { deviceKeyFrom, signProof } from "@byleave/api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace, type Place } from "./fixtures/service-process.ts"

const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
const modern = "2026-07-28"

describe("a service behind a tunnel, which agents can call without a token", () => {
  let place: Place
  let url: string
  let port: number
  let token: string

  beforeAll(async () => {
    place = makePlace(`version: 1
servers: {}
hosts: [tunnel.example, "localhost.evil"]
agents: { anonymous: true }
reviewers: { presence: none }
`)
    await place.command("init", "--presence", "none", "--data", place.data)
    ;({ url } = await place.serve())
    port = Number(new URL(url).port)
    const person = await place.reviewer(url)
    const added = await person.addToken({ body: { id: "bot", kind: "agent" } })
    if (!added.ok) throw new Error(added.problem.detail)
    token = added.value.secret
  }, 30_000)

  afterAll(() => place?.dispose())

  /** The status of what is answered to these bytes. */
  async function statusOf(head: readonly string[], text = ""): Promise<number> {
    const socket = connect(port, "127.0.0.1")
    socket.setEncoding("utf8").end(`${head.join("\r\n")}\r\n\r\n${text}`)
    const [first] = await once(socket, "data")
    socket.destroy()
    return Number(/^HTTP\/1\.1 (\d+)/.exec(String(first))?.[1])
  }

  /** As the fast path reads it, and with one header more, as only node does. */
  const ways = [
    { way: "the fast path", more: [] as readonly string[] },
    { way: "node", more: ["Connection: close"] },
  ]
  const post = (host: readonly string[], more: readonly string[], target = "/mcp", version = "1.1") =>
    statusOf(
      [
        `POST ${target} HTTP/${version}`,
        ...host,
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        `MCP-Protocol-Version: ${modern}`,
        "MCP-Method: ping",
        `Content-Length: ${body.length}`,
        ...more,
      ],
      body,
    )

  describe.each(ways)("over $way", ({ more }) => {
    it.each(["127.0.0.1:PORT", "localhost:PORT", "LocalHost:PORT"])("%s needs none", async (host) => {
      expect(await post([`Host: ${host.replace("PORT", String(port))}`], more)).not.toBeOneOf([401, 403])
    })

    it.each(["tunnel.example", "tunnel.example:PORT", "localhost.evil", "localhost.evil:PORT"])(
      "%s, which is ours and not loopback, needs one",
      async (host) => {
        const named = [`Host: ${host.replace("PORT", String(port))}`]
        expect(await post(named, more)).toBe(401)
        expect(await post(named, [...more, `Authorization: Bearer ${token}`])).not.toBeOneOf([401, 403])
      },
    )

    it.each([
      "X-Forwarded-Host: localhost",
      "X-Forwarded-For: 203.0.113.7",
      "Forwarded: host=localhost",
      "X-Real-IP: 127.0.0.1",
      "CF-Connecting-IP: 127.0.0.1",
      "Via: 1.1 tunnel",
    ])(
      "what a proxy says (%s) makes no name loopback, and shows that loopback is not where it came from",
      async (said) => {
        expect(await post(["Host: tunnel.example"], [...more, said])).toBe(401)
        expect(await post([`Host: 127.0.0.1:${port}`], [...more, said])).toBe(401)
      },
    )

    it.each([
      "[::1]:PORT",
      "[::ffff:127.0.0.1]:PORT",
      "[0:0:0:0:0:0:0:1]:PORT",
      "127.0.0.1.evil:PORT",
      "localhost.:PORT",
      "127.1:PORT",
      "2130706433:PORT",
      "user@127.0.0.1:PORT",
      "",
    ])("%j, where it does not listen, is answered nothing", async (host) => {
      expect(await post([`Host: ${host.replace("PORT", String(port))}`], more)).toBeOneOf([400, 403])
    })

    it("an absolute target says nothing that its Host does not", async () => {
      expect(await post(["Host: tunnel.example"], more, `http://127.0.0.1:${port}/mcp`)).toBeOneOf([400, 401, 403, 404])
      expect(await post([`Host: 127.0.0.1:${port}`], more, "http://tunnel.example/mcp")).toBeOneOf([400, 401, 403, 404])
    })

    it("no Host, or two, is answered nothing", async () => {
      expect(await post([], more)).toBeOneOf([400, 403])
      expect(await post([], more, "/mcp", "1.0")).toBeOneOf([400, 403])
      expect(await post(["Host: tunnel.example", `Host: 127.0.0.1:${port}`], more)).toBeOneOf([400, 401, 403])
      expect(await post([`Host: 127.0.0.1:${port}`, "Host: tunnel.example"], more)).toBeOneOf([400, 401, 403])
    })
  })

  describe("the page", () => {
    const get = (host: string, path = "/") => statusOf([`GET ${path} HTTP/1.1`, `Host: ${host}`, "Connection: close"])

    it.each(["/", "/sign-in", "/nonsense", "/favicon.svg"])("%s is not there for a foreign Host", async (path) => {
      expect(await get(`evil.example:${port}`, path)).toBe(403)
      expect(await get(`127.0.0.1:${port + 1}`, path)).toBe(403)
      expect(await get(`[::1]:${port}`, path)).toBe(403)
    })

    it("is there at its own address and at names of the configuration", async () => {
      expect(await get(`127.0.0.1:${port}`)).toBe(200)
      expect(await get("tunnel.example")).toBe(200)
    })

    it("is at one address alone on this machine: a name may lead to somebody else's", async () => {
      expect(await get(`localhost:${port}`, "/activity?a=b")).toBe(307)
    })
  })

  describe("a proof", () => {
    const me = async (address: string): Promise<number> => {
      const { jwk } = JSON.parse(readFileSync(join(place.data, "terminal.json"), "utf8"))
      const key = await deviceKeyFrom(jwk)
      const proof = await signProof({ key, method: "GET", url: `${address}/api/me`, body: "", now: Date.now() })
      return (await fetch(`${url}/api/me`, { headers: { dpop: proof } })).status
    }

    it.each(["https://127.0.0.1:PORT", "http://localhost:PORT", "http://[::1]:PORT", "https://tunnel.example"])(
      "made for %s, where the service is not reached, does not hold",
      async (address) => {
        expect(await me(address.replace("PORT", String(port)))).toBe(401)
      },
    )

    it.each(["http://127.0.0.1:PORT", "http://tunnel.example"])("made for %s holds", async (address) => {
      expect(await me(address.replace("PORT", String(port)))).toBe(200)
    })
  })
})

it("behind a proxy nobody calls without a token, whatever the configuration says", async () => {
  const place = makePlace("version: 1\nservers: {}\nagents: { anonymous: true }\n")
  await expect(place.serve("--behind-proxy")).rejects.toThrow("Anyone who reaches the proxy could call")
  await place.dispose()
})
