/**
 * Decides for each message between an agent's program and the client that drives it whether it passes, is put to the gate, or is answered here.
 *
 * I1. A permission question never reaches the client, whether it can be read or not, and a client's answer never stands for the gate's.
 * I2. A request of the program reaches the client only if it can be read and the dialect lists it. Anything else is answered no, or with an error.
 * I3. A client's answer passes once, and only for a request that was passed on to the client and is open.
 * I4. Of two open requests with one id, both are answered no.
 * I5. What is neither a request nor a question reaches the client as it was read: the client can only show it.
 */
import type { JsonObject, JsonValue } from "@byleave/core"
import {
  couldNotRead,
  type PermissionAnswer,
  type PermissionGate,
  type PermissionQuestion,
  withdrawnAnswer,
} from "./permission-gate.ts"
import { idKey, type MessageId, type ReadMessage } from "./read-message.ts"

export type RelayedMessage = { readonly method: string; readonly params: JsonObject }

/** A notification of the agent's program; `isWhole`: all of it was read, and nothing in it is doubtful. */
export type SeenMessage = RelayedMessage & { readonly isWhole: boolean; readonly size: number }

type Replies = {
  /** The result that says this answer in the protocol's words. */
  readonly reply: (answer: PermissionAnswer) => JsonObject
}

export type AskedPermission = Replies &
  (
    | { readonly kind: "clear"; readonly question: PermissionQuestion }
    /** A question that does not say what it is about, or asks for more than a yes for once: it is answered no. */
    | { readonly kind: "unclear"; readonly why: string }
  )

/** A protocol in which an agent's program asks for permission. */
export type Dialect = {
  /** The requests of the agent's program that are the client's to answer. */
  readonly passes: ReadonlySet<string>
  readonly questionIn: (message: RelayedMessage) => AskedPermission | null
  /** The questions that a message of the client withdraws; null: it withdraws none. */
  readonly withdrawnBy: (message: RelayedMessage) => ((question: PermissionQuestion) => boolean) | null
  /** The id of the request that a notification of the agent's program takes back. */
  readonly takenBackBy: (message: RelayedMessage) => JsonValue | undefined
  /** Looks at each notification of the agent's program. */
  readonly see?: (message: SeenMessage) => void
  /** A message of the agent's program could not be read for certain: what was seen before it may be out of date. */
  readonly forget?: () => void
}

type Say = (line: string) => void

export type RelayPorts = {
  readonly dialect: Dialect
  readonly gate: PermissionGate
  readonly toAgent: (line: string) => void
  readonly toClient: (line: string) => void
  readonly say: Say
}

export type MessageRelay = {
  readonly fromAgent: (message: ReadMessage) => void
  readonly fromClient: (message: ReadMessage) => void
  /** Withdraws the questions that wait. */
  readonly close: () => void
}

/** Who answers an open request of the agent's program. */
type Answerer =
  | { readonly kind: "client" }
  | { readonly kind: "gate"; readonly question: PermissionQuestion; readonly withdrawn: AbortController }

type Request = Extract<ReadMessage, { readonly kind: "request" }>
type Notification = Extract<ReadMessage, { readonly kind: "notification" }>

const mostOpen = 1_000
const invalid = -32600
const unknown = -32601
const sameId = "Its id is that of another open request."

export function createMessageRelay(ports: RelayPorts): MessageRelay {
  const { dialect, toAgent, toClient } = ports
  const open = new Map<string, Answerer>()
  const once = sayOnce(ports.say)
  const { requested, notified, malformed } = createAgentSide(ports, open, once)
  const withdraw = (isWithdrawn: (question: PermissionQuestion) => boolean): void => {
    for (const each of open.values()) if (each.kind === "gate" && isWithdrawn(each.question)) each.withdrawn.abort()
  }

  return {
    fromAgent: (message) => {
      switch (message.kind) {
        case "request":
          return requested(message)
        case "notification":
          return notified(message)
        case "response":
          return toClient(message.text)
        case "malformed":
        case "unreadable":
          dialect.forget?.()
          once(`a line of the program was not passed on: ${message.why}`)
          if (message.kind === "malformed") malformed(message.ids, message.why)
      }
    },
    fromClient: (message) => {
      switch (message.kind) {
        case "request":
        case "notification": {
          const isWithdrawn = dialect.withdrawnBy(message)
          if (isWithdrawn !== null) withdraw(isWithdrawn)
          return toAgent(message.text)
        }
        case "response": {
          const key = idKey(message.id)
          if (open.get(key)?.kind !== "client") {
            return once("an answer of the client was not passed on: no request with its id is open there")
          }
          open.delete(key)
          return toAgent(message.text)
        }
        case "malformed":
        case "unreadable":
          once(`a line of the client was not passed on: ${message.why}`)
          if (message.kind === "malformed") for (const id of message.ids) toClient(errorTo(id, invalid, message.why))
      }
    },
    close: () => withdraw(() => true),
  }
}

/** Passes on, asks about or refuses the requests and notifications of the agent's program. */
function createAgentSide(
  { dialect, gate, toAgent, toClient, say }: RelayPorts,
  open: Map<string, Answerer>,
  once: Say,
) {
  const answer = (id: MessageId, result: JsonObject): void => toAgent(JSON.stringify({ jsonrpc: "2.0", id, result }))

  const ask = async (id: MessageId, question: PermissionQuestion, { reply }: Replies): Promise<void> => {
    const withdrawn = new AbortController()
    open.set(idKey(id), { kind: "gate", question, withdrawn })
    const given = await gate.ask(question, withdrawn.signal)
    open.delete(idKey(id))
    answer(id, reply(withdrawn.signal.aborted ? withdrawnAnswer : given))
  }

  const refuse = (id: MessageId, asked: AskedPermission | null, why: string): void => {
    say(`a request of the program was refused: ${why}`)
    if (asked === null) toAgent(errorTo(id, invalid, why))
    else answer(id, asked.reply(couldNotRead(why)))
  }

  /** Ends what is open under an id that is used again: nobody could tell whom its answer is for. */
  const refuseEarlier = (id: MessageId | null): void => {
    const earlier = open.get(idKey(id))
    if (earlier?.kind === "gate") earlier.withdrawn.abort()
    else if (earlier !== undefined) {
      open.delete(idKey(id))
      toAgent(errorTo(id, invalid, sameId))
    }
  }

  const malformed = (ids: ReadonlyArray<MessageId | null>, why: string): void => {
    for (const id of ids) {
      toAgent(errorTo(id, invalid, why))
      refuseEarlier(id)
    }
  }

  const requested = (request: Request) => {
    const { id, method, problem } = request
    const asked = dialect.questionIn(request)
    if (open.has(idKey(id))) {
      refuse(id, asked, sameId)
      return refuseEarlier(id)
    }
    if (open.size >= mostOpen) return refuse(id, asked, "Too many requests are open.")
    if (asked !== null) {
      if (problem !== null) return refuse(id, asked, problem.message)
      if (asked.kind === "unclear") return refuse(id, asked, asked.why)
      return void ask(id, asked.question, asked)
    }
    if (problem?.kind === "reading") return refuse(id, null, problem.message)
    if (!dialect.passes.has(method)) {
      once(`a request of the program was refused: the method ${short(method)} is not known here`)
      return toAgent(errorTo(id, unknown, `Byleave does not pass on requests of the method ${short(method)}.`))
    }
    open.set(idKey(id), { kind: "client" })
    toClient(request.text)
  }

  const notified = (notification: Notification) => {
    const { method, params, text, problem } = notification
    if (dialect.questionIn(notification) !== null) {
      return once("a permission question of the program without an id was not passed on")
    }
    if (problem?.kind === "reading") dialect.forget?.()
    dialect.see?.({ method, params, isWhole: problem === null, size: text.length })
    const takenBack = dialect.takenBackBy(notification)
    const answerer = takenBack === undefined ? undefined : open.get(idKey(takenBack))
    if (answerer?.kind === "gate") answerer.withdrawn.abort()
    toClient(text)
  }

  return { requested, notified, malformed }
}

function errorTo(id: MessageId | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })
}

/** Says each sentence once: a program that repeats itself does not fill the log. */
function sayOnce(say: Say): Say {
  const said = new Set<string>()
  return (line) => {
    if (said.has(line) || said.size >= 100) return
    said.add(line)
    say(line)
  }
}

function short(method: string): string {
  return method.length > 80 ? `${method.slice(0, 80)}…` : method
}
