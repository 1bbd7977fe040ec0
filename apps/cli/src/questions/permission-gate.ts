/**
 * Permission questions of an agent's own program, answered by the gate: each is a call of the server that bears the program's name, such as
 * `claude(Bash)`. To run such a call is to tell the program that it may.
 *
 * I1. Without an allowing answer of the gate the answer is no: also where the service is gone, refuses, or cannot tell.
 * I2. A yes is for the arguments that were allowed; where a person edited them, the program is given the edited ones.
 * I3. A question that is withdrawn is cancelled at the gate.
 */
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { attendSession, createRemoteGate, tellSeen } from "@byleave/api"
import {
  type AskingProgram,
  asObject,
  canonicalJson,
  type JsonObject,
  type JsonValue,
  type Outcome,
  objectAt,
  toolName,
} from "@byleave/core"
import { refusalText, ticketText, unknownText } from "@byleave/core/told"
import { nodeTransport } from "../wrap/node-transport.ts"
import type { ReachedGate } from "../wrap/reach-gate.ts"

export type PermissionQuestion = {
  /** The program's own name of the conversation; null: it has one. */
  readonly session: string | null
  readonly tool: string
  readonly args: JsonObject
}

export type PermissionAnswer =
  | { readonly kind: "allow"; readonly args: JsonObject }
  | { readonly kind: "deny"; readonly reason: string }

export type PermissionGate = {
  readonly ask: (question: PermissionQuestion, withdrawn: AbortSignal) => Promise<PermissionAnswer>
  /** Ends the sessions: what waits in them is cancelled. */
  readonly close: () => Promise<void>
}

export type PermissionGateOptions = {
  /** The program's name in rules, such as `claude`. */
  readonly program: AskingProgram
  /** Its name for people. */
  readonly name: string
  readonly service: ReachedGate
  readonly folder: string
  readonly pid: number
  readonly now: () => number
  readonly log: (line: string) => void
}

const goodbyeMs = 3_000

export function openPermissionGate(options: PermissionGateOptions): PermissionGate {
  const { program, name, service, folder, log } = options
  const transport = nodeTransport(service)
  const closing = new AbortController()
  const rest = (ms: number) => pause(ms, undefined, { ref: false })
  const gate = createRemoteGate({
    transport,
    newId: randomUUID,
    pause: rest,
    onTrouble: (trouble) => log(`the service did not accept an outcome: ${String(trouble)}`),
    // An MCP server of the same name is another program, so that what was allowed for it allows nothing here.
    here: { program: `permission questions of ${program}`, onOtherProgram: () => {} },
  })
  const own = `${options.pid}-${options.now().toString(36)}`
  const sessions = new Set<string>()
  const sessionOf = (asked: string | null) => {
    const id = asked === null ? own : `${own}/${asked}`
    if (!sessions.has(id)) {
      sessions.add(id)
      const session = { agent: program, session: { id, named: true } }
      void tellSeen(transport, { ...session, client: name, folder })
      void attendSession({ transport, session, pause: rest, closing: closing.signal })
    }
    return { principal: program, id, named: true }
  }
  return {
    ask: async ({ session, tool, args }, withdrawn) => {
      const ref = { server: program, tool }
      const call = { tool: ref, args, principal: { id: program }, session: sessionOf(session) }
      let held: string | undefined
      const withdraw = (): void => {
        if (held !== undefined) void gate.cancel(held, program, `${name} withdrew the question.`).catch(() => undefined)
      }
      withdrawn.addEventListener("abort", withdraw, { once: true })
      try {
        const outcome = await gate.submit(call, allowed, {
          onHeld: ({ id }) => {
            held = id
            if (withdrawn.aborted) withdraw()
          },
        })
        return answerOf(outcome, toolName(ref), service.url)
      } catch (cause) {
        log(`a question could not be answered: ${String(cause)}`)
        return { kind: "deny", reason: unanswered }
      } finally {
        withdrawn.removeEventListener("abort", withdraw)
      }
    },
    close: async () => {
      const ended = [...sessions].map((id) => gate.endSession({ principal: program, id, named: true }))
      await Promise.race([Promise.allSettled([...ended, gate.close()]), rest(goodbyeMs)])
      closing.abort()
      transport.close()
    },
  }
}

const unanswered = "Byleave could not answer, so this was not allowed. Tell the user."

/** The answer to a question that was not put to the gate. */
export function couldNotRead(why: string): PermissionAnswer {
  return { kind: "deny", reason: `Byleave could not judge the question, so this was not allowed. ${why}` }
}

export const withdrawnAnswer: PermissionAnswer = { kind: "deny", reason: "The question was withdrawn." }

/** To run the call is to allow it: the program does the rest. The arguments are kept for a repeat of the question. */
const allowed = async (args: JsonObject) => ({ kind: "succeeded" as const, result: { allowed: args } as JsonValue })

/** For programs that cannot be given other arguments than those they showed: a yes to an edited call is a no. */
export function isAllowedAsAsked(answer: PermissionAnswer, asked: JsonObject): boolean {
  return answer.kind === "allow" && canonicalJson(answer.args) === canonicalJson(asked)
}

function answerOf(outcome: Outcome, name: string, inbox: string): PermissionAnswer {
  switch (outcome.kind) {
    case "result": {
      const args = objectAt(asObject(outcome.result), "allowed")
      return args === undefined ? { kind: "deny", reason: unanswered } : { kind: "allow", args }
    }
    case "refusal":
      return { kind: "deny", reason: refusalText(outcome.refusal, { name, inbox }).trim() }
    case "ticket":
      return { kind: "deny", reason: ticketText({ name, inbox }) }
    case "unknown":
      return { kind: "deny", reason: unknownText(outcome.detail, { name }) }
    case "error":
      return { kind: "deny", reason: unanswered }
  }
}
