import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Client, deviceKeyFrom, signProof } from "@byleave/api"
import { expect } from "vitest"
import { makePlace, type Running } from "../../../apps/cli/src/service/fixtures/service-process.ts"
import { answerCall } from "../answer-call.ts"
import { must } from "../open-service.ts"

const filesystem = fileURLToPath(
  new URL("../../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url),
)

const config = (workspace: string, slowUrl: string) => `version: 1
servers:
  files: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(filesystem)}, ${JSON.stringify(workspace)}], cwd: ${JSON.stringify(workspace)} }
policy:
  rules:
    - allow: "files(read_*)"
models:
  scripted:
    provider: scripted
    script:
      - when: save
        say: I will save it.
        calls: [{ tool: "files(write_file)", args: { path: notes.md, content: saved } }]
      - when: save
        say: It is saved.
      - say: Hello to you.
  slow: { provider: openai-compatible, url: ${JSON.stringify(slowUrl)}, model: slow }
  keyless: { provider: openai, model: gpt, key: "\${NO_SUCH_KEY}" }
reviewers: { presence: none }
`

export type ServedRuns = {
  readonly url: string
  readonly reviewer: Client
  /** `fetch` with the reviewer's signature. */
  readonly signedFetch: typeof fetch
  /** A new runner's token. */
  readonly token: (name: string, ...flags: readonly string[]) => Promise<string>
  /** The file that the scripted model writes. */
  readonly notes: () => string
  /** Kills the service, and starts it at the same address. */
  readonly restart: () => Promise<void>
  /** The id of the one call that waits. */
  readonly waiting: () => Promise<string>
  /** The reviewer's yes to the one call that waits. */
  readonly approve: () => Promise<void>
  /** Lets the model called slow, which says "One " at once, end what it says. */
  readonly letSlowEnd: () => void
  readonly close: () => Promise<void>
}

/** `byleave serve` in a process of its own, before a real MCP server, with a scripted model and one that is slow. */
export async function serveRuns(): Promise<ServedRuns> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "byleave-served-")))
  const notes = join(workspace, "notes.md")
  const slow = await openSlowModel()
  const place = makePlace(config(workspace, slow.url))
  const data = ["--data", place.data]
  await place.command("init", "--presence", "none", ...data)
  let service: Running & { readonly url: string } = await place.serve()
  const { url } = service
  const reviewer = await place.reviewer(url)
  const waiting = async (): Promise<string> => {
    const found = async () => must(await reviewer.listApprovals({ query: { status: "pending" } })).items
    await expect.poll(async () => (await found()).length, { timeout: 20_000 }).toBe(1)
    return (await found())[0]?.id ?? ""
  }
  return {
    url,
    reviewer,
    signedFetch: await signedFetchOf(place.data),
    waiting,
    token: async (name, ...flags) => {
      const { stdout, stderr } = await place.command("tokens", "add", name, "--runner", ...flags, "--json", ...data)
      if (stdout === "") throw new Error(stderr)
      return String(JSON.parse(stdout).secret)
    },
    notes: () => {
      const text = readFileSync(notes, { encoding: "utf8", flag: "a+" })
      writeFileSync(notes, "")
      return text
    },
    restart: async () => {
      service.child.kill("SIGKILL")
      await service.ended
      service = await place.serve("--port", new URL(url).port)
    },
    approve: async () => {
      must(await answerCall(reviewer, await waiting(), { kind: "approve" }))
    },
    letSlowEnd: slow.end,
    close: async () => {
      await place.dispose()
      slow.close()
      rmSync(workspace, { recursive: true, force: true })
    },
  }
}

async function signedFetchOf(data: string): Promise<typeof fetch> {
  const { jwk } = JSON.parse(readFileSync(join(data, "terminal.json"), "utf8"))
  const key = await deviceKeyFrom(jwk)
  return async (input, init = {}) => {
    const { method = "GET", body } = init
    const headers = new Headers(init.headers)
    const signed = { key, method, url: String(input), body: typeof body === "string" ? body : "", now: Date.now() }
    headers.set("dpop", await signProof(signed))
    return fetch(input, { ...init, headers })
  }
}

type SlowModel = { readonly url: string; readonly end: () => void; readonly close: () => void }

/** Chat completions that stop after the first word until they may end. */
async function openSlowModel(): Promise<SlowModel> {
  const open = new Set<() => void>()
  const server = createServer((request, response) => {
    const send = (delta: object, finish_reason: string | null = null): void => {
      const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "slow" }
      response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason }] })}\n\n`)
    }
    request.resume()
    response.writeHead(200, { "content-type": "text/event-stream" })
    send({ role: "assistant", content: "One " })
    open.add(() => {
      send({ content: "two." })
      send({}, "stop")
      response.end("data: [DONE]\n\n")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const end = (): void => {
    for (const finish of open) finish()
    open.clear()
  }
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/v1`, end, close }
}
