import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { JsonObject } from "@byleave/core"
import { afterEach, expect, it } from "vitest"
import type { Notice } from "../../wire/message.ts"
import { methodTable } from "../../wire/methods/methods.ts"
import { resourceNotices } from "../../wire/methods/resource-notices.ts"
import { legacyVersions, modernVersions } from "../../wire/versions.ts"
import { ask, callOf, legacyCaller, modernCaller, openRelay, policyOf, resultOf, rule } from "../fixtures/open-relay.ts"

const opened: Array<() => Promise<unknown> | unknown> = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

type Request = { readonly id?: number; readonly method: string }

/** A modern server that says these on the stream of each call, before the result. */
async function openTalkative(says: readonly Notice[]) {
  const results: Record<string, JsonObject> = {
    "server/discover": {
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {}, resources: { subscribe: true } },
      serverInfo: { name: "s", version: "1" },
    },
    "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
    "tools/call": { content: [] },
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as Request
    const result = results[method]
    const answer = result === undefined ? { error: { code: -32601, message: "no" } } : { result }
    const said = method === "tools/call" ? says : []
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const message of [...said, { id, ...answer }])
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  opened.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const transport = { kind: "http", url, headers: new Map() } as const
  const relay = await openRelay([{ id: "s", transport }], { policy: policyOf([rule("allow", "s(*)")]) })
  opened.push(relay.close)
  return relay.backend("s")
}

const rows = methodTable.filter(({ from, form }) => from === "server" && form === "notification")
const [modern] = modernVersions
/** Progress needs a token of ours, and log lines a level: other tests are about them. What is said of resources is for those who subscribed. */
const apart = new Set(["notifications/progress", "notifications/message"])

it.each([...legacyVersions, ...modernVersions].map((version) => ({ version })))(
  "a client of $version hears of a modern server what the table of methods has for both, and nothing of a resource it did not subscribe to",
  async ({ version }) => {
    const params = { uri: "a://1", extra: 1 }
    const backend = await openTalkative(
      [{ method: "notifications/vendor", params }].concat(
        rows.filter(({ method }) => !apart.has(method)).map(({ method }) => ({ method, params })),
      ),
    )
    const caller = version === modern ? modernCaller() : legacyCaller({ version })
    const call = ask(backend, caller, callOf("echo"))
    await resultOf(call)
    const heard = rows
      .filter(({ method, handling }) => !apart.has(method) && handling !== "here" && handling !== "dropped")
      .filter(({ method }) => !resourceNotices.has(method))
      .filter(({ revisions: [first, last] }) => [version, modern].every((one) => first <= one && one <= last))
      .map(({ method }) => ({ method, params }))
    expect(call.notices).toEqual(heard)
  },
)

it.each([...resourceNotices])("%s on the stream of a call is told once, to whoever subscribed", async (method) => {
  const params = { uri: "a://1" }
  const backend = await openTalkative([{ method, params }])
  const caller = legacyCaller()
  const heard: Notice[] = []
  const stop = await backend.attend(caller, {
    notify: (notice) => heard.push(notice),
    inquire: async () => ({ kind: "error", error: { code: -32601, message: "no" } }),
  })
  opened.push(stop)
  await resultOf(ask(backend, caller, { method: "resources/subscribe", params }))
  const call = ask(backend, caller, callOf("echo"))
  await resultOf(call)
  await expect.poll(() => heard).toEqual([{ method, params }])
  expect(call.notices).toEqual([])
})
