/** The words in which a server, or the protocol, said that a call failed. */
import { asObject, type JsonValue, looksSecret, memberAt, readStoredJson } from "@byleave/core"

/** A line of a list holds no more; the call's own page has the whole error. */
const longestFailure = 300

/** Payloads that are longer are not read for a list. */
export const longestRead = 16_384

/** Reads a recorded error. Returns null where it is no longer kept, or says nothing in words. */
export function failureIn(payload: string | null): string | null {
  if (payload === null) return null
  const words = wordsIn(readStoredJson(payload))
    .replaceAll(/[\s\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
  if (words === "") return null
  if (looksSecret("", words)) return "The error seems to hold a secret: open the call to see it."
  return words.length <= longestFailure ? words : `${words.slice(0, longestFailure).toWellFormed()}…`
}

/** MCP tells failures as results with text in them, JSON-RPC as errors with a message. */
function wordsIn(error: JsonValue): string {
  const message = memberAt(asObject(error), "message")
  const content = memberAt(asObject(error), "content")
  if (typeof error === "string") return error
  if (typeof message === "string") return message
  if (!Array.isArray(content)) return ""
  return (content as readonly JsonValue[]).flatMap(textsIn).join(" ")
}

function textsIn(block: JsonValue): readonly string[] {
  const text = memberAt(asObject(block), "text")
  return memberAt(asObject(block), "type") === "text" && typeof text === "string" ? [text] : []
}
