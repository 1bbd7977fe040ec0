// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the file has references
import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { acceptRule, type Client, type PolicyTextView, takeBackRule } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { answerCall } from "../../../../../test/api/answer-call.ts"
import { makePlace, type Place } from "../fixtures/service-process.ts"

const secret = "a literal value nobody may see"
const memory = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/dist/index.js"))
const config = `# Written by hand.
version: 1
servers:
  memory:
    command: node
    args: [${JSON.stringify(memory)}]
    env: { MEMORY_FILE_PATH: /dev/null, API_TOKEN: "${secret}" } # its own
policy:
  rules:
    - allow: "memory(read_graph)" # harmless
agents: { anonymous: true }
`
const open = "reviewers: { presence: none }\n"

const places: Place[] = []
async function serve(text: string) {
  const made = makePlace(text)
  places.push(made)
  await made.command("init", "--presence", "none", "--data", made.data)
  const service = await made.serve()
  const restart = async (): Promise<Client> => {
    service.child.kill("SIGTERM")
    await service.ended
    return made.reviewer((await made.serve()).url)
  }
  return { ...made, restart, url: service.url, client: await made.reviewer(service.url) }
}
afterEach(async () => {
  for (const made of places.splice(0)) await made.dispose()
})

function must<Value>(reply: { ok: true; value: Value } | { ok: false; problem: { detail: string } }): Value {
  if (!reply.ok) throw new Error(reply.problem.detail)
  return reply.value
}
const textOf = async (client: Client): Promise<PolicyTextView & { text: string }> => {
  const read = must(await client.getPolicyText())
  if (read.text === null) throw new Error(read.why ?? "")
  return { ...read, text: read.text }
}
const rulesOf = async (client: Client) => must(await client.getPolicy()).rules.map(({ text }) => text)
const withRule = (text: string, rule: string) => text.replace("  rules:\n", `  rules:\n    - ${rule}\n`)

async function call(url: string, name: string, args: object = {}): Promise<string> {
  const headers = {
    ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
    ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
  }
  const params = {
    name,
    arguments: args,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
  return (await fetch(`${url}/mcp/memory`, { method: "POST", headers, body })).text()
}

describe("the configuration in the inbox", () => {
  it("is shown without its secrets, and saved as typed: in force at once, by whoever saved it", async () => {
    const { client, config: file } = await serve(config + open)
    chmodSync(file, 0o640)
    const shown = await textOf(client)
    expect(shown).toMatchObject({ file: "byleave.yaml", waiting: null, why: null })
    expect(shown.text).not.toContain(secret)
    expect(shown.text).toContain("# its own")

    const text = `${withRule(shown.text, 'allow: "memory(open_nodes)"')}# the end\n`
    const saved = must(await client.savePolicy({ body: { text, version: shown.version } }))
    expect(saved.text).toBe(text)
    expect(saved.version).not.toBe(shown.version)
    expect(readFileSync(file, "utf8")).toBe(`${withRule(config, 'allow: "memory(open_nodes)"')}${open}# the end\n`)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(readdirSync(dirname(file)).filter((name) => name.includes("byleave"))).toEqual(["byleave.yaml"])
    expect((await rulesOf(client)).join()).toContain("open_nodes")
    const { items } = must(await client.listAudit({ query: { types: "policy.changed", limit: 1 } }))
    expect(items[0]?.body.by).toBe(must(await client.me()).reviewer.id)
    expect(must(await client.listApprovals({ query: { server: "byleave" } })).items).toEqual([])
  })

  it("is saved only by whoever edited the newest text, and only when it can be used", async () => {
    const { client, config: file } = await serve(config + open)
    const { text, version } = await textOf(client)
    const before = readFileSync(file, "utf8")
    const save = (edited: string, of = version) => client.savePolicy({ body: { text: edited, version: of } })

    expect(await save(text, "another")).toMatchObject({ ok: false, problem: { status: 409, code: "conflict" } })
    const broken = await save(withRule(text, 'allow: "memory("'))
    expect(broken).toMatchObject({ ok: false, problem: { code: "bad-request" } })
    expect(broken.ok ? "" : broken.problem.problems?.[0]).toMatch(/^line 10, column \d+: /)
    const otherwise = await save(text.replace("command: node", "command: sh"))
    expect(otherwise).toMatchObject({
      ok: false,
      problem: { problems: [expect.stringContaining("in the file itself")] },
    })
    const [mask = ""] = /‹secret-[^›]*›/.exec(text) ?? []
    expect(await save(withRule(text, `deny: "memory(x)"\n      reason: ${mask}`))).toMatchObject({ ok: false })
    expect(await save(text.replace(mask, "‹secret-9-of-4-characters›"))).toMatchObject({ ok: false })

    expect(readFileSync(file, "utf8")).toBe(before)
    expect((await textOf(client)).version).toBe(version)
    expect(await rulesOf(client)).toHaveLength(2)
  })

  it("is tightened by anybody who may look, and widened only by somebody who is there", async () => {
    const { client } = await serve(config)
    const first = await textOf(client)
    const wider = withRule(first.text, 'allow: "memory(open_nodes)"')
    const refused = await client.savePolicy({ body: { text: wider, version: first.version } })
    expect(refused).toMatchObject({ ok: false, problem: { code: "presence-needed" } })
    const stricter = withRule(first.text, 'deny: "memory(delete_*)"')
    must(await client.savePolicy({ body: { text: stricter, version: first.version } }))
    expect((await rulesOf(client)).join()).toContain("delete_*")
    expect((await rulesOf(client)).join()).not.toContain("open_nodes")
  })

  it("takes a displayed rule and gives it back, and none while the file has another change that is not in effect", async () => {
    const { client, config: file, write } = await serve(config + open)
    const before = readFileSync(file, "utf8")
    const offered = { rule: '- deny: "memory(*)"', replaces: ['- allow: "memory(read_graph)"', '- allow: "other"'] }
    const accepted = await acceptRule(client, offered)
    expect(accepted).toMatchObject({ ok: true, value: { waiting: null, replaces: [offered.replaces[0]] } })
    if (!accepted.ok) return
    expect(readFileSync(file, "utf8")).not.toContain("read_graph")
    expect(await takeBackRule(client, { ...accepted.value, version: "other" })).toMatchObject({ ok: false })
    must(await takeBackRule(client, accepted.value))
    expect(readFileSync(file, "utf8")).toBe(before.replace(" # harmless", ""))
    const wider = withRule(before, 'allow: "memory(open_nodes)"')
    write(wider)
    await expect.poll(async () => (await textOf(client)).inForce, { timeout: 15_000 }).toBe(false)
    const refused = await acceptRule(client, { rule: '- deny: "memory(delete_entities)"', replaces: [] })
    expect(refused).toMatchObject({ ok: false, problem: { code: "conflict" } })
    expect(readFileSync(file, "utf8")).toBe(wider)
    expect((await rulesOf(client)).join()).not.toContain("open_nodes")
  })

  it("takes no model that nobody has accepted, neither from the page nor from the file, and shows no key of it", async () => {
    const key = "sk-literal-nobody-may-see"
    const models = (model: string) =>
      `models:\n  main: { provider: openai, url: "http://127.0.0.1:9/v1", model: ${model}, key: ${key} }\n`
    const { client, write } = await serve(config + open)
    const { text, version } = await textOf(client)
    const fromPage = await client.savePolicy({ body: { text: text + models("a"), version } })
    expect(fromPage).toMatchObject({
      ok: false,
      problem: { problems: [expect.stringContaining("in the file itself")] },
    })
    write(config + open + models("a"))
    const waits = async () => (await textOf(client)).waiting
    await expect.poll(waits, { timeout: 15_000 }).not.toBeNull()
    const approval = must(await client.getApproval({ params: { id: (await waits()) ?? "" } }))
    expect(JSON.stringify(approval)).toContain(
      "Model main was added: a of openai at http://127.0.0.1:9/v1 (with key, a secret of 25 characters).",
    )
    expect(JSON.stringify([approval, await textOf(client)])).not.toContain(key)
    await answerCall(client, approval.id, { kind: "approve" })
    await expect.poll(async () => (await textOf(client)).inForce, { timeout: 15_000 }).toBe(true)
    write(config + open)
    await expect.poll(async () => (await textOf(client)).text.includes("\nmodels:"), { timeout: 15_000 }).toBe(false)
    expect(await waits()).toBeNull()
  })

  it("is saved by somebody who is there where it says otherwise how a server is reached anew", async () => {
    const { client } = await serve(
      `memory:\n  command: node\n  args: [${JSON.stringify(memory)}]\n  tool_blacklist: []\n`,
    )
    const { text, version } = await textOf(client)
    const anew = await client.savePolicy({ body: { text: `${text}  refresh_connection: true\n`, version } })
    expect(anew).toMatchObject({ ok: false, problem: { code: "presence-needed" } })
  })

  it("settles the change of the same file that waited, when a newer text is saved", async () => {
    const { client, write } = await serve(config + open)
    write(withRule(config + open, 'allow: "memory(open_nodes)"'))
    await expect.poll(async () => (await textOf(client)).waiting, { timeout: 15_000 }).not.toBeNull()
    const { text, version, waiting } = await textOf(client)
    expect(text).toContain("open_nodes")
    const saved = must(await client.savePolicy({ body: { text: `${text}# yes\n`, version } }))
    expect(saved.waiting).toBeNull()
    expect((await rulesOf(client)).join()).toContain("open_nodes")
    const approval = must(await client.getApproval({ params: { id: waiting ?? "" } }))
    expect(approval.status).toBe("cancelled")
  })

  it("that waits is shown against the text accepted last, also after a restart, with no secret in either", async () => {
    const other = "another value nobody may see!!"
    const { client, write, restart } = await serve(config + open)
    const first = (await textOf(client)).text
    write(withRule(config + open, 'allow: "memory(open_nodes)"').replace(secret, other))
    const shownFor = async (asking: Client) => {
      await expect.poll(async () => (await textOf(asking)).waiting, { timeout: 15_000 }).not.toBeNull()
      const { waiting } = await textOf(asking)
      return must(await asking.currentContent({ params: { id: waiting ?? "" } }))
    }
    const after = withRule(first, 'allow: "memory(open_nodes)"').replace("‹secret-1-", "‹secret-2-")
    const expected = { kind: "configuration", file: "byleave.yaml", before: first, after }
    expect(await shownFor(client)).toEqual(expected)
    expect(await shownFor(await restart())).toEqual(expected)
  })

  it("that nobody has accepted takes no word out of what is recorded, and hides none of what it would start", async () => {
    const { client, url, write } = await serve(config + open)
    const edited = (config + open).replace(secret, "DROP TABLE").replace("command: node", 'command: "${X:-/tmp/other}"')
    write(edited)
    await expect.poll(async () => (await textOf(client)).waiting, { timeout: 15_000 }).not.toBeNull()
    const shown = await textOf(client)
    expect(shown.text).not.toContain("DROP TABLE")
    const asked = must(await client.getApproval({ params: { id: shown.waiting ?? "" } }))
    expect(JSON.stringify(asked.args)).toContain(`now reached as /tmp/other ${memory} in`)
    expect(JSON.stringify(asked.args)).not.toMatch(new RegExp(`DROP TABLE|${secret}`))
    await call(url, "read_graph", { sql: "DROP TABLE users", token: 1, said: secret })
    const { items } = must(await client.listCalls({ query: { limit: 1 } }))
    expect(JSON.stringify(items)).toContain("DROP TABLE users")
    expect(JSON.stringify(items)).not.toContain(secret)
  })

  it("says before it is saved what changes: rules, known tools and the calls that were recorded; and changes nothing", async () => {
    const { client, url, config: file } = await serve(config + open)
    expect(await call(url, "read_graph")).toContain("entities")
    const { text } = await textOf(client)
    const next = withRule(text.replace("allow:", "deny:"), 'allow: "memory(open_nodes)"')
    const preview = must(await client.previewPolicy({ body: { text: next } }))
    expect(preview).toMatchObject({ ok: true, other: [], calls: { looked: 1, skipped: 0 } })
    expect(preview.tightens.map(({ rule }) => rule)).toContain('deny: "memory(read_graph)"')
    expect(preview.widens.map(({ rule }) => rule)).toEqual(['allow: "memory(open_nodes)"'])
    expect(preview.tools.map(({ tool, before, after }) => [tool.tool, before, after]).toSorted()).toEqual([
      ["open_nodes", "ask", "allow"],
      ["read_graph", "allow", "deny"],
    ])
    expect(preview.calls.different).toMatchObject([
      { tool: { server: "memory", tool: "read_graph" }, principal: "anonymous", before: "allow", after: "deny" },
    ])
    const odd = must(await client.previewPolicy({ body: { text: withRule(text, 'deny: "memory(no_such)"') } }))
    expect(odd.problems).toContainEqual({
      ...{ severity: "warning", line: 10, column: expect.any(Number) },
      message: expect.stringContaining("no_such"),
    })
    const broken = must(await client.previewPolicy({ body: { text: withRule(text, 'allow: "memory("') } }))
    expect(broken).toMatchObject({ ok: false, problems: [{ severity: "error", line: 10, column: expect.any(Number) }] })
    const added = must(await client.addRule({ body: { text, rule: 'ask: "memory(*)"' } }))
    expect(added.text.split("\n")).toHaveLength(text.split("\n").length + 1)
    expect(added.text).toContain('ask: "memory(*)"')
    expect(await client.addRule({ body: { text, rule: "no rule" } })).toMatchObject({ ok: false })
    const started = must(await client.previewPolicy({ body: { text: text.replace("command: node", "command: sh") } }))
    expect(started).toMatchObject({ ok: false })
    expect(readFileSync(file, "utf8")).toBe(config + open)
    expect(await rulesOf(client)).toHaveLength(2)
  })
})

describe("a server", () => {
  it("that people stop answers nothing and asks nobody, until it is started again; who did so is on record", async () => {
    const { client, url } = await serve(config + open)
    expect(await call(url, "read_graph")).toContain("entities")
    const params = { id: "memory" }
    expect(await client.stopServer({ params })).toMatchObject({ ok: true })
    expect(must(await client.getServer({ params }))).toMatchObject({
      stopped: true,
      health: { state: "stopped", links: 0 },
    })
    for (const tool of ["read_graph", "open_nodes"])
      expect(await call(url, tool)).toContain("A reviewer stopped the server memory.")
    expect(must(await client.listApprovals({})).items).toEqual([])
    const started = must(await client.startServer({ params }))
    expect(started).toMatchObject({ stopped: false, health: { state: "connected" } })
    expect(started.tools.length).toBeGreaterThan(0)
    expect(await call(url, "read_graph")).toContain("entities")
    expect(await client.restartServer({ params })).toMatchObject({ ok: true })
    for (const act of [client.stopServer, client.startServer, client.restartServer])
      expect(await act({ params: { id: "other" } })).toMatchObject({ ok: false, problem: { code: "not-found" } })
    const by = must(await client.me()).reviewer.id
    const { items } = must(await client.listAudit({ query: { types: "server.changed" } }))
    expect(items.map(({ body }) => body)).toEqual([
      { server: "memory", change: "reconnected", by },
      { server: "memory", change: "started", by },
      { server: "memory", change: "stopped", by },
    ])
    expect(must(await client.verifyAudit()).ok).toBe(true)
  })
})
