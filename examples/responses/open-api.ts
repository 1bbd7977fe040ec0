/** `/v1/responses` on loopback, with a SQLite store, a scripted model and a "server" that is a function. */
import assert from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Approval, createGate, createRedactor, type ScriptedStep } from "@byleave/core"
import { newId, nodeHasher } from "@byleave/core/node"
import { loadConfig } from "@byleave/formats"
import { createResponses, type ResponsesCaller, responsesHooks } from "@byleave/responses"
import { createRuns, modelFailure, openModel, type ToolSource } from "@byleave/runs"
import { openKeys, openSqliteStore } from "@byleave/store/sqlite"
import { serve } from "@hono/node-server"

const rules = `
version: 1
policy:
  default: ask
  rules:
    - allow: "files(read)"
`

const script: readonly ScriptedStep[] = [
  {
    when: "save",
    say: "I will save your note.",
    calls: [{ tool: "files(write)", args: { path: "note.txt", text: "hi" } }],
  },
  { when: "read", calls: [{ tool: "files(read)", args: { path: "note.txt" } }] },
  { say: "Done." },
]

const callers: ReadonlyMap<string, ResponsesCaller> = new Map([
  ["Bearer shop", { starter: { kind: "runner", id: "shop" }, conveysDecisions: false }],
  ["Bearer desk", { starter: { kind: "runner", id: "desk" }, conveysDecisions: true }],
])

export async function openApi(port = 0) {
  const loaded = loadConfig(rules, { name: "rules.yaml", folder: "/", env: new Map(), hasher: nodeHasher })
  assert(loaded.ok)
  const data = await mkdtemp(join(tmpdir(), "byleave-responses-"))
  const { signer, digestKey } = openKeys(data)
  const store = await openSqliteStore({ path: join(data, "byleave.db"), hasher: nodeHasher, signer })
  const { policy, secrets } = loaded.config
  const redactor = createRedactor({ values: secrets })
  const gate = await createGate({ policy, store, now: Date.now, newId, hasher: nodeHasher, digestKey, redactor })

  const ran: string[] = []
  const tools: ToolSource = {
    list: async () => ({
      tools: ["read", "write"].map((tool) => ({
        ref: { server: "files", tool },
        name: `files__${tool}`,
        inputSchema: { type: "object" },
      })),
      unreachable: [],
    }),
    call: async ({ tool }, args) => {
      ran.push(`${tool.tool} ${JSON.stringify(args)}`)
      return { kind: "succeeded", result: { content: [{ type: "text", text: `${tool.tool} is done` }] } }
    },
  }
  const runs = createRuns({
    ...responsesHooks,
    gate,
    tools,
    openModel: (name) => openModel({ name, provider: "scripted", steps: script }),
    defaultModel: () => "main",
    failureOf: (error) => modelFailure(error, redactor),
    newId,
    now: Date.now,
    onTrouble: console.error,
  })
  const responses = createResponses({
    runs,
    gate,
    tools,
    servers: () => [{ name: "files", urls: [] }],
    models: () => ["main"],
    now: Date.now,
    onTrouble: console.error,
  })

  const server = serve({
    port,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const caller = callers.get(request.headers.get("authorization") ?? "")
      return caller === undefined ? new Response("Who are you?", { status: 401 }) : responses(request, caller)
    },
  })
  await new Promise((resolve) => server.once("listening", resolve))
  const waiting = () => store.approvals({ statuses: ["pending"], limit: 100 })
  const answer = async (held: Pick<Approval, "id" | "runDigest">, kind: "approve" | "deny"): Promise<void> => {
    const reviewer = { id: "ana", groups: [] }
    const given = await gate.answer({ approval: held.id, kind, digest: held.runDigest, reviewer })
    assert(given.ok, JSON.stringify(given))
  }
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    ran,
    waiting,
    answer,
    approval: (id: string) => gate.approval(id),
    close: async () => {
      server.close()
      await runs.close()
      await gate.close()
      await store.close()
      await rm(data, { recursive: true, force: true })
    },
  }
}
