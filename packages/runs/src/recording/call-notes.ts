import {
  asObject,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  readJson,
  type ToolRef,
  textAt,
} from "@byleave/core"
import type { OfferedTool } from "../tools.ts"

/** The known facts about a run's calls while its journal is read. */
export type CallNotes = {
  /** The calls of a model's answer. */
  readonly made: (parts: readonly JsonValue[]) => void
  readonly edited: (toolCall: string, args: JsonObject) => void
  /** The call as a recording shows it. */
  readonly call: (toolCall: string) => JsonObject
  /** The calls that the messages of an ended leg leave waiting. */
  readonly asked: (messages: readonly JsonValue[]) => readonly JsonObject[]
  /** The answers to earlier calls that the messages of an ended leg contain. */
  readonly answers: (messages: readonly JsonValue[]) => readonly JsonObject[]
}

export function createCallNotes(tools: readonly OfferedTool[], servers: readonly string[]): CallNotes {
  /** Arguments as text: they may take many times as much as values. */
  const calls = new Map<string, { readonly named: JsonObject; readonly input: string }>()
  const edits = new Map<string, JsonObject>()
  /** Tool calls by the ids of the questions about them. */
  const questions = new Map<string, string>()
  const refs = new Map(tools.map(({ name, ref }) => [name, ref]))
  const call = (toolCall: string): JsonObject => {
    const made = calls.get(toolCall)
    if (made === undefined) return { tool_call: toolCall }
    const args = readJson(made.input.trim() || "{}")
    return { tool_call: toolCall, ...made.named, args: args.ok ? args.value : made.input }
  }
  return {
    made: (parts) => {
      for (const part of parts.filter(isObject)) {
        const [id, name, input] = [textAt(part, "toolCallId"), textAt(part, "toolName"), textAt(part, "input")]
        if (part.type !== "tool-call" || id === undefined || name === undefined) continue
        const tool = refs.get(name) ?? refIn(name, servers)
        calls.set(id, { named: tool === null ? { name } : { tool }, input: input ?? "" })
      }
    },
    edited: (toolCall, args) => void edits.set(toolCall, args),
    call,
    asked: (messages) => {
      const ids = partsIn(messages, "tool-approval-request").flatMap((part) => {
        const [question, toolCall] = [textAt(part, "approvalId"), textAt(part, "toolCallId")]
        if (question === undefined || toolCall === undefined || part.isAutomatic === true) return []
        questions.set(question, toolCall)
        return toolCall
      })
      return ids.map(call)
    },
    answers: (messages) =>
      partsIn(messages, "tool-approval-response").flatMap((part) => {
        const toolCall = questions.get(textAt(part, "approvalId") ?? "")
        if (toolCall === undefined) return []
        const [reason, args] = [textAt(part, "reason"), edits.get(toolCall)]
        const said = { ...(reason === undefined ? {} : { reason }), ...(args === undefined ? {} : { args }) }
        return { tool_call: toolCall, approve: part.approved === true, ...said }
      }),
  }
}

function partsIn(messages: readonly JsonValue[], type: string): readonly JsonObject[] {
  return messages
    .flatMap((message) => listAt(asObject(message), "content") ?? [])
    .filter(isObject)
    .filter((part) => part.type === type)
}

/** From the name that models know a tool by: its server's, two underscores, its own. */
function refIn(name: string, servers: readonly string[]): ToolRef | null {
  const written = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, "_")
  const server = servers.find((one) => name.startsWith(`${written(one)}__`))
  return server === undefined ? null : { server, tool: name.slice(written(server).length + 2) }
}
