/** Clients nobody here wrote, against the front. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type FrontServer, startFront } from "./fixtures/front-server.ts"
import { createParrot } from "./fixtures/parrot-backend.ts"

let server: FrontServer
const parrot = createParrot()

beforeAll(async () => {
  server = await startFront(new Map([[null, parrot]]))
})
afterAll(() => server.close())

const requestInit = { headers: { authorization: "Bearer ann" } }
const info = { name: "sdk", version: "1" }
const capabilities = { elicitation: {} }
const accept = { action: "accept" as const, content: { name: "Ada" } }

describe("R27: SDK clients", () => {
  it("1.32 lists, calls, is asked, hears of changes, cancels and ends its session", async () => {
    const client = new Client(info, { capabilities })
    client.setRequestHandler(ElicitRequestSchema, () => accept)
    const changed = Promise.withResolvers<void>()
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed.resolve())
    const transport = new StreamableHTTPClientTransport(server.url(), { requestInit })
    // biome-ignore lint/suspicious/noExplicitAny: the SDK's own transport does not fit its own type under exactOptionalPropertyTypes
    await client.connect(transport as any)
    expect((await client.listTools()).tools).toHaveLength(5)
    expect((await client.callTool({ name: "ask", arguments: {} })).content).toEqual([{ type: "text", text: "Ada" }])
    await parrot.happened("attended")
    for (const { notify } of parrot.attending) notify({ method: "notifications/tools/list_changed" })
    await changed.promise
    const stop = new AbortController()
    const call = client.callTool({ name: "slow", arguments: { name: "sdk1" } }, undefined, { signal: stop.signal })
    await parrot.started("sdk1")
    stop.abort("enough")
    await expect(call).rejects.toThrow()
    await parrot.happened("withdrawn sdk1")
    await transport.terminateSession()
    await parrot.happened("left")
    await client.close()
  })

  it.each([
    { era: "legacy", options: {} },
    { era: "modern", options: { versionNegotiation: { mode: "auto" as const } } },
  ])("2.4 in its $era way lists, calls, is asked and cancels", async ({ era, options }) => {
    const client = new ModernClient(info, { capabilities, ...options })
    client.setRequestHandler("elicitation/create", async () => accept)
    await client.connect(new ModernTransport(server.url(), { requestInit }))
    expect((await client.listTools()).tools).toHaveLength(5)
    expect(parrot.callers.at(-1)?.era).toBe(era)
    const asked = await client.callTool({ name: "ask", arguments: { times: 2 } })
    expect(asked.content).toEqual([{ type: "text", text: "Ada,Ada" }])
    const stop = new AbortController()
    const call = client.callTool({ name: "open", arguments: { name: era } }, { signal: stop.signal })
    await parrot.started(era)
    stop.abort("enough")
    await expect(call).rejects.toThrow()
    await parrot.happened(`withdrawn ${era}`)
    await client.close()
  })
})
