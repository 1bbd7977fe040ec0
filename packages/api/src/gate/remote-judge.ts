/**
 * Judgements made elsewhere.
 *
 * I1. What the service did not judge is not judged: a short answer is an error, never a yes.
 * I2. Questions of one session are asked as that session's, and never with another's.
 */
import {
  type Call,
  type CallerGate,
  type Decision,
  type JsonObject,
  readJson,
  sessionKey,
  type Target,
} from "@byleave/core"
import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"
import { type JudgeAnswer, mostJudged } from "./gate-wire.ts"

type Asked = {
  readonly target: Target
  readonly resolve: (decision: Decision) => void
  readonly reject: (why: unknown) => void
}
type Batch = { readonly caller: Pick<Call, "principal" | "session">; readonly asked: Asked[] }

/** Judging a listing asks about every tool at once: questions of one caller in one turn travel together. */
export function judgeInBatches(transport: GateTransport, program: string | undefined): CallerGate["judge"] {
  const judgeAll = judgeAt(transport, program)
  const batches = new Map<string, Batch>()
  return (target, args, caller) => {
    if (args !== undefined) return judgeAll([target], args, caller).then(first)
    return new Promise((resolve, reject) => {
      const key = sessionKey(caller.session)
      const batch = batches.get(key) ?? { caller, asked: [] }
      batch.asked.push({ target, resolve, reject })
      if (batches.has(key)) return
      batches.set(key, batch)
      void Promise.resolve().then(() => {
        batches.delete(key)
        return send(judgeAll, batch)
      })
    })
  }
}

async function send(judgeAll: JudgeAll, { caller, asked }: Batch): Promise<void> {
  try {
    for (const part of withinLimits(asked)) {
      const targets = part.map(({ target }) => target)
      const decisions = await judgeAll(targets, undefined, caller)
      for (const [at, { resolve }] of part.entries()) resolve(at in decisions ? (decisions[at] as Decision) : first([]))
    }
  } catch (why) {
    for (const { reject } of asked) reject(why)
  }
}

/** In their order, as many at a time as the service judges at once. */
function withinLimits(asked: readonly Asked[]): readonly (readonly Asked[])[] {
  const parts: Asked[][] = []
  let [names, characters] = [Number.POSITIVE_INFINITY, 0]
  for (const one of asked) {
    names += 1
    characters += one.target.name.length
    if (names > mostJudged.names || characters > mostJudged.characters) {
      parts.push([])
      names = 1
      characters = one.target.name.length
    }
    parts.at(-1)?.push(one)
  }
  return parts
}

function first(decisions: readonly Decision[]): Decision {
  const [decision] = decisions
  if (decision === undefined) throw new Error("The service judged fewer things than it was asked about.")
  return decision
}

type JudgeAll = (
  targets: readonly Target[],
  args: JsonObject | undefined,
  caller: Pick<Call, "principal" | "session" | "connection">,
) => Promise<readonly Decision[]>

/** `program`: which one the server here is; what it offers is judged as that program's. */
function judgeAt(transport: GateTransport, program: string | undefined): JudgeAll {
  return async (targets, args, caller) => {
    const about = { ...aboutCaller(caller, program), targets }
    const body = args === undefined ? about : { ...about, args, ...over(caller) }
    return ((await ask(transport, gatePaths.judge, body)) as JudgeAnswer).decisions
  }
}

export function aboutCaller({ principal, session }: Pick<Call, "principal" | "session">, program: string | undefined) {
  const from = { agent: principal.id, session: { id: session.id, named: session.named } }
  return program === undefined ? { from } : { from, program }
}

export function over({ connection }: Pick<Call, "connection">): Pick<Call, "connection"> {
  return connection === undefined ? {} : { connection }
}

async function ask(transport: GateTransport, path: string, body: object): Promise<unknown> {
  const { status, text } = await transport.post(path, JSON.stringify(body))
  const read = readJson(text, { bytes: 64 * 1024 * 1024, values: Number.POSITIVE_INFINITY })
  if (status !== 200 || !read.ok) throw new Error(`The service did not judge: it answered ${status}.`)
  return read.value
}
