import { asObject, isObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@byleave/core"
import type { ModelMessage } from "ai"

type UserMessage = Extract<ModelMessage, { role: "user" }>
type UserPart = Exclude<UserMessage["content"], string>[number]

export type ReadInput =
  | { readonly ok: true; readonly messages: readonly UserMessage[] }
  | { readonly ok: false; readonly problem: string }

/** The user's messages at the end of a conversation: what is new to the run. `partsOf`: where a front end has their parts. */
export function newInput(
  messages: readonly JsonValue[],
  partsOf: (message: JsonObject) => readonly JsonValue[],
): ReadInput {
  const last = messages.findLastIndex((message) => textAt(asObject(message), "role") !== "user")
  const read: UserMessage[] = []
  for (const message of messages.slice(last + 1).filter(isObject)) {
    const parts: UserPart[] = []
    for (const part of partsOf(message)) {
      const taken = userPart(asObject(part))
      if (typeof taken === "string") return { ok: false, problem: taken }
      if (taken !== null) parts.push(taken)
    }
    const [only] = parts
    if (parts.length === 1 && only?.type === "text") read.push({ role: "user", content: only.text })
    else if (parts.length > 0) read.push({ role: "user", content: parts })
  }
  return { ok: true, messages: read }
}

/** Text, and files whose bytes are in the message: nothing is fetched for a page. A text says what is wrong. */
function userPart(part: JsonObject | undefined): UserPart | string | null {
  const type = textAt(part, "type")
  if (type === "text") return { type, text: textAt(part, "text") ?? "" }
  const source = objectAt(part, "source")
  const isAddress = textAt(source, "type") === "url"
  const url = isAddress ? textAt(source, "value") : textAt(part, "url")
  const inline = url?.match(/^data:([^;,]+);base64,(.*)$/s)
  if (inline?.[1] !== undefined && inline[2] !== undefined) return fileOf(inline[1], inline[2])
  const [bytes, mediaType] = [textAt(source, "value"), textAt(source, "mimeType")]
  if (textAt(source, "type") === "data" && bytes !== undefined && mediaType !== undefined)
    return fileOf(mediaType, bytes)
  if (url !== undefined || source !== undefined) {
    return "Files come with the message itself, as data: addresses or data sources; no other address is fetched."
  }
  return null
}

function fileOf(mediaType: string, data: string): UserPart {
  return { type: "file", mediaType, data }
}

/** A request's body as JSON, and its messages. */
export async function readBody(
  request: Request,
): Promise<{ readonly body: JsonObject; readonly messages: readonly JsonValue[] } | null> {
  try {
    const body = asObject(await request.json())
    const messages = listAt(body, "messages")
    return body === undefined || messages === undefined ? null : { body, messages }
  } catch {
    return null
  }
}
