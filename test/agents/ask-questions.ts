import { existsSync } from "node:fs"
import { join } from "node:path"
import type { AgentClient } from "./clients.ts"
import type { Conversation, Reply } from "./dialects/dialect.ts"
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
  /** What its model calls to run a shell command. */
  readonly shell: { readonly tool: string; readonly argument: string }
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
  const model = await startScriptedModel((conversation) => nextCommand(asked, files, conversation))
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

function nextCommand(
  { shell }: QuestionsRun,
  files: { readonly approved: string; readonly denied: string },
  { tools, results }: Conversation,
): Reply {
  if (!tools.includes(shell.tool)) return { kind: "text", text: "There is no shell." }
  const commands = [`touch ${files.approved}`, `touch ${files.denied}`]
  const command = commands[results.length]
  if (command === undefined) return { kind: "text", text: "All of it is done." }
  return { kind: "call", id: `call_${results.length + 1}`, tool: shell.tool, args: { [shell.argument]: command } }
}

/** `byleave launch` to its end, without a terminal. */
export async function launched(scene: Scene, words: readonly string[], { env, stop }: QuestionsStart): Promise<string> {
  const program = join(scene.home, ".local", "bin", "byleave")
  const { output, code } = await runClient({ program, args: ["launch", ...words], env, cwd: scene.project }, stop)
  return `${output}\nended with ${code}`
}
