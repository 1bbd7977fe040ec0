import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { clientPrograms } from "../../packages/formats/src/clients/client-programs.ts"
import type { AgentClient } from "./clients.ts"
import type { Conversation } from "./dialects/dialect.ts"
import { byleaveYamlIn, type PlayedWay, plainSetupIn, type Setup, setupIn } from "./guide.ts"
import { type Answered, answerWhatWaits, reason } from "./person.ts"
import { type ClientEnd, type ClientStart, runClient } from "./run-client.ts"
import { makeScene, must, type Scene } from "./scene.ts"
import { nextMove, offered, resultsOf, type Step } from "./script.ts"
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts"

/** What is looked at, in the order of the table. */
export const checkNames = [
  "lists",
  "reads",
  "writes once",
  "hears no",
  "does not ask",
  "service lives",
  "leaves no server",
  "is known",
] as const
export type CheckName = (typeof checkNames)[number]

/** What was seen of one client on one way: a sentence where something is not as it should be. */
export type Seen = {
  readonly checks: Readonly<Record<CheckName, true | string>>
  /** The end of what the client printed. */
  readonly output: string
}

const welcome = "This line was read from the notes."
const startMs = 15_000
/** A wrapped server ends with its client; at one address a client's own server may outlive its stream by minutes. */
const graceMs = { wrap: 15_000, setup: 15_000, "one address": 6 * 60_000 } as const satisfies Record<PlayedWay, number>

export type Given = { readonly program: string; readonly guide: string; readonly stop: AbortSignal }

/** Runs one client as the guide says, with a scripted model before it and a person behind it. */
export async function play(client: AgentClient, way: PlayedWay, { program, guide, stop }: Given): Promise<Seen> {
  const scene = makeScene()
  try {
    const setup = way === "setup" ? plainSetupIn(guide, client.section) : setupIn(guide, client.section, way)
    const env = await prepare(scene, setup, way, guide)
    scene.provide(setup.command[0] ?? "", program)
    if (way !== "setup") return await playIn(scene, client, setup, { env, way, stop })
    await useOnce(scene, client, setup, stop)
    const before = setup.files.map(({ path }) => scene.read(path))
    await must(scene.setUp(setupName(client)))
    const seen = await playIn(scene, client, setup, { env, way, stop })
    await must(scene.setUp("--undo"))
    const isUndone = setup.files.every(({ path }, at) => scene.read(path) === before[at])
    return isUndone ? seen : { ...seen, checks: { ...seen.checks, lists: "undo left its file otherwise than it was" } }
  } finally {
    await scene.dispose()
  }
}

/** A program may write into its own file when it is first started, as Qwen Code does; that is none of setup's doing. */
async function useOnce(scene: Scene, client: AgentClient, { command }: Setup, stop: AbortSignal): Promise<void> {
  const model = await startScriptedModel(() => ({ kind: "text", text: "Nothing is to be done." }))
  try {
    await runClient(startOf(scene, client, command, model.url), stop)
  } finally {
    await model.close()
  }
}

function startOf(scene: Scene, client: AgentClient, command: readonly string[], model: string): ClientStart {
  return {
    program: join(scene.home, ".local", "bin", command[0] ?? ""),
    args: [...(client.args?.(model) ?? []), ...command.slice(1)],
    env: { ...scene.env, ...client.env(model) },
    cwd: scene.project,
  }
}

/** The word by which `byleave setup` knows a client. */
function setupName({ section }: AgentClient): string {
  return clientPrograms.find(({ title }) => title === section)?.id ?? section
}

/** Writes what the guide says, and starts the service where that is the way; returns what the client's environment needs for it. */
async function prepare(
  scene: Scene,
  setup: Setup,
  way: PlayedWay,
  guide: string,
): Promise<Readonly<Record<string, string>>> {
  writeFileSync(join(scene.notes, "welcome.txt"), welcome)
  await must(scene.byleave("init", "--presence", "none"))
  // Nobody is there to type a PIN.
  scene.write(
    "~/.local/share/byleave/byleave.yaml",
    `${byleaveYamlIn(guide, way === "setup" ? "wrap" : way)}reviewers: { presence: none }\n`,
  )
  const url = way === "one address" ? await scene.serve() : undefined
  if (url !== undefined) await firstServer(scene)
  for (const { path, text } of setup.files) scene.write(path, text, url)
  if (url === undefined) return {}
  const { stdout } = await must(scene.byleave("tokens", "add", "laptop"))
  return { BYLEAVE_TOKEN: stdout.trim() }
}

/** The server that the service starts for its own listing is there whatever clients do. */
async function firstServer(scene: Scene): Promise<void> {
  const until = Date.now() + startMs
  while (scene.servers().length === 0 && Date.now() < until) await delay(100)
}

type Circumstances = {
  readonly env: Readonly<Record<string, string>>
  readonly way: PlayedWay
  readonly stop: AbortSignal
}

async function playIn(
  scene: Scene,
  client: AgentClient,
  { command }: Setup,
  { env: more, way, stop }: Circumstances,
): Promise<Seen> {
  const steps = stepsIn(scene.notes)
  const model = await startScriptedModel((conversation) => nextMove(steps, conversation))
  const over = new AbortController()
  try {
    const before = scene.servers().length
    const answering = answerWhatWaits(scene, over.signal)
    const start = startOf(scene, client, command, model.url)
    const end = await runClient({ ...start, env: { ...start.env, ...more } }, stop)
    over.abort()
    const answered = await answering
    return { checks: await judge(scene, client, steps, model, { end, answered, before, way }), output: end.output }
  } finally {
    over.abort()
    await model.close()
  }
}

function stepsIn(notes: string): readonly Step[] {
  return [
    { tool: "read_text_file", args: { path: join(notes, "welcome.txt") } },
    { tool: "write_file", args: { path: join(notes, "approved.txt"), content: "approved" } },
    { tool: "write_file", args: { path: join(notes, "denied.txt"), content: "denied" } },
  ]
}

type Happened = {
  readonly end: ClientEnd
  readonly answered: readonly Answered[]
  readonly before: number
  readonly way: PlayedWay
}

async function judge(
  scene: Scene,
  client: AgentClient,
  steps: readonly Step[],
  model: ScriptedModel,
  { end, answered, before, way }: Happened,
): Promise<Seen["checks"]> {
  const conversations = model.seen()
  const results = conversations.map(resultsOf).reduce((most, next) => (next.length > most.length ? next : most), [])
  const [read = "nothing", , denied = "nothing"] = results.map(({ text }) => text)
  const left = await serversLeft(scene, before, graceMs[way])
  const lives = (await scene.byleave("pending")).code === 0
  // What happened is read from the audit, so a service that is gone has to come back for it.
  if (!lives) await scene.serve()
  return {
    lists: conversations.some((seen) => offersAll(steps, seen)) || "the model was not offered the tools",
    reads: read.includes(welcome) || `the model was told ${short(read)}`,
    "writes once": await writtenOnce(scene, answered),
    "hears no":
      (denied.includes(reason) && !existsSync(join(scene.notes, "denied.txt"))) ||
      `the model was told ${short(denied)}`,
    "does not ask":
      (end.code === 0 && answered.length === 2) ||
      `it ended with ${end.code ?? "a signal"}, and ${answered.length} of 2 writes reached Byleave`,
    "service lives": lives || "the service is gone",
    "is known": known(client, answered),
    "leaves no server": left === 0 || `${left} left after ${graceMs[way] / 1000} s`,
  }
}

function offersAll(steps: readonly Step[], { tools }: Conversation): boolean {
  return steps.every((step) => offered(tools, step) !== undefined)
}

async function writtenOnce(scene: Scene, answered: readonly Answered[]): Promise<true | string> {
  const [first] = answered
  const file = join(scene.notes, "approved.txt")
  if (first === undefined) return "no write was held"
  if (!existsSync(file) || readFileSync(file, "utf8") !== "approved") return "nothing was written"
  const { stdout } = await must(scene.byleave("audit", "list", "--json", "--type", "run.started", "--id", first.id))
  const runs = JSON.parse(stdout).records.length
  return runs === 1 || `it ran ${runs} times`
}

/** Whether its session bears the name by which its patience is known. */
function known({ namesItself }: AgentClient, answered: readonly Answered[]): true | string {
  const names = answered.flatMap(({ clients }) => clients)
  return names.some((name) => name.startsWith(namesItself)) || `its session is called ${names.join(", ")}`
}

/** How many servers more than before are there after a time of grace. */
async function serversLeft(scene: Scene, before: number, grace: number): Promise<number> {
  const until = Date.now() + grace
  while (scene.servers().length > before && Date.now() < until) await delay(250)
  return Math.max(0, scene.servers().length - before)
}

function short(text: string): string {
  return JSON.stringify(text.slice(0, 160))
}
