import { asObject, isObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@byleave/core"
import type { Recording } from "@byleave/runs"
import { wrapped } from "../../decide/session-lines.ts"
import { wordLines } from "../../decide/wrap-line.ts"
import type { Paint, Style } from "../../terminal/paint.ts"

/** The label of a line: who speaks or acts. The words are ours: a recording's own names are not printed here. */
type Who =
  | (typeof roles)[number]
  | "approved"
  | "denied"
  | "model"
  | "other"
  | "result"
  | "runs"
  | "thinks"
  | "tools"
  | "ungated"
  | "waits"
  | "paused"
  | "finished"
  | "failed"
  | "cancelled"

type Told = { readonly who: Who; readonly words: string; readonly style?: Style }

/** The possible authors of a message. */
const roles = ["user", "assistant", "system", "developer", "tool"] as const

/** A recording as a story: who said and did what, leg by leg. Its author chose every word but the first of each line. */
export function recordingLines({ legs }: Recording, paint: Paint, columns: number | undefined): string {
  return legs
    .map(({ request, events }, at) => {
      const told = [...requestLines(request), ...events.flatMap(({ event }) => eventLines(event))]
      const lines = told.flatMap(({ who, words, style }) =>
        wordLines(`  ${paint(style ?? "dim", who.padEnd(10))}`, words),
      )
      return wrapped([paint("bold", `Leg ${at + 1}`), ...lines], columns)
    })
    .join("")
}

function requestLines(request: JsonObject): readonly Told[] {
  const input = request.input
  return [
    ...said("user", typeof input === "string" ? input : ""),
    ...[...objects(request, "messages"), ...objects(request, "input")].flatMap(messageLine),
    ...objects(request, "answers").map((answer) =>
      answerLine(answer.approve === true, textAt(answer, "tool_call"), answer),
    ),
  ]
}

function messageLine(message: JsonObject): readonly Told[] {
  if (message.type === "mcp_approval_response") {
    return [answerLine(message.approve === true, textAt(message, "approval_request_id"), message)]
  }
  return said(whoOf(textAt(message, "role") ?? "user"), textOf(message.content))
}

function said(who: Who, words: string): readonly Told[] {
  return words === "" ? [] : [{ who, words }]
}

function whoOf(role: string): Who {
  return roles.find((known) => known === role) ?? "other"
}

function answerLine(isApproved: boolean, what: string | undefined, answer: JsonObject): Told {
  const reason = textAt(answer, "reason")
  const edited = objectAt(answer, "args")
  const changed = edited === undefined ? "" : `, changed to ${JSON.stringify(edited)}`
  const words = `${what ?? ""}${reason === undefined ? "" : `: ${reason}`}${changed}`
  return { who: isApproved ? "approved" : "denied", words, style: isApproved ? "green" : "red" }
}

function eventLines(event: JsonObject): readonly Told[] {
  const call = callWords(event)
  switch (event.type) {
    case "model.answered":
      return answerLines(event)
    case "call.allowed":
      return [{ who: "runs", words: call }]
    case "call.ungated":
      return [{ who: "ungated", words: call }]
    case "call.denied":
      return [{ who: "denied", words: `${call}: ${textAt(event, "reason") ?? ""}`, style: "red" }]
    case "call.asked":
      return [{ who: "waits", words: `${textAt(event, "tool_call") ?? ""}: ${call}`, style: "yellow" }]
    case "call.ended":
      return [
        { who: "result", words: `${textAt(event, "tool_call") ?? ""}: ${outcomeWords(objectAt(event, "outcome"))}` },
      ]
    case "agent-run.paused":
      return [{ who: "paused", words: detailOf(event) }]
    case "agent-run.finished":
      return [{ who: "finished", words: detailOf(event) }]
    case "agent-run.failed":
      return [{ who: "failed", words: detailOf(event) }]
    case "agent-run.cancelled":
      return [{ who: "cancelled", words: detailOf(event) }]
    case "response.output_item.done":
      return itemLines(objectAt(event, "item"))
    default:
      return []
  }
}

function detailOf(event: JsonObject): string {
  return textAt(event, "detail") ?? ""
}

function answerLines(event: JsonObject): readonly Told[] {
  const joined = (type: string): string =>
    objects(event, "parts")
      .flatMap((part) => (part.type === type ? (textAt(part, "delta") ?? "") : []))
      .join("")
  return [...said("thinks", joined("reasoning-delta")), ...said("model", joined("text-delta"))]
}

function itemLines(item: JsonObject | undefined): readonly Told[] {
  const call = `${textAt(item, "server_label") ?? ""}(${textAt(item, "name") ?? ""}) ${textAt(item, "arguments") ?? ""}`
  switch (item?.type) {
    case "mcp_list_tools":
      return [
        {
          who: "tools",
          words: objects(item, "tools")
            .flatMap((tool) => textAt(tool, "name") ?? [])
            .join(", "),
        },
      ]
    case "reasoning":
      return [{ who: "thinks", words: textOf(item.summary) }]
    case "message":
      return [{ who: "model", words: textOf(item.content) }]
    case "mcp_approval_request":
      return [{ who: "waits", words: `${textAt(item, "id") ?? ""}: ${call}`, style: "yellow" }]
    case "mcp_call":
      return [{ who: "result", words: `${call}: ${textAt(item, "output") ?? ""}` }]
    default:
      return []
  }
}

function callWords(event: JsonObject): string {
  const tool = objectAt(event, "tool")
  const name = tool === undefined ? (textAt(event, "name") ?? "") : `${textAt(tool, "server")}(${textAt(tool, "tool")})`
  return `${name} ${JSON.stringify(event.args ?? {})}`
}

function outcomeWords(outcome: JsonObject | undefined): string {
  const { result, error, detail } = outcome ?? {}
  const words = textOf(asObject(result)?.content)
  return words === "" ? (typeof detail === "string" ? detail : JSON.stringify(result ?? error ?? null)) : words
}

function textOf(content: JsonValue | undefined): string {
  if (typeof content === "string") return content
  return (Array.isArray(content) ? content : []).flatMap((part) => textAt(asObject(part), "text") ?? []).join("\n")
}

function objects(value: JsonObject, name: string): readonly JsonObject[] {
  return (listAt(value, name) ?? []).filter(isObject)
}
