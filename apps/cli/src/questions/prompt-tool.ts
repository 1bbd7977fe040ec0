/**
 * An MCP server on stdio with one tool, which Claude Code asks for permission (`--permission-prompt-tool`).
 *
 * I1. Whatever is not a question that can be read is answered with a no.
 * I2. Of two open questions with one id, both are answered no.
 */
import type { Readable } from "node:stream"
import { type JsonObject, memberAt, objectAt, textAt } from "@byleave/core"
import {
  couldNotRead,
  type PermissionAnswer,
  type PermissionGate,
  type PermissionQuestion,
  withdrawnAnswer,
} from "./permission-gate.ts"
import { idKey, type MessageId, messageLines } from "./read-message.ts"

export const promptTool = "permission"

export type PromptToolOptions = {
  readonly gate: PermissionGate
  readonly input: Readable
  readonly output: NodeJS.WritableStream
  readonly version: string
}

const versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
const progressMs = 5_000

/** Serves until the client is gone. */
export async function servePromptTool({ gate, input, output, version }: PromptToolOptions): Promise<void> {
  const asked = new Map<string, AbortController>()
  const gone = new AbortController()
  const send = (message: JsonObject): void => void output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const call = async (id: MessageId, params: JsonObject, problem: string | null): Promise<void> => {
    const key = idKey(id)
    const say = (answer: PermissionAnswer): void =>
      send({ id, result: { content: [{ type: "text", text: JSON.stringify(wordsOf(answer)) }] } })
    const earlier = asked.get(key)
    if (earlier !== undefined) {
      earlier.abort()
      return say(couldNotRead("Its id is that of another open question."))
    }
    const question = questionIn(params)
    if (question === null || problem !== null) return say(couldNotRead(problem ?? "It names no tool or no input."))
    const controller = new AbortController()
    asked.set(key, controller)
    const token = memberAt(objectAt(params, "_meta"), "progressToken")
    let progress = 0
    const told = setInterval(() => {
      if (token === undefined) return
      const message = "Waiting for a person to decide."
      send({ method: "notifications/progress", params: { progressToken: token, progress: ++progress, message } })
    }, progressMs)
    try {
      const answer = await gate.ask(question, AbortSignal.any([controller.signal, gone.signal]))
      say(controller.signal.aborted ? withdrawnAnswer : answer)
    } finally {
      clearInterval(told)
      asked.delete(key)
    }
  }
  const hear = messageLines((message) => {
    switch (message.kind) {
      case "request": {
        const { id, method, params, problem } = message
        if (method === "tools/call") return void call(id, params, problem?.message ?? null)
        const result = resultOf(method, params, version)
        if (result !== undefined) return send({ id, result })
        return send({ id, error: { code: -32601, message: `There is no method ${method}.` } })
      }
      case "notification": {
        if (message.method !== "notifications/cancelled") return
        return asked.get(idKey(memberAt(message.params, "requestId") ?? null))?.abort()
      }
      case "response":
        return
      case "malformed":
        for (const id of message.ids) send({ id, error: { code: -32600, message: notAMessage(message.why) } })
        return
      case "unreadable":
        return send({ id: null, error: { code: -32700, message: notAMessage(message.why) } })
    }
  })
  input.on("data", hear)
  await new Promise<void>((resolve) => {
    input.once("end", resolve)
    input.once("close", resolve)
  })
  gone.abort()
}

function resultOf(method: string, params: JsonObject, version: string): JsonObject | undefined {
  switch (method) {
    case "initialize": {
      const wanted = textAt(params, "protocolVersion") ?? ""
      return {
        protocolVersion: versions.includes(wanted) ? wanted : (versions[0] ?? ""),
        capabilities: { tools: {} },
        serverInfo: { name: "byleave", title: "Byleave", version },
      }
    }
    case "ping":
      return {}
    case "tools/list":
      return { tools: [definition] }
    default:
      return undefined
  }
}

const definition: JsonObject = {
  name: promptTool,
  description: "Answers whether a tool may be used, after Byleave's rules or a person decided. For Claude Code itself.",
  inputSchema: {
    type: "object",
    properties: {
      tool_name: { type: "string" },
      input: { type: "object" },
      tool_use_id: { type: "string" },
    },
    required: ["tool_name", "input"],
  },
}

function notAMessage(why: string): string {
  return `This is not a message: ${why}.`
}

function questionIn(params: JsonObject): PermissionQuestion | null {
  const given = textAt(params, "name") === promptTool ? objectAt(params, "arguments") : undefined
  const tool = textAt(given, "tool_name")
  const args = objectAt(given, "input")
  return tool === undefined || tool === "" || args === undefined ? null : { session: null, tool, args }
}

/** The answer in the words that Claude Code knows. */
function wordsOf(answer: PermissionAnswer): JsonObject {
  return answer.kind === "allow"
    ? { behavior: "allow", updatedInput: answer.args }
    : { behavior: "deny", message: answer.reason }
}
