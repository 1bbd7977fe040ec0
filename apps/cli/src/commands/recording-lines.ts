import { asObject, isObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@byleave/core"
import type { Recording } from "@byleave/runs"
import { type Paint, type Style, safeLines } from "../terminal/paint.ts"

type Told = { readonly who: string; readonly words: string; readonly style?: Style }

/** A recording as a story: who said and did what, leg by leg. */
export function recordingLines({ legs }: Recording, paint: Paint): string {
  return legs
    .map(({ request, events }, at) => {
      const told = [...requestLines(request), ...events.flatMap(({ event }) => eventLines(event))]
      const lines = told.map(({ who, words, style }) => {
        const name = paint(style ?? "dim", who.padEnd(10))
        return `${`  ${name}${safeLines(words).replaceAll("\n", "\n            ")}`.trimEnd()}\n`
      })
      return `${paint("bold", `Leg ${at + 1}`)}\n${lines.join("")}`
    })
    .join("")
}

function requestLines(request: JsonObject): readonly Told[] {
  const input = request.input
  return [
    ...(typeof input === "string" ? [{ who: "user", words: input }] : []),
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
  const words = textOf(message.content)
  return words === "" ? [] : [{ who: textAt(message, "role") ?? "user", words }]
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
    case "agent-run.finished":
    case "agent-run.failed":
    case "agent-run.cancelled":
      return [{ who: event.type.slice("agent-run.".length), words: textAt(event, "detail") ?? "" }]
    case "response.output_item.done":
      return itemLines(objectAt(event, "item"))
    default:
      return []
  }
}

function answerLines(event: JsonObject): readonly Told[] {
  const said = (type: string): string =>
    objects(event, "parts")
      .flatMap((part) => (part.type === type ? (textAt(part, "delta") ?? "") : []))
      .join("")
  const [thought, text] = [said("reasoning-delta"), said("text-delta")]
  return [
    ...(thought === "" ? [] : [{ who: "thinks", words: thought }]),
    ...(text === "" ? [] : [{ who: "model", words: text }]),
  ]
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
