import { readdirSync, readFileSync } from "node:fs"
import { Agent, request as send } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { type Case, makeCase, type Words } from "./front-table.ts"

const canary = "canary-7f3a9c51e0d24b68"
const filesystem = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url),
)

const config = `version: 1
servers:
  files:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(filesystem)}, "."]
    env: { API_KEY: "\${CANARY}" }
  tracker:
    url: http://127.0.0.1:9/mcp
    headers: { Authorization: "Bearer \${CANARY}" }
policy:
  rules:
    - deny: "files(move_file)"
    - allow: "files(list_*)"
reviewers: { presence: none }
`

type Answer = { readonly status: number; readonly text: string }

/** At night three times as many. */
const requests = process.env.BYLEAVE_NIGHTLY === undefined ? 4_000 : 12_000

describe("whatever is sent to the front", () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  let place: Place
  let service: Awaited<ReturnType<Place["serve"]>>
  let words: Words
  let port: number
  let said = ""

  const ask = async (request: Case): Promise<Answer> => {
    const answer = await exchange(agent, port, request)
    said += answer.text
    return answer
  }

  beforeAll(async () => {
    place = makePlace(config, { CANARY: canary })
    await place.command("init", "--presence", "none", "--data", place.data)
    service = await place.serve()
    port = Number(new URL(service.url).port)
    const [mine, others] = [await token(place, service.url, "agent"), await token(place, service.url, "other")]
    const open = (path: string, bearer: string) => openConversation(ask, new URL(service.url).host, path, bearer)
    words = {
      host: new URL(service.url).host,
      agent: mine,
      gate: readFileSync(join(place.data, "gate-token"), "utf8").trim(),
      conversation: await open("/mcp/files", mine),
      othersConversation: await open("/mcp/files", others),
      otherPath: await open("/mcp", mine),
    }
  }, 60_000)

  afterAll(async () => {
    agent.destroy()
    await place?.dispose()
  })

  it(`${requests} odd requests get exactly the status the table says, and the service goes on`, async () => {
    const pick = picker(20_261_116)
    const cases = Array.from({ length: requests }, () => makeCase(words, pick))
    const wrong: unknown[] = []
    await inParallel(cases, 16, async ({ request, status, odd }) => {
      const answer = await ask(request).catch((cause: unknown) => ({ status: 0, text: String(cause) }))
      if (answer.status !== status) wrong.push({ odd, request, expected: status, got: answer })
    })
    expect(wrong.slice(0, 3)).toEqual([])
    expect(service.child.exitCode).toBeNull()
  }, 120_000)

  it("what is too large is refused before it is read whole", async () => {
    const { request } = makeCase(words, () => 1)
    const announced = { ...request, headers: { ...request.headers, "content-length": "5000000" } }
    expect((await ask(announced)).status).toBe(413)
  })

  it("R11: headers of the modern era are checked against the body, which alone policy reads", async () => {
    const table: ReadonlyArray<readonly [headers: Record<string, string | null>, status: number, code: number | null]> =
      [
        [{}, 200, null],
        [{ "mcp-method": null }, 400, -32020],
        [{ "mcp-method": "tools/list" }, 400, -32020],
        [{ "mcp-name": null }, 400, -32020],
        [{ "mcp-name": "list_directory" }, 400, -32020],
        [{ "mcp-name": "=?base64?bW92ZV9maWxl?=" }, 200, null],
        [{ "mcp-name": "=?base64?bGlzdA==?=" }, 400, -32020],
        [{ "mcp-protocol-version": null }, 400, -32020],
        [{ "mcp-protocol-version": "2025-11-25" }, 400, -32020],
      ]
    for (const [changes, status, code] of table) {
      const answer = await ask(modernCall(words, changes))
      expect([changes, answer.status, codeOf(answer)]).toEqual([changes, status, code])
    }
  })

  it("forged deciders, wrong credentials and other people's ids open no door of the API", async () => {
    const reviewer = { host: words.host, "content-type": "application/json" }
    const standing = { connection: "Upgrade", upgrade: "byleave-gate/1" }
    const forged = JSON.stringify({ kind: "approve", digest: "x", reviewer: { id: "boss", groups: [] }, by: "boss" })
    const doors: ReadonlyArray<
      readonly [method: string, path: string, headers: Record<string, string>, body: string, status: number]
    > = [
      ["GET", "/api/approvals", {}, "", 401],
      ["GET", "/api/approvals", { authorization: `Bearer ${words.agent}` }, "", 403],
      ["GET", "/api/approvals", { authorization: `Bearer ${words.gate}` }, "", 403],
      ["POST", "/api/approvals/x/verdict", { authorization: `Bearer ${words.agent}` }, forged, 403],
      ["POST", "/api/approvals/x/verdict", { dpop: "e30.e30.e30" }, forged, 401],
      ["POST", "/api/gate/submit", { authorization: `Bearer ${words.agent}` }, "{}", 401],
      ["POST", "/api/gate/submit", { authorization: `Bearer ${words.gate}` }, "{}", 400],
      [
        "POST",
        "/api/gate/runs/nobodys",
        { authorization: `Bearer ${words.gate}` },
        '{"kind":"succeeded","result":{}}',
        404,
      ],
      ["GET", "/api/gate/line", { authorization: `Bearer ${words.agent}` }, "", 401],
      ["GET", "/api/gate/line", { authorization: `Bearer ${words.gate}` }, "", 426],
      ["GET", "/api/gate/line", { ...standing, authorization: `Bearer ${words.agent}` }, "", 401],
      ["GET", "/api/gate/line", { ...standing, authorization: `Bearer ${words.gate}`, host: "evil.example" }, "", 403],
      [
        "GET",
        "/api/gate/line",
        { ...standing, authorization: `Bearer ${words.gate}`, origin: "http://evil.example" },
        "",
        403,
      ],
      ["GET", "/api/gate/approvals/nobodys", { authorization: `Bearer ${words.gate}` }, "", 404],
      ["POST", "/v1/responses", {}, "{}", 401],
      ["POST", "/v1/responses", { authorization: `Bearer ${words.agent}` }, "{}", 401],
      ["POST", "/v1/responses", { authorization: `Bearer ${words.gate}` }, "{}", 401],
      ["GET", "/v1/models", { host: "evil.example" }, "", 403],
      ["GET", "/v1/models", { origin: "http://evil.example" }, "", 403],
      ["POST", "/api/runs/ag-ui", { authorization: `Bearer ${words.agent}` }, "{}", 403],
      ["POST", "/api/runs/chat", { authorization: `Bearer ${words.gate}` }, "{}", 403],
      ["GET", "/api/nothing", {}, "", 404],
      ["PUT", "/api/approvals", {}, "{}", 405],
      ["GET", "/api/approvals", { host: "evil.example" }, "", 403],
      ["GET", "/api/hello", { origin: "http://evil.example" }, "", 403],
      ["GET", "/api/hello", {}, "", 200],
    ]
    for (const [method, path, headers, body, status] of doors) {
      const answer = await ask({ method, path, headers: { ...reviewer, ...headers }, body })
      expect([method, path, headers, answer.status]).toEqual([method, path, headers, status])
    }
    const signed = await place.reviewer(service.url)
    const body = { kind: "approve", digest: "x", by: "boss" } as never
    expect(await signed.giveVerdict({ params: { id: "x" }, body })).toMatchObject({
      ok: false,
      problem: { status: 400 },
    })
  })

  it("a configured secret is in no answer, no line of the log and no byte of the record", async () => {
    const reviewer = await place.reviewer(service.url)
    const seen = [
      await reviewer.listServers(),
      await reviewer.getPolicy(),
      await reviewer.listAudit({}),
      await reviewer.listPins({}),
    ]
    const { stdout, stderr } = service.output()
    const everything = [said, JSON.stringify(seen), stdout, stderr, ...stored(place.data)].join("\n")
    expect(everything.length).toBeGreaterThan(10_000)
    expect(everything).not.toContain(canary)
    expect(everything).not.toContain(Buffer.from(canary).toString("base64").slice(0, 20))
  })
})

/** All of the data folder but its keys. */
function stored(data: string): readonly string[] {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
}

function codeOf({ text }: Answer): number | null {
  const data = text.startsWith("{") ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? "{}")
  return JSON.parse(data).error?.code ?? null
}

function modernCall(words: Words, changes: Record<string, string | null>): Case {
  const headers: Record<string, string> = {
    host: words.host,
    authorization: `Bearer ${words.agent}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "move_file",
  }
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete headers[name]
    else headers[name] = value
  }
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
  }
  const params = { name: "move_file", arguments: { source: "a", destination: "b" }, _meta }
  return {
    method: "POST",
    path: "/mcp/files",
    headers,
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  }
}

async function token(place: Place, url: string, id: string): Promise<string> {
  const reviewer = await place.reviewer(url)
  const added = await reviewer.addToken({ body: { id, kind: "agent", namesSessions: false } })
  if (!added.ok) throw new Error(added.problem.detail)
  return added.value.secret
}

async function openConversation(
  ask: (request: Case) => Promise<Answer & { readonly session?: string }>,
  host: string,
  path: string,
  bearer: string,
): Promise<string> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } }
  const headers = {
    host,
    authorization: `Bearer ${bearer}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })
  const { session } = await ask({ method: "POST", path, headers, body })
  if (session === undefined) throw new Error("no session was opened")
  return session
}

function exchange(
  agent: Agent,
  port: number,
  { method, path, headers, body }: Case,
): Promise<Answer & { readonly session?: string }> {
  return new Promise((resolve, reject) => {
    // Said by hand: Node sends the body of an OPTIONS request without its length.
    const sized = { "content-length": Buffer.byteLength(body), ...headers }
    const options = { host: "127.0.0.1", port, method, path, headers: sized, agent, setHost: false }
    const outgoing = send(options, (incoming) => {
      let text = ""
      incoming.setEncoding("utf8").on("data", (piece: string) => {
        text += piece
      })
      incoming.on("end", () => {
        const session = incoming.headers["mcp-session-id"]
        resolve({ status: incoming.statusCode ?? 0, text, ...(typeof session === "string" ? { session } : {}) })
      })
      incoming.on("error", reject)
    })
    outgoing.on("error", reject)
    outgoing.end(body)
  })
}

async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as Item)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

/** The same cases in every run: a small generator with a written seed. */
function picker(seed: number): (count: number) => number {
  let state = seed
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
}
