import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Notice } from "../wire/message.ts"
import { compileCache } from "./fixtures/compile-cache.ts"
import { aborted, type ModernHttp, startModernHttp } from "./fixtures/modern-server.ts"
import { anyone, call, closeAll, ownedBy, request, said, tryUpstream } from "./fixtures/try-upstream.ts"
import { modernHeaders } from "./http/modern-headers.ts"

const metaOf = (body: string): Record<string, unknown> => JSON.parse(body).params._meta

afterEach(closeAll)

describe("a modern server over HTTP", () => {
  let server: ModernHttp
  beforeAll(async () => {
    server = await startModernHttp()
  })
  afterEach(() => server.seen.splice(0))
  afterAll(() => server.close())

  const upstream = () =>
    tryUpstream({ kind: "http", url: server.url, headers: new Map() }, { times: { backOffMs: 10 } })

  it("is found by its own answer; every request says who it is, in the body and in headers", async () => {
    const link = await upstream().link(ownedBy("a", { elicitation: {} }))
    expect([link.era, link.version]).toEqual(["modern", "2026-07-28"])
    const asker = { era: "legacy", client: { name: "tester", version: "1" }, abilities: { elicitation: {} } } as const
    expect(said(await call(link, "echo", { message: "hi" }, { asker }))).toBe("hi")
    expect(server.seen.map(({ headers }) => headers["mcp-method"])).toEqual(["server/discover", "tools/call"])
    const last = server.seen.at(-1)
    expect(last?.headers).toMatchObject({ "mcp-protocol-version": "2026-07-28", "mcp-name": "echo" })
    expect(metaOf(last?.body ?? "")).toMatchObject({
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
      "io.modelcontextprotocol/clientInfo": { name: "tester" },
    })
  })

  it("an envelope that the request brings is replaced by what is known of whoever asks; other members stay", async () => {
    const link = await upstream().link(anyone)
    const _meta = { "io.modelcontextprotocol/clientInfo": { name: "its own", version: "2" }, "vendor/x": 1 }
    const asker = { era: "modern", client: { name: "known", version: "1" }, abilities: {}, logLevel: "debug" } as const
    await request(link, "tools/call", { name: "echo", arguments: { message: "hi" }, _meta }, { asker })
    expect(metaOf(server.seen.at(-1)?.body ?? "")).toMatchObject({
      "io.modelcontextprotocol/clientInfo": { name: "known" },
      "io.modelcontextprotocol/logLevel": "debug",
      "vendor/x": 1,
    })
  })

  it("an error that comes with an HTTP status is the server's own", async () => {
    const link = await upstream().link(anyone)
    expect(await request(link, "vendor/unknown")).toMatchObject({ kind: "error", error: { code: -32601 } })
  })

  it("withdrawing closes the stream, which cancels the call", async () => {
    const link = await upstream().link(anyone)
    const leave = new AbortController()
    const waiting = call(link, "wait", {}, { signal: leave.signal })
    await expect.poll(() => server.seen.at(-1)?.headers["mcp-name"]).toBe("wait")
    leave.abort()
    await expect(waiting).rejects.toMatchObject({ code: "withdrawn" })
    await expect.poll(() => aborted).toEqual(["wait"])
    expect(server.seen.some(({ body }) => body.includes("notifications/cancelled"))).toBe(false)
  })

  it("what all holders want is one subscription, opened again when it breaks", async () => {
    const shared = upstream()
    const [one, two] = await Promise.all([shared.link(anyone), shared.link(anyone)])
    const heard: Notice[] = []
    one.listen({
      onNotice: (notice) => heard.push(notice),
      onInquiry: async () => Promise.reject(new Error()),
      onEnd: () => {},
    })
    one.want({ lists: new Set(["tools"]), resources: new Set() })
    two.want({ lists: new Set(["tools"]), resources: new Set() })
    const listens = () => server.seen.filter(({ headers }) => headers["mcp-method"] === "subscriptions/listen")
    await expect.poll(() => listens().length).toBe(1)
    await expect
      .poll(() => {
        server.toolsChanged()
        return heard[0]
      })
      .toEqual({ method: "notifications/tools/list_changed" })
    const before = heard.length
    server.cut()
    await expect.poll(() => listens().length).toBe(2)
    // Changes while nobody listened are made up for by one more notice.
    await expect.poll(() => heard.length).toBeGreaterThan(before)
  })
})

describe("a modern server over stdio", () => {
  it("is found in the same process that serves", async () => {
    const file = fileURLToPath(new URL("./fixtures/modern-server.ts", import.meta.url))
    const upstream = tryUpstream({
      kind: "stdio",
      command: process.execPath,
      args: [file, "stdio"],
      env: new Map(Object.entries(compileCache)),
      cwd: tmpdir(),
    })
    const [one, two] = await Promise.all([upstream.link(anyone), upstream.link(ownedBy("a", { roots: {} }))])
    expect([one.era, two.era]).toEqual(["modern", "modern"])
    expect(said(await call(two, "echo", { message: "hi" }))).toBe("hi")
    two.release()
    expect(said(await call(one, "echo", { message: "still here" }))).toBe("still here")
  })
})

describe("modernHeaders", () => {
  it.each([
    [{ method: "tools/call", params: { name: "grüße" } }, "=?base64?Z3LDvMOfZQ==?="],
    [{ method: "resources/read", params: { uri: "a\r\nx: y" } }, "=?base64?YQ0KeDogeQ==?="],
    [{ method: "tasks/get", params: { taskId: "t1" } }, "t1"],
  ])("%j is named %s", (ask, name) => {
    expect(modernHeaders(ask).get("mcp-name")).toBe(name)
  })

  it("takes no header from outside but Mcp-Param-*", () => {
    const given = new Map([
      ["Mcp-Param-Region", "eu"],
      ["Authorization", "Bearer theirs"],
      ["mcp-param-x", "a\r\nb"],
    ])
    const headers = modernHeaders({ method: "tools/list" }, given)
    expect([...headers.keys()]).toEqual(["mcp-protocol-version", "mcp-method", "mcp-param-region"])
  })
})
