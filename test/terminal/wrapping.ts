import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { ApprovalView, Client } from "@byleave/api"
import { wholeCalls } from "../../apps/cli/src/decide/waiting-calls.ts"
import { compiled, main, makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { answerCall } from "../api/answer-call.ts"

const oddServer = fileURLToPath(new URL("./programs/odd-server.ts", import.meta.url))

/** The odd server's tools by what becomes of them; all else waits for a person. */
export const config = `version: 1
policy:
  rules:
    - allow: "odd(surroundings)"
    - hide: "odd(secret_door)"
    - deny: "odd(forbidden)"
      reason: Not here.
    - allow: "files(list_*)"
    - allow: "files(read_*)"
    - hide: "files(directory_tree)"
    - deny: "files(move_file)"
limits: { denials: { count: 100, within: 10m } }
reviewers: { presence: none }
agents: { anonymous: true }
`

export type Scene = Place & {
  /** What the odd server was asked to do, one line per call. */
  readonly calls: () => readonly string[]
  /** The tool that was patient until now answers. */
  readonly go: () => void
  readonly oddServer: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly wrapArgs: (name: string, ...command: readonly string[]) => string[]
  /** A wrapped odd server, spoken to line by line. */
  readonly wrap: () => Wrapped
  /** The same with a command line of its own, after `byleave`. */
  readonly wrapAs: (...args: readonly string[]) => Wrapped
  /** The same in a folder, with variables of its own. */
  readonly wrapFrom: (cwd: string, env: Readonly<Record<string, string>>, ...args: readonly string[]) => Wrapped
}

/** A place with a reviewer, and a folder for what its servers count. */
export async function makeScene(text = config, odd: readonly string[] = []): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), "byleave-terminal-"))
  const place = makePlace(text, { HOME: folder })
  const init = await place.command("init", "--presence", "none", "--data", place.data)
  if (init.code !== 0) throw new Error(init.stderr)
  const log = join(folder, "calls")
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    CLIENTS_OWN: "kept",
    BYLEAVE_SECRET: "b-s3cret",
    NODE_COMPILE_CACHE: compiled,
  }
  const server = [process.execPath, oddServer, log, ...odd]
  const wrapArgs = (name: string, ...command: readonly string[]) => [
    ...[main, "wrap", "--name", name, "--data", place.data],
    ...["--", ...command],
  ]
  const wraps: Wrapped[] = []
  const started = (args: readonly string[], cwd = folder, more: Readonly<Record<string, string>> = {}): Wrapped => {
    const wrapped = speakWith(args, { ...env, ...more }, cwd)
    wraps.push(wrapped)
    return wrapped
  }
  return {
    ...place,
    calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
    go: () => writeFileSync(`${log}-go`, ""),
    oddServer: server,
    env,
    wrapArgs,
    wrap: () => started(wrapArgs("odd", ...server)),
    wrapAs: (...args) => started([main, "wrap", "--data", place.data, ...args]),
    wrapFrom: (cwd, more, ...args) => started([main, "wrap", "--data", place.data, ...args], cwd, more),
    dispose: async () => {
      for (const { child, ended } of wraps) {
        if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
        await ended
      }
      await place.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Answer = {
  readonly text: string
  readonly result: {
    readonly isError?: boolean
    readonly content: ReadonlyArray<{ readonly text: string }>
    readonly tools: ReadonlyArray<{ readonly name: string }>
  }
}

export type Wrapped = {
  readonly child: ChildProcess
  readonly stderr: () => string
  readonly ended: Promise<number | null>
  readonly open: () => Promise<void>
  readonly ask: (method: string, params: string) => Promise<Answer>
  readonly call: (tool: string, args?: string) => Promise<Answer>
  /** The same as a modern client, which says with each request who makes it. */
  readonly callModern: (tool: string, args?: string) => Promise<Answer>
}

/** How a modern client says with a request who makes it. */
export const modernEnvelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "modern-lines", version: "2" },
}

/** A legacy client that writes its parameters exactly as they are given. */
function speakWith(args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Wrapped {
  const child = spawn(process.execPath, args, { env, cwd, stdio: "pipe" })
  const waiting = new Map<number, (answer: Answer) => void>()
  let stderr = ""
  let last = 0
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  child.stdin.on("error", () => {})
  createInterface({ input: child.stdout }).on("line", (text) => {
    const { id, result } = JSON.parse(text)
    waiting.get(id)?.({ text, result })
  })
  const write = (line: string) => void child.stdin.write(`${line}\n`)
  const ask: Wrapped["ask"] = (method, params) => {
    const id = ++last
    write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`)
    return new Promise((resolve) => waiting.set(id, resolve))
  }
  return {
    child,
    stderr: () => stderr,
    ended: once(child, "close").then(([code]) => code as number | null),
    open: async () => {
      const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "lines", version: "1" } }
      await ask("initialize", JSON.stringify(hello))
      write('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    },
    ask,
    call: (tool, args = "{}") => ask("tools/call", `{"name":${JSON.stringify(tool)},"arguments":${args}}`),
    callModern: (tool, args = "{}") =>
      ask(
        "tools/call",
        `{"name":${JSON.stringify(tool)},"arguments":${args},"_meta":${JSON.stringify(modernEnvelope)}}`,
      ),
  }
}

/** The calls that wait, as soon as there are that many. */
export async function waitingCalls(reviewer: Client, count: number): Promise<readonly ApprovalView[]> {
  for (;;) {
    const reply = await reviewer.listApprovals({ query: { status: "pending" } })
    if (!reply.ok) throw new Error(reply.problem.detail)
    if (reply.value.items.length >= count) return wholeCalls(reviewer, reply.value.items)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export async function decide(reviewer: Client, kind: "approve" | "deny", view: { readonly id: string }): Promise<void> {
  const reply = await answerCall(reviewer, view.id, { kind })
  if (!reply.ok) throw new Error(reply.problem.detail)
}

/** The status of one call, as it is now. */
export async function statusOf(reviewer: Client, id: string): Promise<string> {
  const reply = await reviewer.getApproval({ params: { id } })
  return reply.ok ? reply.value.status : reply.problem.code
}
