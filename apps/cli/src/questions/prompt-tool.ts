/**
 * An MCP server on stdio with one tool, which Claude Code asks for permission (`--permission-prompt-tool`).
 *
 * I1. Whatever is not a question that can be read is answered with a no.
 */
import type { Readable } from "node:stream"
import { lineReader } from "@byleave/api"
import { asObject, type JsonObject, type JsonValue, memberAt, objectAt, readJson, textAt } from "@byleave/core"
import type { PermissionAnswer, PermissionGate } from "./permission-gate.ts"

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
  const call = async (id: JsonValue, params: JsonObject): Promise<void> => {
    const controller = new AbortController()
    asked.set(JSON.stringify(id), controller)
    const token = memberAt(objectAt(params, "_meta"), "progressToken")
    let progress = 0
    const told = setInterval(() => {
      if (token === undefined) return
      const message = "Waiting for a person to decide."
      send({ method: "notifications/progress", params: { progressToken: token, progress: ++progress, message } })
    }, progressMs)
    try {
      const answer = await answerTo(params, gate, AbortSignal.any([controller.signal, gone.signal]))
      send({ id, result: { content: [{ type: "text", text: JSON.stringify(answer) }] } })
    } finally {
      clearInterval(told)
      asked.delete(JSON.stringify(id))
    }
  }
  const hear = lineReader((line) => {
    const read = readJson(line)
    const message = read.ok ? asObject(read.value) : undefined
    if (message === undefined) {
      const problem = read.ok ? "a message is an object" : read.problem.message
      return send({ id: null, error: { code: -32700, message: `This is not a message: ${problem}` } })
    }
    const method = textAt(message, "method")
    const id = memberAt(message, "id")
    const params = objectAt(message, "params") ?? {}
    if (id === undefined) {
      if (method === "notifications/cancelled") asked.get(JSON.stringify(memberAt(params, "requestId")))?.abort()
      return
    }
    if (method === "tools/call") return void call(id, params)
    const result = method === undefined ? undefined : resultOf(method, params, version)
    if (result !== undefined) send({ id, result })
    else if (method !== undefined) send({ id, error: { code: -32601, message: `There is no method ${method}.` } })
  })
  input.setEncoding("utf8").on("data", hear)
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

/** The answer in the words that Claude Code knows. */
async function answerTo(params: JsonObject, gate: PermissionGate, withdrawn: AbortSignal): Promise<JsonObject> {
  const given = textAt(params, "name") === promptTool ? objectAt(params, "arguments") : undefined
  const tool = textAt(given, "tool_name")
  const args = objectAt(given, "input")
  if (tool === undefined || tool === "" || args === undefined) {
    return wordsOf({ kind: "deny", reason: "Byleave could not read the question, so this was not allowed." })
  }
  return wordsOf(await gate.ask({ session: null, tool, args }, withdrawn))
}

function wordsOf(answer: PermissionAnswer): JsonObject {
  return answer.kind === "allow"
    ? { behavior: "allow", updatedInput: answer.args }
    : { behavior: "deny", message: answer.reason }
}
