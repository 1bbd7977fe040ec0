import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { AgentClient } from "../clients.ts"
import type { Conversation, Reply } from "../dialects/dialect.ts"
import { runClient } from "../run-client.ts"
import { makeScene, type Scene } from "../scene.ts"
import { startScriptedModel } from "../scripted-model.ts"
import { type CatalogueTool, catalogue } from "./rule-cases.ts"
import type { RuleProgram, ServerStart } from "./rule-programs.ts"

/** What a program did with every tool of the table under one set of rules. */
export type RulesRun = {
  /** The tools whose calls reached their server. */
  readonly ran: ReadonlySet<CatalogueTool>
  /** The tools that the model called. */
  readonly called: ReadonlySet<CatalogueTool>
  /** The end of what the program printed. */
  readonly output: string
}

export type RulesGiven = {
  readonly client: AgentClient
  readonly program: string
  readonly how: RuleProgram
  readonly rules: string
  readonly stop: AbortSignal
}

/** A program may end its turn at the first refusal, and is then started anew for the tools that are left. */
const mostStarts = catalogue.length + 2
const servers = [...new Set(catalogue.map(({ server }) => server))]
const serverFile = fileURLToPath(new URL("recording-server.ts", import.meta.url))

/** Runs a program under these rules until it was told to call every tool that it offers. */
export async function runRules(given: RulesGiven): Promise<RulesRun> {
  const scene = makeScene()
  const record = join(scene.env.TMPDIR ?? "", "record")
  const calls = createCalls()
  const model = await startScriptedModel(calls.next)
  try {
    given.how.prepare(scene, serversIn(scene, record), given.rules)
    scene.provide("agent", given.program)
    let output = ""
    for (let starts = 0; starts < mostStarts && calls.begin(); starts += 1) {
      output = (await runClient(startOf(scene, given, model.url), given.stop)).output
    }
    return { ran: ranIn(record), called: calls.called, output }
  } finally {
    await model.close()
    await scene.dispose()
  }
}

type Calls = {
  readonly called: ReadonlySet<CatalogueTool>
  /** Whether another start of the program may call more. */
  readonly begin: () => boolean
  readonly next: (conversation: Conversation) => Reply
}

/** The calls of the scripted model over all starts of a program. */
function createCalls(): Calls {
  const called = new Set<CatalogueTool>()
  let earlier: ReadonlySet<CatalogueTool> = new Set()
  let starts = 0
  let isOver = false
  return {
    called,
    begin: () => {
      starts += 1
      const isIdle = starts > 2 && called.size === earlier.size
      earlier = new Set(called)
      return !isOver && !isIdle && called.size < catalogue.length
    },
    next: (conversation) => {
      const offered = offeredIn(conversation)
      const answered = new Set(conversation.results.map(({ tool }) => tool))
      const [next] = [...offered].filter(([tool, name]) => {
        return !earlier.has(tool) && !answered.has(name) && !answered.has(name.split("/").at(-1) ?? "")
      })
      // A server that offers nothing may have started too late; one that offers something has told all it has.
      isOver =
        next === undefined &&
        [...offered.keys(), ...called].length > 0 &&
        servers.every((server) => {
          return starts > 1 || [...offered.keys()].some((tool) => tool.server === server)
        })
      if (next === undefined) return { kind: "text", text: "All of it is done." }
      const [tool, name] = next
      called.add(tool)
      return { kind: "call", id: `call_${catalogue.indexOf(tool) + 1}`, tool: name, args: { n: "1" } }
    },
  }
}

/** The tools of the table that a program offers, with the names it has for them. */
function offeredIn({ tools, descriptions }: Conversation): ReadonlyMap<CatalogueTool, string> {
  const nameOf = (tool: CatalogueTool) => tools.find((name) => descriptions.get(name)?.includes(tool.description))
  return new Map(
    catalogue.flatMap((tool) => {
      const name = nameOf(tool)
      return name === undefined ? [] : [[tool, name] as const]
    }),
  )
}

function serversIn(scene: Scene, record: string): ReadonlyMap<string, ServerStart> {
  const file = join(scene.env.TMPDIR ?? "", "catalogue.json")
  writeFileSync(file, JSON.stringify(catalogue))
  return new Map(
    servers.map((server) => [server, { command: process.execPath, args: [serverFile, file, server, record] }]),
  )
}

function startOf(scene: Scene, { client, how, rules }: RulesGiven, model: string) {
  const { args, shell } = how.start(scene, rules)
  const program = join(scene.home, ".local", "bin", "agent")
  const words = [...(client.args?.(model) ?? []), ...args]
  const env = { ...scene.env, ...client.env(model), ...how.env }
  // Flags are given through a shell, as people give them.
  if (shell === undefined) return { program, args: words, env, cwd: scene.project }
  return { program: "/bin/sh", args: ["-c", `exec "$@" ${shell}`, "sh", program, ...words], env, cwd: scene.project }
}

function ranIn(record: string): ReadonlySet<CatalogueTool> {
  const lines = existsSync(record) ? readFileSync(record, "utf8").trim().split("\n") : []
  const ran = lines.map((line) => JSON.parse(line) as { readonly server: string; readonly tool: string })
  return new Set(
    catalogue.filter(({ server, name }) => ran.some((each) => each.server === server && each.tool === name)),
  )
}
