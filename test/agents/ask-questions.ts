import { existsSync } from "node:fs"
import { join } from "node:path"
import type { AgentClient } from "./clients.ts"
import type { Conversation, Reply } from "./dialects/dialect.ts"
import { drive } from "./drive.ts"
import { answerWhatWaits, reason } from "./person.ts"
import { runClient } from "./run-client.ts"
import { makeScene, must, type Scene } from "./scene.ts"
import { startScriptedModel } from "./scripted-model.ts"

/** Whether a program's own questions reached Byleave, and whether it kept to the answers. */
export type QuestionsSeen = {
  readonly asked: number
  readonly ranApproved: boolean
  readonly ranDenied: boolean
  readonly heardReason: boolean
  readonly output: string
}

export type QuestionsRun = {
  readonly client: AgentClient
  readonly program: string
  readonly command: string
  /** Runs the program as a person would, through Byleave, until it ends; returns what it printed. */
  readonly run: (scene: Scene, start: QuestionsStart) => Promise<string>
}

export type QuestionsStart = {
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
  readonly stop: AbortSignal
}

/** One program before a scripted model that runs two commands of its own: a person approves the first and denies the second. */
export async function askQuestions(asked: QuestionsRun, stop: AbortSignal): Promise<QuestionsSeen> {
  const scene = makeScene()
  const over = new AbortController()
  const files = { approved: join(scene.project, "approved.txt"), denied: join(scene.project, "denied.txt") }
  const model = await startScriptedModel((conversation) => nextCommand(files, conversation))
  try {
    await must(scene.byleave("init", "--presence", "none"))
    scene.write("~/.local/share/byleave/byleave.yaml", "version: 1\nreviewers: { presence: none }\n")
    scene.provide(asked.command, asked.program)
    await scene.serve()
    const answering = answerWhatWaits(scene, over.signal)
    const env = { ...scene.env, ...asked.client.env(model.url) }
    const output = await asked.run(scene, { env, args: asked.client.args?.(model.url) ?? [], stop })
    over.abort()
    const answered = await answering
    const told = model.seen().flatMap(({ results }) => results.map(({ text }) => text))
    return {
      asked: answered.length,
      ranApproved: existsSync(files.approved),
      ranDenied: existsSync(files.denied),
      heardReason: told.some((text) => text.includes(reason)),
      output,
    }
  } finally {
    over.abort()
    await model.close()
    await scene.dispose()
  }
}

/** The tools by which programs run commands, and the argument that is the command. */
const shells: ReadonlyMap<string, string> = new Map([
  ["Bash", "command"],
  ["bash", "command"],
  ["exec_command", "cmd"],
  ["shell_command", "command"],
])

function nextCommand(
  files: { readonly approved: string; readonly denied: string },
  { tools, results }: Conversation,
): Reply {
  const tool = tools.find((name) => shells.has(name))
  if (tool === undefined) return { kind: "text", text: `There is no shell among ${tools.join(", ")}.` }
  const command = [`touch ${files.approved}`, `touch ${files.denied}`][results.length]
  if (command === undefined) return { kind: "text", text: "All of it is done." }
  const args = { [shells.get(tool) ?? ""]: command, description: "Makes a file" }
  return { kind: "call", id: `call_${results.length + 1}`, tool, args }
}

/** `byleave launch` to its end, without a terminal. */
export async function launched(scene: Scene, words: readonly string[], { env, stop }: QuestionsStart): Promise<string> {
  const program = join(scene.home, ".local", "bin", "byleave")
  const { output, code } = await runClient({ program, args: ["launch", ...words], env, cwd: scene.project }, stop)
  return `${output}\nended with ${code}`
}

/** An editor's part: a conversation of the Agent Client Protocol with one prompt. */
export async function promptedByAcp(scene: Scene, id: string, { env, args, stop }: QuestionsStart): Promise<string> {
  const program = join(scene.home, ".local", "bin", "byleave")
  const words = ["launch", id, "--acp", ...(args.length === 0 ? [] : ["--", ...args])]
  const driven = drive({ program, args: words, env, cwd: scene.project }, stop)
  await driven.request("initialize", { protocolVersion: 1, clientCapabilities: {} })
  const { sessionId } = await driven.request("session/new", { cwd: scene.project, mcpServers: [] })
  await driven.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "Go." }] })
  await driven.end()
  return `${driven.output()}\nasked of the client: ${driven.asked().join(", ")}`
}

/** A client's part: a thread of Codex's app server with one turn. */
export async function promptedByAppServer(scene: Scene, { env, args, stop }: QuestionsStart): Promise<string> {
  const program = join(scene.home, ".local", "bin", "byleave")
  const driven = drive(
    { program, args: ["launch", "codex", "--app-server", "--", ...args], env, cwd: scene.project },
    stop,
  )
  await driven.request("initialize", { clientInfo: { name: "test", title: "Test", version: "0" } })
  driven.notify("initialized", {})
  const { thread } = await driven.request("thread/start", {
    cwd: scene.project,
    approvalPolicy: "untrusted",
    sandbox: "workspace-write",
  })
  const over = driven.heard("turn/completed")
  const threadId = (thread as { readonly id: string }).id
  await driven.request("turn/start", { threadId, input: [{ type: "text", text: "Go.", text_elements: [] }] })
  await over
  await driven.end()
  return `${driven.output()}\nasked of the client: ${driven.asked().join(", ")}`
}
